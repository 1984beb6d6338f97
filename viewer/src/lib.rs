//! The page that recomputes every published number in the reader's browser.
//!
//! # Parts
//! - [`format`]: numbers, dates and foreign text to text; the one place for it.
//! - [`url_state`]: what the address says, to value and back.
//! - [`model`]: what the page shows, as plain values.
//! - [`chart`]: plots, drawn on any backend of plotters.
//! - [`data`]: where files come from.
//! - [`worker`]: the computation, in a web worker.
//! - `app`, `address`, `desk`, `later`, `open_run`, `components`, `pages`: the page itself, compiled for wasm32 only.
//!
//! # What this crate does not do
//! It computes no number: that is the metrics crate, called in the worker. It stores nothing and sends nothing.

pub mod chart;
pub mod data;
pub mod format;
pub mod model;
pub mod url_state;
pub mod worker;

#[cfg(target_arch = "wasm32")]
mod address;
#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod components;
#[cfg(target_arch = "wasm32")]
mod desk;
#[cfg(target_arch = "wasm32")]
mod entry;
#[cfg(target_arch = "wasm32")]
mod later;
#[cfg(target_arch = "wasm32")]
mod open_run;
#[cfg(target_arch = "wasm32")]
mod opening;
#[cfg(target_arch = "wasm32")]
mod pages;
