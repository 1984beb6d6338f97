//! What the page can show: the overview of a run, and one number.

mod all_numbers;
mod calibration;
mod comparisons;
mod lift;
mod masthead;
pub mod number;
pub mod overview;
mod provenance;
