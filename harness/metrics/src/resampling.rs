//! One pass over the replicates for all resampled figures of a series.

use crate::{
    calibration::Calibration,
    rates::ClusterRatio,
    stats::{Block, Draws, LANES, Replicates},
};

/// Columns of per-cluster sums, each held once however many ratios use it.
#[derive(Default)]
struct Columns {
    sums: Vec<Vec<f64>>,
}

impl Columns {
    fn add(&mut self, sums: &[f64]) -> usize {
        self.sums.iter().position(|s| s == sums).unwrap_or_else(|| {
            self.sums.push(sums.to_vec());
            self.sums.len() - 1
        })
    }

    /// Σ multiplicity · sum over clusters, for each column and replicate of the block.
    fn totals(&self, block: &Block, totals: &mut [[f64; LANES]]) {
        for (column, total) in self.sums.iter().zip(totals) {
            *total = [0.0; LANES];
            for (sum, weights) in column.iter().zip(block) {
                for (t, w) in total.iter_mut().zip(weights) {
                    *t += w * sum;
                }
            }
        }
    }
}

/// The replicates of each ratio, and of the calibration error.
pub(crate) fn resample(
    draws: &Draws,
    ratios: &[&ClusterRatio],
    calibration: &Calibration,
) -> (Vec<Replicates>, Replicates) {
    let mut columns = Columns::default();
    let places: Vec<_> =
        ratios.iter().map(|r| (columns.add(&r.numerator), columns.add(&r.denominator))).collect();
    let mut totals = vec![[0.0; LANES]; columns.sums.len()];
    let mut replicates: Vec<Replicates> = ratios.iter().map(|_| Replicates::default()).collect();
    let mut ece = Replicates::default();
    draws.for_each_block(|block, lanes| {
        columns.totals(block, &mut totals);
        for (ratio, &(top, bottom)) in replicates.iter_mut().zip(&places) {
            ratio.extend(divide_lanes(&totals[top], &totals[bottom]), lanes);
        }
        ece.extend(calibration.weighted_ece(block), lanes);
    });
    (replicates, ece)
}

/// The replicates of one ratio.
pub(crate) fn resample_ratio(draws: &Draws, ratio: &ClusterRatio) -> Replicates {
    let columns = Columns { sums: [&ratio.numerator, &ratio.denominator].map(Vec::clone).into() };
    let mut totals = [[0.0; LANES]; 2];
    let mut replicates = Replicates::default();
    draws.for_each_block(|block, lanes| {
        columns.totals(block, &mut totals);
        replicates.extend(divide_lanes(&totals[0], &totals[1]), lanes);
    });
    replicates
}

/// The replicates of `a` − `b`, two ratios over the same clusters.
pub(crate) fn resample_difference(draws: &Draws, a: &ClusterRatio, b: &ClusterRatio) -> Replicates {
    let columns = Columns {
        sums: [&a.numerator, &a.denominator, &b.numerator, &b.denominator].map(Vec::clone).into(),
    };
    let mut totals = [[0.0; LANES]; 4];
    let mut replicates = Replicates::default();
    draws.for_each_block(|block, lanes| {
        columns.totals(block, &mut totals);
        let a = divide_lanes(&totals[0], &totals[1]);
        let b = divide_lanes(&totals[2], &totals[3]);
        let difference = |lane: usize| a[lane].zip(b[lane]).map(|(a, b)| a - b);
        replicates.extend(std::array::from_fn(difference), lanes);
    });
    replicates
}

fn divide_lanes(numerator: &[f64; LANES], denominator: &[f64; LANES]) -> [Option<f64>; LANES] {
    std::array::from_fn(|lane| divide(numerator[lane], denominator[lane]))
}

/// The ratio, where there is something to divide by.
pub(crate) fn divide(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}
