//! Weighted totals of per-cluster sums, many replicates at a time.

use std::ops::Range;

use wide::{u8x16, u16x8};

use crate::lanes::{Block, Counts, Floats, LANES, Weights, counts};

/// Clusters whose multiplicities are widened at a time: few enough to stay in the fastest cache while every column takes
/// its turn.
const TILE: usize = 32;

/// A number is had by few clusters when there are so many for each time that it is had.
const FEW: usize = 4;

/// Clusters that are looked at together where a sum is taken by bits.
const TOGETHER: usize = 4;

/// Per-cluster sums of one term, in the form in which their weighted total takes least time.
pub enum Column {
    /// The same whole number in each cluster: as there are as many draws as clusters, every replicate has this total.
    Same(f64),
    /// Whole numbers that few clusters have, so small that the weighted total of all clusters fits into 8 bits: each
    /// cluster that has any, as often as it counts.
    Few(Vec<usize>),
    /// Whole numbers of clusters that all together are drawn no more often than 8 bits can say, so small that the
    /// weighted total fits into 16 bits: for each binary digit, from the lowest, all bits in the lanes of every cluster
    /// whose number has it, and none in the others.
    Digits(Vec<Vec<[u8; LANES]>>),
    /// Whole numbers so small that the weighted total of a tile fits into 16 bits. Whole numbers below 2⁵³ are exact,
    /// as floats too: how they are added up shows in no bit.
    Counts(Vec<u16>),
    /// Anything else, added as floats in order of cluster.
    Sums(Vec<f64>),
}

impl Column {
    fn new(sums: &[f64]) -> Self {
        let Some(counts) = sums.iter().map(|s| whole(*s)).collect::<Option<Vec<u16>>>() else {
            return Self::Sums(sums.to_vec());
        };
        if counts.iter().all(|n| *n == counts[0]) {
            return Self::Same(sums.iter().fold(0.0, |total, sum| total + sum));
        }
        let largest = counts.iter().copied().max().unwrap_or(0);
        let all: usize = counts.iter().copied().map(usize::from).sum();
        if sums.len() * usize::from(largest) <= usize::from(u8::MAX) && FEW * all <= sums.len() {
            let times = |(cluster, n): (usize, &u16)| std::iter::repeat_n(cluster, usize::from(*n));
            return Self::Few(counts.iter().enumerate().flat_map(times).collect());
        }
        // No cluster is drawn more often than a cell can say, and all together as often as there are clusters.
        let draws_of_a_tile = sums.len().min(TILE * usize::from(u8::MAX));
        if draws_of_a_tile * usize::from(largest) > usize::from(u16::MAX) {
            return Self::Sums(sums.to_vec());
        }
        if sums.len() > usize::from(u8::MAX) {
            return Self::Counts(counts);
        }
        let lanes = |has: bool| [u8::from(has).wrapping_neg(); LANES];
        let digit = |at: u32| counts.iter().map(|n| lanes(n >> at & 1 == 1)).collect();
        Self::Digits((0..u16::BITS - largest.leading_zeros()).map(digit).collect())
    }
}

fn whole(sum: f64) -> Option<u16> {
    let count = sum as u16;
    (f64::from(count) == sum).then_some(count)
}

/// Columns of per-cluster sums, each held once however many ratios use it.
#[derive(Default)]
pub struct Columns<'a> {
    sums: Vec<&'a [f64]>,
    columns: Vec<Column>,
}

impl<'a> Columns<'a> {
    /// The place of the column of these sums.
    pub fn add(&mut self, sums: &'a [f64]) -> usize {
        self.sums.iter().position(|s| *s == sums).unwrap_or_else(|| {
            self.sums.push(sums);
            self.columns.push(Column::new(sums));
            self.sums.len() - 1
        })
    }

    pub fn get(&self, place: usize) -> &Column {
        &self.columns[place]
    }

    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Σ multiplicity · sum over clusters in order, for each column and replicate of the block.
    #[inline(always)]
    pub fn totals(&self, weights: &Weights<'_>, totals: &mut [Floats]) {
        for (column, total) in self.columns.iter().zip(&mut *totals) {
            *total = match column {
                Column::Same(all) => Floats::splat(*all),
                Column::Few(clusters) => total_of_few(clusters, weights.block),
                Column::Digits(digits) => total_by_digits(digits, weights.block),
                Column::Counts(_) | Column::Sums(_) => Floats::splat(0.0),
            };
        }
        let mut widened = [[u16x8::ZERO; 2]; TILE];
        for (tile, drawn) in weights.block.chunks(TILE).enumerate() {
            for (widened, drawn) in widened.iter_mut().zip(drawn) {
                *widened = counts(*drawn);
            }
            let clusters = tile * TILE..tile * TILE + drawn.len();
            for (column, total) in self.columns.iter().zip(&mut *totals) {
                match column {
                    Column::Same(_) | Column::Few(_) | Column::Digits(_) => {}
                    Column::Counts(sums) => add_counts(total, &sums[clusters.clone()], &widened),
                    Column::Sums(sums) => add_sums(total, sums, clusters.clone(), weights),
                }
            }
        }
    }
}

#[inline(always)]
fn total_of_few(clusters: &[usize], block: &Block) -> Floats {
    // Nothing wraps: a column of larger counts has another form.
    let mut total = u8x16::ZERO;
    for cluster in clusters {
        total += u8x16::new(block[*cluster]);
    }
    Floats::of(counts(total.to_array()))
}

