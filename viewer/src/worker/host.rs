//! The worker's side: takes requests, runs them, answers.

use std::{cell::RefCell, panic};

use gloo::events::EventListener;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::{
    open::Surroundings,
    protocol::{Problem, Reply, Request},
    session::Session,
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
    let session = RefCell::new(Session::default());
    EventListener::new(&scope, "message", move |event| {
        if let Some(event) = event.dyn_ref::<MessageEvent>() {
            answer(&own, &mut session.borrow_mut(), &event.data());
        }
    })
    .forget();
    post(&scope, &Reply::Hello);
    Ok(())
}

fn answer(scope: &DedicatedWorkerGlobalScope, session: &mut Session, data: &JsValue) {
    let parts: Array = data.clone().unchecked_into();
    let Some(request) =
        parts.get(0).as_string().and_then(|text| serde_json::from_str::<Request>(&text).ok())
    else {
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
    let reply = match session.answer(request, buffers, &surroundings) {
        Ok(answer) => Reply::Done { job, answer },
        Err(problem) => Reply::Failed { job: Some(job), problem },
    };
    post(scope, &reply);
}

fn post(scope: &DedicatedWorkerGlobalScope, reply: &Reply) {
    let Ok(text) = serde_json::to_string(reply) else {
        return;
    };
    let message = Array::of1(&JsValue::from_str(&text));
    if let Reply::Done { answer, .. } = reply {
        for part in answer.parts() {
            message.push(&part.map_or(JsValue::NULL, |p| JsValue::from_str(&p)));
        }
    }
    // It fails only for values that cannot be cloned, and text can.
    let _ = scope.post_message(&message);
}
