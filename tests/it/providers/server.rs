//! A loopback server that does with each call what it is told.

use std::{
    convert::Infallible,
    io,
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Request, StatusCode, header::CONTENT_LENGTH},
    response::Response,
};
use futures_util::stream;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::Api;

/// A byte each: slow, but not standing still.
const DRIP: Duration = Duration::from_millis(50);
const MEGABYTE: usize = 1 << 20;

/// What to do with a call.
#[derive(Clone)]
pub enum Act {
    /// Answers at once.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Never answers.
    Hang,
    /// Closes the connection before any byte.
    Cut,
    /// Promises this body, sends half of it and closes the connection.
    CutMidway(Vec<u8>),
    /// Sends the last twelve bytes of this body one by one.
    Drip(Vec<u8>),
    /// Sends a blank at a time, for ever.
    DripForever,
    /// Sends thirty megabytes and says so in the header.
    Huge,
    /// Sends megabytes, for ever.
    Endless,
}

impl Act {
    /// Answers at once in JSON.
    pub fn json(status: u16, headers: &[(&'static str, &str)], body: &Value) -> Self {
        let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, (*v).to_owned())).collect();
        headers.push(("content-type", "application/json".to_owned()));
        Self::Answer(status, headers, body.to_string().into_bytes())
    }
}

/// A running server.
pub struct Server {
    /// Address with the base path of the API.
    pub base_url: String,
    /// When each call came.
    pub calls: Arc<Mutex<Vec<Instant>>>,
    /// What the API would have said against a call.
    pub complaints: Arc<Mutex<Vec<String>>>,
    /// Bytes of a large body that left the server, those in buffers on the way included.
    pub sent: Arc<AtomicUsize>,
}

impl Server {
    /// Number of calls so far.
    pub fn count(&self) -> usize {
        self.calls.lock().expect("calls").len()
    }

    /// Seconds between the calls.
    pub fn gaps(&self) -> Vec<f64> {
        let calls = self.calls.lock().expect("calls");
        calls.windows(2).map(|w| (w[1] - w[0]).as_secs_f64()).collect()
    }
}

#[derive(Clone)]
struct Played {
    api: &'static Api,
    key: String,
    acts: Vec<Act>,
    calls: Arc<Mutex<Vec<Instant>>>,
    complaints: Arc<Mutex<Vec<String>>>,
    sent: Arc<AtomicUsize>,
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let builder =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    builder.expect("runtime")
});

/// Starts a server that plays `api` and accepts `key`: call n gets act n, and the last act from then on.
pub fn serve(api: &'static Api, key: &str, acts: &[Act]) -> Server {
    let played = Played {
        api,
        key: key.to_owned(),
        acts: acts.to_vec(),
        calls: Arc::default(),
        complaints: Arc::default(),
        sent: Arc::default(),
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("non-blocking");
    let address = listener.local_addr().expect("address");
    let server = Server {
        base_url: format!("http://{address}{}", api.base_path),
        calls: played.calls.clone(),
        complaints: played.complaints.clone(),
        sent: played.sent.clone(),
    };
    RUNTIME.spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener).expect("listener");
        axum::serve(listener, Router::new().fallback(answer).with_state(played)).await
    });
    server
}

async fn answer(State(played): State<Played>, request: Request<Body>) -> Response {
    let (head, body) = request.into_parts();
    let call = {
        let mut calls = played.calls.lock().expect("calls");
        calls.push(Instant::now());
        calls.len() - 1
    };
    let api = played.api;
    let body = axum::body::to_bytes(body, MEGABYTE).await.expect("a request");
    let complaint = match serde_json::from_slice::<Value>(&body) {
        _ if head.method != "POST" || head.uri != api.path => Some("404 page not found"),
        Ok(body) => (api.complaint)(&head.headers, &body),
        Err(_) => Some("the body is not JSON"),
    };
    if let Some(complaint) = complaint {
        played.complaints.lock().expect("complaints").push(complaint.to_owned());
    }
    let key = (api.key)(&head.headers).unwrap_or_default();
    if key != played.key {
        let (status, body) = (api.wrong_key)(&key);
        return respond(status, &[], Body::from(body.to_string()));
    }
    let act = played.acts.get(call).or(played.acts.last()).expect("an act").clone();
    perform(act, played.sent).await
}

async fn perform(act: Act, sent: Arc<AtomicUsize>) -> Response {
    let length = |n: usize| [(CONTENT_LENGTH.as_str(), n.to_string())];
    match act {
        Act::Answer(status, headers, body) => respond(status, &headers, Body::from(body)),
        Act::Hang => std::future::pending().await,
        // Ends the task that serves the connection, without the message of a panic.
        Act::Cut => std::panic::resume_unwind(Box::new("the connection is cut")),
        Act::CutMidway(body) => {
            let half = Bytes::copy_from_slice(&body[..body.len() / 2]);
            let parts = [Ok(half), Err(io::Error::other("the connection is cut"))];
            respond(200, &length(body.len()), Body::from_stream(stream::iter(parts)))
        }
        Act::Drip(body) => {
            let (start, end) = body.split_at(body.len() - 12);
            let mut parts = vec![Bytes::copy_from_slice(start)];
            parts.extend(end.iter().map(|b| Bytes::copy_from_slice(&[*b])));
            respond(200, &length(body.len()), dripping(parts.into_iter()))
        }
        Act::DripForever => {
            respond(200, &[], dripping(std::iter::repeat(Bytes::from_static(b" "))))
        }
        Act::Huge => respond(200, &length(30 * MEGABYTE), megabytes(30, sent)),
        Act::Endless => respond(200, &[], megabytes(usize::MAX, sent)),
    }
}

fn megabytes(number: usize, sent: Arc<AtomicUsize>) -> Body {
    let parts = (0..number).map(move |_| {
        sent.fetch_add(MEGABYTE, Ordering::SeqCst);
        Ok::<_, Infallible>(Bytes::from(vec![b' '; MEGABYTE]))
    });
    Body::from_stream(stream::iter(parts))
}

fn dripping(parts: impl Iterator<Item = Bytes> + Send + 'static) -> Body {
    Body::from_stream(stream::unfold(parts, |mut parts| async {
        tokio::time::sleep(DRIP).await;
        Some((Ok::<_, Infallible>(parts.next()?), parts))
    }))
}

fn respond(status: u16, headers: &[(&'static str, String)], body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).expect("status");
    let into: &mut HeaderMap = response.headers_mut();
    for (name, value) in headers {
        into.append(*name, value.parse().expect("header"));
    }
    response
}
