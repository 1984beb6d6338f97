//! What the crate promises, one module for each kind of evidence.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its input should stop there")]

mod bca;
mod boundaries;
mod conflicts;
mod golden;
mod grading;
mod grading_kinds;
mod hostile;
mod known_values;
mod literal;
mod log;
mod made_up;
mod pinned;
mod planner;
mod properties;
mod sharing;
mod slices;
mod undefined;
mod verify;
mod workers;
