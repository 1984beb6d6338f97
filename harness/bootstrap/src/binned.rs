//! Calibration errors over replicates.

use std::array;

use records::BinStrategy;
use serde::{Deserialize, Serialize};
use wide::{f64x8, u16x8};

use crate::{
    divide,
    lanes::{Block, Floats, LANES, Weights, counts, floats},
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
        let mut rows = [f64x8::ZERO; 2];
        for (cluster, count) in self.cluster_counts.iter().enumerate() {
            let weights = weights.floats(cluster);
            (0..2).for_each(|half| rows[half] += weights[half] * f64x8::splat(*count));
        }
        let gap = self.weighted_gap(&weights, rows);
        let lane = |of: &Floats, lane: usize| of[lane / 8].as_array()[lane % 8];
        array::from_fn(|at| divide(lane(&gap, at), lane(&rows, at)))
    }

    /// Σ over bins of |Σ w·predicted − Σ w·happened| in each replicate of a block; divided by `rows`, which is Σ w, it
    /// is the calibration error.
    ///
    /// Bins are filled in order, so one running pair of sums is enough: it is closed when the next bin begins.
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
        open.halves.map(|half| half.gap)
    }
}

/// The bin being filled in each replicate of a block. Counts are whole numbers far below 2⁵³, so they are exact.
struct OpenBins {
    n_bins: f64x8,
    halves: [Half; 2],
}

/// The open bins of half a block.
struct Half {
    /// Weighted rows of all bins, at least 1.
    total: f64x8,
    /// Weighted rows so far, times the number of bins.
    reached: f64x8,
    /// What `reached` must come to before the next bin begins: the number of bins begun, times `total`.
    next: f64x8,
    predicted: f64x8,
    happened: f64x8,
    /// Σ |predicted − happened| over closed bins.
    gap: f64x8,
}

impl OpenBins {
    fn new(n_bins: f64, total: Floats) -> Self {
        let half = |total: f64x8| {
            // A replicate without rows gets one, or there would be no end to the bins that have passed.
            let total = total.max(f64x8::ONE);
            let zero = f64x8::ZERO;
            Half { total, reached: zero, next: total, predicted: zero, happened: zero, gap: zero }
        };
        Self { n_bins: f64x8::splat(n_bins), halves: total.map(half) }
    }

    /// Puts rows of one group, no more than [`RUN`], into the open bin.
    fn fill(&mut self, run: &[Point], weights: &Weights<'_>) {
        if let [point] = run {
            return self.fill_one(point, weights);
        }
        // One thing after the other: there are not registers enough for all of it. Both halves are written out, since a
        // compiler that is to write little leaves a loop over them.
        let [mut low, mut high] = [self.halves[0].predicted, self.halves[1].predicted];
        for point in run {
            let predicted = f64x8::splat(point.predicted);
            let [of_low, of_high] = weights.floats(point.cluster);
            low += of_low * predicted;
            high += of_high * predicted;
        }
        let predicted = [low, high];
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
        let (rows, events) = (floats([low, high]), floats([events_low, events_high]));
        let n_bins = self.n_bins;
        for (at, half) in self.halves.iter_mut().enumerate() {
            half.predicted = predicted[at];
            half.reached += rows[at] * n_bins;
            half.happened += events[at];
        }
    }

    fn fill_one(&mut self, point: &Point, weights: &Weights<'_>) {
        let (predicted, n_bins) = (f64x8::splat(point.predicted), self.n_bins);
        let [low, high] = &mut self.halves;
        let [of_low, of_high] = weights.floats(point.cluster);
        low.fill(of_low, predicted, n_bins, point.happened);
        high.fill(of_high, predicted, n_bins, point.happened);
    }

    fn close_all(&mut self) {
        for half in &mut self.halves {
            half.close(f64x8::ZERO.simd_ge(f64x8::ZERO));
        }
    }

    /// A group that starts at position k of n goes to bin ⌊k·K/n⌋: the open bin is closed where that is a later one.
    fn close_where_passed(&mut self) {
        for half in &mut self.halves {
            let mut passed = half.reached.simd_ge(half.next);
            if passed.any() {
                half.close(passed);
            }
            while passed.any() {
                half.next += passed & half.total;
                passed = half.reached.simd_ge(half.next);
            }
        }
    }
}

impl Half {
    #[inline(always)]
    fn fill(&mut self, weights: f64x8, predicted: f64x8, n_bins: f64x8, happened: bool) {
        self.predicted += weights * predicted;
        self.reached += weights * n_bins;
        if happened {
            self.happened += weights;
        }
    }

    /// Closes the open bin in the replicates that the mask `ends` selects.
    fn close(&mut self, ends: f64x8) {
        self.gap += ends & (self.predicted - self.happened).abs();
        self.predicted = !ends & self.predicted;
        self.happened = !ends & self.happened;
    }
}
