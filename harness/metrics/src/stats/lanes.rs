//! Replicates side by side.

use wide::{f64x8, i32x8, u8x16, u16x8};

/// Replicates that are computed side by side.
pub(crate) const LANES: usize = 16;

/// For each cluster its multiplicity in [`LANES`] consecutive replicates.
pub(crate) type Block = [[u8; LANES]];

/// A float for each replicate of a block.
pub(crate) type Floats = [f64x8; 2];

/// A small whole number for each replicate of a block.
pub(crate) type Counts = [u16x8; 2];

/// A cluster's multiplicities, with room to add them up.
#[inline(always)]
pub(crate) fn counts(row: [u8; LANES]) -> Counts {
    let row = u8x16::new(row);
    [u16x8::from_u8x16_low(row), u16x8::from_u8x16_high(row)]
}

/// The same numbers as floats.
#[inline(always)]
pub(crate) fn floats(counts: Counts) -> Floats {
    [floats_of(counts[0]), floats_of(counts[1])]
}

#[inline(always)]
fn floats_of(counts: u16x8) -> f64x8 {
    f64x8::from_i32x8(i32x8::from_u16x8(counts))
}
