//! The figures of one series, in the order of the table.

mod calibrated;
mod counts;
mod labelled;
mod lift;
mod majority;
mod measured;
mod sheet;

use std::rc::Rc;

use records::{Plan, Reliability};

use crate::{
    jackknife::{jackknife, jackknife_ece},
    rates::{self, ACCURACY, Context},
    resampling::{Resampling, resample},
    series::SeriesRows,
    stats::interval,
    workers::gather,
};

pub(crate) use lift::lift;
pub(crate) use sheet::{BELOW_FLOOR, Sheet};

/// Computes all figures of a series but its lift, and its reliability diagrams.
pub(crate) fn of_series<'a>(
    series: &'a SeriesRows<'a>,
    plan: &'a Plan,
    resampling: &mut Resampling<'_>,
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
        let draws = resampling.draws.get(served.clusters.len());
        let ratios: Vec<_> = rates.iter().map(|r| &r.ratio).collect();
        let (replicates, ece) = resample(&draws, &ratios, &diagrams.by_plan);
        // Selecting the ends takes about as long as drawing, so it is shared out too; the calibration error comes last.
        let mut intervals = gather(resampling.workers, ratios.len() + 1, |i| match ratios.get(i) {
            Some(ratio) => interval(&replicates[i], plan, || jackknife(ratio)),
            None => interval(&ece, plan, || jackknife_ece(&diagrams.by_plan)),
        });
        let of_ece = intervals.pop();
        for ((rate, replicates), interval) in rates.into_iter().zip(replicates).zip(intervals) {
            if rate.metric == ACCURACY.metric {
                resampling.keep(rate.ratio.clone(), &Rc::new(replicates));
            }
            sheet.push_rate(rate, Some(interval));
        }
        diagrams.add_figures(&mut sheet, of_ece);
    }
    majority::add(&mut sheet);
    labelled::add(&mut sheet);
    measured::add(&mut sheet);
    let reliability = diagrams.publish(&sheet);
    (sheet, reliability)
}
