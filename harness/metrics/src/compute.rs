use bootstrap::{OneThread, Workers};
use records::{Comparison, Computed, Family, Plan, Record, Series};

use crate::{
    MetricsError, comparison, figures,
    log::Log,
    resampling::Resampling,
    scored::Scored,
    series::{SeriesRows, Slice, split},
    sharing::Elsewhere,
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
    compute_with(records, plan, &OneThread)
}

/// As [`compute`], with the resampling shared out among `workers`: the same bits, sooner.
///
/// # Errors
/// As [`compute`].
pub fn compute_with(
    records: &[Record],
    plan: &Plan,
    workers: &dyn Workers,
) -> Result<Computed, MetricsError> {
    plan.check().map_err(MetricsError::Plan)?;
    Log::new(records)?.compute(plan, workers)
}

impl Log {
    /// As [`compute`], from rows that were taken one by one.
    ///
    /// # Errors
    /// As [`compute`].
    pub fn compute(&self, plan: &Plan, workers: &dyn Workers) -> Result<Computed, MetricsError> {
        self.compute_by(plan, &mut Resampling::new(plan, workers, Elsewhere::Nowhere))
    }

    /// As [`compute`], with replicates from wherever `resampling` has them.
    pub(crate) fn compute_by(
        &self,
        plan: &Plan,
        resampling: &mut Resampling<'_>,
    ) -> Result<Computed, MetricsError> {
        plan.check().map_err(MetricsError::Plan)?;
        self.check_items(&plan.slices)?;
        let rows: Vec<_> = self.rows.iter().collect();
        let all = split(self, &rows, None);
        let (mut figures, mut reliability, mut comparisons) = (Vec::new(), Vec::new(), Vec::new());
        for (mut sheet, diagrams) in figures::of_all(&all, plan, resampling) {
            comparisons.extend(figures::lift(&mut sheet, &all, resampling));
            figures.append(&mut sheet.figures);
            reliability.extend(diagrams);
        }
        for slice in slices(self, plan) {
            let inside = |row: &&&Scored| self.slice_value(row, &slice.field) == Some(&slice.value);
            let rows: Vec<_> = rows.iter().filter(inside).copied().collect();
            let part = split(self, &rows, Some(&slice));
            for (mut sheet, diagrams) in figures::of_all(&part, plan, resampling) {
                // The lift's figure stays; its comparison would join a family of tests that is about whole data sets.
                figures::lift(&mut sheet, &part, resampling);
                figures.append(&mut sheet.figures);
                reliability.extend(diagrams);
            }
        }
        for [a, b] in &plan.comparisons {
            comparisons.push(planned(a, b, &all, plan, resampling));
        }
        comparison::adjust(&mut comparisons);
        Ok(Computed { rows: self.counts(), figures, reliability, comparisons })
    }
}

/// Every part of the data set that the plan asks for, in order of its list and of value. A row without a value belongs
/// to no part.
fn slices(log: &Log, plan: &Plan) -> Vec<Slice> {
    let parts = plan.slices.iter().flat_map(|field| {
        let part = |value: &str| Slice { field: field.clone(), value: value.to_owned() };
        log.values(field).into_iter().map(part).collect::<Vec<_>>()
    });
    parts.collect()
}

fn planned(
    a: &Series,
    b: &Series,
    all: &[SeriesRows<'_>],
    plan: &Plan,
    resampling: &mut Resampling<'_>,
) -> Comparison {
    let rows_of = |series| all.binary_search_by(|rows| rows.series.cmp(series)).ok();
    match rows_of(a).zip(rows_of(b)) {
        Some((a_at, b_at)) => {
            let paired = comparison::pair(&all[a_at], &all[b_at], plan, resampling);
            comparison::publish(a, b, Family::Plan, &paired)
        }
        None => comparison::withheld(a, b, Family::Plan, "no_such_series"),
    }
}
