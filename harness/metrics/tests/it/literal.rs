//! The fast code against slow code that follows the definitions word by word.

use std::collections::{BTreeMap, BTreeSet};

use metrics::{
    compute, default_plan,
    stats::{mcnemar_exact, multiplicities, quantile_type7},
};
use proptest::prelude::*;
use records::{BinStrategy, Computed, Figure, Plan, Record};

use crate::properties::some_records;

fn figure<'a>(computed: &'a Computed, id: &str) -> &'a Figure {
    computed.figures.iter().find(|f| f.id == id).unwrap()
}

fn small_plan(records: &[Record]) -> Plan {
    Plan { n_resamples: 60, min_items: 1, ..default_plan(records, None) }
}

/// The rows of a series with each drawn cluster written out as often as it was drawn.
pub fn drawn(rows: &[Record], seed: u64, replicate: u64) -> Vec<Record> {
    let clusters: BTreeSet<&str> = rows.iter().map(|r| r.cluster_id.as_str()).collect();
    let times = multiplicities(seed, replicate, clusters.len() as u32);
    let mut out = Vec::new();
    for (cluster, times) in clusters.into_iter().zip(times) {
        for _ in 0..times {
            out.extend(rows.iter().filter(|r| r.cluster_id == cluster).cloned());
        }
    }
    out
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Probability of YES and whether it happened.
fn forecast(r: &Record) -> Option<(f64, f64)> {
    let happened = if r.target == "YES" { 1.0 } else { 0.0 };
    match (r.answer.as_deref(), r.confidence) {
        (Some("YES"), c) => Some((c?, happened)),
        (Some("NO"), c) => Some((1.0 - c?, happened)),
        _ => Some((0.5, happened)),
    }
}

/// Expected calibration error by the definition: each row is given its bin, then each bin is looked at.
fn literal_ece(rows: &[Record], strategy: BinStrategy, n_bins: usize) -> Option<f64> {
    let mut forecasts: Vec<_> =
        rows.iter().filter_map(|r| Some((forecast(r)?, r.item_id.as_str(), r.repeat))).collect();
    forecasts.sort_by(|a, b| (a.0.0, a.1, a.2).partial_cmp(&(b.0.0, b.1, b.2)).unwrap());
    let n = forecasts.len();
    let bin_of = |i: usize| {
        let ((p, _), item, repeat) = forecasts[i];
        let together = |j: &usize| match strategy {
            BinStrategy::QuantileSplit => {
                let (other, other_item, other_repeat) = forecasts[*j];
                (other.0, other_item, other_repeat) == (p, item, repeat)
            }
            _ => forecasts[*j].0.0 == p,
        };
        match strategy {
            BinStrategy::Uniform => ((p * n_bins as f64).floor() as usize).min(n_bins - 1),
            _ => (0..n).find(together).unwrap() * n_bins / n,
        }
    };
    let bins: Vec<usize> = (0..n).map(bin_of).collect();
    let mut ece = 0.0;
    for bin in 0..n_bins {
        let inside: Vec<_> = (0..n).filter(|i| bins[*i] == bin).map(|i| forecasts[i].0).collect();
        let Some(predicted) = mean(inside.iter().map(|f| f.0)) else { continue };
        let observed = mean(inside.iter().map(|f| f.1))?;
        ece += inside.len() as f64 / n as f64 * (predicted - observed).abs();
    }
    (n > 0).then_some(ece)
}

pub fn accuracy(rows: &[Record]) -> Option<f64> {
    mean(rows.iter().map(|r| if r.correct == Some(true) { 1.0 } else { 0.0 }))
}

fn brier(rows: &[Record]) -> Option<f64> {
    mean(rows.iter().filter_map(forecast).map(|(p, y)| (p - y) * (p - y)))
}

/// A metric by its definition.
type Literal<'a> = &'a dyn Fn(&[Record]) -> Option<f64>;

/// Type 7 by sorting.
fn literal_quantile(mut values: Vec<f64>, p: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let h = (values.len() - 1) as f64 * p;
    let low = h.floor() as usize;
    let high = (low + 1).min(values.len() - 1);
    values[low] + (h - low as f64) * (values[high] - values[low])
}

fn near(what: &str, got: Option<f64>, expected: Option<f64>) {
    match (got, expected) {
        (Some(g), Some(e)) => assert!((g - e).abs() < 1e-12, "{what}: {g}, not {e}"),
        (got, expected) => assert_eq!(got, expected, "{what}"),
    }
}

fn served_by_series(records: &[Record]) -> BTreeMap<String, Vec<Record>> {
    let mut series: BTreeMap<String, Vec<Record>> = BTreeMap::new();
    for r in records.iter().filter(|r| r.status.is_served()) {
        series.entry(format!("{}/{}", r.model, r.arm)).or_default().push(r.clone());
    }
    series
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn points_and_intervals(records in some_records()) {
        for strategy in [BinStrategy::Quantile, BinStrategy::Uniform, BinStrategy::QuantileSplit] {
            let plan = Plan { bin_strategy: strategy, ..small_plan(&records) };
            let computed = compute(&records, &plan).unwrap();
            for (id, rows) in served_by_series(&records) {
                let ece = |rows: &[Record]| literal_ece(rows, strategy, 5);
                let metrics: [(&str, Literal<'_>); 3] =
                    [("accuracy", &accuracy), ("brier", &brier), ("ece", &ece)];
                for (metric, literal) in metrics {
                    let what = format!("{id}/{metric}");
                    let fast = figure(&computed, &what);
                    near(&what, fast.value, literal(&rows));
                    let replicates: Vec<_> = (0..60)
                        .map(|b| literal(&drawn(&rows, plan.seed, b)))
                        .collect();
                    let defined: Vec<f64> = replicates.iter().flatten().copied().collect();
                    let Some(interval) = &fast.interval else { continue };
                    let undefined = (60 - defined.len()) as u32;
                    prop_assert_eq!(interval.undefined_resamples, Some(undefined), "{}", what);
                    if undefined > 3 {
                        prop_assert_eq!(interval.withheld.as_deref(), Some("unstable"));
                    } else {
                        near(&what, interval.lower, Some(literal_quantile(defined.clone(), 0.025)));
                        near(&what, interval.upper, Some(literal_quantile(defined, 0.975)));
                    }
                }
            }
        }
    }

    #[test]
    fn differences(records in some_records()) {
        let plan = Plan { control: Some("a1".into()), ..small_plan(&records) };
        let computed = compute(&records, &plan).unwrap();
        let series = served_by_series(&records);
        let (Some(a), Some(b)) = (series.get("m/a0"), series.get("m/a1")) else { return Ok(()) };
        let ids = |rows: &[Record]| rows.iter().map(|r| r.item_id.clone()).collect::<BTreeSet<_>>();
        let (ids_a, ids_b) = (ids(a), ids(b));
        let common = |rows: &[Record]| -> Vec<Record> {
            let both = |r: &&Record| ids_a.contains(&r.item_id) && ids_b.contains(&r.item_id);
            rows.iter().filter(both).cloned().collect()
        };
        let (a, b) = (common(a), common(b));
        let lift = figure(&computed, "m/a0/evidence_lift");
        prop_assert_eq!(lift.n_items, ids(&a).len() as u64);
        if a.is_empty() {
            prop_assert_eq!(lift.withheld.as_deref(), Some("below_floor"));
            return Ok(());
        }
        let difference = |a: &[Record], b: &[Record]| Some(accuracy(a)? - accuracy(b)?);
        near("lift", lift.value, difference(&a, &b));
        let replicates: Vec<f64> = (0..60)
            .filter_map(|i| difference(&drawn(&a, plan.seed, i), &drawn(&b, plan.seed, i)))
            .collect();
        let interval = lift.interval.as_ref().unwrap();
        near("lower", interval.lower, Some(literal_quantile(replicates.clone(), 0.025)));
        near("upper", interval.upper, Some(literal_quantile(replicates, 0.975)));
    }

    #[test]
    fn quantiles_by_selection(values in prop::collection::vec(-5.0..5.0, 1..60), p in 0.0..=1.0) {
        let expected = literal_quantile(values.clone(), p);
        prop_assert_eq!(quantile_type7(&values, p).map(f64::to_bits), Some(expected.to_bits()));
    }
}

#[test]
fn mcnemar_by_summing_binomial_coefficients() {
    for (only_a, only_b) in (0..60_u64).flat_map(|a| (0..60_u64).map(move |b| (a, b))) {
        let n = u128::from(only_a + only_b);
        let (mut coefficient, mut sum) = (1_u128, 0_u128);
        for i in 0..=u128::from(only_a.min(only_b)) {
            sum += coefficient;
            coefficient = coefficient * (n - i) / (i + 1);
        }
        let expected = (2.0 * sum as f64 / (1_u128 << n) as f64).min(1.0);
        let got = mcnemar_exact(only_a, only_b);
        assert!((got - expected).abs() <= 1e-14 * expected, "{only_a}, {only_b}: {got:e}");
    }
}
