//! One pass over the replicates for all resampled figures of a series.

use std::rc::Rc;

use records::Plan;
use wide::{f64x8, u16x8};

use crate::{
    calibration::Calibration,
    rates::ClusterRatio,
    stats::{Block, Counts, DrawStore, Draws, Floats, Replicates, counts, floats},
    workers::Workers,
};

/// Clusters whose multiplicities are widened at a time: few enough to stay in the fastest cache while every column takes
/// its turn.
const TILE: usize = 32;

/// Replicates of accuracies that are kept, all together (32 MB).
const KEPT_VALUES: usize = 1 << 22;

/// Accuracies whose replicates are kept.
const KEPT_RATIOS: usize = 256;

/// Per-cluster sums of one term, in the form in which their weighted total takes least time.
enum Column {
    /// The same whole number in each cluster: as there are as many draws as clusters, every replicate has this total.
    Same(f64),
    /// Whole numbers so small that the weighted total of a tile fits into 16 bits. Whole numbers below 2⁵³ are exact,
    /// as floats too: how they are added up shows in no bit.
    Counts(Vec<u16>),
    /// Anything else, added as floats in order of cluster.
    Sums(Vec<f64>),
}

impl Column {
    fn new(sums: &[f64]) -> Self {
        let Some(counts) = sums.iter().map(|s| whole(*s)).collect::<Option<Vec<u16>>>() else {
            return Self::Sums(sums.to_vec());
        };
        if counts.iter().all(|n| *n == counts[0]) {
            return Self::Same(sums.iter().fold(0.0, |total, sum| total + sum));
        }
        // No cluster is drawn more often than a cell can say, and all together as often as there are clusters.
        let draws_of_a_tile = sums.len().min(TILE * usize::from(u8::MAX));
        let largest = counts.iter().copied().max().map_or(0, usize::from);
        if draws_of_a_tile * largest <= usize::from(u16::MAX) {
            Self::Counts(counts)
        } else {
            Self::Sums(sums.to_vec())
        }
    }
}

fn whole(sum: f64) -> Option<u16> {
    let count = sum as u16;
    (f64::from(count) == sum).then_some(count)
}

/// Columns of per-cluster sums, each held once however many ratios use it.
#[derive(Default)]
struct Columns<'a> {
    sums: Vec<&'a [f64]>,
    columns: Vec<Column>,
}

impl<'a> Columns<'a> {
    fn add(&mut self, sums: &'a [f64]) -> usize {
        self.sums.iter().position(|s| *s == sums).unwrap_or_else(|| {
            self.sums.push(sums);
            self.columns.push(Column::new(sums));
            self.sums.len() - 1
        })
    }

    /// Σ multiplicity · sum over clusters in order, for each column and replicate of the block.
    fn totals(&self, block: &Block, totals: &mut [Floats]) {
        for (column, total) in self.columns.iter().zip(&mut *totals) {
            *total = [f64x8::splat(if let Column::Same(all) = column { *all } else { 0.0 }); 2];
        }
        let mut weights = [[u16x8::ZERO; 2]; TILE];
        for (tile, drawn) in block.chunks(TILE).enumerate() {
            for (weights, drawn) in weights.iter_mut().zip(drawn) {
                *weights = counts(*drawn);
            }
            let clusters = tile * TILE..tile * TILE + drawn.len();
            for (column, total) in self.columns.iter().zip(&mut *totals) {
                match column {
                    Column::Same(_) => {}
                    Column::Counts(sums) => add_counts(total, &sums[clusters.clone()], &weights),
                    Column::Sums(sums) => add_sums(total, &sums[clusters.clone()], &weights),
                }
            }
        }
    }
}

fn add_counts(total: &mut Floats, sums: &[u16], weights: &[Counts; TILE]) {
    // Nothing wraps: a column of larger counts has another form.
    let [mut low, mut high] = [u16x8::ZERO; 2];
    for (sum, weights) in sums.iter().zip(weights) {
        let sum = u16x8::splat(*sum);
        low += weights[0] * sum;
        high += weights[1] * sum;
    }
    let of_tile = floats([low, high]);
    *total = [total[0] + of_tile[0], total[1] + of_tile[1]];
}

