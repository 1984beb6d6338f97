//! Runs and data sets from folders on disk to the index of a site.

#![expect(clippy::unwrap_used, reason = "a test that cannot write its folders should stop there")]

use std::{fs, path::Path};

use records::{Index, file_entry, parse_json, sha256_hex};
use serde_json::{Value, json};
use site::publication::{PublicationError, data_sets, index, runs, schemas};

fn results(run_id: &str) -> Value {
    let figure = |id: &str, metric: &str, slice: Value, value: Value| {
        json!({"id": id, "metric": metric, "model": "m", "arm": "a0", "slice": slice, "value": value,
            "interval": null, "numerator": null, "denominator": null, "n_rows": 1, "n_items": 1,
            "n_clusters": 1, "excluded": {}, "withheld": null, "unit": "rate", "better": "higher"})
    };
    json!({
        "schema": "recount.results/1", "metrics_version": 1, "run_id": run_id, "dataset_id": "d",
        "title": format!("Run {run_id}"), "signature": "s",
        "plan": {"seed": 1, "n_resamples": 100, "confidence_level": 0.95, "min_items": 20,
            "confident_threshold": 0.9, "n_bins": 10, "bin_strategy": "quantile", "control": null,
            "cluster_field": "cluster_id", "comparisons": []},
        "inputs": {"files": [], "rows": {"written": 0, "superseded": 0, "scored": 0, "by_status": {}}},
        "figures": [
            figure("m/a0/accuracy", "accuracy", Value::Null, json!(0.1 + 0.2)),
            figure("m/a0/brier", "brier", Value::Null, json!(0.2)),
            figure("m/a0/accuracy@set=main", "accuracy", json!("set=main"), json!(0.5)),
            figure("m/a1/accuracy", "accuracy", Value::Null, Value::Null),
        ],
        "reliability": [], "comparisons": [],
    })
}

fn run_folder(parent: &Path, run_id: &str, finished_at: &str) {
    let run = json!({"schema": "recount.run/1", "run_id": run_id, "dataset_id": "d",
        "dataset_signature": "sig", "models": [], "arms": [], "repeats": {},
        "harness_version": "0", "finished_at": finished_at});
    let folder = parent.join(run_id);
    fs::create_dir_all(&folder).unwrap();
    let mut sums = String::new();
    for (name, text) in [
        ("run.json", run.to_string()),
        ("results.json", results(run_id).to_string()),
        ("records.jsonl", "{}\n{}\n".to_owned()),
    ] {
        sums.push_str(&format!("{}  {name}\n", sha256_hex(text.as_bytes())));
        fs::write(folder.join(name), text).unwrap();
    }
    fs::write(folder.join("SHA256SUMS"), sums).unwrap();
}

#[test]
fn the_index_lists_the_newest_run_first_with_its_files_and_headline() {
    let dir = tempfile::tempdir().unwrap();
    run_folder(dir.path(), "old", "2026-01-01T00:00:00Z");
    run_folder(dir.path(), "new", "2026-02-01T00:00:00Z");
    fs::create_dir(dir.path().join("unfinished")).unwrap();
    fs::write(dir.path().join("README.md"), "not a run").unwrap();
    let index = index(&runs(dir.path(), &[]).unwrap());
    let text = serde_json::to_string(&index).unwrap();
    let read = parse_json::<Index>("index.json", text.as_bytes()).unwrap().rows.remove(0);
    assert_eq!(read, index, "the index is read back as it was written");
    let ids: Vec<_> = index.runs.iter().map(|r| r.run_id.as_str()).collect();
    assert_eq!(ids, ["new", "old"]);
    let newest = &index.runs[0];
    assert_eq!(newest.path, "runs/new");
    assert_eq!(newest.files["records.jsonl"], file_entry(b"{}\n{}\n"));
    assert_eq!(newest.headline.len(), 1, "whole, not withheld accuracies only");
    assert_eq!(newest.headline["m/a0/accuracy"].to_bits(), (0.1_f64 + 0.2).to_bits());
}

