//! The computation, apart from the page, so that the page never waits for it.
//!
//! `protocol` is what the two sides say to each other, `session` keeps a run and answers, the other files do the work
//! and are free of the browser; `host` is the worker's side and `client` the page's.

#[cfg(any(test, target_arch = "wasm32"))]
mod board;
mod chain;
#[cfg(target_arch = "wasm32")]
pub mod client;
pub mod compute;
pub mod grid;
#[cfg(target_arch = "wasm32")]
pub mod host;
#[cfg(test)]
mod hostile;
pub mod open;
pub mod pair;
pub mod prompt;
pub mod protocol;
pub mod question;
pub mod session;
#[cfg(target_arch = "wasm32")]
mod sharing;
pub mod spread;
pub mod store;
pub mod turned;
