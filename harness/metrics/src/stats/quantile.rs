//! Quantiles.

/// The quantile of `values` at `p`, type 7 of Hyndman and Fan (1996): with the values sorted and
/// h = (m − 1) · p, it is x\[⌊h⌋\] + (h − ⌊h⌋) · (x\[⌊h⌋ + 1\] − x\[⌊h⌋\]).
///
/// Range: between the smallest and the largest value. Unit: that of the values, which are reordered. None when there
/// is no value or `p` is outside 0 to 1.
#[must_use]
pub fn quantile_type7(values: &mut [f64], p: f64) -> Option<f64> {
    quantiles_type7(values, p, p).map(|(quantile, _)| quantile)
}

/// The quantiles at `low` and at `high`, which is no less; selecting the second among what lies above the first.
pub(super) fn quantiles_type7(values: &mut [f64], low: f64, high: f64) -> Option<(f64, f64)> {
    if values.is_empty() || !(0.0 <= low && low <= high && high <= 1.0) {
        return None;
    }
    let last = (values.len() - 1) as f64;
    let place = |p: f64| ((last * p) as usize).min(values.len() - 1);
    let (at_low, at_high) = (place(low), place(high));
    let first = between(values, at_low, last * low - at_low as f64);
    // What lies above the first is above it still when it is put in another order.
    let rest = &mut values[at_low..];
    Some((first, between(rest, at_high - at_low, last * high - at_high as f64)))
}

/// The value that would stand at `at` were they sorted, and this part of the way to the next.
fn between(values: &mut [f64], at: usize, part: f64) -> f64 {
    // Selecting gives the same two values as sorting, in less time.
    let (_, &mut low, above) = values.select_nth_unstable_by(at, f64::total_cmp);
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    low + part * (high - low)
}
