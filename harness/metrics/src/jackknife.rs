//! Figures with each cluster left out in turn.

use bootstrap::{Binned, ClusterRatio, LANES, divide};

use crate::stats::Jackknife;

/// A ratio without each cluster: as many additions as there are clusters, not their square.
pub(crate) fn jackknife(ratio: &ClusterRatio) -> Jackknife {
    let (top, bottom) = ratio.totals();
    let pairs = without_each(&ratio.numerator).zip(without_each(&ratio.denominator));
    Jackknife {
        value: divide(top, bottom),
        without: pairs.map(|(top, bottom)| divide(top, bottom)).collect(),
    }
}

/// `a` − `b`, two ratios over the same clusters, without each cluster.
pub(crate) fn jackknife_difference(a: &ClusterRatio, b: &ClusterRatio) -> Jackknife {
    let (a, b) = (jackknife(a), jackknife(b));
    let minus = |(a, b): (Option<f64>, Option<f64>)| a.zip(b).map(|(a, b)| a - b);
    Jackknife {
        value: minus((a.value, b.value)),
        without: a.without.into_iter().zip(b.without).map(minus).collect(),
    }
}

/// The calibration error without each cluster. Bins are formed anew each time, so this takes one pass over all rows
/// for every few clusters.
pub(crate) fn jackknife_ece(binned: &Binned) -> Jackknife {
    let n_clusters = binned.cluster_counts().len();
    let mut weights = vec![[1; LANES]; n_clusters];
    let mut without = Vec::with_capacity(n_clusters);
    for start in (0..n_clusters).step_by(LANES) {
        let left_out = start..n_clusters.min(start + LANES);
        for (lane, cluster) in left_out.clone().enumerate() {
            weights[cluster][lane] = 0;
        }
        without.extend(binned.weighted_ece(&weights).into_iter().take(left_out.len()));
        weights[left_out].fill([1; LANES]);
    }
    Jackknife { value: binned.ece(), without }
}

/// The sum of all values but the one at each place.
fn without_each(values: &[f64]) -> impl Iterator<Item = f64> {
    let mut after: Vec<f64> = Vec::with_capacity(values.len());
    let mut sum = 0.0;
    for value in values.iter().rev() {
        after.push(sum);
        sum += value;
    }
    let mut before = 0.0;
    values.iter().zip(after.into_iter().rev()).map(move |(value, after)| {
        let others = before + after;
        before += value;
        others
    })
}
