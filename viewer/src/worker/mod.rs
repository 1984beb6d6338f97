//! Everything heavy runs here: a web worker that holds the same module as the page.
//!
//! `protocol` is what the two sides say, `job` does the work and is free of the browser, `host` is the worker's side
//! and `client` the page's.

#[cfg(target_arch = "wasm32")]
pub mod client;
#[cfg(target_arch = "wasm32")]
pub mod host;
pub mod job;
pub mod protocol;
