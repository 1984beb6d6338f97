//! The edges by name. The records are made here: each is a few lines, and what makes it an edge should be in sight.

use metrics::{compute, default_plan, stats::mcnemar_exact};
use records::{Computed, Figure, Interval, Kind, Plan, Record, Status};

use crate::made_up::{record, two_arms, with_status, wrong};

fn arm(n: usize, change: impl Fn(usize, Record) -> Record) -> Vec<Record> {
    (0..n).map(|i| change(i, record("m", "a0", &format!("i{i:02}"), 0))).collect()
}

fn computed_with(records: &[Record], min_items: u32) -> Computed {
    let plan = Plan { n_resamples: 200, min_items, ..default_plan(records, None) };
    compute(records, &plan).unwrap()
}

fn computed(records: &[Record]) -> Computed {
    computed_with(records, 20)
}

fn figure(computed: &Computed, metric: &str) -> Figure {
    let id = format!("m/a0/{metric}");
    computed.figures.iter().find(|f| f.id == id).unwrap_or_else(|| panic!("no {id}")).clone()
}

fn ends(interval: Option<Interval>) -> (f64, f64) {
    let interval = interval.unwrap();
    (interval.lower.unwrap(), interval.upper.unwrap())
}

#[test]
fn zero_of_n() {
    let computed = computed(&arm(25, |_, r| wrong(r)));
    let accuracy = figure(&computed, "accuracy");
    assert_eq!((accuracy.value, ends(accuracy.interval)), (Some(0.0), (0.0, 0.0)));
    // Wilson (1927): the upper end is z² / (n + z²).
    let (lower, upper) = ends(figure(&computed, "majority_accuracy").interval);
    let z2 = 1.959_963_984_540_054_f64 * 1.959_963_984_540_054;
    assert_eq!(lower, 0.0);
    assert!((upper - z2 / (25.0 + z2)).abs() < 1e-12);
}

#[test]
fn n_of_n() {
    let computed = computed(&arm(25, |_, r| r));
    let accuracy = figure(&computed, "accuracy");
    assert_eq!((accuracy.value, ends(accuracy.interval)), (Some(1.0), (1.0, 1.0)));
    let (lower, upper) = ends(figure(&computed, "majority_accuracy").interval);
    let z2 = 1.959_963_984_540_054_f64 * 1.959_963_984_540_054;
    assert_eq!(upper, 1.0);
    assert!((lower - 25.0 / (25.0 + z2)).abs() < 1e-12);
}

#[test]
fn zero_discordance() {
    let mut records = two_arms(24);
    for i in 0..24 {
        let (a0, a1) = (records[3 * i].clone(), &mut records[3 * i + 1]);
        (a1.answer, a1.correct) = (a0.answer, a0.correct);
    }
    let computed = computed(&records);
    let comparison = &computed.comparisons[0];
    assert_eq!((comparison.only_a, comparison.only_b), (Some(0), Some(0)));
    assert_eq!((comparison.p_value, comparison.p_holm), (Some(1.0), Some(1.0)));
    assert_eq!(ends(comparison.interval.clone()), (0.0, 0.0));
    assert_eq!((comparison.minimum_detectable_effect, comparison.is_result), (None, None));
}

#[test]
fn one_cluster() {
    let records = arm(30, |i, mut r| {
        r.cluster_id = "the only one".into();
        if i % 3 == 0 { wrong(r) } else { r }
    });
    let accuracy = figure(&computed(&records), "accuracy");
    // Every resample is the data itself: an interval of no width, with the number of clusters beside it to tell why.
    assert_eq!((accuracy.n_clusters, accuracy.value), (1, Some(20.0 / 30.0)));
    assert_eq!(ends(accuracy.interval), (20.0 / 30.0, 20.0 / 30.0));
}

#[test]
fn one_item() {
    let records = arm(1, |_, r| r);
    let accuracy = figure(&computed(&records), "accuracy");
    assert_eq!((accuracy.n_items, accuracy.withheld.as_deref()), (1, Some("below_floor")));
    let accuracy = figure(&computed_with(&records, 1), "accuracy");
    assert_eq!((accuracy.value, ends(accuracy.interval)), (Some(1.0), (1.0, 1.0)));
}

#[test]
fn all_abstained() {
    let computed = computed(&arm(25, |_, r| with_status(r, Status::Abstained)));
    assert_eq!(figure(&computed, "accuracy").value, Some(0.0));
    assert_eq!(figure(&computed, "abstention_rate").value, Some(1.0));
    assert_eq!(
        figure(&computed, "accuracy_when_answered").withheld.as_deref(),
        Some("no_answered_rows")
    );
    assert_eq!(figure(&computed, "brier").value, Some(0.25));
    // All stand at 0.5 and all happened: one bin, half off.
    assert_eq!(figure(&computed, "ece").value, Some(0.5));
}

#[test]
fn confidence_of_exactly_the_threshold_is_confident() {
    let below = f64::from_bits(0.9_f64.to_bits() - 1);
    let records = arm(25, |i, mut r| {
        r.confidence = Some(if i < 10 { 0.9 } else { below });
        if i < 4 { wrong(r) } else { r }
    });
    let rate = figure(&computed(&records), "confident_wrong_rate");
    assert_eq!((rate.numerator, rate.denominator), (Some(4.0), Some(10.0)));
}

