//! Replicates side by side.

// Plain arrays come in whatever width a caller is compiled for. To make a module of wasm the compiler puts the wrong ones
// together, so there they are put together by hand.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod plain;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

use std::ops::AddAssign;

use wide::{u8x16, u16x8};

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use plain::Floats;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Floats;

/// Replicates that are computed side by side.
pub const LANES: usize = 16;

/// For each cluster its multiplicity in [`LANES`] consecutive replicates.
pub type Block = [[u8; LANES]];

/// A small whole number for each replicate of a block.
pub type Counts = [u16x8; 2];

/// A cluster's multiplicities, with room to add them up.
#[inline(always)]
pub fn counts(row: [u8; LANES]) -> Counts {
    let row = u8x16::new(row);
    [u16x8::from_u8x16_low(row), u16x8::from_u8x16_high(row)]
}

impl AddAssign for Floats {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
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
    #[inline(always)]
    pub fn new(block: &'a Block, room: &'a mut Vec<Floats>) -> Self {
        room.clear();
        if block.len() <= KEPT_AS_FLOATS {
            room.resize(block.len(), Floats::splat(0.0));
            for (floats, row) in room.iter_mut().zip(block) {
                *floats = Floats::of(counts(*row));
            }
        }
        Self { block, floats: room }
    }

    /// A cluster's multiplicities as floats.
    #[inline(always)]
    pub fn floats(&self, cluster: usize) -> Floats {
        self.floats.get(cluster).copied().unwrap_or_else(|| Floats::of(counts(self.block[cluster])))
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
            let mut room = vec![Floats::splat(1.0)];
            let weights = Weights::new(&block, &mut room);
            for (cluster, row) in block.iter().enumerate() {
                let floats = weights.floats(cluster);
                assert_eq!(floats.to_array(), row.map(f64::from));
            }
        }
    }
}
