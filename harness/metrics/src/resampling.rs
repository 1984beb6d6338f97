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

#[cfg(test)]
mod tests {
    use bootstrap::OneThread;

    use super::*;
    use crate::default_plan;

    /// How many of `n` different accuracies are kept with so many resamples.
    fn kept(n: usize, n_resamples: usize) -> usize {
        let plan = Plan { n_resamples: n_resamples as u32, ..default_plan(&[], None) };
        let mut resampling = Resampling::new(&plan, &OneThread, Elsewhere::Nowhere);
        let replicates = Rc::new(Replicates::default());
        for at in 0..n {
            let ratio = ClusterRatio { numerator: vec![at as f64], denominator: vec![1.0] };
            resampling.keep(ratio, &replicates);
        }
        resampling.accuracies.len()
    }

    #[test]
    fn accuracies_are_kept_as_far_as_they_take_their_share_of_memory() {
        assert_eq!(kept(5, KEPT_VALUES / 3), 3);
        assert_eq!(kept(5, KEPT_VALUES / 3 + 1), 2);
        assert_eq!(kept(5, KEPT_VALUES), 1);
        assert_eq!(kept(5, KEPT_VALUES + 1), 0);
        assert_eq!(kept(KEPT_RATIOS + 5, 1), KEPT_RATIOS);
    }

    #[test]
    fn an_accuracy_is_drawn_once() {
        let plan = default_plan(&[], None);
        assert!(KEPT_VALUES / plan.n_resamples as usize > 100, "room for a table of usual size");
        let mut resampling = Resampling::new(&plan, &OneThread, Elsewhere::Nowhere);
        let ratio = ClusterRatio { numerator: vec![1.0, 0.0, 2.0], denominator: vec![2.0; 3] };
        let first = resampling.accuracy(&ratio);
        assert_eq!(first.n_resamples(), plan.n_resamples);
        assert!(Rc::ptr_eq(&first, &resampling.accuracy(&ratio)));
    }
}
