//! Tampering with a results file, field by field.

use crate::made_up::{record, two_arms, with_status};
use metrics::{
    Header, compute, default_plan, results,
    verify::{Check, Verdict, Verification, verify},
};
use records::{Input, Results, Status, file_entry};
use serde_json::{Value, json};

fn honest() -> Results {
    let mut records = two_arms(24);
    // A series below the floor, so that something is withheld.
    records.push(with_status(record("small", "a1", "i00", 0), Status::Refused));
    let mut plan = default_plan(&records, Some("closed_book_forced"));
    plan.n_resamples = 40;
    plan.comparisons.push([plan.comparisons[0][1].clone(), plan.comparisons[0][0].clone()]);
    let computed = compute(&records, &plan).unwrap();
    let header = Header { run_id: "r".into(), dataset_id: "d".into(), title: "A small run".into() };
    let file = |name: &str| Input { name: name.into(), entry: file_entry(name.as_bytes()) };
    results(header, vec![file("run.json"), file("records.jsonl")], computed, plan)
}

fn json_of(results: &Results) -> Value {
    serde_json::from_str(&serde_json::to_string(results).unwrap()).unwrap()
}

/// Checks that neither agree nor are withheld on both sides, files included.
fn complaints(verification: &Verification) -> Vec<&Check> {
    let fine = [Verdict::Identical, Verdict::Withheld];
    let all = verification.checks.iter().chain(&verification.files);
    all.filter(|c| !fine.contains(&c.verdict)).collect()
}

/// Every path to a leaf of `value`, as a JSON pointer.
fn leaves(value: &Value, pointer: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, inner) in map {
                leaves(inner, &format!("{pointer}/{key}"), out);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (i, inner) in list.iter().enumerate() {
                leaves(inner, &format!("{pointer}/{i}"), out);
            }
        }
        _ => out.push(pointer.to_owned()),
    }
}

/// Something else of the same kind, far enough away to be printed differently.
fn other(value: &Value) -> Value {
    match value {
        Value::Bool(b) => json!(!b),
        Value::String(s) => json!(format!("{s}x")),
        Value::Number(n) if n.is_u64() => json!(n.as_u64().unwrap() + 1),
        Value::Number(n) => json!(n.as_f64().unwrap() + 0.25),
        Value::Null => json!(0.5),
        Value::Array(_) => json!(["planted"]),
        Value::Object(_) => json!({"planted": 1}),
    }
}

/// The section and id of the check that a leaf belongs to.
fn owner(file: &Value, pointer: &str) -> (String, String) {
    let parts: Vec<_> = pointer.split('/').skip(1).collect();
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    match parts[..] {
        [list @ ("figures" | "reliability" | "comparisons"), at, ..] => {
            (list.to_owned(), text(&file[list][at.parse::<usize>().unwrap()]["id"]))
        }
        ["inputs", "files", at, ..] => (
            "files".to_owned(),
            text(&file["inputs"]["files"][at.parse::<usize>().unwrap()]["name"]),
        ),
        ["inputs", ..] => ("inputs".to_owned(), "inputs.rows".to_owned()),
        _ => ("signature".to_owned(), "signature".to_owned()),
    }
}

#[test]
fn an_honest_file_is_identical_throughout() {
    let honest = honest();
    let verification = verify(&json_of(&honest), Some(&honest));
    assert_eq!(complaints(&verification), Vec::<&Check>::new());
    assert!(verification.agrees());
    let totals = verification.totals;
    let numbers = honest.figures.len() + honest.reliability.len() + honest.comparisons.len();
    assert_eq!(totals.published() + totals.withheld, numbers + 2);
    assert_eq!(totals.agree(), totals.identical);
    let withheld = honest.figures.iter().filter(|f| f.withheld.is_some()).count()
        + honest.reliability.iter().filter(|r| r.withheld.is_some()).count()
        + honest.comparisons.iter().filter(|c| c.withheld.is_some()).count();
    assert!(withheld > 10);
    assert_eq!(totals.withheld, withheld);
}

#[test]
fn every_changed_leaf_is_reported_at_its_entry_and_nowhere_else() {
    let honest = honest();
    let file = json_of(&honest);
    let mut pointers = Vec::new();
    leaves(&file, "", &mut pointers);
    // Every kind of figure is among those of the first series; the other series have the same ones.
    let later = |pointer: &str| {
        let at = pointer.strip_prefix("/figures/").and_then(|rest| rest.split('/').next());
        at.is_some_and(|at| file["figures"][at.parse::<usize>().unwrap()]["arm"] != "a0")
    };
    pointers.retain(|p| !later(p));
    assert!(pointers.len() > 900, "{} leaves", pointers.len());
    for pointer in pointers {
        let mut tampered = file.clone();
        let leaf = tampered.pointer_mut(&pointer).unwrap();
        *leaf = other(leaf);
        let verification = verify(&tampered, Some(&honest));
        let found = complaints(&verification);
        let named = pointer.ends_with("/id") || pointer.ends_with("/name");
        if named {
            // A renamed entry is unknown under its new name and missing under its old one.
            let verdicts: Vec<_> = found.iter().map(|c| c.verdict).collect();
            assert_eq!(verdicts.len(), 2, "{pointer}: {found:?}");
            assert!(verdicts.contains(&Verdict::CannotBeChecked), "{pointer}: {found:?}");
            assert!(verdicts.contains(&Verdict::Differs), "{pointer}: {found:?}");
        } else {
            assert_eq!(found.len(), 1, "{pointer}: {found:?}");
            let (section, id) = owner(&file, &pointer);
            assert_eq!((&found[0].section, &found[0].id), (&section, &id), "{pointer}");
            assert!(found[0].verdict >= Verdict::CannotBeChecked, "{pointer}: {found:?}");
            assert!(!found[0].differences.is_empty(), "{pointer}");
        }
        assert!(!verification.agrees(), "{pointer}");
    }
}

