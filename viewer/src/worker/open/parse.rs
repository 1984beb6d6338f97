//! The files of a run, read; what is wrong with one is said in the report.

use records::{Record, Results, Run};
use serde_json::Value;

use crate::{
    format,
    worker::protocol::{Problem, Report},
};

/// Rows between two progress messages.
const PROGRESS_ROWS: usize = 20_000;

pub(super) fn read_published(
    name: &str,
    bytes: &[u8],
    report: &mut Report,
) -> Result<(Results, Value), Problem> {
    let parsed = records::parse_json::<Results>(name, bytes)?;
    report.notes.extend(parsed.unknown_note(name));
    // What was read is text.
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    // The reader skips what it does not know without limit; compared is the whole.
    let value =
        serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
            Problem::new(
                format!("cannot be compared as a whole: {error}"),
                "write it without lists or objects nested a hundred deep",
            )
            .in_file(name)
        })?;
    let typed = parsed.rows.into_iter().next().ok_or_else(|| {
        Problem::new("holds no results", "check that the whole file was copied").in_file(name)
    })?;
    Ok((typed, value))
}

pub(super) fn read_run(name: &str, bytes: &[u8], report: &mut Report) -> Option<Run> {
    match records::parse_json::<Run>(name, bytes) {
        Ok(parsed) => {
            report.notes.extend(parsed.unknown_note(name));
            parsed.rows.into_iter().next()
        }
        Err(error) => {
            report.problems.push(error.into());
            None
        }
    }
}

/// The rows of a log, or why there are none, which is then also in the report.
pub(in crate::worker) fn read_records(
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
