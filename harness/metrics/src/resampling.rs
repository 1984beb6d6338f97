//! One pass over the replicates for all resampled figures of a series.

use std::rc::Rc;

use bootstrap::{Binned, ClusterRatio, DrawStore, Draws, KEPT_CELLS, Pass, Replicates, Workers};
use records::Plan;

use crate::sharing::Elsewhere;

/// Replicates of accuracies that are kept, all together (32 MB).
const KEPT_VALUES: usize = 1 << 22;

/// Accuracies whose replicates are kept.
const KEPT_RATIOS: usize = 256;

/// The replicates of each ratio, and of a calibration error where one is asked for.
pub(crate) fn resample(
    draws: &Draws,
    ratios: &[&ClusterRatio],
    calibration: Option<&Binned>,
    workers: &dyn Workers,
    elsewhere: &Elsewhere,
) -> (Vec<Replicates>, Replicates) {
    let pass = Pass::new(draws.n_resamples(), ratios, calibration);
    if !pass.draws() {
        return pass.joined([]);
    }
    match elsewhere.parts(draws, ratios, calibration) {
        Some(parts) => pass.joined(parts),
        None => {
            let pass = [pass];
            let parts = draws.in_parts(workers, |blocks| bootstrap::run(&pass, draws, blocks));
            let [pass] = pass;
            pass.joined(parts.into_iter().flatten())
        }
    }
}

/// Draws, and the replicates of accuracy that lifts and comparisons have in common with the figures.
pub(crate) struct Resampling<'w> {
    pub draws: DrawStore<'w>,
    pub workers: &'w dyn Workers,
    pub elsewhere: Elsewhere,
    accuracies: Vec<(ClusterRatio, Rc<Replicates>)>,
}

impl<'w> Resampling<'w> {
    pub fn new(plan: &Plan, workers: &'w dyn Workers, elsewhere: Elsewhere) -> Self {
        let kept = if matches!(elsewhere, Elsewhere::Asked(..)) { 0 } else { KEPT_CELLS };
        let draws = DrawStore::new(plan.seed, plan.n_resamples, workers, kept);
        Self { draws, workers, elsewhere, accuracies: Vec::new() }
    }

    /// Keeps the replicates of an accuracy for a comparison that may need them, while there are not too many.
    pub fn keep(&mut self, ratio: ClusterRatio, replicates: &Rc<Replicates>) {
        // As if none of them were the same throughout, and whether they have been drawn or only asked for.
        let kept = (self.accuracies.len() + 1) * self.draws.n_resamples() as usize;
        if kept <= KEPT_VALUES && self.accuracies.len() < KEPT_RATIOS {
            self.accuracies.push((ratio, Rc::clone(replicates)));
        }
    }

    /// The replicates of an accuracy: as kept, or drawn and then kept.
    pub fn accuracy(&mut self, ratio: &ClusterRatio) -> Rc<Replicates> {
        if let Some((_, kept)) = self.accuracies.iter().find(|(kept, _)| kept == ratio) {
            return Rc::clone(kept);
        }
        let draws = self.draws.get(ratio.numerator.len());
        let (replicates, _) = resample(&draws, &[ratio], None, self.workers, &self.elsewhere);
        let replicates = Rc::new(replicates.into_iter().next().unwrap_or_default());
        self.keep(ratio.clone(), &replicates);
        replicates
    }
}
