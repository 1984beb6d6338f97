//! Every number Recount publishes, as pure functions of records.

mod calibration;
mod comparison;
mod compute;
mod error;
mod figures;
mod ids;
mod log;
mod plan;
mod publish;
mod rates;
mod resampling;
mod series;
pub mod stats;
pub mod verify;

pub use compute::compute;
pub use error::MetricsError;
pub use ids::{encode, series_id};
pub use plan::default_plan;
pub use publish::{Header, results};

/// Changes whenever any definition of a number changes.
pub const METRICS_VERSION: u32 = 1;
