//! Checks a published run from the documents to the numbers.
//!
//! Digests first (`SHA256SUMS`, the inputs that the results name, the data set), then the way of the data is walked
//! again: every row is made anew from data set, prompt and cassette and must come out the same, and every figure is
//! recomputed from the rows.

mod chain;
mod files;
mod whole;

pub use chain::replay_rows;
pub use files::run_sums;
pub use whole::{AllRows, gaps};
