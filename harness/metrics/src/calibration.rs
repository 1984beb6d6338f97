//! Predicted probabilities against what happened.

use std::collections::BTreeMap;

use records::{BinStrategy, ReliabilityBin};

use crate::{
    rates::no_prediction,
    series::{Prediction, Row, Served},
    stats::{Block, LANES, wilson},
};

/// Rows of a group that are counted in 32 bits at a time: that many multiplicities of 16 bits cannot exceed them.
const RUN: usize = 1 << 16;

/// A predicted probability in the order in which bins take it.
struct Point {
    predicted: f64,
    happened: bool,
    cluster: usize,
}

/// The predictions of a series sorted once, for any number of weighted passes.
pub(crate) struct Calibration {
    points: Vec<Point>,
    /// Points that go to one bin together, as ends in `points`.
    group_ends: Vec<usize>,
    /// Points of each cluster.
    cluster_counts: Vec<f64>,
    pub strategy: BinStrategy,
    pub n_bins: u32,
    /// Rows without a predicted probability, by reason.
    pub excluded: BTreeMap<String, u64>,
}

impl Calibration {
    pub fn new(served: &Served<'_>, strategy: BinStrategy, n_bins: u32) -> Self {
        let mut excluded = BTreeMap::new();
        for reason in served.rows.iter().filter_map(no_prediction) {
            *excluded.entry(reason.to_owned()).or_insert(0) += 1;
        }
        let points = sorted_points(served);
        let mut cluster_counts = vec![0.0; served.clusters.len()];
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
        Self { points, group_ends, cluster_counts, strategy, n_bins, excluded }
    }

    pub fn n_rows(&self) -> usize {
        self.points.len()
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

    /// The bins that hold rows, every row counted once.
    pub fn bins(&self, level: f64) -> Vec<ReliabilityBin> {
        let mut filled: Vec<(u64, Vec<&Point>)> = Vec::new();
        let mut position = 0;
        for group in self.groups() {
            let bin = match self.strategy {
                BinStrategy::Uniform => self.uniform_bin(group[0].predicted),
                _ => position * u64::from(self.n_bins) / self.points.len() as u64,
            };
            match filled.last_mut() {
                Some((last, points)) if *last == bin => points.extend(group),
                _ => filled.push((bin, group.iter().collect())),
            }
            position += group.len() as u64;
        }
        filled.into_iter().filter_map(|(bin, points)| self.describe(bin, &points, level)).collect()
    }

    fn describe(&self, bin: u64, points: &[&Point], level: f64) -> Option<ReliabilityBin> {
        let count = points.len() as u64;
        let predicted = points.iter().fold(0.0, |sum, p| sum + p.predicted);
        let happened = points.iter().filter(|p| p.happened).count() as u64;
        let (lower, upper) = wilson(happened, count, level)?;
        let edge = |bin: u64| bin as f64 / f64::from(self.n_bins);
        let (lower_edge, upper_edge) = match self.strategy {
            BinStrategy::Uniform => (edge(bin), edge(bin + 1)),
            _ => (points.first()?.predicted, points.last()?.predicted),
        };
        Some(ReliabilityBin {
            lower_edge,
            upper_edge,
            count,
            mean_predicted: predicted / count as f64,
            observed_frequency: happened as f64 / count as f64,
            lower,
            upper,
        })
    }

    /// Expected calibration error with every row counted once; None without rows.
    pub fn ece(&self) -> Option<f64> {
        self.weighted_ece(&vec![[1; LANES]; self.cluster_counts.len()])[0]
    }

    pub fn n_clusters(&self) -> usize {
        self.cluster_counts.len()
    }

    /// Expected calibration error in each replicate of a block:
    /// Σ over bins of |Σ w·predicted − Σ w·happened|, divided by Σ w.
    ///
    /// Bins are filled in order, so one running pair of sums is enough: it is closed when the next bin begins.
    pub fn weighted_ece(&self, weights: &Block) -> [Option<f64>; LANES] {
        let mut total = [0.0; LANES];
        for (count, w) in self.cluster_counts.iter().zip(weights) {
            for (sum, w) in total.iter_mut().zip(w) {
                *sum += f64::from(*w) * count;
            }
        }
        let mut open = OpenBins::new(f64::from(self.n_bins), total);
        let mut uniform_bin = 0;
        for group in self.groups() {
            if self.strategy == BinStrategy::Uniform {
                let bin = self.uniform_bin(group[0].predicted);
                if bin != uniform_bin {
                    (0..LANES).for_each(|lane| open.close(lane));
                    uniform_bin = bin;
                }
            } else {
                open.close_where_passed();
            }
            for run in group.chunks(RUN) {
                open.fill(run, weights);
            }
        }
        (0..LANES).for_each(|lane| open.close(lane));
        std::array::from_fn(|lane| (total[lane] > 0.0).then(|| open.gap[lane] / total[lane]))
    }
}

/// The bin being filled in each replicate of a block. Counts are whole numbers far below 2⁵³, so they are exact.
struct OpenBins {
    n_bins: f64,
    total: [f64; LANES],
    /// Number of bins begun.
    begun: [f64; LANES],
    /// Weighted rows so far, in all bins.
    position: [f64; LANES],
    predicted: [f64; LANES],
    happened: [f64; LANES],
    /// Σ |predicted − happened| over closed bins.
    gap: [f64; LANES],
}

impl OpenBins {
    fn new(n_bins: f64, total: [f64; LANES]) -> Self {
        let zero = [0.0; LANES];
        Self {
            n_bins,
            total,
            begun: [1.0; LANES],
            position: zero,
            predicted: zero,
            happened: zero,
            gap: zero,
        }
    }

