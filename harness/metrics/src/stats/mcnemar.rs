//! Exact tests on paired answers.

use crate::distinct::order;

/// The exact two-sided McNemar p-value: min(1, 2 · Σ_{i ≤ min} C(n, i) / 2ⁿ) with n = `only_a` + `only_b` and min the
/// smaller of the two.
///
/// Range: 0 to 1; 0 only where the true value is below what a float can hold. 1 with no discordant item. Lower means
/// stronger evidence of a difference. Within 1e-12 relative up to a million discordant items. Source: McNemar (1947),
/// exact form by the binomial distribution.
#[must_use]
pub fn mcnemar_exact(only_a: u64, only_b: u64) -> f64 {
    let n = only_a + only_b;
    let min = only_a.min(only_b);
    // From here on the two tails meet or overlap.
    if 2 * min + 1 >= n {
        return 1.0;
    }
    // Terms relative to the largest one, from the middle outwards: nothing overflows, and no logarithm is needed.
    let middle = n / 2;
    let (mut lower_half, mut tail) = (Sum::default(), Sum::default());
    let (mut term, mut i) = (1.0, middle);
    loop {
        lower_half.add(term);
        if i <= min {
            tail.add(term);
        }
        if i == 0 || term == 0.0 {
            break;
        }
        term *= i as f64 / (n - i + 1) as f64;
        i -= 1;
    }
    let middle_twice = if n.is_multiple_of(2) { 1.0 } else { 0.0 };
    let all = 2.0 * lower_half.total() - middle_twice;
    (2.0 * tail.total() / all).min(1.0)
}

/// Neumaier's compensated sum, so that a million terms lose nothing that shows.
#[derive(Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        let next = self.sum + x;
        let (large, small) = if self.sum >= x { (self.sum, x) } else { (x, self.sum) };
        self.lost += (large - next) + small;
        self.sum = next;
    }

    fn total(&self) -> f64 {
        self.sum + self.lost
    }
}

/// Holm's (1979) step-down adjustment of `p_values`, in their order: the k-th smallest of m is multiplied by
/// m − k + 1, made no smaller than the one before it, and cut at 1.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let order = order(p_values.len(), &|a, b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[at]).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}
