//! The standard normal distribution.

use statrs::distribution::{ContinuousCDF, Normal};

/// The standard normal quantile at `p`.
///
/// Within 1e-12 relative of the true value; its last bits can differ between builds, since the crate it comes from
/// takes its logarithm from the platform when anything else in the build switches that on. None outside (0, 1).
#[must_use]
pub fn normal_quantile(p: f64) -> Option<f64> {
    (p > 0.0 && p < 1.0).then(|| Normal::standard().inverse_cdf(p))
}

/// The share of a standard normal distribution below `z`: erfc(−z/√2)/2, with the error function of `libm`.
///
/// Range: 0 to 1. Within 1e-12 relative wherever the value is a normal float.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}
