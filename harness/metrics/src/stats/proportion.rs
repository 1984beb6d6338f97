//! The interval of a share of independent cases.

use super::normal_quantile;

/// Wilson's (1927) score interval of `hits` out of `n` at `level`.
///
/// With z the normal quantile at 1 − (1 − level)/2 and s = hits/n:
/// (s + z²/2n ± z·√(s(1 − s)/n + z²/4n²)) / (1 + z²/n). The ends are exactly 0 with no hit and exactly 1 with nothing
/// but hits. Range: 0 to 1. None when n is 0, hits exceed n or the level is not strictly between 0 and 1.
#[must_use]
pub fn wilson(hits: u64, n: u64, level: f64) -> Option<(f64, f64)> {
    if n == 0 || hits > n || !(level > 0.0 && level < 1.0) {
        return None;
    }
    let z = normal_quantile(1.0 - (1.0 - level) / 2.0)?;
    let (share, n_rows) = (hits as f64 / n as f64, n as f64);
    let z2 = z * z;
    let scale = 1.0 + z2 / n_rows;
    let middle = (share + z2 / (2.0 * n_rows)) / scale;
    let spread = share * (1.0 - share) / n_rows + z2 / (4.0 * n_rows * n_rows);
    let half = z * spread.sqrt() / scale;
    let lower = if hits == 0 { 0.0 } else { (middle - half).max(0.0) };
    let upper = if hits == n { 1.0 } else { (middle + half).min(1.0) };
    Some((lower, upper))
}
