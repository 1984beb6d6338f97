//! Predicted probabilities against what happened.

use std::collections::BTreeMap;

use bootstrap::{Binned, Point};
use records::{BinStrategy, ReliabilityBin};

use crate::{
    distinct::sort,
    rates::no_prediction,
    scored::Prediction,
    series::{Row, Served},
    stats::wilson,
};

/// The predictions of a series.
pub(crate) struct Calibration {
    pub binned: Binned,
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
        Self { binned: Binned::new(points, served.clusters.len(), strategy, n_bins), excluded }
    }

    pub fn n_rows(&self) -> usize {
        self.binned.points().len()
    }

    /// The bins that hold rows, every row counted once.
    pub fn bins(&self, level: f64) -> Vec<ReliabilityBin> {
        let mut filled: Vec<(u64, Vec<&Point>)> = Vec::new();
        for (bin, group) in self.binned.groups_by_bin() {
            match filled.last_mut() {
                Some((last, points)) if *last == bin => points.extend(group),
                _ => filled.push((bin, group.iter().collect())),
            }
        }
        filled.into_iter().filter_map(|(bin, points)| self.describe(bin, &points, level)).collect()
    }

    fn describe(&self, bin: u64, points: &[&Point], level: f64) -> Option<ReliabilityBin> {
        let count = points.len() as u64;
        let predicted = points.iter().fold(0.0, |sum, p| sum + p.predicted);
        let happened = points.iter().filter(|p| p.happened).count() as u64;
        let (lower, upper) = wilson(happened, count, level)?;
        let edge = |bin: u64| bin as f64 / f64::from(self.binned.n_bins());
        let (lower_edge, upper_edge) = match self.binned.strategy() {
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
}

/// Binned rows in the order (probability, item_id, repeat).
fn sorted_points(served: &Served<'_>) -> Vec<Point> {
    let mut rows: Vec<(&Row<'_>, Prediction)> =
        served.rows.iter().filter_map(|row| Some((row, row.scored.prediction?))).collect();
    sort(&mut rows, &|(a, p), (b, q)| {
        let place = |row: &Row<'_>| (row.scored.item, row.scored.repeat);
        p.predicted.total_cmp(&q.predicted).then_with(|| place(a).cmp(&place(b)))
    });
    rows.into_iter()
        .map(|(row, prediction)| Point {
            predicted: prediction.predicted,
            happened: prediction.happened,
            cluster: row.cluster,
        })
        .collect()
}
