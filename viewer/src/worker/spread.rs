//! The distribution of accuracy over the resamples, and how wide its interval is on fewer questions.

use std::collections::BTreeMap;

use metrics::{planner, stats};
use records::{Record, Series};

use super::{
    compute::{as_resampled, own_plan, refused},
    open::Opened,
    protocol::Problem,
};
use crate::{
    model::spread::{Spread, WidthRow},
    url_state::Settings,
};

/// Classes of the distribution.
const CLASSES: usize = 40;
/// Most resamples and subsamples times clusters that are drawn for a plot.
const MAX_DRAWS: u64 = 200_000_000;
/// Sizes of which the width is asked.
const SIZES: u32 = 8;
/// Subsamples of each size.
const SUBSAMPLES: u32 = 20;
/// Most resamples of each subsample: a mean over subsamples needs fewer than a single interval.
const SUBSAMPLE_RESAMPLES: u32 = 1000;

/// The values of accuracy over the plan's resamples. They are the resamples of the published interval: draw for draw
/// from [`stats::multiplicities`], clusters in order of their bytes, the sum of each first.
///
/// # Errors
/// No such series, settings that are not allowed, or more draws than a page should make.
pub fn spread(opened: &Opened, series: &Series, settings: &Settings) -> Result<Spread, Problem> {
    let plan = own_plan(opened, settings)?;
    let records = as_resampled(&opened.records, settings);
    let clusters = sums(&records, series);
    let q = clusters.len() as u32;
    if q == 0 {
        return Err(no_rows(series));
    }
    bounded(u64::from(plan.n_resamples) * u64::from(q))?;
    let mut values = Vec::with_capacity(plan.n_resamples as usize);
    let mut undefined = 0;
    for replicate in 0..plan.n_resamples {
        let times = stats::multiplicities(plan.seed, replicate.into(), q);
        match ratio(&clusters, |i| f64::from(times[i])) {
            Some(value) => values.push(value),
            None => undefined += 1,
        }
    }
    let point = ratio(&clusters, |_| 1.0).ok_or_else(|| no_rows(series))?;
    let tail = (1.0 - plan.confidence_level) / 2.0;
    let end = |p| stats::quantile_type7(&values, p);
    let (lower, upper) = (end(tail), end(1.0 - tail));
    values.sort_by(f64::total_cmp);
    let (low, width, counts) = classes(&values);
    let level = plan.confidence_level;
    Ok(Spread { low, width, counts, point, lower, upper, level, n_clusters: q.into(), undefined })
}

/// Correct and served rows of each cluster of a series, clusters in order of their bytes.
fn sums(records: &[Record], series: &Series) -> Vec<(f64, f64)> {
    // Of several rows with one key the last counts.
    let mut last: BTreeMap<_, &Record> = BTreeMap::new();
    for r in records.iter().filter(|r| r.model == series.model && r.arm == series.arm) {
        last.insert(r.key(), r);
    }
    let mut clusters: BTreeMap<&[u8], (f64, f64)> = BTreeMap::new();
    for r in last.into_values().filter(|r| r.status.is_served()) {
        let sums = clusters.entry(r.cluster_id.as_bytes()).or_default();
        sums.0 += if r.correct == Some(true) { 1.0 } else { 0.0 };
        sums.1 += 1.0;
    }
    clusters.into_values().collect()
}

fn ratio(clusters: &[(f64, f64)], times: impl Fn(usize) -> f64) -> Option<f64> {
    let (mut top, mut bottom) = (0.0, 0.0);
    for (i, (correct, served)) in clusters.iter().enumerate() {
        top += times(i) * correct;
        bottom += times(i) * served;
    }
    (bottom > 0.0).then(|| top / bottom)
}

/// Sorted values in classes: left end of the first, width of each, counts. Accuracy takes few values on few rows, so a
/// class is as wide as a whole number of the smallest steps between them: with any other width some classes would hold
/// one step more than others, and the plot would show teeth that are not there.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a class number, held below CLASSES"
)]
fn classes(sorted: &[f64]) -> (f64, f64, Vec<u64>) {
    let (Some(low), Some(high)) = (sorted.first(), sorted.last()) else {
        return (0.0, 0.0, Vec::new());
    };
    let steps = sorted.windows(2).map(|w| w[1] - w[0]).filter(|s| *s > 1e-9);
    let step = steps.fold(f64::INFINITY, f64::min);
    // All values equal: one class around them.
    if !step.is_finite() {
        return (low - 0.005, 0.01, vec![sorted.len() as u64]);
    }
    let width = step * ((high - low) / step / CLASSES as f64).ceil().max(1.0);
    let low = low - width / 2.0;
    let n = ((high - low) / width).ceil().max(1.0) as usize;
    let mut counts = vec![0; n];
    for value in sorted {
        let class = ((value - low) / width) as usize;
        counts[class.min(n - 1)] += 1;
    }
    (low, width, counts)
}

