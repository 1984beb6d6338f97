//! From the bytes of a run's files to verdicts.

use std::collections::BTreeMap;

use metrics::{Header, verify};
use records::{FileEntry, Input, Plan, Record, Results, Run};
use serde_json::Value;

use super::protocol::{FileReport, Problem, Report, Request};
use crate::{
    format,
    model::{
        check::{Check, Difference, Verdict},
        files::{self, Role},
    },
};

/// The arm that forces an answer without evidence, by its usual name; the control when nothing was published.
const USUAL_CONTROL: &str = "closed_book_forced";
/// Rows between two progress messages.
const PROGRESS_ROWS: usize = 20_000;

/// A clock and somewhere to say how far the work is: the only things that the work takes from its surroundings.
pub struct Surroundings<'a> {
    /// Milliseconds since any fixed moment.
    pub now: &'a dyn Fn() -> f64,
    /// Called with what is being done.
    pub progress: &'a dyn Fn(String),
}

/// Reads the files, recomputes every number and compares.
///
/// # Errors
/// When there is nothing to show: `results.json` cannot be read, or neither it nor records are there. Whatever else
/// goes wrong is said in the report.
pub fn run(
    request: &Request,
    buffers: Vec<Vec<u8>>,
    surroundings: &Surroundings<'_>,
) -> Result<Report, Problem> {
    let started = (surroundings.now)();
    let mut report = Report::default();
    let mut loaded = Vec::new();
    let mut bytes_of: BTreeMap<Role, (String, Vec<u8>)> = BTreeMap::new();
    for (head, bytes) in request.files.iter().zip(buffers) {
        if bytes.len() as u64 > head.role.max_bytes() {
            return Err(too_large(&head.name, bytes.len() as u64, head.role.max_bytes()));
        }
        (surroundings.progress)(format!("hashing {}", format::cut(&head.name, 60)));
        loaded.push((head.name.clone(), records::file_entry(&bytes)));
        if bytes_of.contains_key(&head.role) && head.role != Role::Other {
            report.notes.push(format!(
                "Several files look like {}; the first one is used.",
                head.role.file_name()
            ));
        } else {
            bytes_of.insert(head.role, (head.name.clone(), bytes));
        }
    }
    let published = match bytes_of.remove(&Role::Results) {
        Some((name, bytes)) => Some(read_published(&name, &bytes, &mut report)?),
        None => None,
    };
    if let Some((name, bytes)) = bytes_of.remove(&Role::Run) {
        read_run(&name, &bytes, &mut report);
    }
    let sums = bytes_of.remove(&Role::Sums).map(|(_, b)| files::parse_sums(&b)).unwrap_or_default();
    report.files =
        files::compare(loaded, &request.expected, &sums, published.as_ref().map(|p| &p.0));
    let records = match bytes_of.remove(&Role::Records) {
        Some((name, bytes)) => read_records(&name, &bytes, &mut report, surroundings.progress),
        None => Err("no records.jsonl was loaded".to_owned()),
    };
    report.read_ms = (surroundings.now)() - started;
    if published.is_none() && records.is_err() {
        return Err(report.problems.into_iter().next().unwrap_or_else(|| {
            Problem::new(
                "there is neither a results.json nor a records.jsonl",
                "give the files of a run folder: results.json, records.jsonl and, where there is one, run.json",
            )
        }));
    }
    (surroundings.progress)("recomputing every number".into());
    let started = (surroundings.now)();
    let recomputed = records.and_then(|records| {
        report.n_records = records.len() as u64;
        recompute(&records, published.as_ref().map(|p| &p.0), &report.files).inspect_err(|what| {
            report.problems.push(Problem::new(
                what.clone(),
                "check that records.jsonl belongs to this results.json",
            ));
        })
    });
    if let Some((typed, value)) = published {
        (surroundings.progress)("comparing with what was published".into());
        let verification = verify::verify(&value, recomputed.as_ref().ok());
        report.checks = verification.checks.into_iter().map(check).collect();
        match &recomputed {
            Ok(recomputed) => notes_on_fit(&typed, recomputed, &mut report.notes),
            Err(reason) => {
                for check in &mut report.checks {
                    check.reason = Some(reason.clone());
                }
            }
        }
        report.published = Some(typed);
    }
    report.recomputed = recomputed.ok();
    report.compute_ms = (surroundings.now)() - started;
    Ok(report)
}

fn too_large(name: &str, size: u64, most: u64) -> Problem {
    Problem::new(
        format!("is {}, and this page reads at most {}", format::bytes(size), format::bytes(most)),
        "check it with the command-line tool instead",
    )
    .in_file(name)
}

