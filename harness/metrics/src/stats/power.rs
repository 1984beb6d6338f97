//! What a number of items can show.

use super::normal_quantile;

/// Probability of calling a difference that is not there.
const ALPHA: f64 = 0.05;
/// Probability of seeing a difference that is there.
const POWER: f64 = 0.8;

/// The smallest difference of two accuracies that `n_items` common items of which `discordant` are answered right by
/// only one side can show: (z₁₋α⸝₂ + z₁₋β) · √(d / n) with d = discordant / n, α = 0.05 and power 1 − β = 0.8.
///
/// Range: above 0. Unit: difference of rates. Lower is better. None with no discordant item, since 0 would claim to
/// see what cannot be seen, and with no item. Source: Miettinen (1968), the matched-pairs normal approximation.
#[must_use]
pub fn minimum_detectable_effect(discordant: u64, n_items: u64) -> Option<f64> {
    if discordant == 0 || n_items == 0 {
        return None;
    }
    let z = normal_quantile(1.0 - ALPHA / 2.0)? + normal_quantile(POWER)?;
    let share = discordant as f64 / n_items as f64;
    Some(z * (share / n_items as f64).sqrt())
}
