//! The figures of one series, in the order of the table.

mod calibrated;
mod counts;
mod labelled;
mod lift;
mod majority;
mod measured;
mod sheet;

use records::{Plan, Reliability};

use crate::{
    jackknife::{jackknife, jackknife_ece},
    rates::{self, Context},
    resampling::resample,
    series::SeriesRows,
    stats::{DrawStore, interval},
};

pub(crate) use lift::lift;
pub(crate) use sheet::{BELOW_FLOOR, Sheet};

/// Computes all figures of a series but its lift, and its reliability diagrams.
pub(crate) fn of_series<'a>(
    series: &'a SeriesRows<'a>,
    plan: &'a Plan,
    store: &mut DrawStore<'_>,
) -> (Sheet<'a>, Vec<Reliability>) {
    let mut sheet = Sheet::new(series, plan);
    counts::add(&mut sheet);
    let served = &series.served;
    let context = Context { confident_threshold: plan.confident_threshold };
    let rates = rates::of_series(served, &context);
    let diagrams = calibrated::Diagrams::new(served, plan);
    if sheet.below_floor() || served.rows.is_empty() {
        for rate in rates {
            sheet.push_rate(rate, None);
        }
        diagrams.add_figures(&mut sheet, None);
    } else {
        let draws = store.get(served.clusters.len());
        let ratios: Vec<_> = rates.iter().map(|r| &r.ratio).collect();
        let (replicates, ece) = resample(&draws, &ratios, &diagrams.by_plan);
        for (rate, replicates) in rates.into_iter().zip(replicates) {
            let interval = interval(replicates, plan, || jackknife(&rate.ratio));
            sheet.push_rate(rate, Some(interval));
        }
        let interval = interval(ece, plan, || jackknife_ece(&diagrams.by_plan));
        diagrams.add_figures(&mut sheet, Some(interval));
    }
    majority::add(&mut sheet);
    labelled::add(&mut sheet);
    measured::add(&mut sheet);
    let reliability = diagrams.publish(&sheet);
    (sheet, reliability)
}
