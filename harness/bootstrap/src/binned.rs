//! Calibration errors over replicates.

use std::array;

use records::BinStrategy;
use serde::{Deserialize, Serialize};
use wide::u16x8;

use crate::{
    divide,
    lanes::{Block, Floats, LANES, Weights, counts},
};

/// Rows of a group that are counted in 16 bits at a time: that many multiplicities of 8 bits cannot exceed them.
const RUN: usize = 1 << 8;

/// A predicted probability and what happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The probability that was stated.
    pub predicted: f64,
    /// True when the event happened.
    pub happened: bool,
    /// The cluster that the row belongs to.
    pub cluster: usize,
}

/// The predictions of a series in the order in which bins take them, sorted once for any number of weighted passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Binned {
    points: Vec<Point>,
    /// Points that go to one bin together, as ends in `points`.
    group_ends: Vec<usize>,
    /// Points of each cluster.
    cluster_counts: Vec<f64>,
    strategy: BinStrategy,
    n_bins: u32,
}

impl Binned {
    /// `points` are in order of probability; those of one probability stay together, unless the strategy splits them.
    #[must_use]
    pub fn new(points: Vec<Point>, n_clusters: usize, strategy: BinStrategy, n_bins: u32) -> Self {
        let mut cluster_counts = vec![0.0; n_clusters];
        for point in &points {
            cluster_counts[point.cluster] += 1.0;
        }
        let together = |a: &Point, b: &Point| {
            strategy != BinStrategy::QuantileSplit && a.predicted == b.predicted
        };
        let mut group_ends = Vec::new();
        for group in points.chunk_by(together) {
            group_ends.push(group_ends.last().unwrap_or(&0) + group.len());
        }
        Self { points, group_ends, cluster_counts, strategy, n_bins }
    }

    /// The points, in order.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Points of each cluster.
    #[must_use]
    pub fn cluster_counts(&self) -> &[f64] {
        &self.cluster_counts
    }

    /// How bins are formed.
    #[must_use]
    pub fn strategy(&self) -> BinStrategy {
        self.strategy
    }

    /// How many bins there are at most.
    #[must_use]
    pub fn n_bins(&self) -> u32 {
        self.n_bins
    }

    /// The bin of each group of points that stay together, in order.
    pub fn groups_by_bin(&self) -> impl Iterator<Item = (u64, &[Point])> {
        let mut position = 0;
        self.groups().map(move |group| {
            let bin = match self.strategy {
                BinStrategy::Uniform => self.uniform_bin(group[0].predicted),
                _ => position * u64::from(self.n_bins) / self.points.len() as u64,
            };
            position += group.len() as u64;
            (bin, group)
        })
    }

    /// The groups of points that stay together, in order.
    fn groups(&self) -> impl Iterator<Item = &[Point]> {
        let mut start = 0;
        self.group_ends.iter().map(move |&end| {
            let group = &self.points[start..end];
            start = end;
            group
        })
    }

    fn uniform_bin(&self, predicted: f64) -> u64 {
        // The last bin is closed on the right, so that 1.0 counts.
        ((predicted * f64::from(self.n_bins)) as u64).min(u64::from(self.n_bins) - 1)
    }

    /// Expected calibration error with every row counted once; None without rows.
    #[must_use]
    pub fn ece(&self) -> Option<f64> {
        self.weighted_ece(&vec![[1; LANES]; self.cluster_counts.len()])[0]
    }

    /// Expected calibration error in each replicate of a block.
    #[must_use]
    pub fn weighted_ece(&self, weights: &Block) -> [Option<f64>; LANES] {
        let mut room = Vec::new();
        let weights = Weights::new(weights, &mut room);
        let mut rows = Floats::splat(0.0);
        for (cluster, count) in self.cluster_counts.iter().enumerate() {
            rows += weights.floats(cluster) * Floats::splat(*count);
        }
        let gap = self.weighted_gap(&weights, rows);
        let (gap, rows) = (gap.to_array(), rows.to_array());
        array::from_fn(|lane| divide(gap[lane], rows[lane]))
    }

