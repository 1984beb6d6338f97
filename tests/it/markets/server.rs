//! A loopback server that plays Gamma, CLOB and MediaWiki from a made-up world.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Json, Router,
    extract::{RawQuery, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::{Value, json};

use super::world::{Made, Page, World, stamp};

/// Markets a page, whatever is asked for; and edits a page.
const PAGE: usize = 100;
const EDITS: usize = 20;

/// Something else that a server says instead of an answer.
pub struct Illness {
    /// Part of what is asked: the path, a space, and the parameters by name.
    pub asked: &'static str,
    /// How often.
    pub times: usize,
    pub status: u16,
    /// The header Retry-After.
    pub retry_after: Option<String>,
    pub body: Value,
}

impl Default for Illness {
    fn default() -> Self {
        Self { asked: "", times: 1, status: 200, retry_after: None, body: Value::Null }
    }
}

/// A server at work.
pub struct Server {
    /// Its address.
    pub url: String,
    played: Arc<Played>,
}

pub struct Played {
    pub world: World,
    calls: AtomicUsize,
    /// Calls that were refused or put off.
    unanswered: AtomicUsize,
    /// From this call on (from 1), everything is refused; 0: never.
    refuse_from: AtomicUsize,
    agents: Mutex<Vec<String>>,
    paths: Mutex<Vec<String>>,
    illness: Mutex<Illness>,
}

impl Server {
    /// Starts a server that plays `world`.
    pub fn start(world: World) -> Self {
        let played = Arc::new(Played {
            world,
            calls: AtomicUsize::new(0),
            unanswered: AtomicUsize::new(0),
            refuse_from: AtomicUsize::new(0),
            agents: Mutex::default(),
            paths: Mutex::default(),
            illness: Mutex::new(Illness { times: 0, ..Illness::default() }),
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("non-blocking");
        let address = listener.local_addr().expect("address");
        let state = played.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("runtime").block_on(async move {
                let app = Router::new()
                    .route("/markets/keyset", get(markets))
                    .route("/prices-history", get(prices))
                    .route("/w/api.php", get(wiki))
                    .with_state(state);
                let listener = tokio::net::TcpListener::from_std(listener).expect("listener");
                axum::serve(listener, app).await.expect("served");
            });
        });
        Self { url: format!("http://{address}"), played }
    }

    pub fn world(&self) -> &World {
        &self.played.world
    }

    /// Calls that arrived.
    pub fn calls(&self) -> usize {
        self.played.calls.load(Ordering::SeqCst)
    }

    /// Calls that were answered.
    pub fn answered(&self) -> usize {
        self.calls() - self.played.unanswered.load(Ordering::SeqCst)
    }

    /// Refuses everything from the `call`-th call on; 0 refuses nothing.
    pub fn refuse_from(&self, call: usize) {
        self.played.refuse_from.store(call, Ordering::SeqCst);
    }

    /// Says something else for a while.
    pub fn fall_ill(&self, illness: Illness) {
        *self.played.illness.lock().expect("illness") = illness;
    }

    /// The User-Agents that called, each once.
    pub fn agents(&self) -> Vec<String> {
        self.played.agents.lock().expect("agents").clone()
    }

    /// What was asked, in order.
    pub fn asked(&self) -> Vec<String> {
        self.played.paths.lock().expect("paths").clone()
    }
}

impl Played {
    /// Counts the call; an answer when it is to be refused, or put off.
    fn note(
        &self,
        path: &str,
        headers: &HeaderMap,
        query: &BTreeMap<String, String>,
    ) -> Option<Response> {
        let refusal = self.refusal(path, headers, query);
        self.unanswered.fetch_add(usize::from(refusal.is_some()), Ordering::SeqCst);
        refusal
    }

    fn refusal(
        &self,
        path: &str,
        headers: &HeaderMap,
        query: &BTreeMap<String, String>,
    ) -> Option<Response> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let agent =
            headers.get("user-agent").and_then(|a| a.to_str().ok()).unwrap_or("").to_owned();
        let mut agents = self.agents.lock().expect("agents");
        if !agents.contains(&agent) {
            agents.push(agent);
        }
        let asked: Vec<_> = query.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let asked = format!("{path} {}", asked.join("&"));
        self.paths.lock().expect("paths").push(asked.clone());
        let mut illness = self.illness.lock().expect("illness");
        if illness.times > 0 && asked.contains(illness.asked) {
            illness.times -= 1;
            let status = StatusCode::from_u16(illness.status).expect("a status");
            let mut response = (status, Json(illness.body.clone())).into_response();
            if let Some(wait) = &illness.retry_after {
                response.headers_mut().insert("retry-after", wait.parse().expect("a header"));
            }
            return Some(response);
        }
        let refuse_from = self.refuse_from.load(Ordering::SeqCst);
        if refuse_from > 0 && call >= refuse_from {
            return Some((StatusCode::FORBIDDEN, "no more today").into_response());
        }
        // Now and then a server is busy, in each of the three ways.
        let soon = [("retry-after", "0")];
        match (call % 97, path) {
            (3, _) => Some((StatusCode::TOO_MANY_REQUESTS, soon, "slow down").into_response()),
            (41, _) => Some((StatusCode::SERVICE_UNAVAILABLE, soon, "busy").into_response()),
            (61, "/w/api.php") => {
                let lag =
                    json!({"error": {"code": "maxlag", "info": "Waiting for a database server"}});
                Some((soon, Json(lag)).into_response())
            }
            _ => None,
        }
    }
}

