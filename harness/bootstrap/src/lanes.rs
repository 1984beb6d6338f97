//! Replicates side by side.

use wide::{f64x8, u8x16, u16x8};

/// Replicates that are computed side by side.
pub const LANES: usize = 16;

/// For each cluster its multiplicity in [`LANES`] consecutive replicates.
pub type Block = [[u8; LANES]];

/// A float for each replicate of a block.
pub type Floats = [f64x8; 2];

/// A small whole number for each replicate of a block.
pub type Counts = [u16x8; 2];

/// A cluster's multiplicities, with room to add them up.
#[inline(always)]
pub fn counts(row: [u8; LANES]) -> Counts {
    let row = u8x16::new(row);
    [u16x8::from_u8x16_low(row), u16x8::from_u8x16_high(row)]
}

/// The same numbers as floats.
#[inline(always)]
pub fn floats(counts: Counts) -> Floats {
    [floats_of(counts[0]), floats_of(counts[1])]
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn floats_of(counts: u16x8) -> f64x8 {
    f64x8::from_i32x8(wide::i32x8::from_u16x8(counts))
}

/// By the target's own instructions, since `wide` goes one number at a time there.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn floats_of(counts: u16x8) -> f64x8 {
    use std::arch::wasm32::{
        f64x2_convert_low_u32x4, f64x2_extract_lane, u16x8, u32x4_extend_high_u16x8,
        u32x4_extend_low_u16x8, u32x4_shuffle,
    };
    let [a, b, c, d, e, f, g, h] = counts.to_array();
    let counts = u16x8(a, b, c, d, e, f, g, h);
    let halves = [u32x4_extend_low_u16x8(counts), u32x4_extend_high_u16x8(counts)];
    let pairs = halves.map(|four| {
        let last_two = u32x4_shuffle::<2, 3, 2, 3>(four, four);
        [four, last_two].map(|two| f64x2_convert_low_u32x4(two))
    });
    let [[a, b], [c, d]] = pairs.map(|pairs| {
        pairs.map(|pair| [f64x2_extract_lane::<0>(pair), f64x2_extract_lane::<1>(pair)])
    });
    f64x8::new([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]])
}

/// Clusters whose multiplicities are kept as floats too (32 KB): as many as stay in the fastest cache.
const KEPT_AS_FLOATS: usize = 256;

/// The multiplicities of a block.
pub struct Weights<'a> {
    pub block: &'a Block,
    /// The same as floats, or none where there are too many clusters.
    floats: &'a [Floats],
}

impl<'a> Weights<'a> {
    /// Those of `block`, with `room` for them as floats.
    pub fn new(block: &'a Block, room: &'a mut Vec<Floats>) -> Self {
        room.clear();
        if block.len() <= KEPT_AS_FLOATS {
            room.extend(block.iter().map(|row| floats(counts(*row))));
        }
        Self { block, floats: room }
    }

    /// A cluster's multiplicities as floats.
    #[inline(always)]
    pub fn floats(&self, cluster: usize) -> Floats {
        self.floats.get(cluster).copied().unwrap_or_else(|| floats(counts(self.block[cluster])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_the_multiplicities_whether_kept_or_not() {
        for n_clusters in [1, KEPT_AS_FLOATS, KEPT_AS_FLOATS + 1] {
            let block: Vec<[u8; LANES]> = (0..n_clusters)
                .map(|cluster| std::array::from_fn(|lane| ((cluster + lane) % 256) as u8))
                .collect();
            let mut room = vec![[f64x8::ONE; 2]];
            let weights = Weights::new(&block, &mut room);
            for (cluster, row) in block.iter().enumerate() {
                let floats = weights.floats(cluster);
                let floats = floats.iter().flat_map(|half| half.as_array());
                assert!(floats.copied().eq(row.map(f64::from)));
            }
        }
    }
}