fn add_sums(total: &mut Floats, sums: &[f64], weights: &[Counts; TILE]) {
    let [mut low, mut high] = *total;
    for (sum, weights) in sums.iter().zip(weights) {
        let (sum, weights) = (f64x8::splat(*sum), floats(*weights));
        low += weights[0] * sum;
        high += weights[1] * sum;
    }
    *total = [low, high];
}

/// The replicates of each ratio, and of the calibration error, in parts that follow one another.
pub(crate) fn resample(
    draws: &Draws<'_>,
    ratios: &[&ClusterRatio],
    calibration: &Calibration,
) -> (Vec<Replicates>, Replicates) {
    let mut columns = Columns::default();
    let places: Vec<_> =
        ratios.iter().map(|r| (columns.add(&r.numerator), columns.add(&r.denominator))).collect();
    let predicted = columns.add(calibration.cluster_counts());
    let parts = draws.in_parts(|part| {
        let mut totals = vec![[f64x8::ZERO; 2]; columns.sums.len()];
        let room = || Replicates::with_room(part.len());
        let mut replicates: Vec<_> = ratios.iter().map(|_| room()).collect();
        let mut ece = room();
        draws.for_each_block(part, |block, lanes| {
            columns.totals(block, &mut totals);
            for (ratio, &(top, bottom)) in replicates.iter_mut().zip(&places) {
                ratio.extend_ratio(totals[top], totals[bottom], lanes);
            }
            let gap = calibration.weighted_gap(block, totals[predicted]);
            ece.extend_ratio(gap, totals[predicted], lanes);
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
    let mut columns = Columns::default();
    let (top, bottom) = (columns.add(&ratio.numerator), columns.add(&ratio.denominator));
    let parts = draws.in_parts(|part| {
        let mut totals = vec![[f64x8::ZERO; 2]; columns.sums.len()];
        let mut replicates = Replicates::with_room(part.len());
        draws.for_each_block(part, |block, lanes| {
            columns.totals(block, &mut totals);
            replicates.extend_ratio(totals[top], totals[bottom], lanes);
        });
        replicates
    });
    let mut all = Replicates::default();
    parts.into_iter().for_each(|part| all.append(part));
    all
}

/// Draws, and the replicates of accuracy that lifts and comparisons have in common with the figures.
pub(crate) struct Resampling<'w> {
    pub draws: DrawStore<'w>,
    pub workers: &'w dyn Workers,
    accuracies: Vec<(ClusterRatio, Rc<Replicates>)>,
}

impl<'w> Resampling<'w> {
    pub fn new(plan: &Plan, workers: &'w dyn Workers) -> Self {
        let draws = DrawStore::new(plan.seed, plan.n_resamples, workers);
        Self { draws, workers, accuracies: Vec::new() }
    }

    /// Keeps the replicates of an accuracy for a comparison that may need them, while there are not too many.
    pub fn keep(&mut self, ratio: ClusterRatio, replicates: &Rc<Replicates>) {
        let kept: usize = self.accuracies.iter().map(|(_, r)| r.defined.len()).sum();
        if kept + replicates.defined.len() <= KEPT_VALUES && self.accuracies.len() < KEPT_RATIOS {
            self.accuracies.push((ratio, Rc::clone(replicates)));
        }
    }

    /// The replicates of an accuracy: as kept, or drawn and then kept.
    pub fn accuracy(&mut self, ratio: &ClusterRatio) -> Rc<Replicates> {
        if let Some((_, kept)) = self.accuracies.iter().find(|(kept, _)| kept == ratio) {
            return Rc::clone(kept);
        }
        let draws = self.draws.get(ratio.numerator.len());
        let replicates = Rc::new(resample_ratio(&draws, ratio));
        self.keep(ratio.clone(), &replicates);
        replicates
    }
}

/// The ratio, where there is something to divide by.
pub(crate) fn divide(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}
