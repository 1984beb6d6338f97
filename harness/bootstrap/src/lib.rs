//! The cluster bootstrap: which clusters each replicate draws, and what ratios of their sums and calibration errors come
//! to in it, many replicates at a time.
//!
//! This is where the time goes, and it is a package of its own so that a page can have it compiled for speed and the rest
//! for size. Outside a page it takes the widest instructions that it finds on the machine. What is drawn depends on seed,
//! replicate and number of clusters alone, and every sum has one order: any split into parts, on any target, in any width
//! of instructions, comes to the same bits.

mod binned;
mod columns;
mod draws;
mod lanes;
mod pass;
mod quantile;
mod replicates;
mod streams;
mod width;
mod workers;

use serde::{Deserialize, Serialize};

pub use binned::{Binned, Point};
pub use draws::{DrawStore, Draws, KEPT_CELLS, multiplicities, permutation};
pub use lanes::{Block, LANES};
pub use pass::{Drawn, Pass, run};
pub use quantile::{quantile_type7, quantiles_type7};
pub use replicates::Replicates;
pub use workers::{OneThread, Workers, gather};

/// A rate's sums by cluster: all that resampling needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClusterRatio {
    /// The sums above the line.
    pub numerator: Vec<f64>,
    /// The sums below the line, for the same clusters.
    pub denominator: Vec<f64>,
}

impl ClusterRatio {
    /// Numerator and denominator of the point value: every cluster once.
    #[must_use]
    pub fn totals(&self) -> (f64, f64) {
        let total = |sums: &[f64]| sums.iter().fold(0.0, |total, sum| total + sum);
        (total(&self.numerator), total(&self.denominator))
    }
}

/// The ratio, where there is something to divide by.
#[must_use]
pub fn divide(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_of_the_sums_over_all_clusters() {
        let ratio =
            ClusterRatio { numerator: vec![1.0, 0.5, 2.0], denominator: vec![2.0, 3.0, 0.0] };
        assert_eq!(ratio.totals(), (3.5, 5.0));
        assert_eq!(divide(3.5, 5.0), Some(0.7));
    }

    #[test]
    fn there_is_no_ratio_where_there_is_nothing_to_divide_by() {
        for nothing in [0.0, -0.0, -1.0] {
            assert_eq!(divide(1.0, nothing), None);
        }
    }
}
