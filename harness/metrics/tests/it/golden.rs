//! Figures against values from an independent program; see `../golden/README.md`.

use std::{collections::BTreeMap, path::Path};

use metrics::{compute, default_plan};
use records::{Comparison, Computed, Figure, Interval, Plan, Record, Series, parse_jsonl};
use serde_json::Value;

/// Largest relative difference where the definitions allow one: values that need a logarithm, or that the reference
/// program adds up in another order.
const CLOSE: f64 = 1e-12;

struct Golden {
    expected: Value,
    plan: Plan,
    computed: Computed,
}

fn golden(name: &str, compare_everything: bool) -> Golden {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let bytes = std::fs::read(folder.join("records.jsonl")).unwrap();
    let records: Vec<Record> = parse_jsonl("records.jsonl", &bytes).unwrap().rows;
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let mut plan = default_plan(&records, expected["plan"]["control"].as_str());
    if compare_everything {
        plan.comparisons =
            expected["comparisons"].as_object().unwrap().keys().map(|k| pair(k)).collect();
    }
    let computed = compute(&records, &plan).unwrap();
    Golden { expected, plan, computed }
}

fn series(name: &str) -> Series {
    let (model, arm) = name.split_once('/').unwrap();
    Series { model: model.to_owned(), arm: arm.to_owned() }
}

fn pair(name: &str) -> [Series; 2] {
    let (a, b) = name.split_once(" vs ").unwrap();
    [series(a), series(b)]
}

impl Golden {
    fn figures(&self) -> BTreeMap<&str, &Figure> {
        self.computed.figures.iter().map(|f| (f.id.as_str(), f)).collect()
    }

    fn comparison(&self, a: &Series, b: &Series) -> &Comparison {
        self.computed.comparisons.iter().find(|c| (&c.a, &c.b) == (a, b)).unwrap()
    }
}

/// The two numbers are the same to the last bit.
fn same(what: &str, got: Option<f64>, expected: &Value) {
    let expected = expected.as_f64();
    assert_eq!(
        got.map(f64::to_bits),
        expected.map(f64::to_bits),
        "{what}: {got:?}, not {expected:?}"
    );
}

fn close(what: &str, got: Option<f64>, expected: &Value) {
    match (got, expected.as_f64()) {
        (Some(g), Some(e)) => assert!((g - e).abs() <= CLOSE * e.abs(), "{what}: {g:e}, not {e:e}"),
        (got, expected) => assert_eq!(got, expected, "{what}"),
    }
}

fn same_interval(what: &str, got: &Option<Interval>, expected: &Value) {
    if expected.is_null() {
        return;
    }
    let got = got.as_ref().unwrap_or_else(|| panic!("{what} has no interval"));
    same(&format!("{what} lower"), got.lower, &expected["lower"]);
    same(&format!("{what} upper"), got.upper, &expected["upper"]);
    assert_eq!(got.withheld.as_deref(), expected["withheld"].as_str(), "{what}");
    assert_eq!(got.undefined_resamples.map(u64::from), expected["undefined_resamples"].as_u64());
}

fn check_figures(golden: &Golden) {
    let figures = golden.figures();
    for (name, expected) in golden.expected["figures"].as_object().unwrap() {
        let figure = |metric: &str| {
            let id = format!("{name}/{metric}");
            *figures.get(id.as_str()).unwrap_or_else(|| panic!("no figure {id}"))
        };
        for (key, value) in expected.as_object().unwrap() {
            match key.as_str() {
                "withheld" => assert_eq!(figure("accuracy").withheld.as_deref(), value.as_str()),
                "n_clusters" => assert_eq!(Some(figure("accuracy").n_clusters), value.as_u64()),
                "status" => {
                    for (status, count) in value.as_object().unwrap() {
                        same(status, figure(&format!("status_{status}")).value, count);
                    }
                }
                "majority_accuracy_wilson" => check_majority(figure("majority_accuracy"), value),
                "ece" | "ece_uniform_10" => {
                    same(key, figure(key).value, &value["value"]);
                    same_interval(key, &figure(key).interval, &value["interval"]);
                }
                // The reference adds these in file order, which the definitions rightly do not.
                "cost_usd_per_row" => close(key, figure(key).value, value),
                _ if value.is_object() => {
                    let what = format!("{name}/{key}");
                    same(&what, figure(key).value, &value["value"]);
                    same(&what, figure(key).denominator, &value["denominator"]);
                    same_interval(&what, &figure(key).interval, &value["interval"]);
                }
                _ => same(&format!("{name}/{key}"), figure(key).value, value),
            }
        }
    }
}

