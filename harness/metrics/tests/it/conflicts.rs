//! Conflicts named by answers against labels.

use std::collections::BTreeSet;

use metrics::{compute, default_plan};
use proptest::{prelude::*, sample::select};
use records::{Conflict, Figure, Plan, Record};

use crate::made_up::record;

fn pair(a: &str, b: &str) -> Conflict {
    [a.to_owned(), b.to_owned()]
}

fn row(number: usize, named: Vec<Conflict>, labels: Option<Vec<Conflict>>) -> Record {
    let mut row = record("m", "a0", &format!("i{number:02}"), 0);
    (row.conflicts, row.conflict_labels) = (named, labels);
    row
}

fn figures(records: &[Record]) -> [Figure; 2] {
    let plan = Plan { n_resamples: 50, min_items: 1, ..default_plan(records, None) };
    let computed = compute(records, &plan).unwrap();
    ["conflict_precision", "conflict_recall"].map(|metric| {
        let mut found = computed.figures.iter().filter(|f| f.metric == metric);
        let figure = found.next().unwrap_or_else(|| panic!("no {metric}")).clone();
        assert!(found.next().is_none(), "{metric} stands there twice");
        figure
    })
}

/// Counted by hand: three pairs are named, three are labelled, and two are both.
#[test]
fn pairs_are_unordered_and_counted_over_all_rows() {
    let records = [
        row(0, vec![pair("b", "a"), pair("a", "c")], Some(vec![pair("a", "b"), pair("d", "e")])),
        row(1, vec![pair("x", "y")], Some(vec![pair("y", "x")])),
        row(2, vec![], Some(vec![])),
    ];
    let [precision, recall] = figures(&records);
    assert_eq!((precision.numerator, precision.denominator), (Some(2.0), Some(3.0)));
    assert_eq!((recall.numerator, recall.denominator), (Some(2.0), Some(3.0)));
    assert_eq!((precision.value, recall.value), (Some(2.0 / 3.0), Some(2.0 / 3.0)));
    assert!(precision.interval.is_some() && precision.excluded.is_empty());
}

#[test]
fn unlabelled_items_are_left_out_and_counted() {
    let records = [
        row(0, vec![pair("a", "b")], Some(vec![pair("a", "b")])),
        row(1, vec![pair("a", "b")], None),
    ];
    let [precision, recall] = figures(&records);
    assert_eq!((precision.value, precision.denominator), (Some(1.0), Some(1.0)));
    assert_eq!((precision.excluded["not_labelled"], recall.excluded["not_labelled"]), (1, 1));
}

#[test]
fn where_there_is_neither_precision_nor_recall() {
    let reasons = |named: &[Conflict], labels: Option<&[Conflict]>| {
        let records: Vec<_> =
            (0..3).map(|i| row(i, named.to_vec(), labels.map(<[_]>::to_vec))).collect();
        figures(&records).map(|f| {
            assert_eq!(f.value.is_none(), f.withheld.is_some());
            f.withheld.unwrap_or_default()
        })
    };
    let ab = [pair("a", "b")];
    assert_eq!(reasons(&ab, None), ["not_labelled", "not_labelled"]);
    assert_eq!(reasons(&[], Some(&ab)), ["no_conflict_named", ""]);
    assert_eq!(reasons(&ab, Some(&[])), ["", "no_conflict_labelled"]);
    assert_eq!(reasons(&[], Some(&[])), ["no_conflict_named", "no_conflict_labelled"]);
}

fn some_pairs() -> impl Strategy<Value = Vec<Conflict>> {
    let id = || select(&["a", "b", "c", "d"]);
    prop::collection::vec((id(), id()).prop_map(|(a, b)| pair(a, b)), 0..6)
}

proptest! {
    #[test]
    fn by_the_definition(
        rows in prop::collection::vec((some_pairs(), prop::option::weighted(0.8, some_pairs())), 1..8)
    ) {
        let records: Vec<_> =
            rows.iter().enumerate().map(|(i, (n, l))| row(i, n.clone(), l.clone())).collect();
        // Every unordered pair of documents of every labelled row: is it named, is it labelled?
        let (mut both, mut named, mut labelled) = (0, 0, 0);
        let ids = ["a", "b", "c", "d"];
        for (names, labels) in &rows {
            let Some(labels) = labels else { continue };
            let holds = |pairs: &[Conflict], x: &str, y: &str| {
                pairs.iter().any(|[a, b]| (a == x && b == y) || (a == y && b == x))
            };
            let mut seen = BTreeSet::new();
            for x in ids {
                for y in ids.into_iter().filter(|y| x <= *y) {
                    prop_assert!(seen.insert((x, y)));
                    named += i32::from(holds(names, x, y));
                    labelled += i32::from(holds(labels, x, y));
                    both += i32::from(holds(names, x, y) && holds(labels, x, y));
                }
            }
        }
        let ratio = |below: i32| (below > 0).then(|| f64::from(both) / f64::from(below));
        let [precision, recall] = figures(&records);
        prop_assert_eq!(precision.value, ratio(named));
        prop_assert_eq!(recall.value, ratio(labelled));
        // Naming what is labelled and labelling what is named swaps the two.
        let swapped: Vec<_> = rows.iter().enumerate().filter_map(|(i, (names, labels))| {
            Some(row(i, labels.clone()?, Some(names.clone())))
        }).collect();
        if !swapped.is_empty() {
            let [swapped_precision, swapped_recall] = figures(&swapped);
            prop_assert_eq!(swapped_precision.value, recall.value);
            prop_assert_eq!(swapped_recall.value, precision.value);
        }
    }
}