/// One of several rows of lanes.
#[inline(always)]
fn row(rows: &[u8], at: usize) -> u8x16 {
    let row = rows.as_chunks::<LANES>().0[at];
    u8x16::new(row)
}

/// Σ over digits of 2^digit times how often the clusters that have it are drawn.
#[inline(always)]
fn total_by_digits(digits: &[Vec<[u8; LANES]>], block: &Block) -> Floats {
    let [mut low, mut high] = [u16x8::ZERO; 2];
    for (at, digit) in (0..u16::BITS).zip(digits) {
        // Nothing wraps: all clusters together are drawn as often as there are clusters.
        let mut sums = [0_u8; TOGETHER * LANES];
        let (drawn, last_drawn) = block.as_flattened().as_chunks::<{ TOGETHER * LANES }>();
        let (has, last_have) = digit.as_flattened().as_chunks::<{ TOGETHER * LANES }>();
        for (drawn, has) in drawn.iter().zip(has) {
            for at in 0..TOGETHER * LANES {
                sums[at] = sums[at].wrapping_add(drawn[at] & has[at]);
            }
        }
        let mut of_digit = u8x16::ZERO;
        for at in 0..TOGETHER {
            of_digit += row(&sums, at);
        }
        for at in 0..last_drawn.len() / LANES {
            of_digit += row(last_drawn, at) & row(last_have, at);
        }
        let of_digit = counts(of_digit.to_array());
        low += of_digit[0] << at;
        high += of_digit[1] << at;
    }
    Floats::of([low, high])
}

#[inline(always)]
fn add_counts(total: &mut Floats, sums: &[u16], weights: &[Counts; TILE]) {
    // Nothing wraps here either.
    let [mut low, mut high] = [u16x8::ZERO; 2];
    for (sum, weights) in sums.iter().zip(weights) {
        let sum = u16x8::splat(*sum);
        low += weights[0] * sum;
        high += weights[1] * sum;
    }
    *total += Floats::of([low, high]);
}

#[inline(always)]
fn add_sums(total: &mut Floats, sums: &[f64], clusters: Range<usize>, weights: &Weights<'_>) {
    let mut so_far = *total;
    for cluster in clusters {
        so_far += weights.floats(cluster) * Floats::splat(sums[cluster]);
    }
    *total = so_far;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::draws::multiplicities;

    /// The totals of one column, lane by lane and cluster by cluster.
    fn check(sums: &[f64], seed: u64) {
        let drawn: Vec<Vec<u32>> = (0..LANES as u64)
            .map(|replicate| multiplicities(seed, replicate, sums.len() as u32))
            .collect();
        let block: Vec<[u8; LANES]> = (0..sums.len())
            .map(|cluster| std::array::from_fn(|lane| drawn[lane][cluster] as u8))
            .collect();
        let (mut columns, equal) = (Columns::default(), sums.to_vec());
        assert_eq!((columns.add(sums), columns.add(&equal), columns.len()), (0, 0, 1));
        let (mut room, mut totals) = (Vec::new(), [Floats::splat(0.0)]);
        columns.totals(&Weights::new(&block, &mut room), &mut totals);
        for (lane, drawn) in drawn.iter().enumerate() {
            let pairs = drawn.iter().zip(sums);
            let expected = pairs.fold(0.0, |total, (m, sum)| total + f64::from(*m) * sum);
            let got = totals[0].to_array()[lane];
            assert_eq!(got.to_bits(), expected.to_bits(), "{got}, not {expected}");
        }
    }

    fn form(sums: &[f64]) -> &'static str {
        match Column::new(sums) {
            Column::Same(_) => "same",
            Column::Few(_) => "few",
            Column::Digits(_) => "digits",
            Column::Counts(_) => "counts",
            Column::Sums(_) => "sums",
        }
    }

    /// Zeros, and one `sum` at the end.
    fn last(n: usize, sum: f64) -> Vec<f64> {
        let mut sums = vec![0.0; n];
        sums[n - 1] = sum;
        sums
    }

    #[test]
    fn forms_change_where_a_total_would_no_longer_fit() {
        for (sums, expected) in [
            (vec![3.0; 4], "same"),
            (vec![0.5; 4], "sums"),
            (last(255, 1.0), "few"),
            (last(256, 1.0), "counts"),
            (last(51, 5.0), "few"),
            (last(52, 5.0), "digits"),
            (last(12, 3.0), "few"),
            (last(11, 3.0), "digits"),
            (vec![255.0, 1.0], "digits"),
            (last(255, 257.0), "digits"),
            (last(256, 255.0), "counts"),
            (last(256, 256.0), "sums"),
            (last(255, 258.0), "sums"),
            // From 32 · 255 clusters on a tile holds no more draws.
            (last(8160, 8.0), "counts"),
            (last(9000, 8.0), "counts"),
            (last(9000, 9.0), "sums"),
            (last(2, -1.0), "sums"),
            (last(2, 65_536.0), "sums"),
        ] {
            assert_eq!(form(&sums), expected, "{} clusters, {:?}", sums.len(), sums.last());
            check(&sums, 1);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_form_adds_up_to_the_bits_of_the_definition(
            sums in prop_oneof![
                prop::collection::vec((0..3_u8).prop_map(f64::from), 1..300),
                prop::collection::vec((0..2000_u16).prop_map(f64::from), 1..300),
                prop::collection::vec(0.0_f64..3.0, 1..300),
            ],
            seed: u64,
        ) {
            check(&sums, seed);
        }
    }
}