fn read_published(
    name: &str,
    bytes: &[u8],
    report: &mut Report,
) -> Result<(Results, Value), Problem> {
    let parsed = records::parse_json::<Results>(name, bytes)?;
    report.notes.extend(parsed.unknown_note(name));
    let typed = parsed.rows.into_iter().next();
    let bare = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let value = serde_json::from_slice(bare).ok();
    typed.zip(value).ok_or_else(|| {
        Problem::new("holds no results", "check that the whole file was copied").in_file(name)
    })
}

fn read_run(name: &str, bytes: &[u8], report: &mut Report) {
    match records::parse_json::<Run>(name, bytes) {
        Ok(parsed) => {
            report.notes.extend(parsed.unknown_note(name));
            report.run = parsed.rows.into_iter().next();
        }
        Err(error) => report.problems.push(error.into()),
    }
}

fn read_records(
    name: &str,
    bytes: &[u8],
    report: &mut Report,
    progress: &dyn Fn(String),
) -> Result<Vec<Record>, String> {
    progress(format!("reading {} ({})", format::cut(name, 60), format::bytes(bytes.len() as u64)));
    let mut rows: Vec<Record> = Vec::new();
    let outcome = records::parse_jsonl_with(name, bytes, |_, row| {
        rows.push(row);
        if rows.len().is_multiple_of(PROGRESS_ROWS) {
            progress(format!("reading records: {}", format::count(rows.len() as u64)));
        }
    });
    match outcome {
        Ok(unknown) => {
            let parsed = records::Parsed { rows, unknown };
            report.notes.extend(parsed.unknown_note(name));
            if parsed.rows.is_empty() {
                return Err(format!("{} holds no record", format::cut(name, 60)));
            }
            Ok(parsed.rows)
        }
        Err(error) => {
            let problem = Problem::from(error);
            let reason = format!("the records could not be read ({})", problem.sentence());
            report.problems.push(problem);
            Err(reason)
        }
    }
}

/// The numbers that follow from `records`: under the published plan, or under the default plan when nothing was
/// published.
fn recompute(
    records: &[Record],
    published: Option<&Results>,
    files: &[FileReport],
) -> Result<Results, String> {
    let plan = published.map_or_else(|| default_plan(records), |p| p.plan.clone());
    let computed = metrics::compute(records, &plan)
        .map_err(|error| format!("the numbers could not be recomputed: {error}"))?;
    let header = match published {
        Some(p) => Header {
            run_id: p.run_id.clone(),
            dataset_id: p.dataset_id.clone(),
            title: p.title.clone(),
        },
        None => Header {
            run_id: records.first().map_or_else(String::new, |r| r.run_id.clone()),
            dataset_id: records.first().map_or_else(String::new, |r| r.dataset_id.clone()),
            title: String::new(),
        },
    };
    Ok(metrics::results(header, inputs(files), computed, plan))
}

fn default_plan(records: &[Record]) -> Plan {
    let control = records.iter().any(|r| r.arm == USUAL_CONTROL).then_some(USUAL_CONTROL);
    metrics::default_plan(records, control)
}

/// The log as it was loaded, under the name that publications give it, so that the signature is about these bytes.
fn inputs(files: &[FileReport]) -> Vec<Input> {
    let is_log = |f: &&FileReport| f.name == Role::Records.file_name();
    let entry = |f: &FileReport| -> FileEntry { f.entry.clone() };
    files
        .iter()
        .find(is_log)
        .map(|f| Input { name: f.name.clone(), entry: entry(f) })
        .into_iter()
        .collect()
}

/// What does not fit together between publication and records although both could be read.
fn notes_on_fit(published: &Results, recomputed: &Results, notes: &mut Vec<String>) {
    if published.metrics_version != metrics::METRICS_VERSION {
        notes.push(format!(
            "The publication uses version {} of the metrics, this page computes version {}: definitions may differ.",
            published.metrics_version,
            metrics::METRICS_VERSION
        ));
    }
    if published.signature != recomputed.signature {
        notes.push(format!(
            "The published signature is not the one that follows from the loaded records and the plan. Published: {}. From what was loaded: {}.",
            format::cut(&published.signature, 300),
            format::cut(&recomputed.signature, 300)
        ));
    }
}

fn check(check: verify::Check) -> Check {
    Check {
        id: check.id,
        section: check.section,
        verdict: match check.verdict {
            verify::Verdict::Identical => Verdict::Identical,
            verify::Verdict::EqualAsPrinted => Verdict::EqualAsPrinted,
            verify::Verdict::Differs => Verdict::Differs,
            verify::Verdict::CannotBeChecked => Verdict::CannotBeChecked,
            verify::Verdict::Withheld => Verdict::Withheld,
        },
        reason: check.reason,
        differences: check
            .differences
            .into_iter()
            .map(|d| Difference { path: d.path, published: d.published, recomputed: d.recomputed })
            .collect(),
    }
}

#[cfg(test)]
mod tests;
