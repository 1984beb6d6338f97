use std::collections::BTreeMap;

use records::{Comparison, Computed, Family, Plan, Record, Series};

use crate::{
    MetricsError, comparison, figures, log,
    series::{SeriesRows, split},
    stats::DrawStore,
};

/// Computes everything that is published, from the lines of a log and a plan.
///
/// The result depends on these two alone: the same bits on every target and, as long as no key occurs twice, for every
/// order of the lines. Of several rows with one key the last counts.
///
/// # Errors
/// A plan or a row that the readers would refuse, an empty log, a log of two data sets, and rows that disagree about
/// the kind, target or cluster of their item.
pub fn compute(records: &[Record], plan: &Plan) -> Result<Computed, MetricsError> {
    plan.check().map_err(MetricsError::Plan)?;
    let log = log::read(records)?;
    let all = split(&log.rows);
    let mut store = DrawStore::new(plan.seed, plan.n_resamples);
    let (mut all_figures, mut reliability, mut comparisons) = (Vec::new(), Vec::new(), Vec::new());
    for series in &all {
        let (mut sheet, diagrams) = figures::of_series(series, plan, &mut store);
        comparisons.extend(figures::lift(&mut sheet, &all, &mut store));
        all_figures.append(&mut sheet.figures);
        reliability.extend(diagrams);
    }
    let by_name: BTreeMap<&Series, &SeriesRows<'_>> = all.iter().map(|s| (&s.series, s)).collect();
    for [a, b] in &plan.comparisons {
        comparisons.push(planned(a, b, &by_name, plan, &mut store));
    }
    comparison::adjust(&mut comparisons);
    Ok(Computed { rows: log.counts, figures: all_figures, reliability, comparisons })
}

fn planned(
    a: &Series,
    b: &Series,
    by_name: &BTreeMap<&Series, &SeriesRows<'_>>,
    plan: &Plan,
    store: &mut DrawStore,
) -> Comparison {
    match by_name.get(a).zip(by_name.get(b)) {
        Some((rows_a, rows_b)) => {
            let paired = comparison::pair(rows_a, rows_b, plan, store);
            comparison::publish(a, b, Family::Plan, &paired)
        }
        None => comparison::withheld(a, b, Family::Plan, "no_such_series"),
    }
}
