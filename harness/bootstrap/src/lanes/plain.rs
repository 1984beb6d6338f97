//! Numbers side by side as plain arrays: a compiler turns their loops into the widest instructions that it may use.

use std::ops::{Add, Div, Mul, Sub};

use super::{Counts, LANES};

/// A float for each replicate of a block.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Floats([f64; LANES]);

/// Replicates that something is true of.
#[derive(Debug, Clone, Copy)]
pub struct Mask([bool; LANES]);

#[inline(always)]
fn each<T: Copy + Default>(of: impl Fn(usize) -> T) -> [T; LANES] {
    let mut all = [T::default(); LANES];
    for (lane, value) in all.iter_mut().enumerate() {
        *value = of(lane);
    }
    all
}

impl Floats {
    #[inline(always)]
    pub fn of(counts: Counts) -> Self {
        let halves = counts.map(|half| half.to_array());
        Self(each(|lane| f64::from(halves[lane / 8][lane % 8])))
    }

    #[inline(always)]
    pub fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub fn to_array(self) -> [f64; LANES] {
        self.0
    }

    #[inline(always)]
    pub fn abs(self) -> Self {
        Self(each(|lane| self.0[lane].abs()))
    }

    /// This, or 1 where it is less.
    #[inline(always)]
    pub fn at_least_one(self) -> Self {
        Self(each(|lane| self.0[lane].max(1.0)))
    }

    /// Where this is no less than `other`.
    #[inline(always)]
    pub fn reaches(self, other: Self) -> Mask {
        Mask(each(|lane| self.0[lane] >= other.0[lane]))
    }

    /// This where the mask says so, and 0 elsewhere.
    #[inline(always)]
    pub fn only(self, mask: Mask) -> Self {
        Self(each(|lane| if mask.0[lane] { self.0[lane] } else { 0.0 }))
    }

    /// 0 where the mask says so, and this elsewhere.
    #[inline(always)]
    pub fn except(self, mask: Mask) -> Self {
        Self(each(|lane| if mask.0[lane] { 0.0 } else { self.0[lane] }))
    }
}

impl Mask {
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0.iter().fold(false, |any, here| any | here)
    }
}

macro_rules! lane_by_lane {
    ($($name:ident $call:ident $operator:tt,)*) => {$(
        impl $name for Floats {
            type Output = Self;

            #[inline(always)]
            fn $call(self, other: Self) -> Self {
                Self(each(|lane| self.0[lane] $operator other.0[lane]))
            }
        }
    )*};
}

lane_by_lane! { Add add +, Sub sub -, Mul mul *, Div div /, }
