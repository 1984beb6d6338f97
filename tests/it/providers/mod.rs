//! Every provider against a loopback server that plays its API in its public shape, and plays it badly.

mod anthropic;
mod google;
mod matrix;
mod openai;
mod secrets;
mod server;
mod workplace;

use std::sync::Mutex;

use axum::http::HeaderMap;
use serde_json::{Value, json};

/// The key that the played servers accept.
const KEY: &str = "sk-planted/5f0c1e-97d2";

/// One API, as its server plays it.
pub struct Api {
    /// Provider in `models.toml`.
    pub provider: &'static str,
    /// Environment variable of the key.
    pub key_variable: &'static str,
    /// Base URL below the host.
    pub base_path: &'static str,
    /// Where a call must go, below the host.
    pub path: &'static str,
    /// The key that a request carries.
    pub key: fn(&HeaderMap) -> Option<String>,
    /// What the API would say against a request.
    pub complaint: fn(&HeaderMap, &Value) -> Option<&'static str>,
    /// The answer to a wrong key.
    pub wrong_key: fn(key: &str) -> (u16, Value),
    /// An answer with every field of usage.
    pub answer: fn(text: &str) -> Value,
    /// The usage that [`Self::answer`] reports, as a record has it.
    pub usage: fn() -> Value,
    /// The version that [`Self::answer`] reports.
    pub version: &'static str,
    /// Answers in which a classifier stepped in, each with the usage that a record must have.
    pub refusals: fn() -> Vec<(Value, Value)>,
    /// An answer that was cut by the limit of tokens before any text.
    pub empty: fn() -> Value,
    /// The body of an error.
    pub error: fn(status: u16, message: &str) -> Value,
}

/// A usage as a record has it.
fn usage(input: u64, output: u64, cache_read: u64, cache_write: u64) -> Value {
    json!({
        "input_tokens": input, "output_tokens": output,
        "cache_read_tokens": cache_read, "cache_write_tokens": cache_write,
    })
}

/// A header as text.
fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}

/// A test of its own.
type Job = Box<dyn FnOnce() + Send>;

/// Does many jobs that mostly wait, a few at a time.
fn side_by_side(jobs: Vec<Job>) {
    let jobs = Mutex::new(jobs);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let next = || jobs.lock().expect("the list of jobs").pop();
                while let Some(job) = next() {
                    job();
                }
            });
        }
    });
}
