//! One pass over the replicates for all resampled figures of a series.

use crate::{
    calibration::Calibration,
    rates::ClusterRatio,
    stats::{Block, Draws, LANES, Replicates},
};

/// Clusters whose multiplicities are turned into floats at a time: few enough to stay in the fastest cache while every
/// column takes its turn.
const TILE: usize = 128;

/// Columns of per-cluster sums, each held once however many ratios use it.
#[derive(Default)]
struct Columns {
    sums: Vec<Vec<f64>>,
}

impl Columns {
    fn of(sums: &[&Vec<f64>]) -> Self {
        Self { sums: sums.iter().map(|s| (*s).clone()).collect() }
    }

    fn add(&mut self, sums: &[f64]) -> usize {
        self.sums.iter().position(|s| s == sums).unwrap_or_else(|| {
            self.sums.push(sums.to_vec());
            self.sums.len() - 1
        })
    }

    /// Σ multiplicity · sum over clusters in order, for each column and replicate of the block.
    fn totals(&self, block: &Block, totals: &mut [[f64; LANES]]) {
        totals.fill([0.0; LANES]);
        let mut weights = [[0.0; LANES]; TILE];
        for (tile, drawn) in block.chunks(TILE).enumerate() {
            for (weight, drawn) in weights.iter_mut().zip(drawn) {
                *weight = drawn.map(f64::from);
            }
            let clusters = tile * TILE..tile * TILE + drawn.len();
            for (column, total) in self.sums.iter().zip(&mut *totals) {
                let mut sum = *total;
                for (of_cluster, weights) in column[clusters.clone()].iter().zip(&weights) {
                    for (t, w) in sum.iter_mut().zip(weights) {
                        *t += w * of_cluster;
                    }
                }
                *total = sum;
            }
        }
    }
}

/// The replicates of each ratio, and of the calibration error.
pub(crate) fn resample(
    draws: &Draws<'_>,
    ratios: &[&ClusterRatio],
    calibration: &Calibration,
) -> (Vec<Replicates>, Replicates) {
    let mut columns = Columns::default();
    let places: Vec<_> =
        ratios.iter().map(|r| (columns.add(&r.numerator), columns.add(&r.denominator))).collect();
    let parts = draws.in_parts(|part| {
        let mut totals = vec![[0.0; LANES]; columns.sums.len()];
        let mut replicates: Vec<Replicates> =
            ratios.iter().map(|_| Replicates::default()).collect();
        let mut ece = Replicates::default();
        draws.for_each_block(part, |block, lanes| {
            columns.totals(block, &mut totals);
            for (ratio, &(top, bottom)) in replicates.iter_mut().zip(&places) {
                ratio.extend(divide_lanes(&totals[top], &totals[bottom]), lanes);
            }
            ece.extend(calibration.weighted_ece(block), lanes);
        });
        (replicates, ece)
    });
    let mut all: Vec<Replicates> = ratios.iter().map(|_| Replicates::default()).collect();
    let mut all_ece = Replicates::default();
    for (replicates, ece) in parts {
        all.iter_mut().zip(replicates).for_each(|(all, part)| all.append(part));
        all_ece.append(ece);
    }
    (all, all_ece)
}

/// The replicates of one ratio.
pub(crate) fn resample_ratio(draws: &Draws<'_>, ratio: &ClusterRatio) -> Replicates {
    let columns = Columns::of(&[&ratio.numerator, &ratio.denominator]);
    replicates_of(draws, &columns, |totals| divide_lanes(&totals[0], &totals[1]))
}

/// The replicates of `a` − `b`, two ratios over the same clusters.
pub(crate) fn resample_difference(
    draws: &Draws<'_>,
    a: &ClusterRatio,
    b: &ClusterRatio,
) -> Replicates {
    let columns = Columns::of(&[&a.numerator, &a.denominator, &b.numerator, &b.denominator]);
    replicates_of(draws, &columns, |totals| {
        let a = divide_lanes(&totals[0], &totals[1]);
        let b = divide_lanes(&totals[2], &totals[3]);
        std::array::from_fn(|lane| a[lane].zip(b[lane]).map(|(a, b)| a - b))
    })
}

/// The replicates of one figure that follows from the totals of columns.
fn replicates_of(
    draws: &Draws<'_>,
    columns: &Columns,
    figure: impl Fn(&[[f64; LANES]]) -> [Option<f64>; LANES] + Sync,
) -> Replicates {
    let parts = draws.in_parts(|part| {
        let mut totals = vec![[0.0; LANES]; columns.sums.len()];
        let mut replicates = Replicates::default();
        draws.for_each_block(part, |block, lanes| {
            columns.totals(block, &mut totals);
            replicates.extend(figure(&totals), lanes);
        });
        replicates
    });
    let mut all = Replicates::default();
    parts.into_iter().for_each(|part| all.append(part));
    all
}

fn divide_lanes(numerator: &[f64; LANES], denominator: &[f64; LANES]) -> [Option<f64>; LANES] {
    std::array::from_fn(|lane| divide(numerator[lane], denominator[lane]))
}

/// The ratio, where there is something to divide by.
pub(crate) fn divide(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}
