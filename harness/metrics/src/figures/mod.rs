//! The figures of one series, in the order of the table.

mod calibrated;
mod counts;
mod labelled;
mod lift;
mod majority;
mod measured;
mod sheet;

use std::rc::Rc;

use bootstrap::{ClusterRatio, Draws, OneThread, Replicates, Workers, gather};
use records::{Plan, Reliability};

use crate::{
    jackknife::{jackknife, jackknife_ece},
    rates::{self, ACCURACY, Context},
    resampling::{Resampling, resample},
    series::SeriesRows,
    sharing::Elsewhere,
    stats::interval,
};

pub(crate) use lift::lift;
pub(crate) use sheet::{BELOW_FLOOR, Sheet};

/// Series that are computed before their accuracies are handed on, of which each takes a number for each resample.
const AT_A_TIME: usize = 64;

/// Series for each worker from which on they are computed side by side.
const ENOUGH: usize = 4;

/// All figures of each series but its lift, and its reliability diagrams.
pub(crate) fn of_all<'a>(
    all: &'a [SeriesRows<'a>],
    plan: &'a Plan,
    resampling: &mut Resampling<'_>,
) -> Vec<(Sheet<'a>, Vec<Reliability>)> {
    let mut done = Vec::with_capacity(all.len());
    for some in all.chunks(AT_A_TIME) {
        let is_drawn = |s: &SeriesRows<'_>| !s.is_below_floor(plan) && !s.served.rows.is_empty();
        let draws: Vec<_> = some
            .iter()
            .map(|s| is_drawn(s).then(|| resampling.draws.get(s.served.clusters.len())))
            .collect();
        // Whole series side by side leave the workers waiting for one another once; a few are shared out each.
        let alone: &dyn Workers = &OneThread;
        let (of_all, of_each) = if some.len() >= ENOUGH * resampling.workers.width() {
            (resampling.workers, alone)
        } else {
            (alone, resampling.workers)
        };
        let computed = gather(of_all, some.len(), |i| {
            of_series(&some[i], plan, draws[i].as_deref(), of_each, &resampling.elsewhere)
        });
        for (sheet, diagrams, accuracy) in computed {
            if let Some((ratio, replicates)) = accuracy {
                resampling.keep(ratio, &Rc::new(replicates));
            }
            done.push((sheet, diagrams));
        }
    }
    done
}

/// The figures and diagrams of a series, and the replicates of its accuracy; without draws there are no intervals.
fn of_series<'a>(
    series: &'a SeriesRows<'a>,
    plan: &'a Plan,
    draws: Option<&Draws>,
    workers: &dyn Workers,
    elsewhere: &Elsewhere,
) -> (Sheet<'a>, Vec<Reliability>, Option<(ClusterRatio, Replicates)>) {
    let mut sheet = Sheet::new(series, plan);
    counts::add(&mut sheet);
    let served = &series.served;
    let context = Context { confident_threshold: plan.confident_threshold };
    let rates = rates::of_series(served, &context);
    let diagrams = calibrated::Diagrams::new(served, plan);
    let mut accuracy = None;
    if let Some(draws) = draws {
        // Rates are equal in every row often enough: an arm that never abstains has one accuracy, not two.
        let mut ratios: Vec<&ClusterRatio> = Vec::new();
        let places: Vec<usize> = rates
            .iter()
            .map(|rate| {
                ratios.iter().position(|ratio| **ratio == rate.ratio).unwrap_or_else(|| {
                    ratios.push(&rate.ratio);
                    ratios.len() - 1
                })
            })
            .collect();
        let (mut replicates, ece) =
            resample(draws, &ratios, Some(&diagrams.by_plan.binned), workers, elsewhere);
        // Selecting the ends takes about as long as drawing, so it is shared out too; the calibration error comes last.
        let mut intervals = gather(workers, ratios.len() + 1, |i| match ratios.get(i) {
            Some(ratio) => interval(&replicates[i], plan, || jackknife(ratio)),
            None => interval(&ece, plan, || jackknife_ece(&diagrams.by_plan.binned)),
        });
        let of_ece = intervals.pop();
        if let Some(at) = rates.iter().position(|rate| rate.metric == ACCURACY.metric) {
            let of_accuracy = std::mem::take(&mut replicates[places[at]]);
            accuracy = Some((rates[at].ratio.clone(), of_accuracy));
        }
        for (rate, at) in rates.into_iter().zip(places) {
            sheet.push_rate(rate, Some(intervals[at].clone()));
        }
        diagrams.add_figures(&mut sheet, of_ece);
    } else {
        for rate in rates {
            sheet.push_rate(rate, None);
        }
        diagrams.add_figures(&mut sheet, None);
    }
    majority::add(&mut sheet);
    labelled::add(&mut sheet);
    measured::add(&mut sheet);
    let reliability = diagrams.publish(&sheet);
    (sheet, reliability, accuracy)
}
