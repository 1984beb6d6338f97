//! The statistics behind the figures, each a pure function of plain numbers.

mod bca;
mod draws;
mod interval;
mod lanes;
mod mcnemar;
mod normal;
mod power;
mod proportion;
mod quantile;

pub use bca::bca;
pub use draws::multiplicities;
pub(crate) use draws::{DrawStore, Draws, KEPT_CELLS, permutation};
pub(crate) use interval::{Jackknife, Replicates, interval, method_name};
pub(crate) use lanes::{Block, Counts, Floats, LANES, Weights, counts, floats};
pub use mcnemar::{holm, mcnemar_exact};
pub use normal::{normal_cdf, normal_quantile};
pub use power::minimum_detectable_effect;
pub use proportion::wilson;
pub use quantile::quantile_type7;
