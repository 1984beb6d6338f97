//! The `recount` binary as a user meets it: one module a capability.

mod bad_input;
mod bundle;
mod common;
mod golden;
mod providers;
mod record_replay;
mod schema;
mod verify;
