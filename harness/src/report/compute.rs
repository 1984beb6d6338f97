use std::{collections::BTreeSet, path::Path};

use metrics::{Header, Log, LogBuilder, MetricsError, results};
use records::{FileEntry, Input, Plan, Record, Results, Run, file_entry, parse_json};

use crate::{
    arms::BASELINE_ARM,
    cassette::{relative_path, slug},
    cli::Folders,
    dataset::DATA_FILES,
    error::{Error, read_file},
    pieces::{digest_of, read_rows},
    threads::Threads,
};

/// Arms that can serve as control when none is named, the first one that the run has.
const CONTROLS: [&str; 3] = ["closed_book_forced", "no_context", "no_search"];

/// What a run consists of before anything is computed from it.
#[derive(Debug)]
pub struct RunFiles {
    /// What was run.
    pub run: Run,
    /// Digest and size of the run's own files.
    pub files: Vec<Input>,
    /// Sentences about unknown fields.
    pub notes: Vec<String>,
    /// The rows that count, or why they make no log.
    log: Result<Log, MetricsError>,
}

impl RunFiles {
    /// The rows that count.
    ///
    /// # Errors
    /// There is no row, or rows of two data sets.
    pub fn log(&self) -> Result<&Log, Error> {
        self.log.as_ref().map_err(|e| Error::Input(e.to_string()))
    }
}

/// Reads `run.json`, `records.jsonl` and the digests of the run's files, and keeps of the rows what figures need. Each row,
/// superseded ones included, is shown to `each`.
///
/// # Errors
/// A file is missing or a line is wrong.
pub fn load_run(folder: &Path, mut each: impl FnMut(&Record)) -> Result<RunFiles, Error> {
    let mut notes = Vec::new();
    let mut files = Vec::new();
    let mut add = |name: &str, entry| files.push(Input { name: name.to_owned(), entry });
    let path = folder.join("run.json");
    let (name, bytes) = (path.display().to_string(), read_file(&path)?);
    add("run.json", file_entry(&bytes));
    let run = parse_json::<Run>(&name, &bytes)?;
    notes.extend(run.unknown_note(&name));
    let mut builder = Ok(LogBuilder::default());
    let records = read_rows(&folder.join("records.jsonl"), |row: Record| {
        each(&row);
        // A line further down that is wrong is the first thing to put right, so the file is read to its end.
        if let Ok(log) = &mut builder
            && let Err(e) = log.push(&row)
        {
            builder = Err(e);
        }
        Ok(())
    })?;
    add("records.jsonl", records.entry);
    notes.extend(records.note);
    add("responses.jsonl", digest_of(&folder.join("responses.jsonl"))?);
    let run = run.rows.into_iter().next();
    let run = run.ok_or_else(|| Error::Input(format!("{}: is empty", folder.display())))?;
    Ok(RunFiles { run, files, notes, log: builder.and_then(LogBuilder::finish) })
}

/// Digests of everything that the run rests on: its own files, the data set, and the cassettes that its rows come
/// from.
///
/// # Errors
/// A file is missing, or the rows make no log.
pub fn inputs_of(files: &RunFiles, folders: &Folders) -> Result<Vec<Input>, Error> {
    let mut inputs = files.files.clone();
    let dataset = folders.data.join(slug(&files.run.dataset_id));
    for name in DATA_FILES.into_iter().chain(["manifest.json"]) {
        let entry = digest_of(&dataset.join(name))?;
        inputs.push(Input { name: format!("data/{}/{name}", files.run.dataset_id), entry });
    }
    let mut played = BTreeSet::new();
    for (model, arm, ..) in files.log()?.keys().filter(|key| key.1 != BASELINE_ARM) {
        played.insert((model, arm));
    }
    for (model, arm) in played {
        let relative = relative_path(&files.run.dataset_id, model, arm);
        let path = folders.cassettes.join(&relative);
        // A live run has no cassettes; verify says so.
        if path.exists() {
            let entry = digest_of(&path)?;
            inputs.push(Input { name: format!("cassettes/{}", relative.display()), entry });
        }
    }
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(inputs)
}

/// The control that is used when none is named: the first of the usual ones that any row was run under.
#[must_use]
pub fn default_control(log: &Log) -> Option<&'static str> {
    CONTROLS.into_iter().find(|control| log.arms().iter().any(|arm| arm == control))
}

/// Computes everything published about a run, on all threads of this machine.
///
/// # Errors
/// Rows that contradict each other, such as one item in two clusters.
pub fn compute_results(
    header: Header,
    log: &Log,
    inputs: Vec<Input>,
    plan: Plan,
) -> Result<Results, Error> {
    let computed =
        log.compute(&plan, &Threads::of_this_machine()).map_err(|e| Error::Input(e.to_string()))?;
    Ok(results(header, inputs, computed, plan))
}

/// The text of `SHA256SUMS`, in the form that `sha256sum --check` reads.
#[must_use]
pub fn sums_text(files: &[(String, FileEntry)]) -> String {
    files.iter().map(|(name, entry)| format!("{}  {name}\n", entry.sha256)).collect()
}
