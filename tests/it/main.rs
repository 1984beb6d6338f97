//! The `recount` binary as a user meets it: one module a capability.

mod bad_input;
mod bundle;
mod comfort;
mod common;
mod golden;
mod interruption;
mod limits;
mod markets;
mod own_arms;
mod played;
mod providers;
mod record_replay;
mod report_choices;
mod schema;
mod verify;