/// Mean widths of the interval of accuracy on growing numbers of questions, up to all that the series has.
///
/// # Errors
/// As [`spread`].
pub fn widths(
    opened: &Opened,
    series: &Series,
    settings: &Settings,
) -> Result<Vec<WidthRow>, Problem> {
    let mut plan = own_plan(opened, settings)?;
    plan.n_resamples = plan.n_resamples.min(SUBSAMPLE_RESAMPLES);
    let records = as_resampled(&opened.records, settings);
    let n = n_items(&records, series);
    if n == 0 {
        return Err(no_rows(series));
    }
    let draws = u64::from(plan.n_resamples) * u64::from(SUBSAMPLES * SIZES);
    bounded(draws * u64::from(n))?;
    let mut sizes: Vec<u32> = (1..=SIZES).map(|i| (n * i).div_ceil(SIZES).max(2).min(n)).collect();
    sizes.dedup();
    let widths = planner::widths(&records, series, &plan, &sizes, SUBSAMPLES).map_err(refused)?;
    Ok(widths
        .into_iter()
        .map(|w| WidthRow {
            n_items: w.n_items,
            mean_width: w.mean_width,
            n_subsamples: w.n_subsamples,
        })
        .collect())
}

fn n_items(records: &[Record], series: &Series) -> u32 {
    let of_series = records.iter().filter(|r| r.model == series.model && r.arm == series.arm);
    let items: std::collections::BTreeSet<_> =
        of_series.filter(|r| r.status.is_served()).map(|r| &r.item_id).collect();
    items.len() as u32
}

fn bounded(draws: u64) -> Result<(), Problem> {
    if draws <= MAX_DRAWS {
        return Ok(());
    }
    Err(Problem::new(
        format!("this plot would take {} draws", crate::format::count(draws)),
        "set fewer resamples",
    ))
}

fn no_rows(series: &Series) -> Problem {
    Problem::new(
        format!(
            "no row of {} in {} was served",
            crate::format::cut(&series.model, 60),
            crate::format::cut(&series.arm, 40)
        ),
        "choose another series",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::open::tests::{log, opened};

    fn series() -> Series {
        Series { model: "m".into(), arm: "a0".into() }
    }

    #[test]
    fn its_ends_are_the_published_interval_to_the_bit() {
        let opened = opened(&log());
        for search in ["", "?seed=7&resamples=333", "?level=0.8"] {
            let settings = crate::url_state::Query::parse(search).settings;
            let spread = spread(&opened, &series(), &settings).unwrap();
            let plan = settings.applied(&opened.plan());
            let computed = metrics::compute(&opened.records, &plan).unwrap();
            let figure = computed.figures.iter().find(|f| f.id == "m/a0/accuracy").unwrap();
            let interval = figure.interval.as_ref().unwrap();
            let bits = |v: Option<f64>| v.map(f64::to_bits);
            assert_eq!(bits(spread.lower), bits(interval.lower), "{search}");
            assert_eq!(bits(spread.upper), bits(interval.upper), "{search}");
            assert_eq!(bits(Some(spread.point)), bits(figure.value), "{search}");
            assert_eq!(spread.counts.iter().sum::<u64>(), u64::from(plan.n_resamples));
        }
    }

    #[test]
    fn more_questions_give_a_narrower_interval() {
        let widths = widths(&opened(&log()), &series(), &Settings::default()).unwrap();
        let first = widths.first().unwrap().mean_width.unwrap();
        let last = widths.last().unwrap();
        assert_eq!(last.n_items, 25);
        assert!(last.mean_width.unwrap() < first, "{widths:?}");
    }

    #[test]
    fn what_would_take_too_long_or_is_not_there_is_a_message() {
        let mut settings = Settings { n_resamples: Some(1_000_000), ..Settings::default() };
        assert!(spread(&opened(&log()), &series(), &settings).is_ok());
        settings.n_resamples = Some(0);
        let problem = spread(&opened(&log()), &series(), &settings).unwrap_err();
        assert!(problem.what.contains("n_resamples"), "{problem:?}");
        let nobody = Series { model: "x".into(), arm: "y".into() };
        assert!(spread(&opened(&log()), &nobody, &Settings::default()).is_err());
        assert!(widths(&opened(&log()), &nobody, &Settings::default()).is_err());
        assert!(bounded(MAX_DRAWS + 1).is_err());
    }
}