    /// Σ over bins of |Σ w·predicted − Σ w·happened| in each replicate of a block; divided by `rows`, which is Σ w, it
    /// is the calibration error.
    ///
    /// Bins are filled in order, so one running pair of sums is enough: it is closed when the next bin begins.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[must_use]
    pub fn weighted_gap(&self, weights: &Weights<'_>, rows: Floats) -> Floats {
        let mut open = OpenBins::new(f64::from(self.n_bins), rows);
        let mut uniform_bin = 0;
        for group in self.groups() {
            if self.strategy == BinStrategy::Uniform {
                let bin = self.uniform_bin(group[0].predicted);
                if bin != uniform_bin {
                    open.close_all();
                    uniform_bin = bin;
                }
            } else {
                open.close_where_passed();
            }
            for run in group.chunks(RUN) {
                open.fill(run, weights);
            }
        }
        open.close_all();
        open.gap
    }
}

/// The bin being filled in each replicate of a block. Counts are whole numbers far below 2⁵³, so they are exact.
struct OpenBins {
    n_bins: Floats,
    /// Weighted rows of all bins, at least 1.
    total: Floats,
    /// Weighted rows so far, times the number of bins.
    reached: Floats,
    /// What `reached` must come to before the next bin begins: the number of bins begun, times `total`.
    next: Floats,
    predicted: Floats,
    happened: Floats,
    /// Σ |predicted − happened| over closed bins.
    gap: Floats,
}

impl OpenBins {
    #[inline(always)]
    fn new(n_bins: f64, total: Floats) -> Self {
        // A replicate without rows gets one, or there would be no end to the bins that have passed.
        let total = total.at_least_one();
        let zero = Floats::splat(0.0);
        let n_bins = Floats::splat(n_bins);
        Self {
            n_bins,
            total,
            reached: zero,
            next: total,
            predicted: zero,
            happened: zero,
            gap: zero,
        }
    }

    /// Puts rows of one group, no more than [`RUN`], into the open bin.
    #[inline(always)]
    fn fill(&mut self, run: &[Point], weights: &Weights<'_>) {
        if let [point] = run {
            let times = weights.floats(point.cluster);
            self.predicted += times * Floats::splat(point.predicted);
            self.reached += times * self.n_bins;
            if point.happened {
                self.happened += times;
            }
            return;
        }
        // One thing after the other: there are not registers enough for all of it.
        let mut predicted = self.predicted;
        for point in run {
            predicted += weights.floats(point.cluster) * Floats::splat(point.predicted);
        }
        self.predicted = predicted;
        let [mut low, mut high] = [u16x8::ZERO; 2];
        let [mut events_low, mut events_high] = [u16x8::ZERO; 2];
        for point in run {
            // All bits or none: what this selects does not have to be guessed ahead.
            let happened = u16x8::splat(u16::from(point.happened).wrapping_neg());
            let [of_low, of_high] = counts(weights.block[point.cluster]);
            low += of_low;
            high += of_high;
            events_low += of_low & happened;
            events_high += of_high & happened;
        }
        self.reached += Floats::of([low, high]) * self.n_bins;
        self.happened += Floats::of([events_low, events_high]);
    }

    #[inline(always)]
    fn close_all(&mut self) {
        self.gap += (self.predicted - self.happened).abs();
        (self.predicted, self.happened) = (Floats::splat(0.0), Floats::splat(0.0));
    }

