//! Numbers side by side in the instructions of wasm.

use std::{
    arch::wasm32::{
        f64x2_convert_low_u32x4, f64x2_extract_lane, u16x8, u32x4_extend_high_u16x8,
        u32x4_extend_low_u16x8, u32x4_shuffle,
    },
    ops::{Add, Div, Mul, Sub},
};

use wide::f64x8;

use super::{Counts, LANES};

/// A float for each replicate of a block.
#[derive(Debug, Clone, Copy)]
pub struct Floats([f64x8; 2]);

/// Replicates that something is true of: all bits or none.
#[derive(Debug, Clone, Copy)]
pub struct Mask([f64x8; 2]);

impl Floats {
    #[inline(always)]
    pub fn of(counts: Counts) -> Self {
        Self(counts.map(of_half))
    }

    #[inline(always)]
    pub fn splat(value: f64) -> Self {
        Self([f64x8::splat(value); 2])
    }

    #[inline(always)]
    pub fn to_array(self) -> [f64; LANES] {
        let halves = self.0.map(f64x8::to_array);
        std::array::from_fn(|lane| halves[lane / 8][lane % 8])
    }

    #[inline(always)]
    pub fn abs(self) -> Self {
        Self(self.0.map(f64x8::abs))
    }

    /// This, or 1 where it is less.
    #[inline(always)]
    pub fn at_least_one(self) -> Self {
        Self(self.0.map(|half| half.max(f64x8::ONE)))
    }

    /// Where this is no less than `other`.
    #[inline(always)]
    pub fn reaches(self, other: Self) -> Mask {
        Mask([self.0[0].simd_ge(other.0[0]), self.0[1].simd_ge(other.0[1])])
    }

    /// This where the mask says so, and 0 elsewhere.
    #[inline(always)]
    pub fn only(self, mask: Mask) -> Self {
        Self([self.0[0] & mask.0[0], self.0[1] & mask.0[1]])
    }

    /// 0 where the mask says so, and this elsewhere.
    #[inline(always)]
    pub fn except(self, mask: Mask) -> Self {
        Self([self.0[0] & !mask.0[0], self.0[1] & !mask.0[1]])
    }
}

impl Mask {
    #[inline(always)]
    pub fn any(self) -> bool {
        (self.0[0] | self.0[1]).any()
    }
}

/// By the target's own instructions, since `wide` goes one number at a time.
#[inline(always)]
fn of_half(counts: wide::u16x8) -> f64x8 {
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

macro_rules! lane_by_lane {
    ($($name:ident $call:ident $operator:tt,)*) => {$(
        impl $name for Floats {
            type Output = Self;

            #[inline(always)]
            fn $call(self, other: Self) -> Self {
                Self([self.0[0] $operator other.0[0], self.0[1] $operator other.0[1]])
            }
        }
    )*};
}

lane_by_lane! { Add add +, Sub sub -, Mul mul *, Div div /, }
