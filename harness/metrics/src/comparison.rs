//! Two series on their common items.

use bootstrap::{ClusterRatio, divide};
use records::{Comparison, Family, Interval, Plan, Series};

use crate::{
    distinct::common,
    ids::series_id,
    jackknife::jackknife_difference,
    rates::{ACCURACY, Context},
    resampling::Resampling,
    series::SeriesRows,
    stats::{holm, interval, mcnemar_exact, minimum_detectable_effect},
};

/// What two series have in common and how they differ on it.
pub(crate) struct Paired {
    pub n_items: u64,
    pub n_clusters: u64,
    /// Served rows of the first series on common items.
    pub n_rows: u64,
    /// Items of the first series that the second does not have.
    pub left_out: u64,
    pub outcome: Result<Outcome, &'static str>,
}

/// The paired table and the difference of accuracies.
pub(crate) struct Outcome {
    both: u64,
    only_a: u64,
    only_b: u64,
    neither: u64,
    pub difference: f64,
    pub interval: Interval,
}

/// Compares `a` with `b` on the items that both have served rows of.
pub(crate) fn pair(
    a: &SeriesRows<'_>,
    b: &SeriesRows<'_>,
    plan: &Plan,
    resampling: &mut Resampling<'_>,
) -> Paired {
    let common: Vec<u32> = common(&a.served.items(), &b.served.items()).copied().collect();
    let (rows_a, rows_b) = (a.served.only(&common), b.served.only(&common));
    let n_items = common.len() as u64;
    let mut paired = Paired {
        n_items,
        // Rows of an item share its cluster, so both sides have the same clusters.
        n_clusters: rows_a.clusters.len() as u64,
        n_rows: rows_a.rows.len() as u64,
        left_out: a.n_items - n_items,
        outcome: Err("below_floor"),
    };
    if a.n_items.min(b.n_items).min(n_items) < u64::from(plan.min_items) {
        return paired;
    }
    let context = Context { confident_threshold: plan.confident_threshold };
    let ratio_a = ACCURACY.sums(&rows_a, &context);
    let ratio_b = ACCURACY.sums(&rows_b, &context);
    let point = |ratio: &ClusterRatio| {
        let (top, bottom) = ratio.totals();
        divide(top, bottom)
    };
    let Some((accuracy_a, accuracy_b)) = point(&ratio_a).zip(point(&ratio_b)) else {
        paired.outcome = Err("no_common_items");
        return paired;
    };
    let replicates = resampling.accuracy(&ratio_a).minus(&resampling.accuracy(&ratio_b));
    let mut outcome = Outcome {
        both: 0,
        only_a: 0,
        only_b: 0,
        neither: 0,
        difference: accuracy_a - accuracy_b,
        interval: interval(&replicates, plan, || jackknife_difference(&ratio_a, &ratio_b)),
    };
    for (right_a, right_b) in rows_a.majority().into_iter().zip(rows_b.majority()) {
        match (right_a, right_b) {
            (true, true) => outcome.both += 1,
            (true, false) => outcome.only_a += 1,
            (false, true) => outcome.only_b += 1,
            (false, false) => outcome.neither += 1,
        }
    }
    paired.outcome = Ok(outcome);
    paired
}

/// The published form of a pair; `p_holm` comes later, when its whole family is known.
pub(crate) fn publish(a: &Series, b: &Series, family: Family, paired: &Paired) -> Comparison {
    let mut comparison = Comparison {
        n_items: paired.n_items,
        n_clusters: paired.n_clusters,
        ..withheld(a, b, family, "")
    };
    match &paired.outcome {
        Err(reason) => comparison.withheld = Some((*reason).to_owned()),
        Ok(outcome) => {
            let mde = minimum_detectable_effect(outcome.only_a + outcome.only_b, paired.n_items);
            comparison.both = Some(outcome.both);
            comparison.only_a = Some(outcome.only_a);
            comparison.only_b = Some(outcome.only_b);
            comparison.neither = Some(outcome.neither);
            comparison.p_value = Some(mcnemar_exact(outcome.only_a, outcome.only_b));
            comparison.difference = Some(outcome.difference);
            comparison.interval = Some(outcome.interval.clone());
            comparison.minimum_detectable_effect = mde;
            comparison.is_result = mde.map(|mde| outcome.difference.abs() >= mde);
            comparison.withheld = None;
        }
    }
    comparison
}

/// A comparison without values.
pub(crate) fn withheld(a: &Series, b: &Series, family: Family, reason: &str) -> Comparison {
    Comparison {
        id: format!("{}~{}", series_id(a), series_id(b)),
        family,
        a: a.clone(),
        b: b.clone(),
        n_items: 0,
        n_clusters: 0,
        both: None,
        only_a: None,
        only_b: None,
        neither: None,
        p_value: None,
        p_holm: None,
        difference: None,
        interval: None,
        minimum_detectable_effect: None,
        is_result: None,
        withheld: Some(reason.to_owned()),
    }
}

/// Adjusts the p-values of each family over its comparisons that have one.
pub(crate) fn adjust(comparisons: &mut [Comparison]) {
    for family in [Family::Lift, Family::Plan] {
        let p_values: Vec<_> =
            comparisons.iter().filter(|c| c.family == family).filter_map(|c| c.p_value).collect();
        let tested = comparisons.iter_mut().filter(|c| c.family == family && c.p_value.is_some());
        for (comparison, adjusted) in tested.zip(holm(&p_values)) {
            comparison.p_holm = Some(adjusted);
        }
    }
}
