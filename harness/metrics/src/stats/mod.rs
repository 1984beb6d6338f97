//! The statistics behind the figures, each a pure function of plain numbers.

mod bca;
mod interval;
mod mcnemar;
mod normal;
mod power;
mod proportion;

pub use bca::bca;
pub use bootstrap::{multiplicities, quantile_type7};
pub(crate) use interval::{Jackknife, interval, method_name};
pub use mcnemar::{holm, mcnemar_exact};
pub use normal::{normal_cdf, normal_quantile};
pub use power::minimum_detectable_effect;
pub use proportion::wilson;
