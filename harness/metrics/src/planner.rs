//! How wide an interval a number of items gives.
//!
//! Whoever plans a data set wants to know how many items it takes before an interval is narrow enough. [`widths`]
//! answers from a run that is there: it takes parts of the items at random and looks how wide the interval of accuracy
//! is on them. It says nothing about more items than the run has: widths shrink roughly with the root of the number of
//! clusters, but that is an assumption, not a measurement.

use bootstrap::{DrawStore, KEPT_CELLS, OneThread, permutation};
use records::{Plan, Record, Series};

use crate::{
    MetricsError,
    distinct::distinct,
    jackknife::jackknife,
    log::Log,
    rates::{ACCURACY, Context},
    resampling::resample,
    series::{Served, split},
    sharing::Elsewhere,
    stats::interval,
};

/// The mean width of an interval on a number of items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Width {
    /// Number of items, each with all its served repeats.
    pub n_items: u32,
    /// Upper minus lower end of the interval of accuracy, averaged over subsamples. Range: 0 to 1; lower is better.
    /// None when the series has fewer items, and when no subsample has an interval.
    pub mean_width: Option<f64>,
    /// Subsamples that the mean is over.
    pub n_subsamples: u32,
    /// Subsamples whose interval is withheld.
    pub withheld: u32,
}

/// The mean width of the interval of `series`' accuracy on each number of items in `sizes`, over `n_subsamples`
/// subsamples drawn without replacement, by the plan's seed, resamples, level and method.
///
/// Subsample *s* orders the items by bytes of `item_id` and shuffles them: with words *w* of 32 bits from the generator
/// of [`crate::stats::multiplicities`] at stream 2⁶³ + *s*, position *j* = 0, 1, … changes places with position
/// *j* + ⌊w·(n − j) / 2³²⌋. The first `n_items` of that order are taken, so that a larger size holds the smaller ones.
/// Each subsample's interval is computed as `compute` does. The floor does not apply: a width that small is what one
/// asks about.
///
/// # Errors
/// As [`crate::compute`], and a series that the log does not have.
pub fn widths(
    records: &[Record],
    series: &Series,
    plan: &Plan,
    sizes: &[u32],
    n_subsamples: u32,
) -> Result<Vec<Width>, MetricsError> {
    plan.check().map_err(MetricsError::Plan)?;
    let log = Log::new(records)?;
    log.check_items(&plan.slices)?;
    let all = split(&log, &log.rows.iter().collect::<Vec<_>>(), None);
    let rows = all.iter().find(|s| s.series == *series).ok_or_else(|| {
        MetricsError::NoSuchSeries { model: series.model.clone(), arm: series.arm.clone() }
    })?;
    let served = &rows.served;
    let items = served.items();
    let orders: Vec<Vec<usize>> = (0..n_subsamples)
        .map(|s| permutation(plan.seed, (1 << 63) + u64::from(s), items.len()))
        .collect();
    let mut store = DrawStore::new(plan.seed, plan.n_resamples, &OneThread, KEPT_CELLS);
    let mut at_size = |&n_items: &u32| {
        let mut mean = Width { n_items, mean_width: None, n_subsamples: 0, withheld: 0 };
        if n_items == 0 || n_items as usize > items.len() {
            return mean;
        }
        let mut sum = 0.0;
        for order in &orders {
            let taken = distinct(order[..n_items as usize].iter().map(|at| items[*at]));
            match width(served, &taken, plan, &mut store) {
                Some(width) => (sum, mean.n_subsamples) = (sum + width, mean.n_subsamples + 1),
                None => mean.withheld += 1,
            }
        }
        mean.mean_width = (mean.n_subsamples > 0).then(|| sum / f64::from(mean.n_subsamples));
        mean
    };
    Ok(sizes.iter().map(&mut at_size).collect())
}

fn width(
    served: &Served<'_>,
    items: &[u32],
    plan: &Plan,
    store: &mut DrawStore<'_>,
) -> Option<f64> {
    let context = Context { confident_threshold: plan.confident_threshold };
    let ratio = ACCURACY.sums(&served.only(items), &context);
    let draws = store.get(ratio.numerator.len());
    let (replicates, _) = resample(&draws, &[&ratio], None, &OneThread, &Elsewhere::Nowhere);
    let ends = interval(replicates.first()?, plan, || jackknife(&ratio));
    Some(ends.upper? - ends.lower?)
}
