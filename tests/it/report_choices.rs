//! What whoever reports may choose: slices, intervals, bins and the floor.

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Told, root, tell, text};

const RECORDS: &str = "results/main/records.jsonl";

/// Reports the published records with these flags, and what it wrote.
fn report(flags: &[&str]) -> (Told, Option<Value>) {
    let folder = TempDir::new().expect("folder");
    let out = folder.path().join("results.json");
    let records = root().join(RECORDS);
    let fixed = ["report", "--quiet", "--resamples", "200", "--records", text(&records), "--out"];
    let told = tell(&[&fixed[..], &[text(&out)], flags].concat());
    let written = std::fs::read(&out).ok();
    (told, written.map(|bytes| serde_json::from_slice(&bytes).expect("JSON")))
}

fn results(flags: &[&str]) -> Value {
    let (told, results) = report(flags);
    assert_eq!(told.code, 0, "{}", told.err);
    results.expect("results")
}

fn figures(results: &Value) -> &Vec<Value> {
    results["figures"].as_array().expect("figures")
}

#[test]
fn every_choice_stands_in_the_plan_and_in_the_numbers() {
    let usual = results(&[]);
    let chosen = results(&[
        "--slice",
        "set",
        "--slice",
        "model",
        "--method",
        "bca",
        "--level",
        "0.9",
        "--min-items",
        "5",
        "--bins",
        "7",
        "--bin-strategy",
        "uniform",
    ]);
    let plan = &chosen["plan"];
    assert_eq!(plan["slices"], serde_json::json!(["set", "model"]));
    assert_eq!(plan["interval_method"], "bca");
    assert_eq!(
        (plan["confidence_level"].as_f64(), plan["min_items"].as_u64()),
        (Some(0.9), Some(5))
    );
    assert_eq!((plan["n_bins"].as_u64(), &plan["bin_strategy"]), (Some(7), &"uniform".into()));
    let sliced = figures(&chosen).iter().filter(|f| !f["slice"].is_null());
    assert!(sliced.clone().any(|f| f["slice"] == "set=main"), "the published rows are of set main");
    assert!(sliced.clone().any(|f| f["slice"].as_str().is_some_and(|s| s.starts_with("model="))));
    let whole: Vec<_> = figures(&chosen).iter().filter(|f| f["slice"].is_null()).collect();
    assert_eq!(whole.len(), figures(&usual).len());
    let mut differing = 0;
    for (chosen, usual) in whole.into_iter().zip(figures(&usual)) {
        assert_eq!(chosen["id"], usual["id"]);
        if chosen["metric"] == "accuracy" {
            assert_eq!(chosen["value"], usual["value"], "a choice of intervals moves no value");
            assert_eq!(chosen["interval"]["level"].as_f64(), Some(0.9));
            assert_eq!(chosen["interval"]["method"], "bca-cluster-bootstrap/1");
            differing += usize::from(chosen["interval"]["lower"] != usual["interval"]["lower"]);
        }
    }
    assert!(differing > 0);
    let diagrams = chosen["reliability"].as_array().expect("diagrams");
    assert!(diagrams.iter().any(|d| d["strategy"] == "uniform" && d["n_bins"] == 7));
}

/// A lower floor lets smaller series into the comparisons.
#[test]
fn the_floor_decides_what_is_compared() {
    let compared = |floor: &str| {
        let results = results(&["--min-items", floor]);
        let comparisons = results["comparisons"].as_array().expect("comparisons");
        comparisons.iter().filter(|c| c["family"] == "plan").count()
    };
    assert!(compared("20") > 0);
    assert_eq!(compared("51"), 0, "the data set has fifty items");
}

#[test]
fn a_choice_that_cannot_be_made_is_refused_with_its_remedy() {
    for (flags, named) in [
        (&["--slice", "domain"][..], "name set, split, model, or tags.NAME"),
        (&["--slice", "set", "--slice", "set"], "twice"),
        (&["--slice", "tags.nobody-has-it"], "--slice tags.nobody-has-it: no row has a value"),
        (&["--level", "1.5"], "strictly between 0 and 1"),
        (&["--level", "nan"], "strictly between 0 and 1"),
        (&["--bins", "0"], "from 1 to 1000"),
        (&["--min-items=-3"], "--min-items"),
        (&["--method", "jackknife"], "possible values: percentile, bca"),
    ] {
        let (told, results) = report(flags);
        assert_eq!(told.code, 2, "{flags:?}: {}", told.err);
        assert!(told.err.contains(named), "{flags:?}: {}", told.err);
        assert!(results.is_none(), "nothing is written");
    }
}

/// A records file is read in pieces on several threads; what comes out must be what the whole file gives.
#[test]
fn a_records_file_read_in_pieces_gives_the_published_figures() {
    let folder = TempDir::new().expect("folder");
    let out = folder.path().join("results.json");
    let told = tell(&["report", "--quiet", "--records", RECORDS, "--out", text(&out)]);
    assert_eq!(told.code, 0, "{}", told.err);
    let read = |path: &std::path::Path| -> Value {
        serde_json::from_slice(&std::fs::read(path).expect("results")).expect("JSON")
    };
    let (alone, published) = (read(&out), read(&root().join("results/main/results.json")));
    for part in ["figures", "reliability", "comparisons"] {
        assert_eq!(alone[part], published[part], "{part}");
    }
    assert_eq!(alone["inputs"]["rows"], published["inputs"]["rows"]);
    let of_log = |results: &Value| -> Option<Value> {
        let files = results["inputs"]["files"].as_array().expect("files");
        files.iter().find(|f| f["name"] == "records.jsonl").cloned()
    };
    assert_eq!(of_log(&alone), of_log(&published), "digest, bytes and lines");
}

/// So is the log of a run; with the digests of all that it rests on, the published file comes out byte by byte.
#[test]
fn a_run_read_in_pieces_gives_the_published_results() {
    let folder = TempDir::new().expect("folder");
    let out = folder.path().join("results.json");
    let told = tell(&["report", "--quiet", "--run", "results/main", "--out", text(&out)]);
    assert_eq!(told.code, 0, "{}", told.err);
    let published = std::fs::read(root().join("results/main/results.json")).expect("published");
    assert!(std::fs::read(&out).expect("results") == published, "the files differ");
}
