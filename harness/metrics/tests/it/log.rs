//! Rows taken one by one.

use metrics::{Log, LogBuilder, MetricsError, OneThread, compute, default_plan};
use proptest::prelude::*;
use records::{Plan, Record};

use crate::{
    made_up::{record, two_arms, wrong},
    properties::some_records,
};

fn taken(records: &[Record]) -> Log {
    let mut builder = LogBuilder::default();
    for record in records {
        builder.push(record).unwrap();
    }
    builder.finish().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Rows that a later one replaces leave nothing behind but their number, whatever stood in them.
    #[test]
    fn what_is_replaced_is_counted_and_forgotten(records in some_records()) {
        let plan = default_plan(&records, Some("a1"));
        let plan = Plan { n_resamples: 20, min_items: 1, slices: vec!["set".into()], ..plan };
        let expected = compute(&records, &plan).unwrap();
        let replaced = records.iter().map(|r| Record {
            cluster_id: format!("another cluster {}", r.item_id),
            set: Some("another set".into()),
            tags: [("another".to_owned(), "tag".to_owned())].into(),
            ..wrong(record(&r.model, &r.arm, &r.item_id, r.repeat))
        });
        let all: Vec<_> = replaced.chain(records.iter().cloned()).collect();
        let got = taken(&all).compute(&plan, &OneThread).unwrap();
        prop_assert_eq!(got.rows.superseded, records.len() as u64);
        prop_assert_eq!(got.rows.written, all.len() as u64);
        prop_assert_eq!(
            serde_json::json!([got.figures, got.reliability, got.comparisons]).to_string(),
            serde_json::json!([expected.figures, expected.reliability, expected.comparisons]).to_string()
        );
        prop_assert_eq!(taken(&all).default_plan(Some("a1")), default_plan(&all, Some("a1")));
    }
}

#[test]
fn a_log_says_what_it_holds() {
    let log = taken(&two_arms(25));
    assert_eq!(log.arms(), ["a0", "a1", "closed_book_forced"]);
    assert!(log.has_values("model") && !log.has_values("set") && !log.has_values("tags.domain"));
    let keys: Vec<_> = two_arms(25).iter().map(|r| (r.arm.clone(), r.item_id.clone())).collect();
    let mut expected: Vec<_> = keys.iter().map(|(arm, item)| ("m", &**arm, 0, &**item)).collect();
    expected.sort_unstable();
    assert_eq!(log.keys().collect::<Vec<_>>(), expected);
    assert_eq!(log.usual_comparisons(20).len(), 1);
    assert_eq!(log.usual_comparisons(26).len(), 0);
    let mut tagged = two_arms(1);
    tagged[0].tags.insert("domain".into(), "law".into());
    assert!(taken(&tagged).has_values("tags.domain"));
}

#[test]
fn a_row_that_is_refused_is_named_by_its_number() {
    let mut builder = LogBuilder::default();
    builder.push(&record("m", "a0", "i1", 0)).unwrap();
    let mut bad = record("m", "a0", "i2", 0);
    bad.confidence = Some(7.0);
    let error = builder.push(&bad).unwrap_err();
    assert!(matches!(error, MetricsError::Record { number: 2, .. }), "{error}");
    assert_eq!(LogBuilder::default().finish().unwrap_err(), MetricsError::NoRecords);
}