fn parameters(query: Option<String>) -> BTreeMap<String, String> {
    form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect()
}

async fn markets(
    State(played): State<Arc<Played>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let q = parameters(query);
    if let Some(refusal) = played.note("/markets/keyset", &headers, &q) {
        return refusal;
    }
    let asked = |name: &str, value: &str| q.get(name).is_some_and(|v| v == value);
    if !asked("closed", "true") || !asked("order", "closedTime") || q.contains_key("offset") {
        return (StatusCode::UNPROCESSABLE_ENTITY, "this server plays closed markets by time")
            .into_response();
    }
    let start: usize =
        q.get("after_cursor").map_or(0, |c| c.trim_start_matches('c').parse().expect("a cursor"));
    let rows: Vec<&Value> =
        played.world.made.iter().skip(start).take(PAGE).map(|m| &m.market).collect();
    let end = start + rows.len();
    let mut body = json!({"markets": rows});
    if end < played.world.made.len() {
        body["next_cursor"] = json!(format!("c{end}"));
    }
    Json(body).into_response()
}

async fn prices(
    State(played): State<Arc<Played>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let q = parameters(query);
    if let Some(refusal) = played.note("/prices-history", &headers, &q) {
        return refusal;
    }
    // Finer than twelve hours there is nothing for settled markets.
    let coarse = q.get("fidelity").and_then(|f| f.parse().ok()).is_some_and(|f: u32| f >= 720);
    let token = q.get("market").map_or("", String::as_str);
    let yes = token.strip_suffix('1');
    match played.world.made.iter().find(|m| Some(m.id.as_str()) == yes) {
        Some(made) if coarse => Json(made.history.clone()).into_response(),
        _ => Json(json!({"history": []})).into_response(),
    }
}

async fn wiki(
    State(played): State<Arc<Played>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let q = parameters(query);
    if let Some(refusal) = played.note("/w/api.php", &headers, &q) {
        return refusal;
    }
    let get = |name: &str| q.get(name).map_or("", String::as_str);
    assert_eq!((get("action"), get("format"), get("formatversion")), ("query", "json", "2"));
    let pages = || played.world.made.iter().flat_map(|m: &Made| &m.articles);
    let body = if get("meta") == "siteinfo" {
        json!({"batchcomplete": true, "query": {
            "general": {"sitename": "Orpedia", "server": "//orpedia.example", "script": "/w/index.php"},
            "rightsinfo": {"url": "https://creativecommons.org/licenses/by-sa/4.0/", "text": "Creative Commons Attribution-Share Alike 4.0"},
        }})
    } else if get("list") == "search" {
        let words: Vec<_> = get("srsearch").split(' ').map(str::to_lowercase).collect();
        let found: Vec<&Made> = played
            .world
            .made
            .iter()
            .filter(|m| {
                let first = m.articles.iter().find(|p| p.pageid % 10 == 3);
                let name = first.map_or("", |p| p.title.split(' ').next().unwrap_or(""));
                words.contains(&name.to_lowercase())
            })
            .take(1)
            .collect();
        let hits: Vec<_> = found
            .into_iter()
            .flat_map(|m| &m.articles)
            .take(get("srlimit").parse().expect("a number"))
            .map(|p| json!({"ns": 0, "title": p.title, "pageid": p.pageid, "size": 1, "wordcount": 1, "snippet": "…"}))
            .collect();
        json!({"batchcomplete": true, "query": {"searchinfo": {"totalhits": hits.len()}, "search": hits}})
    } else if !get("revids").is_empty() {
        let wanted: u64 = get("revids").parse().expect("a revision");
        let found =
            pages().find_map(|p| Some((p, p.revisions.iter().find(|r| r.revid == wanted)?)));
        let (page, r) = found.expect("a revision of this world");
        let row = json!({"revid": r.revid, "timestamp": stamp(r.at), "size": r.size,
            "slots": {"main": {"contentmodel": "wikitext", "contentformat": "text/x-wiki", "content": r.text}}});
        json!({"batchcomplete": true, "query": {"pages": [{"pageid": page.pageid, "ns": 0, "title": page.title, "revisions": [row]}]}})
    } else {
        let page = pages().find(|p| p.title == get("titles")).expect("a page of this world");
        history(page, &q)
    };
    Json(body).into_response()
}

/// The edits of a page from `rvstart` back to `rvend`, newest first.
fn history(page: &Page, q: &BTreeMap<String, String>) -> Value {
    let limit = q["rvlimit"].parse().unwrap_or(EDITS).min(EDITS);
    let skip: usize =
        q.get("rvcontinue").map_or(0, |c| c.trim_start_matches("at|").parse().expect("a place"));
    let (newest, oldest) = (&q["rvstart"], q.get("rvend").map_or("", String::as_str));
    let mut rows: Vec<_> = page
        .revisions
        .iter()
        .filter(|r| stamp(r.at) <= *newest && stamp(r.at).as_str() >= oldest)
        .map(|r| json!({"revid": r.revid, "parentid": 0, "timestamp": stamp(r.at), "size": r.size}))
        .collect();
    rows.reverse();
    let more = rows.len() > skip + limit;
    let rows: Vec<_> = rows.into_iter().skip(skip).take(limit).collect();
    let mut one = json!({"pageid": page.pageid, "ns": 0, "title": page.title});
    if !rows.is_empty() {
        one["revisions"] = json!(rows);
    }
    let mut body = json!({"query": {"pages": [one]}});
    if more {
        body["continue"] = json!({"rvcontinue": format!("at|{}", skip + limit), "continue": "||"});
    }
    body
}
