//! Quantiles, and the interval of a figure from its replicates.

use records::Interval;

use super::LANES;

/// Name of the interval method and its version.
pub(crate) const METHOD: &str = "percentile-cluster-bootstrap/1";

/// Above this share of replicates in which a figure does not exist, its interval is withheld.
const MAX_UNDEFINED_SHARE: f64 = 0.05;

/// The quantile of `values` at `p`, type 7 of Hyndman and Fan (1996): with the values sorted and
/// h = (m − 1) · p, it is x\[⌊h⌋\] + (h − ⌊h⌋) · (x\[⌊h⌋ + 1\] − x\[⌊h⌋\]).
///
/// Range: between the smallest and the largest value. Unit: that of the values, which are reordered. None when there
/// is no value or `p` is outside 0 to 1.
#[must_use]
pub fn quantile_type7(values: &mut [f64], p: f64) -> Option<f64> {
    if values.is_empty() || !(0.0..=1.0).contains(&p) {
        return None;
    }
    let h = (values.len() - 1) as f64 * p;
    let at = (h as usize).min(values.len() - 1);
    // Selecting gives the same two values as sorting, in less time.
    let (_, &mut low, above) = values.select_nth_unstable_by(at, f64::total_cmp);
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    Some(low + (h - at as f64) * (high - low))
}

/// The values of one figure over all replicates.
#[derive(Default)]
pub(crate) struct Replicates {
    pub defined: Vec<f64>,
    pub undefined: u32,
}

impl Replicates {
    /// Takes the values of the first `lanes` replicates of a block.
    pub fn extend(&mut self, values: [Option<f64>; LANES], lanes: usize) {
        for value in values.into_iter().take(lanes) {
            match value {
                Some(value) => self.defined.push(value),
                None => self.undefined += 1,
            }
        }
    }
}

/// The percentile interval of a figure, or the reason why it has none.
pub(crate) fn percentile_interval(mut replicates: Replicates, level: f64) -> Interval {
    let n_resamples = replicates.defined.len() as u32 + replicates.undefined;
    let unstable = f64::from(replicates.undefined) > MAX_UNDEFINED_SHARE * f64::from(n_resamples);
    let tail = (1.0 - level) / 2.0;
    let mut end = |p| if unstable { None } else { quantile_type7(&mut replicates.defined, p) };
    let (lower, upper) = (end(tail), end(1.0 - tail));
    Interval {
        lower,
        upper,
        level,
        method: METHOD.to_owned(),
        n_resamples: Some(n_resamples),
        undefined_resamples: Some(replicates.undefined),
        withheld: lower.is_none().then(|| "unstable".to_owned()),
    }
}
