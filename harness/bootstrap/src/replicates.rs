//! The replicates of one figure.

use serde::{Deserialize, Serialize};

use crate::lanes::{Floats, LANES};

/// The values of one figure over all replicates.
#[derive(Default, Serialize, Deserialize)]
pub struct Replicates {
    values: Vec<f64>,
    /// Replicates in which the figure exists. Where it is the same in all of them, its value stands here once.
    n_defined: u32,
    undefined: u32,
}

impl Replicates {
    /// The values of those in which the figure exists; one where it is the same in all of them.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All replicates.
    #[must_use]
    pub fn n_resamples(&self) -> u32 {
        self.n_defined + self.undefined
    }

    /// Replicates in which the figure does not exist.
    #[must_use]
    pub fn n_undefined(&self) -> u32 {
        self.undefined
    }

    /// None yet, and room for those of so many blocks.
    pub fn with_room(n_blocks: usize) -> Self {
        Self { values: Vec::with_capacity(n_blocks * LANES), n_defined: 0, undefined: 0 }
    }

    /// `n` replicates in which the figure is the same, or in which it does not exist.
    pub fn same(value: Option<f64>, n: u32) -> Self {
        let (n_defined, undefined) = if value.is_some() { (n, 0) } else { (0, n) };
        Self { values: value.into_iter().collect(), n_defined, undefined }
    }

    /// Takes the replicates that follow; neither side stands for all of its replicates by one.
    pub fn append(&mut self, mut other: Self) {
        if self.values.is_empty() {
            std::mem::swap(&mut self.values, &mut other.values);
        }
        self.values.append(&mut other.values);
        self.n_defined += other.n_defined;
        self.undefined += other.undefined;
    }

    /// The difference from another figure, replicate by replicate; both exist in each of them. None yet where either has
    /// only been asked for.
    pub fn minus(&self, other: &Self) -> Self {
        debug_assert_eq!((self.undefined, other.undefined), (0, 0));
        let values = match (self.one_for_all(), other.one_for_all()) {
            (None, None) => self.values.iter().zip(&other.values).map(|(a, b)| a - b).collect(),
            (None, Some(b)) => self.values.iter().map(|a| a - b).collect(),
            (Some(a), _) => other.values.iter().map(|b| a - b).collect(),
        };
        Self { values, n_defined: self.n_defined.min(other.n_defined), undefined: 0 }
    }

    /// The value, where it stands once for all replicates.
    fn one_for_all(&self) -> Option<f64> {
        if let [value] = self.values[..] { Some(value) } else { None }
    }

    /// Takes the first `lanes` ratios of a block, where there is something to divide by.
    #[inline(always)]
    pub fn extend_ratio(&mut self, top: Floats, bottom: Floats, lanes: usize) {
        let ratios = (top / bottom).to_array();
        let exists = bottom.to_array().into_iter().map(|n| n > 0.0);
        if lanes == LANES && exists.clone().all(|exists| exists) {
            self.values.extend_from_slice(&ratios);
            self.n_defined += LANES as u32;
            return;
        }
        for (ratio, exists) in ratios.iter().zip(exists).take(lanes) {
            if exists {
                self.values.push(*ratio);
                self.n_defined += 1;
            } else {
                self.undefined += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &[f64]) -> Replicates {
        Replicates { values: values.to_vec(), n_defined: values.len() as u32, undefined: 0 }
    }

    #[test]
    fn one_value_for_all_replicates_differs_from_others_as_all_of_them_would() {
        let (three, half) = (drawn(&[0.25, 1.0, 0.5]), Replicates::same(Some(0.5), 3));
        for (a, b, expected) in [
            (&three, &three, vec![0.0; 3]),
            (&three, &half, vec![-0.25, 0.5, 0.0]),
            (&half, &three, vec![0.25, -0.5, 0.0]),
            (&half, &half, vec![0.0]),
        ] {
            let difference = a.minus(b);
            assert_eq!(difference.values, expected);
            assert_eq!((difference.n_defined, difference.undefined), (3, 0));
        }
    }

    #[test]
    fn room_is_made_once_for_all_replicates() {
        let room = Replicates::with_room(3);
        assert!(room.values.capacity() >= 3 * LANES);
        assert_eq!((room.values(), room.n_resamples(), room.n_undefined()), (&[][..], 0, 0));
    }

    #[test]
    fn a_figure_that_never_exists_is_undefined_throughout() {
        let never = Replicates::same(None, 7);
        assert_eq!((never.values.len(), never.n_defined, never.undefined), (0, 0, 7));
        assert_eq!(Replicates::same(Some(0.5), 7).values.len(), 1);
    }

    #[test]
    fn ratios_are_taken_as_far_as_there_are_replicates_and_something_to_divide_by() {
        let lanes: [u16; LANES] = std::array::from_fn(|lane| lane as u16);
        let floats = |lanes: [u16; LANES]| -> Floats {
            let half = |at: usize| std::array::from_fn::<u16, 8, _>(|lane| lanes[at * 8 + lane]);
            Floats::of([half(0).into(), half(1).into()])
        };
        let (top, bottom) = (floats(lanes.map(|x| x * x)), floats(lanes));
        let mut replicates = Replicates::default();
        replicates.extend_ratio(top, bottom, LANES);
        assert_eq!(
            (replicates.values.as_slice(), replicates.undefined),
            (&lanes.map(f64::from)[1..], 1)
        );
        replicates.extend_ratio(top, Floats::splat(2.0), 3);
        assert_eq!(replicates.values[LANES - 1..], [0.0, 0.5, 2.0]);
        assert_eq!(replicates.n_defined as usize, LANES + 2);
    }
}
