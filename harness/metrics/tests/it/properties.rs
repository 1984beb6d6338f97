//! What holds for every log.

use metrics::{compute, default_plan};
use proptest::{prelude::*, sample::select};
use records::{Computed, Plan, Record, Status};

use crate::made_up::{record, with_status, wrong};

/// What became of one call about one item.
fn some_call() -> impl Strategy<Value = (Status, bool, Option<f64>, f64)> {
    let status = prop_oneof![
        8 => Just(Status::Answered),
        2 => Just(Status::Abstained),
        1 => select(&Status::ALL[2..]),
    ];
    let confidence =
        prop::option::weighted(0.9, select(&[0.0, 0.5, 0.55, 0.7, 0.7, 0.9, 0.95, 1.0]));
    (status, any::<bool>(), confidence, 0.0..5000.0)
}

/// Two arms of one model on up to twelve items in up to five clusters, each with up to two repeats.
pub fn some_records() -> impl Strategy<Value = Vec<Record>> {
    let key = (select(&["a0", "a1"]), 0..12_usize, 0..2_u32);
    prop::collection::btree_map(key, some_call(), 1..40).prop_map(|calls| {
        calls
            .into_iter()
            .map(|((arm, item, repeat), (status, right, confidence, latency))| {
                let mut r = record("m", arm, &format!("i{item:02}"), repeat);
                r.cluster_id = format!("c{}", item * item % 5);
                r.latency_ms = Some(latency);
                r.confidence = confidence;
                r.target = if item % 3 == 0 { "NO" } else { "YES" }.into();
                r.answer = Some(r.target.clone());
                if !right {
                    r = wrong(r);
                    r.answer = Some(if item % 3 == 0 { "YES" } else { "NO" }.into());
                }
                if status == Status::Answered { r } else { with_status(r, status) }
            })
            .collect()
    })
}

fn plan(records: &[Record]) -> Plan {
    Plan { n_resamples: 50, min_items: 1, ..default_plan(records, Some("a1")) }
}

fn computed(records: &[Record]) -> Computed {
    compute(records, &plan(records)).unwrap()
}

