//! The Recount harness: bundle → prompt → completion → grade → record → figure → verdict.
//!
//! All I/O and everything asynchronous stands here; what decides (prompts, grading, statistics) is pure and lives in
//! [`prompt`], `metrics::grading` and `metrics`.

pub mod arms;
pub mod cassette;
pub mod cli;
pub mod cmd;
pub mod dataset;
pub mod description;
pub mod error;
pub mod models;
pub mod pieces;
pub mod progress;
pub mod prompt;
pub mod provider;
pub mod report;
pub mod retry_after;
pub mod run_folder;
pub mod runner;
pub mod secret;
pub mod terminal;
pub mod threads;
pub mod verify;