#[test]
fn a_removed_entry_differs_and_an_added_one_cannot_be_checked() {
    let honest = honest();
    for list in ["figures", "reliability", "comparisons"] {
        let mut less = json_of(&honest);
        let removed = less[list].as_array_mut().unwrap().remove(1);
        let verification = verify(&less, Some(&honest));
        let found = complaints(&verification);
        assert_eq!(found.len(), 1, "{list}");
        assert_eq!(
            (found[0].verdict, json!(found[0].id)),
            (Verdict::Differs, removed["id"].clone())
        );

        let mut more = json_of(&honest);
        let mut planted = more[list][0].clone();
        planted["id"] = json!("planted");
        more[list].as_array_mut().unwrap().push(planted);
        let verification = verify(&more, Some(&honest));
        let found = complaints(&verification);
        assert_eq!(found.len(), 1, "{list}");
        assert_eq!((found[0].verdict, found[0].id.as_str()), (Verdict::CannotBeChecked, "planted"));
    }
}

#[test]
fn an_entry_published_twice_is_matched_once() {
    let honest = honest();
    let mut twice = json_of(&honest);
    let copy = twice["figures"][0].clone();
    twice["figures"].as_array_mut().unwrap().push(copy);
    let verification = verify(&twice, Some(&honest));
    let found = complaints(&verification);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].verdict, Verdict::CannotBeChecked);
}

#[test]
fn unknown_fields_cannot_be_checked_wherever_they_stand() {
    let honest = honest();
    for pointer in ["", "/figures/0", "/figures/0/excluded", "/plan", "/inputs", "/inputs/files/0"]
    {
        let mut extended = json_of(&honest);
        let target = extended.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
        target.insert("planted".into(), json!(1.5));
        let verification = verify(&extended, Some(&honest));
        let found = complaints(&verification);
        assert_eq!(found.len(), 1, "{pointer}: {found:?}");
        assert_eq!(found[0].verdict, Verdict::CannotBeChecked, "{pointer}");
        assert!(found[0].reason.is_some(), "{pointer}");
    }
}

#[test]
fn without_records_nothing_can_be_checked() {
    let honest = honest();
    let verification = verify(&json_of(&honest), None);
    assert!(verification.checks.iter().all(|c| c.verdict == Verdict::CannotBeChecked));
    assert_eq!(verification.totals.agree(), 0);
    assert_eq!(verification.totals.published(), verification.checks.len());
    assert!(!verification.agrees());
}

#[test]
fn one_bit_is_seen_and_still_equal_as_printed() {
    let honest = honest();
    let mut file = json_of(&honest);
    let at =
        honest.figures.iter().position(|f| f.metric == "accuracy" && f.value.is_some()).unwrap();
    let value = honest.figures[at].value.unwrap();
    file["figures"][at]["value"] = json!(f64::from_bits(value.to_bits() + 1));
    let verification = verify(&file, Some(&honest));
    let found = complaints(&verification);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].verdict, Verdict::EqualAsPrinted);
    assert_eq!(found[0].differences[0].path, "value");
    assert!(verification.agrees());
    assert_eq!(verification.totals.equal_as_printed, 1);
}

#[test]
fn a_small_p_value_is_not_equal_to_another_small_one() {
    let honest = honest();
    let mut a = json_of(&honest);
    let mut recomputed = honest;
    recomputed.comparisons[0].p_value = Some(7.6e-6);
    a["comparisons"][0]["p_value"] = json!(2.3e-5);
    let verification = verify(&a, Some(&recomputed));
    assert_eq!(verification.totals.differs, 1);
}

#[test]
fn whole_numbers_may_be_written_with_or_without_a_point() {
    let honest = honest();
    let mut file = json_of(&honest);
    assert_eq!(file["figures"][0]["value"], json!(24.0));
    file["figures"][0]["value"] = json!(24);
    assert!(complaints(&verify(&file, Some(&honest))).is_empty());
    // Two seeds that are one float.
    let mut recomputed = honest;
    recomputed.plan.seed = 9_007_199_254_740_993;
    file["plan"]["seed"] = json!(9_007_199_254_740_992_u64);
    let verification = verify(&file, Some(&recomputed));
    assert_eq!(complaints(&verification)[0].id, "signature");
}

#[test]
fn something_that_is_no_results_file_agrees_with_nothing() {
    let honest = honest();
    for nonsense in [json!(null), json!([1, 2]), json!({"figures": 3}), json!("<html>")] {
        let verification = verify(&nonsense, Some(&honest));
        assert_eq!(verification.totals.agree(), 0, "{nonsense}");
        assert!(!verification.agrees(), "{nonsense}");
    }
}
