//! The grid of a run: which calls to make, and what each becomes.

mod exchange;
mod grid;
mod resolve;
mod row;

pub use grid::{ArmRequest, Cell, arm_requests, grid};
pub use resolve::{Outcome, Resolver, resolve};
pub use row::{Place, baseline_row};
