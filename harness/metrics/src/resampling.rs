//! One pass over the replicates for all resampled figures of a series.

use std::rc::Rc;

use records::Plan;
use wide::f64x8;

use crate::{
    calibration::Calibration,
    columns::{Column, Columns},
    rates::ClusterRatio,
    stats::{DrawStore, Draws, Replicates, Weights},
    workers::Workers,
};

/// Replicates of accuracies that are kept, all together (32 MB).
const KEPT_VALUES: usize = 1 << 22;

/// Accuracies whose replicates are kept.
const KEPT_RATIOS: usize = 256;

/// The replicates of each ratio, and of a calibration error where one is asked for.
///
/// A ratio of two columns that are the same in every cluster takes no drawing: each replicate divides the same totals.
pub(crate) fn resample(
    draws: &Draws,
    ratios: &[&ClusterRatio],
    calibration: Option<&Calibration>,
    workers: &dyn Workers,
) -> (Vec<Replicates>, Replicates) {
    let mut columns = Columns::default();
    let mut all: Vec<Replicates> = ratios.iter().map(|_| Replicates::default()).collect();
    let mut drawn = Vec::new();
    for (at, ratio) in ratios.iter().enumerate() {
        let (top, bottom) = (columns.add(&ratio.numerator), columns.add(&ratio.denominator));
        match (columns.get(top), columns.get(bottom)) {
            (Column::Same(top), Column::Same(bottom)) => {
                all[at] = Replicates::same(divide(*top, *bottom), draws.n_resamples());
            }
            _ => drawn.push((at, top, bottom)),
        }
    }
    let calibration = calibration.map(|c| (c, columns.add(c.cluster_counts())));
    let mut of_calibration = Replicates::default();
    if drawn.is_empty() && calibration.is_none() {
        return (all, of_calibration);
    }
    let parts = draws.in_parts(workers, |part| {
        let mut totals = vec![[f64x8::ZERO; 2]; columns.len()];
        let mut room = Vec::new();
        let mut quotients: Vec<_> =
            drawn.iter().map(|_| Replicates::with_room(part.len())).collect();
        let mut errors = Replicates::with_room(part.len());
        draws.for_each_block(part, |block, lanes| {
            let weights = Weights::new(block, &mut room);
            columns.totals(&weights, &mut totals);
            for (quotients, &(_, top, bottom)) in quotients.iter_mut().zip(&drawn) {
                quotients.extend_ratio(totals[top], totals[bottom], lanes);
            }
            if let Some((calibration, predicted)) = calibration {
                let gap = calibration.weighted_gap(&weights, totals[predicted]);
                errors.extend_ratio(gap, totals[predicted], lanes);
            }
        });
        (quotients, errors)
    });
    for (quotients, errors) in parts {
        drawn.iter().zip(quotients).for_each(|((at, ..), part)| all[*at].append(part));
        of_calibration.append(errors);
    }
    (all, of_calibration)
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
        let kept: usize = self.accuracies.iter().map(|(_, r)| r.len()).sum();
        if kept + replicates.len() <= KEPT_VALUES && self.accuracies.len() < KEPT_RATIOS {
            self.accuracies.push((ratio, Rc::clone(replicates)));
        }
    }

    /// The replicates of an accuracy: as kept, or drawn and then kept.
    pub fn accuracy(&mut self, ratio: &ClusterRatio) -> Rc<Replicates> {
        if let Some((_, kept)) = self.accuracies.iter().find(|(kept, _)| kept == ratio) {
            return Rc::clone(kept);
        }
        let draws = self.draws.get(ratio.numerator.len());
        let (replicates, _) = resample(&draws, &[ratio], None, self.workers);
        let replicates = Rc::new(replicates.into_iter().next().unwrap_or_default());
        self.keep(ratio.clone(), &replicates);
        replicates
    }
}

/// The ratio, where there is something to divide by.
pub(crate) fn divide(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}