#[test]
fn confidence_of_exactly_one_is_counted_in_the_last_bin() {
    let records = arm(25, |i, mut r| {
        r.confidence = Some(if i < 5 { 1.0 } else { 0.95 });
        if i == 0 { wrong(r) } else { r }
    });
    let computed = computed(&records);
    let uniform = computed.reliability.iter().find(|r| r.id.ends_with("uniform_10")).unwrap();
    // The wrong answer is NO with certainty: YES has probability 0, in the first bin.
    let counts: Vec<_> =
        uniform.bins.iter().map(|b| (b.lower_edge, b.upper_edge, b.count)).collect();
    assert_eq!(counts, [(0.0, 0.1, 1), (0.9, 1.0, 24)]);
    assert_eq!(figure(&computed, "confident_wrong_rate").numerator, Some(1.0));
}

#[test]
fn all_probabilities_equal() {
    let records = arm(25, |i, r| if i % 5 == 0 { wrong_at(r, 0.2) } else { r });
    let computed = computed(&records);
    for rule in ["quantile_5", "uniform_10"] {
        let id = format!("m/a0/reliability_{rule}");
        let diagram = computed.reliability.iter().find(|r| r.id == id).unwrap();
        assert_eq!(diagram.bins.len(), 1, "{rule}");
        assert_eq!((diagram.bins[0].count, diagram.bins[0].observed_frequency), (25, 0.8));
    }
    // 25 times 0.8 against 20 events.
    assert!(figure(&computed, "ece").value.unwrap() < 1e-15);
}

/// A row about an item that settles as NO, with the probability of YES still at 0.8: wrong, and forecast like the rest.
fn wrong_at(mut r: Record, confidence_in_no: f64) -> Record {
    r.target = "NO".into();
    r.answer = Some("YES".into());
    r.correct = Some(false);
    r.confidence = Some(1.0 - confidence_in_no);
    r
}

#[test]
fn outcome_always_yes() {
    let computed = computed(&arm(25, |i, mut r| {
        r.confidence = Some(0.5 + i as f64 / 50.0);
        r
    }));
    let diagram = &computed.reliability[0];
    assert!(diagram.bins.iter().all(|b| b.observed_frequency == 1.0 && b.upper == 1.0));
    // Every bin is too low, so the error is the mean distance from certainty.
    let expected: f64 = (0..25).map(|i| 0.5 - f64::from(i) / 50.0).sum::<f64>() / 25.0;
    assert!((figure(&computed, "ece").value.unwrap() - expected).abs() < 1e-12);
}

#[test]
fn superseded_rows() {
    let mut records = arm(25, |_, r| wrong(r));
    let later: Vec<_> = arm(25, |_, mut r| {
        r.attempt = 2;
        r
    });
    records.extend(later[..10].iter().cloned());
    let computed = computed(&records);
    assert_eq!((computed.rows.written, computed.rows.superseded), (35, 10));
    assert_eq!(figure(&computed, "accuracy").value, Some(10.0 / 25.0));
    // The line that comes last counts, whatever number it gives itself.
    records.reverse();
    assert_eq!(figure(&self::computed(&records), "accuracy").value, Some(0.0));
}

#[test]
fn everything_at_once_on_items_of_one_choice() {
    let records = arm(25, |_, mut r| {
        r.kind = Kind::Choice;
        (r.target, r.answer) = ("A".into(), Some("A".into()));
        r.confidence = Some(1.0);
        r
    });
    let computed = computed(&records);
    for (metric, value) in [("accuracy", 1.0), ("brier", 0.0), ("ece", 0.0), ("mce", 0.0)] {
        assert_eq!(figure(&computed, metric).value, Some(value), "{metric}");
    }
}

/// scipy 1.17: `binomtest(only_a, 1_000_000).pvalue`.
#[test]
fn a_million_discordant_pairs() {
    for (only_a, expected) in [
        (499_999, 0.999_202_115_638_669_2),
        (499_000, 0.045_608_299_865_389_6),
        (498_000, 6.360_933_750_078_8e-5),
        (495_000, 1.538_155_504_390_233e-23),
        (490_000, 5.544_363_287_708_518e-89),
    ] {
        let p = mcnemar_exact(only_a, 1_000_000 - only_a);
        assert!((p - expected).abs() <= 1e-9 * expected, "{only_a}: {p:e}, not {expected:e}");
        assert_eq!(p, mcnemar_exact(1_000_000 - only_a, only_a));
    }
    assert_eq!(mcnemar_exact(500_000, 500_000), 1.0);
    assert_eq!(mcnemar_exact(0, 1_000_000), 0.0);
}

#[test]
fn a_confidence_of_minus_zero_is_zero() {
    let computed = |confidence: f64| {
        let rows: Vec<_> = (0..25)
            .map(|i| Record {
                answer: Some("YES".to_owned()),
                confidence: Some(if i == 3 { 0.0 } else { confidence }),
                ..record("m", "a0", &format!("i{i:02}"), 0)
            })
            .collect();
        let plan = Plan {
            n_resamples: 50,
            bin_strategy: records::BinStrategy::QuantileSplit,
            ..default_plan(&rows, None)
        };
        serde_json::to_string(&compute(&rows, &plan).unwrap()).unwrap()
    };
    assert_eq!(computed(-0.0), computed(0.0));
}
