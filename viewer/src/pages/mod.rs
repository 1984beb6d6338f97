//! The views: each puts parts together over what is known about the open run.

mod all_numbers;
mod calibration;
mod comparisons;
mod evidence;
mod head;
pub mod intervals;
mod lift;
mod masthead;
pub mod method;
pub mod number;
pub mod overview;
mod provenance;
pub mod question;
pub mod questions;
pub mod retrieval;
pub mod runs;
