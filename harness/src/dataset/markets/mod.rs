//! `recount dataset markets`: from closed prediction markets to a reviewed, signed data set.
//!
//! harvest → screen → collapse → label (difficulty and domain) → draw → bundle → review. Each step is a pure function
//! between two files of the folder `work/`; only [`client`], [`harvest`] and [`gather`] speak to the network, and what
//! they fetched is written down and never fetched again. Every candidate is in the set or in `rejected.jsonl`, with one
//! reason.

pub mod articles;
pub mod assemble;
pub mod client;
pub mod collapse;
pub mod deadline;
pub mod difficulty;
pub mod domains;
pub mod draw;
#[cfg(test)]
mod draw_tests;
mod feasible;
pub mod gamma;
pub mod gather;
pub mod harvest;
mod infeasible;
pub mod ledger;
pub mod review;
mod review_view;
pub mod screen;
pub mod settings;
mod settle;
pub mod sheet;
pub mod steps;
pub mod time;
pub mod verdicts;
pub mod wiki;
pub mod wikitext;
mod work;

pub use infeasible::Infeasible;
pub use work::Work;
