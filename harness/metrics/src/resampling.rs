//! One pass over the replicates for all resampled figures of a series.

use std::{ops::Range, rc::Rc};

use records::Plan;
use serde::{Deserialize, Serialize};
use wide::f64x8;

use crate::{
    calibration::Calibration,
    columns::{Column, Columns},
    rates::ClusterRatio,
    sharing::Elsewhere,
    stats::{DrawStore, Draws, KEPT_CELLS, Replicates, Weights},
    workers::Workers,
};

/// Replicates of accuracies that are kept, all together (32 MB).
const KEPT_VALUES: usize = 1 << 22;

/// Accuracies whose replicates are kept.
const KEPT_RATIOS: usize = 256;

/// The replicates of each ratio, and of a calibration error where one is asked for.
pub(crate) fn resample(
    draws: &Draws,
    ratios: &[&ClusterRatio],
    calibration: Option<&Calibration>,
    workers: &dyn Workers,
    elsewhere: &Elsewhere,
) -> (Vec<Replicates>, Replicates) {
    let pass = Pass::new(draws.n_resamples(), ratios, calibration);
    if !pass.draws() {
        return pass.joined([]);
    }
    let elsewhere = elsewhere.parts(draws, ratios, calibration);
    let here = || draws.in_parts(workers, |blocks| pass.over(draws, blocks));
    let parts = elsewhere.unwrap_or_else(here);
    pass.joined(parts)
}

/// Ratios and a calibration error that are resampled together, so that each draw serves all of them.
///
/// A ratio of two columns that are the same in every cluster takes no drawing: each replicate divides the same totals.
pub(crate) struct Pass<'a> {
    columns: Columns<'a>,
    /// The replicates of ratios that take no drawing; none yet in the places of the others.
    known: Vec<Replicates>,
    /// Ratios that are drawn: place, and the columns above and below the line.
    drawn: Vec<[usize; 3]>,
    /// The column is that of its rows by cluster.
    calibration: Option<(&'a Calibration, usize)>,
}

/// What consecutive blocks of replicates come to: those of each ratio that is drawn, and of the calibration error.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Drawn {
    ratios: Vec<Replicates>,
    calibration: Replicates,
}

impl<'a> Pass<'a> {
    pub fn new(
        n_resamples: u32,
        ratios: &[&'a ClusterRatio],
        calibration: Option<&'a Calibration>,
    ) -> Self {
        let mut columns = Columns::default();
        let (mut known, mut drawn) = (Vec::with_capacity(ratios.len()), Vec::new());
        for (at, ratio) in ratios.iter().enumerate() {
            let (top, bottom) = (columns.add(&ratio.numerator), columns.add(&ratio.denominator));
            known.push(match (columns.get(top), columns.get(bottom)) {
                (Column::Same(top), Column::Same(bottom)) => {
                    Replicates::same(divide(*top, *bottom), n_resamples)
                }
                _ => {
                    drawn.push([at, top, bottom]);
                    Replicates::default()
                }
            });
        }
        let calibration = calibration.map(|c| (c, columns.add(c.cluster_counts())));
        Self { columns, known, drawn, calibration }
    }

    /// False when everything is known without drawing.
    pub fn draws(&self) -> bool {
        !self.drawn.is_empty() || self.calibration.is_some()
    }

    /// The replicates of these blocks.
    pub fn over(&self, draws: &Draws, blocks: Range<usize>) -> Drawn {
        let mut totals = vec![[f64x8::ZERO; 2]; self.columns.len()];
        let mut room = Vec::new();
        let with_room = || Replicates::with_room(blocks.len());
        let mut out = Drawn {
            ratios: self.drawn.iter().map(|_| with_room()).collect(),
            calibration: with_room(),
        };
        draws.for_each_block(blocks.clone(), |block, lanes| {
            let weights = Weights::new(block, &mut room);
            self.columns.totals(&weights, &mut totals);
            for (quotients, &[_, top, bottom]) in out.ratios.iter_mut().zip(&self.drawn) {
                quotients.extend_ratio(totals[top], totals[bottom], lanes);
            }
            if let Some((calibration, predicted)) = self.calibration {
                let gap = calibration.weighted_gap(&weights, totals[predicted]);
                out.calibration.extend_ratio(gap, totals[predicted], lanes);
            }
        });
        out
    }

    /// The replicates of each ratio and of the calibration error, from parts in order of their blocks.
    pub fn joined(self, parts: impl IntoIterator<Item = Drawn>) -> (Vec<Replicates>, Replicates) {
        let (mut all, mut of_calibration) = (self.known, Replicates::default());
        for part in parts {
            let places = self.drawn.iter().map(|[at, ..]| *at);
            places.zip(part.ratios).for_each(|(at, part)| all[at].append(part));
            of_calibration.append(part.calibration);
        }
        (all, of_calibration)
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

/// The ratio, where there is something to divide by.
pub(crate) fn divide(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}
