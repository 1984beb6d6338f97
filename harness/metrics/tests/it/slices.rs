//! Figures of parts of a data set.

use std::collections::BTreeSet;

use metrics::{MetricsError, compute, default_plan};
use proptest::prelude::*;
use records::{Computed, Figure, Plan, Record};

use crate::{made_up::two_arms, properties::some_records};

const CONTROL: &str = "closed_book_forced";

fn sliced(records: &[Record], slices: &[&str]) -> Plan {
    Plan {
        n_resamples: 40,
        slices: slices.iter().map(|s| (*s).to_owned()).collect(),
        ..default_plan(records, Some(CONTROL))
    }
}

/// Items i00 to i29 are main and the rest contested; every third is about sport.
fn cut(records: Vec<Record>) -> Vec<Record> {
    let cut = |mut r: Record| {
        let number: usize = r.item_id[1..].parse().unwrap();
        r.set = Some(if number < 30 { "main" } else { "contested/late" }.to_owned());
        r.split = number.is_multiple_of(2).then(|| "test".to_owned());
        let topic = if number.is_multiple_of(3) { "sport" } else { "trade & law" };
        r.tags.insert("domain".into(), topic.into());
        r
    };
    records.into_iter().map(cut).collect()
}

fn of<'a>(computed: &'a Computed, id: &str) -> &'a Figure {
    computed.figures.iter().find(|f| f.id == id).unwrap_or_else(|| panic!("no {id}"))
}

/// A figure as it would be for the whole data set.
fn whole(figure: &Figure) -> Figure {
    let (id, _) = figure.id.split_once('@').unwrap();
    Figure { id: id.to_owned(), slice: None, ..figure.clone() }
}

/// The definition of a slice: the figures of a log that holds its rows and no others.
fn check_against_own_log(records: &[Record], plan: &Plan) {
    let all = compute(records, plan).unwrap();
    for field in &plan.slices {
        let values: BTreeSet<_> = records.iter().filter_map(|r| r.slice_value(field)).collect();
        for value in values {
            let inside: Vec<_> =
                records.iter().filter(|r| r.slice_value(field) == Some(value)).cloned().collect();
            let alone = Plan { slices: Vec::new(), ..plan.clone() };
            let alone = compute(&inside, &alone).unwrap();
            let name = format!("{}={}", metrics::encode(field), metrics::encode(value));
            let part: Vec<_> =
                all.figures.iter().filter(|f| f.slice.as_ref() == Some(&name)).map(whole).collect();
            assert_eq!(part, alone.figures, "{name}");
            let diagrams =
                all.reliability.iter().filter(|r| r.slice.as_ref() == Some(&name)).map(|r| &r.bins);
            let expected = alone.reliability.iter().map(|r| &r.bins);
            assert!(diagrams.eq(expected), "{name}");
        }
    }
}

#[test]
fn ids_name_field_and_value_and_the_floor_holds_within_a_slice() {
    let records = cut(two_arms(45));
    let computed = compute(&records, &sliced(&records, &["set", "tags.domain", "split"])).unwrap();
    let main = of(&computed, "m/a0/accuracy@set=main");
    assert_eq!((main.n_items, main.value), (30, Some(25.0 / 30.0)));
    assert_eq!(main.slice.as_deref(), Some("set=main"));
    assert_eq!(main.interval.as_ref().unwrap().n_resamples, Some(40));
    let late = of(&computed, "m/a0/accuracy@set=contested%2Flate");
    assert_eq!((late.n_items, late.withheld.as_deref()), (15, Some("below_floor")));
    assert_eq!(of(&computed, "m/a0/served@set=contested%2Flate").value, Some(15.0));
    assert_eq!(of(&computed, "m/a1/accuracy@tags.domain=trade%20%26%20law").n_items, 30);
    // Rows without a split are in no slice of it.
    assert_eq!(of(&computed, "m/a0/accuracy@split=test").n_items, 23);
    let lift = of(&computed, "m/a0/evidence_lift@set=main");
    assert_eq!((lift.n_items, lift.control.as_deref()), (30, Some(CONTROL)));
    let diagram = "m/a0/reliability_quantile_5@set=main";
    assert!(computed.reliability.iter().any(|r| r.id == diagram));
    assert!(computed.comparisons.iter().all(|c| !c.id.contains('@')));
}

#[test]
fn a_slice_is_what_a_log_of_its_rows_alone_gives() {
    let records = cut(two_arms(45));
    check_against_own_log(&records, &sliced(&records, &["split", "set", "tags.domain"]));
}

#[test]
fn a_slice_by_model_repeats_the_figures_of_the_model() {
    let records = cut(two_arms(24));
    let computed = compute(&records, &sliced(&records, &["model"])).unwrap();
    let (all, part): (Vec<_>, Vec<_>) = computed.figures.iter().partition(|f| f.slice.is_none());
    assert!(part.iter().all(|f| f.id.ends_with("@model=m")));
    assert_eq!(
        part.into_iter().map(whole).collect::<Vec<_>>(),
        all.into_iter().cloned().collect::<Vec<_>>()
    );
}

#[test]
fn slicing_leaves_the_whole_untouched() {
    let records = cut(two_arms(24));
    let plain = compute(&records, &sliced(&records, &[])).unwrap();
    let cut = compute(&records, &sliced(&records, &["set", "tags.domain"])).unwrap();
    assert_eq!(cut.figures[..plain.figures.len()], plain.figures);
    assert_eq!(cut.reliability[..plain.reliability.len()], plain.reliability);
    assert_eq!(cut.comparisons, plain.comparisons);
    assert!(cut.figures[plain.figures.len()..].iter().all(|f| f.slice.is_some()));
}

#[test]
fn no_row_has_the_field() {
    let records = two_arms(24);
    let computed = compute(&records, &sliced(&records, &["set", "tags.mood"])).unwrap();
    assert!(computed.figures.iter().all(|f| f.slice.is_none()));
}

#[test]
fn an_item_in_two_slices_of_one_field_is_refused() {
    let mut records = cut(two_arms(24));
    records[4].tags.insert("domain".into(), "weather".into());
    let error = compute(&records, &sliced(&records, &["tags.domain"])).unwrap_err();
    assert!(matches!(&error, MetricsError::Contradiction { field, .. } if field == "tags.domain"));
    assert!(compute(&records, &sliced(&records, &["set"])).is_ok());
}

#[test]
fn fields_that_cannot_be_sliced_by_are_named() {
    let records = two_arms(3);
    for (slices, words) in [
        (&["arm"][..], "names \"arm\"; name set, split, model, or tags.NAME"),
        (&["tags."][..], "names \"tags.\""),
        (&["set", "set"][..], "names \"set\" twice"),
    ] {
        let text = compute(&records, &sliced(&records, slices)).unwrap_err().to_string();
        assert!(text.contains("plan.slices") && text.contains(words), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn any_slice_is_what_a_log_of_its_rows_alone_gives(records in some_records()) {
        let mut records = records;
        for r in &mut records {
            let number: usize = r.item_id[1..].parse().unwrap();
            r.set = Some(["main", "contested"][number % 2].to_owned());
            r.split = (!number.is_multiple_of(3)).then(|| "test".to_owned());
        }
        let plan = Plan { min_items: 1, control: Some("a1".into()), ..sliced(&records, &["set", "split"]) };
        check_against_own_log(&records, &plan);
    }
}
