//! From a figure's replicates to its interval.

use bootstrap::{Replicates, quantiles_type7};
use records::{Interval, IntervalMethod, Plan};

use super::bca;

/// Above this share of replicates in which a figure does not exist, its interval is withheld.
const MAX_UNDEFINED_SHARE: f64 = 0.05;

/// Name of an interval method and its version.
pub(crate) fn method_name(method: IntervalMethod) -> &'static str {
    match method {
        IntervalMethod::Percentile => "percentile-cluster-bootstrap/1",
        IntervalMethod::Bca => "bca-cluster-bootstrap/1",
    }
}

/// A figure's value and its values with each cluster left out in turn: what BCa needs besides replicates.
pub(crate) struct Jackknife {
    pub value: Option<f64>,
    pub without: Vec<Option<f64>>,
}

/// The plan's interval of a figure, or the reason why it has none. `jackknife` is called only where it is needed.
pub(crate) fn interval(
    replicates: &Replicates,
    plan: &Plan,
    jackknife: impl FnOnce() -> Jackknife,
) -> Interval {
    let n_resamples = replicates.n_resamples();
    let level = plan.confidence_level;
    let many = MAX_UNDEFINED_SHARE * f64::from(n_resamples);
    let ends = if n_resamples == 0 || f64::from(replicates.n_undefined()) > many {
        Err("unstable")
    } else {
        let values = replicates.values();
        match plan.interval_method {
            IntervalMethod::Percentile => percentile(values, level).ok_or("unstable"),
            IntervalMethod::Bca => accelerated(values, &jackknife(), level).ok_or("degenerate"),
        }
    };
    Interval {
        lower: ends.ok().map(|(lower, _)| lower),
        upper: ends.ok().map(|(_, upper)| upper),
        level,
        method: method_name(plan.interval_method).to_owned(),
        n_resamples: Some(n_resamples),
        undefined_resamples: Some(replicates.n_undefined()),
        withheld: ends.err().map(str::to_owned),
    }
}

fn percentile(values: &[f64], level: f64) -> Option<(f64, f64)> {
    let tail = (1.0 - level) / 2.0;
    quantiles_type7(values, tail, 1.0 - tail)
}

fn accelerated(values: &[f64], jackknife: &Jackknife, level: f64) -> Option<(f64, f64)> {
    let without: Option<Vec<f64>> = jackknife.without.iter().copied().collect();
    bca(jackknife.value?, values, &without?, level)
}