#[test]
fn a_run_that_is_not_what_its_digests_say_is_not_published() {
    let dir = tempfile::tempdir().unwrap();
    run_folder(dir.path(), "main", "2026-01-01T00:00:00Z");
    fs::write(dir.path().join("main/records.jsonl"), "{}\n").unwrap();
    let error = runs(dir.path(), &[]).unwrap_err();
    assert!(matches!(error, PublicationError::Digest { .. }));
    assert!(error.to_string().contains("records.jsonl"), "{error}");
}

#[test]
fn an_incomplete_or_misnamed_run_is_not_published() {
    let dir = tempfile::tempdir().unwrap();
    run_folder(dir.path(), "main", "2026-01-01T00:00:00Z");
    fs::rename(dir.path().join("main"), dir.path().join("other")).unwrap();
    assert!(matches!(runs(dir.path(), &[]), Err(PublicationError::Name { .. })));
    fs::rename(dir.path().join("other"), dir.path().join("main")).unwrap();
    fs::remove_file(dir.path().join("main/records.jsonl")).unwrap();
    let error = runs(dir.path(), &[]).unwrap_err();
    assert!(matches!(error, PublicationError::Missing { file: "records.jsonl", .. }));
}

#[test]
fn a_data_set_must_be_the_one_that_its_manifest_signs() {
    let dir = tempfile::tempdir().unwrap();
    let set = dir.path().join("control");
    fs::create_dir(&set).unwrap();
    let manifest = json!({"schema": "recount.manifest/1", "dataset_id": "control", "signature": "s",
        "created_at": "2026-01-01T00:00:00Z", "generator": {"model": "hand"},
        "files": {"items.jsonl": file_entry(b"{}\n")}});
    fs::write(set.join("manifest.json"), manifest.to_string()).unwrap();
    fs::write(set.join("items.jsonl"), "{}\n").unwrap();
    assert_eq!(data_sets(dir.path()).unwrap().len(), 1);
    fs::write(set.join("items.jsonl"), "{ }\n").unwrap();
    assert!(matches!(data_sets(dir.path()), Err(PublicationError::Digest { .. })));
}

#[test]
fn folders_that_are_not_there_hold_nothing() {
    assert!(runs(Path::new("/no/such/results"), &[]).unwrap().is_empty());
    assert!(data_sets(Path::new("/no/such/data")).unwrap().is_empty());
}

#[test]
fn every_format_has_a_schema_in_the_site() {
    let schemas = schemas();
    assert_eq!(schemas.len(), records::SCHEMAS.len());
    let text = &schemas["schema/v1/recount.results.json"];
    let schema: Value = serde_json::from_slice(text).unwrap();
    assert!(schema["properties"]["figures"].is_object(), "{schema}");
}

#[test]
fn the_runs_that_are_named_are_published_and_no_other() {
    let dir = tempfile::tempdir().unwrap();
    for (id, date) in [("a", "2026-01-01"), ("b", "2026-02-01"), ("c", "2026-03-01")] {
        run_folder(dir.path(), id, &format!("{date}T00:00:00Z"));
    }
    let ids = |only: &[&str]| {
        let only: Vec<_> = only.iter().map(|s| (*s).to_owned()).collect();
        runs(dir.path(), &only).map(|r| r.into_iter().map(|r| r.run.run_id).collect::<Vec<_>>())
    };
    assert_eq!(
        ids(&["a", "c"]).unwrap(),
        ["c", "a"],
        "newest first, whatever the order they were named in"
    );
    assert_eq!(ids(&[]).unwrap(), ["c", "b", "a"]);
    let error = ids(&["a", "d"]).unwrap_err().to_string();
    assert!(error.ends_with("has no run `d` with results; it has a, b, c"), "{error}");
}
