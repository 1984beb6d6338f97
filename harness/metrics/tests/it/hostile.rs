//! Logs and plans that the readers accept and nobody would write.

use metrics::{MetricsError, compute, default_plan};
use records::{Computed, Kind, Plan, Record, Series, Usage};

use crate::made_up::{record, two_arms, wrong};

fn computed(records: &[Record]) -> Computed {
    compute(records, &Plan { n_resamples: 20, ..default_plan(records, None) }).unwrap()
}

fn error(records: &[Record]) -> MetricsError {
    compute(records, &default_plan(records, None)).unwrap_err()
}

#[test]
fn an_empty_log_is_an_error_that_says_so() {
    assert_eq!(error(&[]), MetricsError::NoRecords);
    assert!(error(&[]).to_string().contains("no row"));
}

#[test]
fn copies_of_an_item_that_disagree_are_named() {
    let base = two_arms(3);
    type Change = fn(&mut Record);
    let changes: [(&str, Change); 3] = [
        ("cluster_id", |r| r.cluster_id = "elsewhere".into()),
        ("target", |r| {
            *r = wrong(r.clone());
            r.target = "NO".into();
            r.correct = Some(true);
        }),
        ("kind", |r| r.kind = Kind::Choice),
    ];
    for (field, change) in changes {
        let mut records = base.clone();
        change(&mut records[4]);
        let error = error(&records);
        let text = error.to_string();
        assert!(text.contains("\"i01\"") && text.contains(&format!("`{field}`")), "{text}");
    }
}

#[test]
fn a_contradiction_that_was_superseded_is_forgiven() {
    let mut records = two_arms(3);
    let mut stale = records[0].clone();
    stale.cluster_id = "elsewhere".into();
    records.insert(0, stale);
    assert_eq!(computed(&records).rows.superseded, 1);
}

#[test]
fn two_data_sets_in_one_log_are_named() {
    let mut records = two_arms(3);
    records[5].dataset_id = "other".into();
    let text = error(&records).to_string();
    assert!(text.contains("\"d\"") && text.contains("\"other\""), "{text}");
}

#[test]
fn rows_that_the_reader_would_refuse_are_refused_here_too() {
    let mut records = two_arms(3);
    records[2].confidence = Some(f64::NAN);
    let text = error(&records).to_string();
    assert!(text.contains("row 3") && text.contains("`confidence`"), "{text}");
    let mut records = two_arms(3);
    records[1].latency_ms = Some(-0.5);
    let text = error(&records).to_string();
    assert!(text.contains("row 2") && text.contains("`latency_ms`"), "{text}");
}

#[test]
fn plans_that_the_reader_would_refuse_are_refused_here_too() {
    let records = two_arms(3);
    let plan = Plan { confidence_level: 1.0, ..default_plan(&records, None) };
    let text = compute(&records, &plan).unwrap_err().to_string();
    assert!(text.contains("plan.confidence_level"), "{text}");
}

#[test]
fn extremes_are_computed_or_withheld_and_never_infinite() {
    let mut records = Vec::new();
    for i in 0..30 {
        let mut r = record("", "", &"\u{1f600}".repeat(i), u32::MAX - i as u32);
        r.cluster_id = String::new();
        r.cost_usd = Some(f64::MAX);
        r.latency_ms = Some(if i % 2 == 0 { f64::MAX } else { 0.0 });
        r.confidence = Some(if i % 2 == 0 { -0.0 } else { f64::MIN_POSITIVE });
        r.sources_unknown = vec!["never cited".into(); 5];
        r.repairs = u32::MAX;
        r.usage = Some(Usage {
            input_tokens: u64::MAX,
            output_tokens: u64::MAX,
            cache_read_tokens: u64::MAX,
            cache_write_tokens: u64::MAX,
        });
        r.retrieved = Some(vec!["d".into(), "d".into()]);
        r.gold_docs = Some(vec!["d".into(), "d".into()]);
        records.push(r);
    }
    let computed = computed(&records);
    let text = serde_json::to_string(&computed).unwrap();
    let back: Computed = serde_json::from_str(&text).unwrap();
    // An infinity or NaN would have been written as null.
    assert_eq!(back, computed);
    let withheld = |metric: &str| {
        let figure = computed.figures.iter().find(|f| f.metric == metric).unwrap();
        figure.withheld.clone()
    };
    assert_eq!(withheld("cost_usd_total").as_deref(), Some("overflow"));
    assert_eq!(withheld("latency_p50_ms"), None);
    assert_eq!(withheld("citation_grounding_rate"), None);
}

#[test]
fn names_are_encoded_in_ids_so_that_no_two_series_share_one() {
    let mut records = Vec::new();
    for (model, arm) in [("a/b", "c"), ("a", "b/c"), ("a~", "@c"), ("ä", " ")] {
        records.push(record(model, arm, "i", 0));
    }
    let computed = computed(&records);
    let mut ids: Vec<_> = computed.figures.iter().map(|f| f.id.as_str()).collect();
    assert!(ids.contains(&"a%2Fb/c/accuracy") && ids.contains(&"a/b%2Fc/accuracy"), "{ids:?}");
    assert!(ids.contains(&"%C3%A4/%20/accuracy") && ids.contains(&"a%7E/%40c/accuracy"), "{ids:?}");
    assert!(ids.iter().all(|id| id.is_ascii()));
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

#[test]
fn a_plan_may_repeat_a_comparison() {
    let records = two_arms(24);
    let pair = ["a0", "a1"].map(|arm| Series { model: "m".into(), arm: arm.into() });
    let mut plan = Plan { n_resamples: 20, ..default_plan(&records, None) };
    plan.comparisons = vec![pair.clone(), pair];
    let comparisons = compute(&records, &plan).unwrap().comparisons;
    assert_eq!(comparisons[0], comparisons[1]);
}
