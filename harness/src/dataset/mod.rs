//! A data set on disk: loading, checking and signing it.

mod check;
mod constraints;
mod load;
pub mod markets;
mod sign;

pub use check::{Problem, check};
pub use constraints::check_constraints;
pub use load::{DATA_FILES, Dataset, EXTRA_FILES, load};
pub use sign::{counts, sign_folder, signature, signed};
