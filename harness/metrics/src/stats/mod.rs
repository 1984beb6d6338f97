//! The statistics behind the figures, each a pure function of plain numbers.

mod draws;
mod mcnemar;
mod percentile;
mod power;
mod proportion;

pub use draws::multiplicities;
pub(crate) use draws::{Block, DrawStore, Draws, LANES};
pub use mcnemar::{holm, mcnemar_exact};
pub use percentile::quantile_type7;
pub(crate) use percentile::{METHOD, Replicates, percentile_interval};
pub use power::minimum_detectable_effect;
pub use proportion::{normal_quantile, wilson};
