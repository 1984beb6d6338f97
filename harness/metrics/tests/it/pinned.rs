//! The bytes that the default plan publishes from the golden records.
//!
//! The digests were taken before anything was added to the first release of metrics version 1. They guard files that are published already:
//! an addition to this crate may add what a plan asks for, and must leave what the default plan gives untouched. That
//! the numbers are right is for `golden.rs` to say.

use std::path::Path;

use metrics::{Header, compute, default_plan, results, verify::verify};
use records::{Input, Record, Results, file_entry, parse_json, parse_jsonl, sha256_hex};

fn digest(name: &str, control: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name).join("records.jsonl");
    let bytes = std::fs::read(path).unwrap();
    let records: Vec<Record> = parse_jsonl("records.jsonl", &bytes).unwrap().rows;
    let plan = default_plan(&records, Some(control));
    let computed = compute(&records, &plan).unwrap();
    let header = Header { run_id: "r".into(), dataset_id: "d".into(), title: "t".into() };
    let input = Input { name: "records.jsonl".into(), entry: file_entry(&bytes) };
    let mut results = results(header, vec![input], computed, plan);
    // One line for people, which may come to say more; everything in it stands elsewhere too.
    results.signature.clear();
    sha256_hex(serde_json::to_string(&results).unwrap().as_bytes())
}

#[test]
fn binary_results_of_the_default_plan() {
    assert_eq!(
        digest("binary", "closed_book_forced"),
        "18190410398e039750e94d1d3c083454823f752311d1a17e6f2400903fb12cc6"
    );
}

#[test]
fn choice_results_of_the_default_plan() {
    assert_eq!(
        digest("choice", "no_context"),
        "df8f7685f8ce2336a7ec209bb4d1f3114226dcaa01db0e3de7353b7b26f26d04"
    );
}

/// Every run that the repository publishes, recomputed by the plan that it was published with.
#[test]
fn published_runs_come_out_to_the_bit() {
    let results_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let mut runs = 0;
    for entry in std::fs::read_dir(results_folder).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(published) = std::fs::read(folder.join("results.json")) else { continue };
        let log = std::fs::read(folder.join("records.jsonl")).unwrap();
        let records: Vec<Record> = parse_jsonl("records.jsonl", &log).unwrap().rows;
        let known = parse_json::<Results>("results.json", &published).unwrap().rows.remove(0);
        let computed = compute(&records, &known.plan).unwrap();
        let header =
            Header { run_id: known.run_id, dataset_id: known.dataset_id, title: known.title };
        let again = results(header, known.inputs.files, computed, known.plan);
        let published = serde_json::from_slice(&published).unwrap();
        let totals = verify(&published, Some(&again)).totals;
        assert_eq!(totals.identical, totals.published(), "{}: {totals:?}", folder.display());
        assert!(totals.identical > 100, "{}: {totals:?}", folder.display());
        runs += 1;
    }
    assert!(runs > 0);
}
