//! The grid of a run: which calls to make, and what each becomes.

mod drive;
mod estimate;
mod exchange;
mod grid;
mod logprob;
mod resolve;
mod row;
mod spending;

pub use drive::{Driven, Job, Stop, Tally};
pub use estimate::Estimate;
pub use grid::{ArmRequest, Cell, arm_requests, grid};
pub use resolve::{Fresh, Outcome, Resolver, resolve};
pub use row::{Place, baseline_row};
pub use spending::Spending;
