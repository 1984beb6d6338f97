//! Quantiles.

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
