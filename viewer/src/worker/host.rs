//! The worker's side: takes requests, runs them, answers.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    panic,
    rc::Rc,
};

use gloo::events::EventListener;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use leptos::wasm_split::wasm_split;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::{
    open::{self, Opened, Surroundings},
    protocol::{Answer, Ask, Files, Problem, Reply, Report, Request, pack, unpack},
    session::Session,
    sharing::Sharing,
};

/// Starts to listen for requests, and says so.
///
/// # Errors
/// When this is not a worker.
pub fn start() -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    panic::set_hook(Box::new(|info| {
        if let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
            let problem = Problem::new(
                format!("the computation stopped: {info}"),
                "reload the page; if it happens again, please report it with the files",
            );
            post(&scope, &Reply::Failed { job: None, problem });
        }
    }));
    let own = scope.clone();
    let queue = Rc::new(Queue::default());
    EventListener::new(&scope, "message", move |event| {
        if let Some(event) = event.dyn_ref::<MessageEvent>() {
            queue.waiting.borrow_mut().push_back(event.data());
            if !queue.busy.replace(true) {
                spawn_local(work(own.clone(), queue.clone()));
            }
        }
    })
    .forget();
    post(&scope, &Reply::Hello);
    Ok(())
}

/// Requests in the order in which they came, and the run that they are about.
#[derive(Default)]
struct Queue {
    waiting: RefCell<VecDeque<JsValue>>,
    busy: Cell<bool>,
    session: RefCell<Session>,
}

/// Answers one request after the other until none waits.
async fn work(scope: DedicatedWorkerGlobalScope, queue: Rc<Queue>) {
    loop {
        let next = queue.waiting.borrow_mut().pop_front();
        let Some(data) = next else { break };
        answer(&scope, &queue.session, &data).await;
    }
    queue.busy.set(false);
}

async fn answer(scope: &DedicatedWorkerGlobalScope, session: &RefCell<Session>, data: &JsValue) {
    let parts: Array = data.clone().unchecked_into();
    let head = parts.get(0).dyn_into::<Uint8Array>().ok();
    let Some(request) = head.and_then(|bytes| unpack::<Request>(&bytes.to_vec())) else {
        let problem = Problem::new("the page sent something unreadable", "reload the page");
        post(scope, &Reply::Failed { job: None, problem });
        return;
    };
    let buffers: Vec<Vec<u8>> = parts
        .iter()
        .skip(1)
        .filter_map(|b| b.dyn_into::<ArrayBuffer>().ok())
        .map(|b| Uint8Array::new(&b).to_vec())
        .collect();
    let job = request.job;
    let clock = scope.performance();
    let surroundings = Surroundings {
        now: &|| clock.as_ref().map_or(0.0, web_sys::Performance::now),
        progress: &|step| post(scope, &Reply::Progress { job, step }),
    };
    let outcome = match request.ask {
        Ask::Open(files) => {
            // Nothing of another run must be left when this one cannot be opened.
            session.take();
            let so_far = |answer| post(scope, &Reply::SoFar { job, answer });
            let opened = open(&files, buffers, &surroundings, &so_far).await;
            opened.map(|(report, opened)| session.borrow_mut().keep(report, opened))
        }
        Ask::Compute { settings, edits } if session.borrow().takes_long(&settings) => {
            // It is in nobody's way meanwhile: requests are answered one after the other.
            let open = session.take();
            let computed = match sharing().await {
                Ok(share) => share.again(open.opened(), &settings, &edits, &surroundings).await,
                Err(problem) => Err(problem),
            };
            session.replace(open);
            computed.map(|computation| Answer::Computed(Box::new(computation)))
        }
        ask => match inquiries().await {
            Ok(inquire) => inquire(&mut session.borrow_mut(), ask, buffers, &surroundings),
            Err(problem) => Err(problem),
        },
    };
    let reply = match outcome {
        Ok(answer) => Reply::Done { job, answer },
        Err(problem) => Reply::Failed { job: Some(job), problem },
    };
    post(scope, &reply);
}

/// Opens a run; where that takes long, the values go to `so_far` before their intervals are there.
async fn open(
    files: &Files,
    buffers: Vec<Vec<u8>>,
    surroundings: &Surroundings<'_>,
    so_far: &dyn Fn(Answer),
) -> Result<(Report, Opened), Problem> {
    let reading = open::read(files, buffers, surroundings)?;
    // Where the code that shares the work out cannot be had, this worker does all of it.
    let share = if reading.takes_long() { sharing().await.ok() } else { None };
    let computed = match share {
        Some(share) => share.first(&reading, surroundings, so_far).await,
        None => reading.compute(),
    };
    Ok(reading.concluded(computed, surroundings))
}

#[wasm_split(inquiries, wasm_split_path = ::leptos::wasm_split, fallible)]
fn sharing() -> Result<Sharing, Problem> {
    Ok(Sharing::new())
}

type Inquire = fn(&mut Session, Ask, Vec<Vec<u8>>, &Surroundings<'_>) -> Result<Answer, Problem>;

/// Everything reached from here and from nowhere else is fetched with the first inquiry.
#[wasm_split(inquiries, wasm_split_path = ::leptos::wasm_split, fallible)]
fn inquiries() -> Result<Inquire, Problem> {
    Ok(Session::inquire)
}

fn post(scope: &DedicatedWorkerGlobalScope, reply: &Reply) {
    if let Reply::Done { answer, .. } | Reply::SoFar { answer, .. } = reply {
        for (part, text) in answer.parts() {
            post_with(scope, &Reply::Part { part }, &JsValue::from_str(&text));
        }
    }
    post_with(scope, reply, &JsValue::NULL);
}

fn post_with(scope: &DedicatedWorkerGlobalScope, reply: &Reply, text: &JsValue) {
    let Some(bytes) = pack(reply) else {
        return;
    };
    let message = Array::of2(&Uint8Array::from(bytes.as_slice()), text);
    // It fails only for values that cannot be cloned, and bytes and text can.
    let _ = scope.post_message(&message);
}
