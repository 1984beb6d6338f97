//! One pass over the replicates for all resampled figures of a series, or of several that draw the same clusters.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{
    ClusterRatio,
    binned::Binned,
    columns::{Column, Columns},
    divide,
    draws::Draws,
    lanes::{Block, Floats, Weights},
    replicates::Replicates,
    width::{Kernel, at_full_width},
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
    #[inline(always)]
    fn take(&self, weights: &Weights<'_>, lanes: usize, totals: &mut Vec<Floats>, out: &mut Drawn) {
        totals.resize(self.columns.len(), Floats::splat(0.0));
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
        let (as_floats, totals) = (&mut as_floats, &mut totals);
        at_full_width(Turn { passes, block, lanes, as_floats, totals, out: &mut out });
    });
    out
}

/// What is done with a block.
struct Turn<'a> {
    passes: &'a [Pass<'a>],
    block: &'a Block,
    lanes: usize,
    as_floats: &'a mut Vec<Floats>,
    totals: &'a mut Vec<Floats>,
    out: &'a mut [Drawn],
}

impl Kernel for Turn<'_> {
    #[inline(always)]
    fn run(self) {
        let weights = Weights::new(self.block, self.as_floats);
        for (pass, out) in self.passes.iter().zip(self.out) {
            pass.take(&weights, self.lanes, self.totals, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use records::BinStrategy;

    use super::*;
    use crate::{binned::Point, draws::multiplicities, lanes::LANES};

    type Bits = Vec<(Vec<u64>, u32, u32)>;

    fn bits(drawn: &[Drawn]) -> Bits {
        let all = drawn.iter().flat_map(|drawn| drawn.ratios.iter().chain([&drawn.calibration]));
        all.map(|replicates| {
            let values = replicates.values().iter().map(|value| value.to_bits()).collect();
            (values, replicates.n_resamples(), replicates.n_undefined())
        })
        .collect()
    }

    /// As [`run`], in the least width of instructions.
    fn run_plainly(passes: &[Pass<'_>], draws: &Draws) -> Vec<Drawn> {
        let blocks = draws.n_blocks();
        let mut out: Vec<_> = passes.iter().map(|pass| pass.with_room(blocks)).collect();
        let (mut as_floats, mut totals) = (Vec::new(), Vec::new());
        draws.for_each_block(0..blocks, |block, lanes| {
            let (as_floats, totals) = (&mut as_floats, &mut totals);
            Turn { passes, block, lanes, as_floats, totals, out: &mut out }.run();
        });
        out
    }

    fn ratio(numerator: &[f64], denominator: &[f64]) -> ClusterRatio {
        ClusterRatio { numerator: numerator.to_vec(), denominator: denominator.to_vec() }
    }

    #[test]
    fn every_ratio_is_what_its_sums_over_the_drawn_clusters_come_to() {
        let ratios = [
            ratio(&[0.3, 1.7, 0.0, 2.2, 0.1], &[1.0, 2.0, 0.0, 3.0, 1.0]),
            ratio(&[2.0; 5], &[3.0; 5]),
            // Undefined where neither of two clusters is drawn.
            ratio(&[0.0, 0.0, 1.0, 0.0, 0.0], &[0.0, 0.0, 1.0, 0.0, 4.0]),
            ratio(&[1.0; 5], &[0.0; 5]),
        ];
        let points: Vec<_> = (0..10)
            .map(|i| Point {
                predicted: f64::from(i) / 10.0,
                happened: i % 3 == 0,
                cluster: i as usize % 5,
            })
            .collect();
        let binned = Binned::new(points, 5, BinStrategy::Quantile, 3);
        let (draws, n_resamples) = (Draws::anew(7, 100, 5), 100);
        let all: Vec<&ClusterRatio> = ratios.iter().collect();
        let pass = [Pass::new(n_resamples, &all, Some(&binned))];
        let parts: Vec<Drawn> =
            [0..3, 3..7].into_iter().flat_map(|blocks| run(&pass, &draws, blocks)).collect();
        let [pass] = pass;
        let (replicates, calibration) = pass.joined(parts);
        let drawn: Vec<_> = (0..100).map(|at| multiplicities(7, at, 5)).collect();
        for (ratio, replicates) in ratios.iter().zip(&replicates) {
            let total = |sums: &[f64], drawn: &[u32]| {
                sums.iter().zip(drawn).fold(0.0, |total, (sum, m)| total + sum * f64::from(*m))
            };
            let of_one = |drawn: &Vec<u32>| {
                divide(total(&ratio.numerator, drawn), total(&ratio.denominator, drawn))
            };
            let mut expected: Vec<f64> = drawn.iter().filter_map(of_one).collect();
            assert_eq!(replicates.n_undefined() as usize, 100 - expected.len());
            assert_eq!(replicates.n_resamples(), 100);
            if ratio.numerator[0] == ratio.numerator[4]
                && ratio.denominator[0] == ratio.denominator[4]
            {
                expected.truncate(1);
            }
            assert_eq!(replicates.values(), expected);
        }
        let weights =
            |m: &Vec<u32>| -> Vec<[u8; LANES]> { m.iter().map(|m| [*m as u8; LANES]).collect() };
        let expected: Vec<f64> =
            drawn.iter().filter_map(|m| binned.weighted_ece(&weights(m))[0]).collect();
        assert_eq!((calibration.values(), calibration.n_undefined()), (&expected[..], 0));
    }

    #[test]
    fn what_is_the_same_in_every_cluster_takes_no_drawing() {
        let (same, other) =
            (ratio(&[2.0; 5], &[3.0; 5]), ratio(&[2.0; 5], &[3.0, 1.0, 1.0, 1.0, 1.0]));
        let binned = Binned::new(Vec::new(), 5, BinStrategy::Quantile, 3);
        assert!(!Pass::new(9, &[&same], None).draws());
        assert!(Pass::new(9, &[&same, &other], None).draws());
        assert!(Pass::new(9, &[&same], Some(&binned)).draws());
        let (replicates, calibration) = Pass::new(9, &[&same], None).joined([]);
        assert_eq!((replicates.len(), replicates[0].values()), (1, &[2.0 / 3.0][..]));
        assert_eq!((replicates[0].n_resamples(), calibration.n_resamples()), (9, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_width_of_instructions_shows_in_no_bit(
            rows in prop::collection::vec((0.0_f64..1.0, any::<bool>(), 0..300_usize), 1..400),
            n_clusters in 1..300_usize,
            sums in prop::collection::vec((0.0_f64..3.0, 0..3_u8, 0..90_u8), 300),
            coarse: bool,
            seed: u64,
        ) {
            let mut points: Vec<Point> = rows
                .into_iter()
                .map(|(predicted, happened, cluster)| {
                    let predicted = if coarse { (predicted * 10.0).round() / 10.0 } else { predicted };
                    Point { predicted, happened, cluster: cluster % n_clusters }
                })
                .collect();
            points.sort_by(|a, b| a.predicted.total_cmp(&b.predicted));
            let binned = Binned::new(points, n_clusters, BinStrategy::Quantile, 5);
            let sums = &sums[..n_clusters];
            let floats: Vec<f64> = sums.iter().map(|s| s.0).collect();
            let few: Vec<f64> = sums.iter().map(|s| f64::from(s.1)).collect();
            let many: Vec<f64> = sums.iter().map(|s| f64::from(s.2)).collect();
            let ratios = [
                ClusterRatio { numerator: floats, denominator: few.clone() },
                ClusterRatio { numerator: few, denominator: many },
            ];
            let ratios: Vec<&ClusterRatio> = ratios.iter().collect();
            let passes = [Pass::new(70, &ratios, Some(&binned))];
            let draws = Draws::anew(seed, 70, n_clusters as u32);
            let wide = run(&passes, &draws, 0..draws.n_blocks());
            prop_assert_eq!(bits(&wide), bits(&run_plainly(&passes, &draws)));
        }
    }
}