fn check_majority(figure: &Figure, expected: &Value) {
    same("right", figure.numerator, &expected["right"]);
    same("items", figure.denominator, &expected["items"]);
    let interval = figure.interval.as_ref().unwrap();
    assert_eq!(interval.method, "wilson/1");
    if figure.numerator == Some(0.0) {
        // The reference's rounding leaves 7e-18 where the formula gives exactly 0.
        assert_eq!(interval.lower, Some(0.0));
        assert!(expected["lower"].as_f64().unwrap() < 1e-15);
    } else {
        close("wilson lower", interval.lower, &expected["lower"]);
    }
    close("wilson upper", interval.upper, &expected["upper"]);
}

fn check_bins(golden: &Golden) {
    for (name, expected) in golden.expected["figures"].as_object().unwrap() {
        let Some(bins) = expected["ece"]["bins"].as_array() else { continue };
        let find = |rule: &str| {
            let id = format!("{name}/reliability_{rule}");
            golden.computed.reliability.iter().find(|r| r.id == id).unwrap()
        };
        let quantile = find("quantile_5");
        assert_eq!(quantile.bins.len(), bins.len());
        same("ece", quantile.ece, &expected["ece"]["value"]);
        for (got, bin) in quantile.bins.iter().zip(bins) {
            assert_eq!(Some(got.count), bin["count"].as_u64());
            same("mean_predicted", Some(got.mean_predicted), &bin["mean_predicted"]);
            same("observed_frequency", Some(got.observed_frequency), &bin["observed_frequency"]);
        }
        let uniform = find("uniform_10");
        let listed = expected["ece_uniform_10"]["bins"].as_array().unwrap();
        let filled: Vec<_> = listed.iter().filter(|b| b[0] != 0).collect();
        assert_eq!(uniform.bins.len(), filled.len());
        for (got, bin) in uniform.bins.iter().zip(filled) {
            let count = bin[0].as_f64().unwrap();
            assert_eq!(got.count as f64, count);
            let mean = |at: usize| Value::from(bin[at].as_f64().unwrap() / count);
            same("uniform mean_predicted", Some(got.mean_predicted), &mean(1));
            same("uniform observed_frequency", Some(got.observed_frequency), &mean(2));
        }
    }
}

fn check_comparison(got: &Comparison, expected: &Value) {
    let what = &got.id;
    assert_eq!(got.withheld.as_deref(), expected["withheld"].as_str(), "{what}");
    if got.withheld.is_some() {
        return;
    }
    let counts = [
        ("n_items", Some(got.n_items)),
        ("both", got.both),
        ("only_a", got.only_a),
        ("only_b", got.only_b),
        ("neither", got.neither),
    ];
    for (field, count) in counts {
        assert_eq!(count, expected[field].as_u64(), "{what} {field}");
    }
    same(what, got.difference, &expected["difference"]);
    same_interval(what, &got.interval, &expected["interval"]);
    close(what, got.p_value, &expected["p_exact"]);
    let mde = &expected["minimum_detectable_effect"];
    close(what, got.minimum_detectable_effect, mde);
    let is_result = mde.as_f64().map(|mde| got.difference.unwrap().abs() >= mde);
    assert_eq!(got.is_result, is_result, "{what}");
    if let Some(holm) = expected.get("p_holm") {
        close(what, got.p_holm, holm);
    }
}

fn check_lifts(golden: &Golden) {
    let control = golden.plan.control.clone().unwrap();
    let figures = golden.figures();
    let lifts = golden.expected["evidence_lift"].as_object().unwrap();
    assert!(!lifts.is_empty());
    for (name, expected) in lifts {
        let a = series(name);
        let b = Series { model: a.model.clone(), arm: control.clone() };
        check_comparison(golden.comparison(&a, &b), expected);
        let figure = figures[format!("{name}/evidence_lift").as_str()];
        same(name, figure.value, &expected["difference"]);
        same_interval(name, &figure.interval, &expected["interval"]);
        assert_eq!(figure.control.as_ref(), Some(&control));
    }
}

fn check_all(golden: &Golden) {
    let rows = &golden.computed.rows;
    assert_eq!(Some(rows.written), golden.expected["rows_written"].as_u64());
    assert_eq!(Some(rows.superseded), golden.expected["rows_superseded"].as_u64());
    check_figures(golden);
    check_bins(golden);
    check_lifts(golden);
    let expected = golden.expected["comparisons"].as_object().unwrap();
    assert_eq!(golden.plan.comparisons.len(), expected.len());
    for (name, expected) in expected {
        let [a, b] = pair(name);
        check_comparison(golden.comparison(&a, &b), expected);
    }
}

#[test]
fn binary_items_match_the_independent_program() {
    check_all(&golden("binary", false));
}

#[test]
fn choice_items_match_the_independent_program() {
    // The default plan leaves out comparisons with the arm that shows no evidence; the reference makes them.
    check_all(&golden("choice", true));
}
