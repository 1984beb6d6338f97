//! Interval widths on subsamples: an independent program's values, the definition written out, and the edges.

use std::{collections::BTreeSet, path::Path};

use metrics::{
    MetricsError, compute, default_plan,
    planner::{Width, widths},
};
use proptest::prelude::*;
use records::{Plan, Record, Series, parse_jsonl};
use serde_json::Value;

use crate::{made_up::two_arms, properties::some_records};

fn series(model: &str, arm: &str) -> Series {
    Series { model: model.into(), arm: arm.into() }
}

/// `../golden/planner.py`, on its own ChaCha and resampling.
#[test]
fn widths_match_the_independent_program() {
    for name in ["binary", "choice"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
        let bytes = std::fs::read(folder.join("records.jsonl")).unwrap();
        let records: Vec<Record> = parse_jsonl("records.jsonl", &bytes).unwrap().rows;
        let text = std::fs::read_to_string(folder.join("widths.json")).unwrap();
        let expected: Value = serde_json::from_str(&text).unwrap();
        let number = |field: &str| expected[field].as_u64().unwrap() as u32;
        let plan = Plan { n_resamples: number("n_resamples"), ..default_plan(&records, None) };
        let asked = series(expected["model"].as_str().unwrap(), expected["arm"].as_str().unwrap());
        let rows = expected["widths"].as_array().unwrap();
        let sizes: Vec<_> = rows.iter().map(|r| r["n_items"].as_u64().unwrap() as u32).collect();
        let got = widths(&records, &asked, &plan, &sizes, number("n_subsamples")).unwrap();
        assert_eq!(got.len(), 5);
        for (got, row) in got.iter().zip(rows) {
            let expected = row["mean_width"].as_f64();
            assert_eq!(got.mean_width.map(f64::to_bits), expected.map(f64::to_bits), "{got:?}");
        }
    }
}

fn small(records: &[Record]) -> Plan {
    Plan { n_resamples: 40, min_items: 1, ..default_plan(records, None) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// A subsample's width is that of the interval which `compute` gives for a log of its items alone; over every
    /// choice of items of a size, the mean must lie between the narrowest and the widest.
    #[test]
    fn a_mean_lies_among_the_widths_of_all_subsets(records in some_records(), size in 1_u32..3) {
        let asked = series("m", "a0");
        let rows: Vec<_> =
            records.iter().filter(|r| r.arm == "a0" && r.status.is_served()).cloned().collect();
        let items: Vec<_> =
            rows.iter().map(|r| r.item_id.clone()).collect::<BTreeSet<_>>().into_iter().collect();
        prop_assume!(items.len() >= size as usize);
        let plan = small(&records);
        let width_on = |taken: &[&String]| {
            let part: Vec<_> =
                rows.iter().filter(|r| taken.contains(&&r.item_id)).cloned().collect();
            let computed = compute(&part, &plan).unwrap();
            let figure = computed.figures.iter().find(|f| f.id == "m/a0/accuracy").unwrap();
            let interval = figure.interval.as_ref().unwrap();
            interval.upper.unwrap() - interval.lower.unwrap()
        };
        let mut all = Vec::new();
        for (i, a) in items.iter().enumerate() {
            if size == 1 {
                all.push(width_on(&[a]));
            } else {
                all.extend(items[i + 1..].iter().map(|b| width_on(&[a, b])));
            }
        }
        let got = widths(&records, &asked, &plan, &[size], 5).unwrap()[0];
        let mean = got.mean_width.unwrap();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(least - 1e-12 <= mean && mean <= most + 1e-12, "{} {} {}", least, mean, most);
        prop_assert_eq!((got.n_subsamples, got.withheld), (5, 0));
    }

    #[test]
    fn all_items_give_the_published_width_and_the_order_of_lines_does_not_matter(
        records in some_records().prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
    ) {
        let (straight, shuffled) = records;
        let plan = small(&straight);
        let computed = compute(&straight, &plan).unwrap();
        let Some(figure) = computed.figures.iter().find(|f| f.id == "m/a0/accuracy") else {
            return Ok(());
        };
        let n_items = figure.n_items as u32;
        let got = widths(&straight, &series("m", "a0"), &plan, &[n_items, 1], 3).unwrap();
        let again = widths(&shuffled, &series("m", "a0"), &plan, &[n_items, 1], 3).unwrap();
        prop_assert_eq!(&got, &again);
        let published = figure.interval.as_ref().and_then(|i| Some(i.upper? - i.lower?));
        match (got[0].mean_width, published) {
            // Three equal widths are added and divided by three.
            (Some(mean), Some(width)) => prop_assert!((mean - width).abs() < 1e-15),
            (mean, width) => prop_assert_eq!(mean, width),
        }
    }
}

#[test]
fn more_items_give_narrower_intervals() {
    let records = two_arms(90);
    let plan = Plan { n_resamples: 400, ..default_plan(&records, None) };
    let got = widths(&records, &series("m", "a0"), &plan, &[10, 20, 40, 80], 20).unwrap();
    let means: Vec<_> = got.iter().map(|w| w.mean_width.unwrap()).collect();
    assert!(means.is_sorted_by(|a, b| a > b), "{means:?}");
    // Four times the items halve the width, roughly.
    assert!((0.35..0.7).contains(&(means[3] / means[1])), "{means:?}");
}

#[test]
fn sizes_without_a_width_say_so() {
    let records = two_arms(24);
    let plan = small(&records);
    let none = |n_items| Width { n_items, mean_width: None, n_subsamples: 0, withheld: 0 };
    let a0 = series("m", "a0");
    assert_eq!(widths(&records, &a0, &plan, &[0, 25], 3).unwrap(), [none(0), none(25)]);
    assert_eq!(widths(&records, &a0, &plan, &[5], 0).unwrap(), [none(5)]);
    assert_eq!(widths(&records, &a0, &plan, &[], 3).unwrap(), []);
    // One item is one cluster: BCa has nothing to leave out.
    let bca = Plan { interval_method: records::IntervalMethod::Bca, ..plan.clone() };
    let got = widths(&records, &a0, &bca, &[1], 3).unwrap()[0];
    assert_eq!((got.mean_width, got.n_subsamples, got.withheld), (None, 0, 3));
    let error = widths(&records, &series("m", "a9"), &plan, &[5], 3).unwrap_err();
    assert!(matches!(error, MetricsError::NoSuchSeries { .. }));
    assert!(error.to_string().contains("\"a9\""));
    assert_eq!(widths(&[], &a0, &plan, &[5], 3).unwrap_err(), MetricsError::NoRecords);
}
