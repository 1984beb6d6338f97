//! BCa intervals: scipy's values, the definition written out, properties, and where there is none.

use std::path::Path;

use metrics::{
    compute, default_plan,
    stats::{bca, normal_cdf, normal_quantile, quantile_type7},
};
use proptest::prelude::*;
use records::{Computed, Figure, IntervalMethod, Plan, Record, parse_json, parse_jsonl};
use serde_json::Value;

use crate::{
    literal::{accuracy, drawn},
    made_up::{record, two_arms, wrong},
    properties::some_records,
};

fn bca_plan(records: &[Record], control: Option<&str>) -> Plan {
    Plan { interval_method: IntervalMethod::Bca, ..default_plan(records, control) }
}

fn figure<'a>(computed: &'a Computed, id: &str) -> &'a Figure {
    computed.figures.iter().find(|f| f.id == id).unwrap_or_else(|| panic!("no {id}"))
}

fn close(what: &str, got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance * expected.abs(), "{what}: {got}, not {expected}");
}

/// `../golden/bca.py`: `scipy.stats.bootstrap(method="BCa")` on the same replicates.
fn check_golden(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let bytes = std::fs::read(folder.join("records.jsonl")).unwrap();
    let records: Vec<Record> = parse_jsonl("records.jsonl", &bytes).unwrap().rows;
    let text = std::fs::read_to_string(folder.join("bca.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let n_resamples = expected["n_resamples"].as_u64().unwrap() as u32;
    let plan = Plan { n_resamples, ..bca_plan(&records, expected["control"].as_str()) };
    let computed = compute(&records, &plan).unwrap();
    let mut compared = 0;
    for (series, figures) in expected["figures"].as_object().unwrap() {
        for (metric, expected) in figures.as_object().unwrap() {
            let what = format!("{series}/{metric}");
            let got = figure(&computed, &what).interval.as_ref().unwrap();
            assert_eq!(got.method, "bca-cluster-bootstrap/1");
            if expected.is_null() {
                assert_eq!(got.withheld.as_deref(), Some("degenerate"), "{what}");
                continue;
            }
            close(&what, got.lower.unwrap(), expected["lower"].as_f64().unwrap(), 1e-12);
            close(&what, got.upper.unwrap(), expected["upper"].as_f64().unwrap(), 1e-12);
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared} intervals");
    for comparison in computed.comparisons.iter().filter_map(|c| c.interval.as_ref()) {
        assert_eq!(comparison.method, "bca-cluster-bootstrap/1");
    }
}

#[test]
fn binary_items_match_scipy() {
    check_golden("binary");
}

#[test]
fn choice_items_match_scipy() {
    check_golden("choice");
}

/// Abramowitz and Stegun (1964), table 26.1: Φ(1) = 0.84134 47460 68543, Φ(2) = 0.97724 98680 51821; and scipy's
/// `norm.cdf(-8)` and `norm.cdf(-30)`.
#[test]
fn the_normal_distribution_matches_tables() {
    close("1", normal_cdf(1.0), 0.841_344_746_068_543, 1e-15);
    close("2", normal_cdf(2.0), 0.977_249_868_051_821, 1e-15);
    close("-8", normal_cdf(-8.0), 6.220_960_574_271_74e-16, 1e-12);
    close("-30", normal_cdf(-30.0), 4.906_713_927_147_908e-198, 1e-12);
    assert_eq!(normal_cdf(0.0), 0.5);
}

/// The correction as Efron writes it, on replicates that are really drawn and really left out.
fn literal_bca(rows: &[Record], plan: &Plan) -> Option<(f64, f64)> {
    let value = accuracy(rows)?;
    let replicates: Vec<f64> = (0..u64::from(plan.n_resamples))
        .filter_map(|b| accuracy(&drawn(rows, plan.seed, b)))
        .collect();
    let mut clusters: Vec<_> = rows.iter().map(|r| &r.cluster_id).collect();
    clusters.sort();
    clusters.dedup();
    let without = |cluster: &&String| {
        let rest: Vec<_> = rows.iter().filter(|r| r.cluster_id != **cluster).cloned().collect();
        accuracy(&rest)
    };
    let jackknife: Option<Vec<f64>> = clusters.iter().map(without).collect();
    let jackknife = jackknife?;
    if jackknife.iter().all(|x| (x - jackknife[0]).abs() < 1e-14) {
        return None;
    }
    let mean = jackknife.iter().sum::<f64>() / jackknife.len() as f64;
    let squares: f64 = jackknife.iter().map(|x| (mean - x) * (mean - x)).sum();
    let cubes: f64 = jackknife.iter().map(|x| (mean - x) * (mean - x) * (mean - x)).sum();
    let a = cubes / (6.0 * squares * squares.sqrt());
    let n = replicates.len() as f64;
    let less = replicates.iter().filter(|x| **x < value).count() as f64;
    let at_most = replicates.iter().filter(|x| **x <= value).count() as f64;
    let z0 = normal_quantile((less + at_most) / 2.0 / n)?;
    let rank = |p: f64| {
        let z = normal_quantile(p).unwrap();
        normal_cdf(z0 + (z0 + z) / (1.0 - a * (z0 + z)))
    };
    let low = quantile_type7(&replicates, rank(0.025))?;
    Some((low, quantile_type7(&replicates, rank(0.975))?))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn intervals_by_the_definition(records in some_records()) {
        let plan = Plan { n_resamples: 60, min_items: 1, ..bca_plan(&records, None) };
        let computed = compute(&records, &plan).unwrap();
        for arm in ["a0", "a1"] {
            let served = |r: &&Record| r.arm == arm && r.status.is_served();
            let rows: Vec<_> = records.iter().filter(served).cloned().collect();
            if rows.is_empty() {
                continue;
            }
            let got = figure(&computed, &format!("m/{arm}/accuracy")).interval.clone().unwrap();
            match literal_bca(&rows, &plan) {
                None => prop_assert_eq!(got.withheld.as_deref(), Some("degenerate")),
                Some((lower, upper)) => {
                    prop_assert!((got.lower.unwrap() - lower).abs() < 1e-9, "{:?} {}", got, lower);
                    prop_assert!((got.upper.unwrap() - upper).abs() < 1e-9, "{:?} {}", got, upper);
                }
            }
        }
    }

    #[test]
    fn ends_are_ordered_and_within_the_replicates(
        replicates in prop::collection::vec(-3.0..3.0, 2..80),
        jackknife in prop::collection::vec(-3.0..3.0, 0..20),
        value in -3.0..3.0,
    ) {
        let (least, most) = (
            replicates.iter().copied().fold(f64::INFINITY, f64::min),
            replicates.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        if let Some((low, high)) = bca(value, &replicates, &jackknife, 0.9) {
            prop_assert!(least <= low && low <= high && high <= most, "{} {}", low, high);
        }
    }

    #[test]
    fn without_bias_and_skewness_it_is_the_percentile_interval(
        half in prop::collection::vec(0.001..3.0, 20..60),
    ) {
        let replicates: Vec<f64> = half.iter().flat_map(|x| [-x, *x]).collect();
        let got = bca(0.0, &replicates, &[-1.0, 1.0], 0.9).unwrap();
        let low = quantile_type7(&replicates, 0.05).unwrap();
        let high = quantile_type7(&replicates, 0.95).unwrap();
        prop_assert!((got.0 - low).abs() < 1e-9 && (got.1 - high).abs() < 1e-9);
    }
}

#[test]
fn where_there_is_no_correction() {
    let jackknife = [0.1, 0.2, 0.4];
    let spread = [0.1, 0.2, 0.3];
    assert!(bca(0.2, &spread, &jackknife, 0.9).is_some());
    for (value, jackknife, level, why) in [
        (0.0, &jackknife[..], 0.9, "every replicate is above the value"),
        (1.0, &jackknife[..], 0.9, "every replicate is below the value"),
        (0.2, &[0.3, 0.3, 0.3][..], 0.9, "the jackknife values are the same"),
        (0.2, &[0.1 + 0.2, 0.3][..], 0.9, "the jackknife values differ by rounding alone"),
        (0.2, &[0.3][..], 0.9, "one cluster"),
        (0.2, &[][..], 0.9, "no cluster"),
        (0.2, &jackknife[..], 1.0, "a level of all"),
        (0.2, &jackknife[..], 0.0, "a level of nothing"),
    ] {
        assert_eq!(bca(value, &spread, jackknife, level), None, "{why}");
    }
    assert_eq!(bca(0.2, &[], &jackknife, 0.9), None, "no replicate");
    // A ten-millionth of the mean is little, and far from rounding.
    let close_by = [1.0, 1.0 + 1e-7, 1.0 - 2e-7];
    assert!(bca(0.2, &spread, &close_by, 0.9).is_some());
}

#[test]
fn degenerate_figures_keep_their_value_and_lose_their_interval() {
    let all_wrong: Vec<_> =
        (0..25).map(|i| wrong(record("m", "a0", &format!("i{i:02}"), 0))).collect();
    let plan = Plan { n_resamples: 50, ..bca_plan(&all_wrong, None) };
    let computed = compute(&all_wrong, &plan).unwrap();
    for metric in ["accuracy", "ece"] {
        let figure = figure(&computed, &format!("m/a0/{metric}"));
        assert!(figure.value.is_some());
        let interval = figure.interval.as_ref().unwrap();
        assert_eq!((interval.lower, interval.upper), (None, None));
        assert_eq!(interval.withheld.as_deref(), Some("degenerate"), "{metric}");
    }
}

#[test]
fn the_method_stands_in_plan_and_signature_only_when_it_is_chosen() {
    let records = two_arms(24);
    let header =
        || metrics::Header { run_id: "r".into(), dataset_id: "d".into(), title: "t".into() };
    let publish = |plan: Plan| {
        let computed = compute(&records, &plan).unwrap();
        let results = metrics::results(header(), Vec::new(), computed, plan);
        serde_json::to_string(&results).unwrap()
    };
    let usual = publish(Plan { n_resamples: 50, ..default_plan(&records, None) });
    assert!(usual.contains("|percentile-cluster-bootstrap/1|") && !usual.contains("bca"));
    assert!(!usual.contains("interval_method"));
    let chosen = publish(Plan { n_resamples: 50, ..bca_plan(&records, None) });
    assert!(chosen.contains("|bca-cluster-bootstrap/1|"));
    assert!(chosen.contains(r#""interval_method":"bca""#));
    let back = parse_json::<records::Results>("results.json", chosen.as_bytes()).unwrap();
    assert_eq!(back.rows[0].plan.interval_method, IntervalMethod::Bca);
    let back = parse_json::<records::Results>("results.json", usual.as_bytes()).unwrap();
    assert_eq!(back.rows[0].plan.interval_method, IntervalMethod::Percentile);
}
