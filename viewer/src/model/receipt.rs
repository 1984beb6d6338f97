//! A small file that says what was checked and what came out, for whoever reviews a paper.

use records::Results;
use serde_json::{Value, json};

use super::check::{Checks, Verdict};
use crate::worker::protocol::FileReport;

/// What the button that saves one says.
pub const BUTTON: &str = "Receipt";
/// What stands beside it.
pub const NOTE: &str = "a small file with the digests of what was loaded and every verdict.";
/// What leads from there to what verdicts mean.
pub const MEANING: &str = "What a verdict says";
/// What a receipt says of entries that were computed again.
const RECOMPUTED: &str = "The published entries were computed again from the loaded records in a reader's browser and \
    compared; an entry that could not be is marked unchecked. This does not say that the records are what a model answered.";
/// What a receipt says when there was nothing to compute from.
const NOT_RECOMPUTED: &str = "No records could be computed from: nothing was compared, and this receipt only lists what was loaded.";

/// What a receipt is made from.
pub struct Checked<'a> {
    /// The publication.
    pub published: &'a Results,
    /// What followed from the records.
    pub recomputed: Option<&'a Results>,
    /// The verdicts.
    pub checks: &'a Checks,
    /// The files that were loaded.
    pub files: &'a [FileReport],
    /// Records read.
    pub n_records: u64,
    /// Where the files came from, in words.
    pub origin: &'a str,
    /// The page's address.
    pub address: &'a str,
}

/// The receipt: which bytes were loaded, which program looked at them, and the verdict on each published entry.
#[must_use]
pub fn receipt(checked: &Checked<'_>) -> Value {
    let Checked { published, checks, .. } = checked;
    let totals = checks.totals();
    let count = |v: Verdict| (v.attribute().to_owned(), json!(totals.get(v)));
    let file = |f: &FileReport| {
        let named: Vec<_> =
            f.named_by.iter().map(|(by, same)| json!({ "by": by, "same": same })).collect();
        json!({
            "name": f.name, "sha256": f.entry.sha256, "bytes": f.entry.bytes, "named_by": named,
        })
    };
    json!({
        "schema": "recount.receipt/1",
        "page_version": env!("CARGO_PKG_VERSION"),
        "metrics_version": metrics::METRICS_VERSION,
        "published": {
            "run_id": published.run_id,
            "title": published.title,
            "dataset_id": published.dataset_id,
            "signature": published.signature,
            "metrics_version": published.metrics_version,
        },
        "recomputed_signature": checked.recomputed.map(|r| &r.signature),
        "n_records": checked.n_records,
        "files": checked.files.iter().map(file).collect::<Vec<_>>(),
        "origin": checked.origin,
        "address": checked.address,
        "totals": Verdict::ALL.map(count).into_iter().collect::<serde_json::Map<_, _>>(),
        "verdicts": checks
            .all()
            .map(|c| (c.id.clone(), json!(c.verdict.attribute())))
            .collect::<serde_json::Map<_, _>>(),
        "says": if checked.recomputed.is_some() { RECOMPUTED } else { NOT_RECOMPUTED },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{check::Check, example};

    #[test]
    fn it_names_the_bytes_the_program_and_every_verdict() {
        let published = example::results();
        let check = |id: &str, verdict| Check {
            id: id.into(),
            section: "figures".into(),
            verdict,
            reason: None,
            differences: vec![],
        };
        let checks =
            Checks::new(vec![check("a", Verdict::Identical), check("b", Verdict::Differs)]);
        let files = [FileReport {
            name: "records.jsonl".into(),
            entry: records::file_entry(b"x\n"),
            named_by: vec![("SHA256SUMS".into(), true)],
        }];
        let receipt = receipt(&Checked {
            published: &published,
            recomputed: None,
            checks: &checks,
            files: &files,
            n_records: 7,
            origin: "this site",
            address: "https://a.example/",
        });
        assert_eq!(receipt["verdicts"]["b"], "differs");
        assert_eq!(receipt["totals"]["identical"], 1);
        assert_eq!(receipt["files"][0]["sha256"], records::sha256_hex(b"x\n"));
        assert_eq!(receipt["recomputed_signature"], Value::Null);
        assert!(receipt["says"].as_str().unwrap().contains("nothing was compared"));
    }
}
