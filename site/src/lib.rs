//! Builds the page for wasm32, assembles the static site and serves it on this machine.
//!
//! What is decided here is pure and tested without a compiler or a network: names and tokens ([`page`]), the content
//! security policy ([`html`]), the index ([`publication`]). Around it stand the parts that touch the world: the compiler
//! ([`toolchain`], [`wasm`]), the folder ([`assembly`]) and the socket ([`serve`]).

pub mod archive;
pub mod assembly;
mod budget;
pub mod cli;
pub mod demo;
pub mod html;
pub mod packages;
pub mod page;
pub mod project;
pub mod publication;
pub mod serve;
pub mod toolchain;
pub mod wasm;
