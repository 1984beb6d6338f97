//! A complete run, made from the records that the statistics are tested with.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result};
use metrics::Header;
use records::{Input, Plan, Record, Results, Run, Versioned, file_entry, parse_jsonl, sha256_hex};
use serde_json::json;

use crate::site_under_test::root;

/// Id of the run.
pub const RUN_ID: &str = "golden";

/// Makes the run and returns its files by name.
///
/// # Errors
/// The golden records cannot be read or computed.
pub fn run() -> Result<BTreeMap<String, Vec<u8>>> {
    run_with_names(&[], "Golden records")
}

/// The same run under another title, its models and questions under other names: pairs of the old one and the new one.
///
/// # Errors
/// The golden records cannot be read or computed.
pub fn run_with_names(names: &[(&str, &str)], title: &str) -> Result<BTreeMap<String, Vec<u8>>> {
    let path = root()?.join("harness/metrics/tests/golden/binary/records.jsonl");
    let mut log = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    for (old, new) in names {
        log = log.replace(&format!("\"{old}\""), &json!(new).to_string());
    }
    let log = log.into_bytes();
    let rows = parse_jsonl::<Record>("records.jsonl", &log)?.rows;
    let first = rows.first().context("the golden records are empty")?;
    let plan = metrics::default_plan(&rows, Some("closed_book_forced"));
    let header = Header {
        run_id: RUN_ID.to_owned(),
        dataset_id: first.dataset_id.clone(),
        title: title.to_owned(),
    };
    let run = json!({
        "schema": Run::tag(), "run_id": RUN_ID, "title": header.title, "dataset_id": header.dataset_id,
        "dataset_signature": "golden", "models": [], "arms": [], "repeats": {},
        "harness_version": env!("CARGO_PKG_VERSION"), "finished_at": "2026-01-01T00:00:00Z",
    });
    let input = Input { name: "records.jsonl".to_owned(), entry: file_entry(&log) };
    let results = metrics::results(header, vec![input], metrics::compute(&rows, &plan)?, plan);
    Ok(BTreeMap::from([
        ("records.jsonl".to_owned(), log),
        ("responses.jsonl".to_owned(), Vec::new()),
        ("run.json".to_owned(), format!("{run:#}\n").into_bytes()),
        ("results.json".to_owned(), encode(&results)?),
    ]))
}

/// The run with its numbers computed from as many resamples as `change` sets, and under whatever else it sets.
///
/// # Errors
/// The golden records cannot be read or computed.
pub fn run_under(change: impl FnOnce(&mut Plan)) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = run()?;
    let rows = parse_jsonl::<Record>("records.jsonl", &files["records.jsonl"])?.rows;
    let Results { mut plan, run_id, dataset_id, title, inputs, .. } = results(&files)?;
    change(&mut plan);
    let computed = metrics::compute(&rows, &plan)?;
    let header = Header { run_id, dataset_id, title };
    let results = metrics::results(header, inputs.files, computed, plan);
    files.insert("results.json".to_owned(), encode(&results)?);
    Ok(files)
}

/// Changes the results of a run's files.
///
/// # Errors
/// There are none, or they cannot be read.
pub fn edit(
    files: &mut BTreeMap<String, Vec<u8>>,
    change: impl FnOnce(&mut Results),
) -> Result<()> {
    let bytes = files.get("results.json").context("no results.json")?;
    let mut results: Results = serde_json::from_slice(bytes)?;
    change(&mut results);
    files.insert("results.json".to_owned(), encode(&results)?);
    Ok(())
}

/// The results among a run's files.
///
/// # Errors
/// There are none, or they cannot be read.
pub fn results(files: &BTreeMap<String, Vec<u8>>) -> Result<Results> {
    Ok(serde_json::from_slice(files.get("results.json").context("no results.json")?)?)
}

/// Writes the files with a fresh list of their digests: whoever tampers can do that, too.
///
/// # Errors
/// The folder cannot be written.
pub fn write(files: &BTreeMap<String, Vec<u8>>, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut sums = String::new();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes)?;
        sums.push_str(&format!("{}  {name}\n", sha256_hex(bytes)));
    }
    Ok(fs::write(folder.join("SHA256SUMS"), sums)?)
}

fn encode(results: &Results) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec_pretty(results)?)
}