fn text(computed: &Computed) -> String {
    serde_json::to_string(computed).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What two arms count, one arm counts that has the rows of both: no rate is a mean of means.
    #[test]
    fn merged_arms_count_what_both_count(records in some_records()) {
        let merged: Vec<Record> = records
            .iter()
            .cloned()
            .map(|r| Record {
                repeat: r.repeat + if r.arm == "a1" { 2 } else { 0 },
                arm: "a0".into(),
                ..r
            })
            .collect();
        let (apart, merged) = (computed(&records), computed(&merged));
        // An item's repeats, and the order of ties, are another matter when the rows of two arms are repeats.
        let counted = |metric: &str| {
            ["accuracy", "accuracy_when_answered", "abstention_rate", "confident_wrong_rate"].contains(&metric)
                || ["schema_ok_rate", "hard_fail_rate", "refusal_rate", "coverage"].contains(&metric)
        };
        for figure in merged.figures.iter().filter(|f| counted(&f.metric)) {
            let arms: Vec<_> =
                apart.figures.iter().filter(|f| f.metric == figure.metric).collect();
            let sum = |of: fn(&records::Figure) -> Option<f64>| arms.iter().filter_map(|f| of(f)).sum::<f64>();
            prop_assert_eq!(figure.denominator.unwrap_or(0.0), sum(|f| f.denominator), "{}", figure.id);
            if figure.withheld.is_none() {
                prop_assert_eq!(figure.numerator.unwrap(), sum(|f| f.numerator), "{}", figure.id);
            }
        }
    }

    #[test]
    fn every_number_is_finite_in_range_and_in_place_of_a_reason(records in some_records()) {
        let computed = computed(&records);
        for f in &computed.figures {
            prop_assert_eq!(f.value.is_some(), f.withheld.is_none(), "{}", &f.id);
            let Some(value) = f.value else { continue };
            prop_assert!(value.is_finite(), "{}", &f.id);
            if f.unit == "rate" || f.unit == "score" {
                let low = if f.metric == "evidence_lift" { -1.0 } else { 0.0 };
                prop_assert!((low..=1.0).contains(&value), "{} is {}", &f.id, value);
                if let Some((l, u)) = f.interval.as_ref().and_then(|i| i.lower.zip(i.upper)) {
                    prop_assert!(low <= l && l <= u && u <= 1.0, "{} {} {}", &f.id, l, u);
                }
            }
            prop_assert!(f.n_clusters <= f.n_items && f.n_items <= f.n_rows.max(f.n_items));
        }
        for r in computed.reliability.iter().filter(|r| r.withheld.is_none()) {
            let counted: u64 = r.bins.iter().map(|b| b.count).sum();
            prop_assert_eq!(counted, r.n_rows, "a row is left out of {}", &r.id);
            for b in &r.bins {
                prop_assert!(b.lower_edge <= b.mean_predicted + 1e-12);
                prop_assert!(b.mean_predicted <= b.upper_edge + 1e-12);
                prop_assert!(b.lower <= b.observed_frequency && b.observed_frequency <= b.upper);
            }
        }
    }

    #[test]
    fn the_order_of_lines_does_not_matter(records in some_records().prop_flat_map(|r| {
        (Just(r.clone()), Just(r).prop_shuffle())
    })) {
        let (straight, shuffled) = records;
        // Shortest round-trip decimals are equal exactly when the bits are.
        prop_assert_eq!(text(&computed(&straight)), text(&computed(&shuffled)));
    }

    #[test]
    fn a_superseded_row_changes_only_its_counts(records in some_records()) {
        let mut doubled = vec![with_status(records[0].clone(), Status::Refused)];
        doubled.extend(records.iter().cloned());
        let (once, twice) = (computed(&records), computed(&doubled));
        prop_assert_eq!(twice.rows.superseded, once.rows.superseded + 1);
        prop_assert_eq!(twice.figures, once.figures);
        prop_assert_eq!(twice.comparisons, once.comparisons);
    }

    #[test]
    fn doubling_every_cluster_leaves_rates_where_they_are(records in some_records()) {
        let mut doubled = records.clone();
        doubled.extend(records.iter().cloned().map(|mut r| {
            r.item_id.push_str(" again");
            r.cluster_id.push_str(" again");
            r
        }));
        let (one, two) = (computed(&records), computed(&doubled));
        for (a, b) in one.figures.iter().zip(&two.figures) {
            prop_assert_eq!(&a.id, &b.id);
            if a.unit == "rate" || a.unit == "score" {
                match (a.value, b.value) {
                    (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-12),
                    (a, b) => prop_assert_eq!(a, b),
                }
            }
        }
    }

    #[test]
    fn swapping_the_labels_changes_no_score(records in some_records()) {
        let swap = |label: &str| match label {
            "YES" => "NO".to_owned(),
            "NO" => "YES".to_owned(),
            other => other.to_owned(),
        };
        let swapped: Vec<_> = records
            .iter()
            .cloned()
            .map(|mut r| {
                r.target = swap(&r.target);
                r.answer = r.answer.as_deref().map(swap);
                r
            })
            .collect();
        let (one, two) = (computed(&records), computed(&swapped));
        for (a, b) in one.figures.iter().zip(&two.figures) {
            match a.metric.as_str() {
                // Bins are filled from the other end.
                "ece" | "mce" | "ece_uniform_10" => {}
                "brier" => match (a.value, b.value) {
                    (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-12),
                    (a, b) => prop_assert_eq!(a, b),
                },
                _ => prop_assert_eq!(a, b),
            }
        }
        prop_assert_eq!(one.comparisons, two.comparisons);
    }

    #[test]
    fn swapping_the_sides_mirrors_a_comparison(records in some_records()) {
        let mut plan = plan(&records);
        let [a, b] = ["a0", "a1"].map(|arm| records::Series { model: "m".into(), arm: arm.into() });
        plan.comparisons = vec![[a.clone(), b.clone()], [b, a]];
        let computed = compute(&records, &plan).unwrap();
        let planned: Vec<_> =
            computed.comparisons.iter().filter(|c| c.family == records::Family::Plan).collect();
        let [one, two] = planned[..] else { panic!("two comparisons were asked for") };
        prop_assert_eq!(&one.withheld, &two.withheld);
        prop_assert_eq!((one.only_a, one.only_b), (two.only_b, two.only_a));
        prop_assert_eq!((one.both, one.neither), (two.both, two.neither));
        prop_assert_eq!(one.p_value, two.p_value);
        prop_assert_eq!(one.difference.map(|d| -d), two.difference);
        prop_assert_eq!(one.is_result, two.is_result);
    }
}