    /// Puts rows of one group, no more than [`RUN`], into the open bin.
    fn fill(&mut self, run: &[Point], weights: &Block) {
        let (mut rows, mut events) = ([0_u32; LANES], [0_u32; LANES]);
        for point in run {
            // All bits or none: what this selects does not have to be guessed ahead.
            let happened = u32::from(point.happened).wrapping_neg();
            for (lane, w) in weights[point.cluster].iter().enumerate() {
                self.predicted[lane] += f64::from(*w) * point.predicted;
                rows[lane] += u32::from(*w);
                events[lane] += u32::from(*w) & happened;
            }
        }
        for (lane, (rows, events)) in rows.into_iter().zip(events).enumerate() {
            self.position[lane] += f64::from(rows);
            self.happened[lane] += f64::from(events);
        }
    }

    fn close(&mut self, lane: usize) {
        self.gap[lane] += f64::abs(self.predicted[lane] - self.happened[lane]);
        (self.predicted[lane], self.happened[lane]) = (0.0, 0.0);
    }

    /// A group that starts at position k of n goes to bin ⌊k·K/n⌋: the open bin is closed where that is a later one.
    fn close_where_passed(&mut self) {
        for lane in 0..LANES {
            let reached = self.position[lane] * self.n_bins;
            if reached >= self.begun[lane] * self.total[lane] {
                self.close(lane);
                while self.begun[lane] < self.n_bins
                    && reached >= self.begun[lane] * self.total[lane]
                {
                    self.begun[lane] += 1.0;
                }
            }
        }
    }
}

/// Binned rows in the order (probability, item_id, repeat).
fn sorted_points(served: &Served<'_>) -> Vec<Point> {
    let mut rows: Vec<(&Row<'_>, Prediction)> =
        served.rows.iter().filter_map(|row| Some((row, row.prediction?))).collect();
    rows.sort_by(|(a, p), (b, q)| {
        let (a, b) = (a.record, b.record);
        p.predicted
            .total_cmp(&q.predicted)
            .then_with(|| a.item_id.cmp(&b.item_id))
            .then_with(|| a.repeat.cmp(&b.repeat))
    });
    rows.into_iter()
        .map(|(row, prediction)| Point {
            predicted: prediction.predicted,
            happened: prediction.happened,
            cluster: row.cluster,
        })
        .collect()
}
