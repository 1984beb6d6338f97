//! The bias-corrected and accelerated interval.

use bootstrap::quantiles_type7;

use super::{normal_cdf, normal_quantile};

/// Spread of the jackknife values, relative to their mean, that is nothing but rounding.
const ROUNDING: f64 = 1e-12;

/// Efron's (1987) bias-corrected and accelerated (BCa) interval at `level`, from a figure's value, its bootstrap
/// `replicates` and its `jackknife` values, each of which leaves one resampled unit out.
///
/// With Φ the normal distribution, z₀ = Φ⁻¹((replicates below the value + half of those equal to it) / all of them),
/// d the distances of the jackknife values below their mean and a = Σd³ / 6(Σd²)^1.5, the ends are the type-7
/// quantiles of the replicates at Φ(z₀ + (z₀ + z) / (1 − a(z₀ + z))) for z = Φ⁻¹((1 − level)/2) and
/// z = Φ⁻¹(1 − (1 − level)/2). Counting equal replicates half, as scipy does, keeps a figure of few values unbiased.
///
/// Range: between the smallest and the largest replicate. Assumes that some monotone transformation makes the figure
/// normal with a bias and with a spread that is linear in it. None where that cannot be estimated: every replicate on
/// one side of the value, jackknife values that are all the same or fewer than two, or an acceleration so large that
/// the correction changes direction; and when `level` is not strictly between 0 and 1.
#[must_use]
pub fn bca(value: f64, replicates: &[f64], jackknife: &[f64], level: f64) -> Option<(f64, f64)> {
    if !(level > 0.0 && level < 1.0) {
        return None;
    }
    let below = replicates.iter().filter(|x| **x < value).count() as f64;
    let equal = replicates.iter().filter(|x| **x == value).count() as f64;
    let bias = normal_quantile((below + equal / 2.0) / replicates.len() as f64)?;
    let acceleration = acceleration(jackknife)?;
    let tail = (1.0 - level) / 2.0;
    let rank = |p: f64| {
        let z = bias + normal_quantile(p)?;
        let scale = 1.0 - acceleration * z;
        (scale > 0.0).then(|| normal_cdf(bias + z / scale))
    };
    quantiles_type7(replicates, rank(tail)?, rank(1.0 - tail)?)
}

/// A sixth of the skewness of the jackknife values, the left tail counted as positive.
fn acceleration(jackknife: &[f64]) -> Option<f64> {
    let n = jackknife.len() as f64;
    let mean = jackknife.iter().fold(0.0, |sum, x| sum + x) / n;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for x in jackknife {
        let d = mean - x;
        squares += d * d;
        cubes += d * d * d;
    }
    let rounding = ROUNDING * mean;
    // Not "at most": with fewer than two values the mean is no number or the spread is 0.
    (squares > n * rounding * rounding).then(|| cubes / (6.0 * squares * squares.sqrt()))
}
