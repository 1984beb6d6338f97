//! From a figure's replicates to its interval.

use records::{Interval, IntervalMethod, Plan};

use super::{Floats, LANES, bca, quantile::quantiles_type7};

/// Above this share of replicates in which a figure does not exist, its interval is withheld.
const MAX_UNDEFINED_SHARE: f64 = 0.05;

/// Name of an interval method and its version.
pub(crate) fn method_name(method: IntervalMethod) -> &'static str {
    match method {
        IntervalMethod::Percentile => "percentile-cluster-bootstrap/1",
        IntervalMethod::Bca => "bca-cluster-bootstrap/1",
    }
}

/// The values of one figure over all replicates.
#[derive(Default)]
pub(crate) struct Replicates {
    pub defined: Vec<f64>,
    pub undefined: u32,
}

impl Replicates {
    /// None yet, and room for those of so many blocks.
    pub fn with_room(n_blocks: usize) -> Self {
        Self { defined: Vec::with_capacity(n_blocks * LANES), undefined: 0 }
    }

    /// Takes the replicates that follow.
    pub fn append(&mut self, mut other: Self) {
        if self.defined.is_empty() {
            std::mem::swap(&mut self.defined, &mut other.defined);
        }
        self.defined.append(&mut other.defined);
        self.undefined += other.undefined;
    }

    /// The difference from another figure, replicate by replicate; both exist in each of them.
    pub fn minus(&self, other: &Self) -> Self {
        debug_assert_eq!((self.undefined, other.undefined), (0, 0));
        let pairs = self.defined.iter().zip(&other.defined);
        Self { defined: pairs.map(|(a, b)| a - b).collect(), undefined: 0 }
    }

    /// Takes the first `lanes` ratios of a block, where there is something to divide by.
    pub fn extend_ratio(&mut self, top: Floats, bottom: Floats, lanes: usize) {
        for half in 0..top.len() {
            let (bottom, ratios) = (bottom[half], top[half] / bottom[half]);
            let (bottom, ratios) = (bottom.as_array(), ratios.as_array());
            let lanes = lanes.saturating_sub(half * ratios.len()).min(ratios.len());
            if bottom[..lanes].iter().all(|n| *n > 0.0) {
                self.defined.extend_from_slice(&ratios[..lanes]);
                continue;
            }
            for (ratio, n) in ratios.iter().zip(bottom).take(lanes) {
                if *n > 0.0 {
                    self.defined.push(*ratio);
                } else {
                    self.undefined += 1;
                }
            }
        }
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
    let n_resamples = replicates.defined.len() as u32 + replicates.undefined;
    let level = plan.confidence_level;
    let ends = if f64::from(replicates.undefined) > MAX_UNDEFINED_SHARE * f64::from(n_resamples) {
        Err("unstable")
    } else {
        let values = &replicates.defined;
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
        undefined_resamples: Some(replicates.undefined),
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
