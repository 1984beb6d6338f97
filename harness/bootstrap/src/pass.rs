//! One pass over the replicates for all resampled figures of a series, or of several that draw the same clusters.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use wide::f64x8;

use crate::{
    ClusterRatio,
    binned::Binned,
    columns::{Column, Columns},
    divide,
    draws::Draws,
    lanes::{Floats, Weights},
    replicates::Replicates,
};

/// Ratios and a calibration error that are resampled together, so that each draw serves all of them.
///
/// A ratio of two columns that are the same in every cluster takes no drawing: each replicate divides the same totals.
pub struct Pass<'a> {
    columns: Columns<'a>,
    /// The replicates of ratios that take no drawing; none yet in the places of the others.
    known: Vec<Replicates>,
    /// Ratios that are drawn: place, and the columns above and below the line.
    drawn: Vec<[usize; 3]>,
    /// The column is that of its rows by cluster.
    calibration: Option<(&'a Binned, usize)>,
}

/// What consecutive blocks of replicates come to: those of each ratio that is drawn, and of the calibration error.
#[derive(Default, Serialize, Deserialize)]
pub struct Drawn {
    ratios: Vec<Replicates>,
    calibration: Replicates,
}

impl<'a> Pass<'a> {
    /// Sorts out what is to be drawn.
    #[must_use]
    pub fn new(
        n_resamples: u32,
        ratios: &[&'a ClusterRatio],
        calibration: Option<&'a Binned>,
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
    #[must_use]
    pub fn draws(&self) -> bool {
        !self.drawn.is_empty() || self.calibration.is_some()
    }

    /// Takes what a block comes to; `totals` is room for the sums.
    fn take(&self, weights: &Weights<'_>, lanes: usize, totals: &mut Vec<Floats>, out: &mut Drawn) {
        totals.resize(self.columns.len(), [f64x8::ZERO; 2]);
        self.columns.totals(weights, totals);
        for (quotients, &[_, top, bottom]) in out.ratios.iter_mut().zip(&self.drawn) {
            quotients.extend_ratio(totals[top], totals[bottom], lanes);
        }
        if let Some((calibration, predicted)) = self.calibration {
            let gap = calibration.weighted_gap(weights, totals[predicted]);
            out.calibration.extend_ratio(gap, totals[predicted], lanes);
        }
    }

    fn with_room(&self, n_blocks: usize) -> Drawn {
        let room = || Replicates::with_room(n_blocks);
        Drawn { ratios: self.drawn.iter().map(|_| room()).collect(), calibration: room() }
    }

    /// The replicates of each ratio and of the calibration error, from parts in order of their blocks.
    #[must_use]
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

/// What these blocks of replicates come to in each pass; a block is drawn once for all of them.
// Of its own, so that a browser translates it well after a few parts, and a caller compiled small stays small.
#[inline(never)]
#[must_use]
pub fn run(passes: &[Pass<'_>], draws: &Draws, blocks: Range<usize>) -> Vec<Drawn> {
    let mut out: Vec<_> = passes.iter().map(|pass| pass.with_room(blocks.len())).collect();
    let (mut as_floats, mut totals) = (Vec::new(), Vec::new());
    draws.for_each_block(blocks, |block, lanes| {
        let weights = Weights::new(block, &mut as_floats);
        for (pass, out) in passes.iter().zip(&mut out) {
            pass.take(&weights, lanes, &mut totals, out);
        }
    });
    out
}
