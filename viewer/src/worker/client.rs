//! The page's side: starts the worker, hands files over, receives replies.

use std::{cell::RefCell, rc::Rc};

use gloo::events::EventListener;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use super::protocol::{Parts, Problem, Reply, Request, pack, unpack};

/// A running worker; dropping it ends the worker, and with it whatever it computes.
pub struct Client {
    worker: Worker,
    /// Requests that wait for the worker's first word; messages before that would be lost.
    waiting: Rc<RefCell<Vec<Array>>>,
    ready: Rc<RefCell<bool>>,
    _listeners: [EventListener; 2],
}

impl Client {
    /// Starts a worker whose replies go to `receive`.
    ///
    /// # Errors
    /// When the browser refuses to start one.
    pub fn start(url: &str, receive: impl Fn(Reply) + 'static) -> Result<Self, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(url, &options)?;
        let waiting: Rc<RefCell<Vec<Array>>> = Rc::default();
        let ready: Rc<RefCell<bool>> = Rc::default();
        let receive = Rc::new(receive);
        let on_message = {
            let (worker, waiting, ready) = (worker.clone(), waiting.clone(), ready.clone());
            let receive = receive.clone();
            let parts = RefCell::new(Parts::default());
            EventListener::new(&worker.clone(), "message", move |event| {
                match event.dyn_ref::<MessageEvent>().and_then(|e| read(&e.data())) {
                    Some((Reply::Hello, _)) => {
                        *ready.borrow_mut() = true;
                        for message in waiting.borrow_mut().drain(..) {
                            post(&worker, &message);
                        }
                        receive(Reply::Hello);
                    }
                    Some((Reply::Part { part }, text)) => {
                        parts.borrow_mut().take(part, &text.unwrap_or_default());
                    }
                    Some((reply @ Reply::Progress { .. }, _)) => receive(reply),
                    Some((reply, _)) => receive(whole(reply, parts.take())),
                    None => receive(broken("the worker answered something unreadable")),
                }
            })
        };
        let on_error = EventListener::new(&worker, "error", move |_| {
            receive(broken("the worker could not start or ran out of memory"));
        });
        Ok(Self { worker, waiting, ready, _listeners: [on_message, on_error] })
    }

    /// Hands a request and its files over; the buffers are moved, not copied.
    pub fn send(&self, request: &Request, buffers: &[ArrayBuffer]) {
        let Some(bytes) = pack(request) else {
            return;
        };
        let message = Array::of1(&Uint8Array::from(bytes.as_slice()));
        for buffer in buffers {
            message.push(buffer);
        }
        if *self.ready.borrow() {
            post(&self.worker, &message);
        } else {
            self.waiting.borrow_mut().push(message);
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// A message of the worker, with the text beside it.
fn read(data: &JsValue) -> Option<(Reply, Option<String>)> {
    let message: &Array = data.dyn_ref()?;
    let bytes = message.get(0).dyn_into::<Uint8Array>().ok()?.to_vec();
    Some((unpack(&bytes)?, message.get(1).as_string()))
}

/// A reply with the parts put in that came before it.
fn whole(mut reply: Reply, parts: Parts) -> Reply {
    let (Reply::Done { job, answer } | Reply::SoFar { job, answer }) = &mut reply else {
        return reply;
    };
    let job = *job;
    match answer.attach(parts) {
        Ok(()) => reply,
        Err(problem) => Reply::Failed { job: Some(job), problem },
    }
}

fn broken(what: &str) -> Reply {
    Reply::Failed { job: None, problem: Problem::new(what, "reload the page") }
}

fn post(worker: &Worker, message: &Array) {
    let buffers: Array = message.iter().skip(1).collect();
    // It fails only for values that cannot be cloned; buffers can.
    let _ = worker.post_message_with_transfer(message, &buffers);
}