    /// A group that starts at position k of n goes to bin ⌊k·K/n⌋: the open bin is closed where that is a later one.
    #[inline(always)]
    fn close_where_passed(&mut self) {
        let mut passed = self.reached.reaches(self.next);
        if passed.any() {
            self.gap += (self.predicted - self.happened).abs().only(passed);
            self.predicted = self.predicted.except(passed);
            self.happened = self.happened.except(passed);
        }
        while passed.any() {
            self.next += self.total.only(passed);
            passed = self.reached.reaches(self.next);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::draws::Draws;

    /// The calibration error of one replicate, as it is defined: each group goes whole to the bin in which it begins,
    /// and each bin is added up in order.
    fn literal(binned: &Binned, weight: impl Fn(usize) -> f64) -> Option<f64> {
        let n: f64 = binned.points.iter().map(|point| weight(point.cluster)).sum();
        let n_bins = f64::from(binned.n_bins);
        let together = |a: &Point, b: &Point| {
            binned.strategy != BinStrategy::QuantileSplit && a.predicted == b.predicted
        };
        let (mut bins, mut k): (Vec<(f64, f64, f64)>, f64) = (Vec::new(), 0.0);
        for group in binned.points.chunk_by(together) {
            let bin = match binned.strategy {
                BinStrategy::Uniform => (group[0].predicted * n_bins).floor().min(n_bins - 1.0),
                _ => (k * n_bins / n.max(1.0)).floor(),
            };
            if bins.last().is_none_or(|(last, ..)| *last != bin) {
                bins.push((bin, 0.0, 0.0));
            }
            let (_, predicted, happened) = bins.last_mut()?;
            for point in group {
                let times = weight(point.cluster);
                *predicted += times * point.predicted;
                *happened += if point.happened { times } else { 0.0 };
                k += times;
            }
        }
        let gap = bins.iter().fold(0.0, |gap, (_, p, y)| gap + (p - y).abs());
        (n > 0.0).then(|| gap / n)
    }

    fn binned(
        rows: &[(f64, bool, usize)],
        coarse: bool,
        n_clusters: usize,
        strategy: BinStrategy,
        n_bins: u32,
    ) -> Binned {
        let stated = |p: f64| if coarse { (p * 10.0).round() / 10.0 } else { p };
        let point = |(p, happened, cluster): &(f64, bool, usize)| Point {
            predicted: stated(*p),
            happened: *happened,
            cluster: cluster % n_clusters,
        };
        let mut points: Vec<Point> = rows.iter().map(point).collect();
        points.sort_by(|a, b| a.predicted.total_cmp(&b.predicted));
        Binned::new(points, n_clusters, strategy, n_bins)
    }

    fn strategy() -> impl Strategy<Value = BinStrategy> {
        prop_oneof![
            Just(BinStrategy::Quantile),
            Just(BinStrategy::Uniform),
            Just(BinStrategy::QuantileSplit)
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn every_replicate_has_the_bits_of_the_definition(
            rows in prop::collection::vec((0.0_f64..=1.0, any::<bool>(), 0..300_usize), 1..400),
            coarse: bool,
            n_clusters in 1..300_usize,
            strategy in strategy(),
            n_bins in 1..12_u32,
            seed: u64,
        ) {
            let binned = binned(&rows, coarse, n_clusters, strategy, n_bins);
            Draws::anew(seed, 40, n_clusters as u32).for_each_block(0..3, |block, lanes| {
                for (lane, ece) in binned.weighted_ece(block).into_iter().enumerate().take(lanes) {
                    let expected = literal(&binned, |cluster| f64::from(block[cluster][lane]));
                    assert_eq!(ece.map(f64::to_bits), expected.map(f64::to_bits));
                }
            });
            let once = literal(&binned, |_| 1.0);
            prop_assert_eq!(binned.ece().map(f64::to_bits), once.map(f64::to_bits));
        }
    }

    #[test]
    fn a_group_goes_whole_to_the_bin_in_which_it_begins() {
        let rows: Vec<(f64, bool, usize)> =
            [0.1, 0.1, 0.1, 0.4, 1.0].into_iter().map(|p| (p, true, 0)).collect();
        let bins = |strategy| -> Vec<(u64, usize)> {
            let binned = binned(&rows, false, 1, strategy, 5);
            assert_eq!((binned.strategy(), binned.n_bins()), (strategy, 5));
            assert_eq!((binned.points().len(), binned.cluster_counts()), (5, &[5.0][..]));
            binned.groups_by_bin().map(|(bin, group)| (bin, group.len())).collect()
        };
        assert_eq!(bins(BinStrategy::Quantile), [(0, 3), (3, 1), (4, 1)]);
        assert_eq!(bins(BinStrategy::Uniform), [(0, 3), (2, 1), (4, 1)]);
        assert_eq!(bins(BinStrategy::QuantileSplit), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]);
    }

    #[test]
    fn more_rows_of_one_group_than_are_counted_at_a_time_are_all_counted() {
        // Every multiplicity is the largest that there is, so that 16 bits hold those of 257 rows and no more.
        let rows: Vec<(f64, bool, usize)> = (0..600).map(|at| (0.7, at % 3 > 0, 0)).collect();
        let binned = binned(&rows, false, 1, BinStrategy::Quantile, 3);
        let expected = literal(&binned, |_| 255.0);
        assert_eq!(binned.weighted_ece(&[[255; LANES]]), [expected; LANES]);
        assert_eq!(binned.weighted_ece(&[[0; LANES]]), [None; LANES]);
    }
}
