//! The folder of a run: an append-only log of records, the raw completions, and what was run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use records::{Record, ResponseText, Status, Versioned, parse_jsonl, sha256_hex};

use crate::error::{Error, io_text, read_file};

/// Names of a run's files, in the order in which `SHA256SUMS` lists them.
pub const RUN_FILES: [&str; 4] = ["records.jsonl", "responses.jsonl", "run.json", "results.json"];

/// Opens an append-only log of lines, creating it and its folder. A last line without a line end is what a crash left
/// of the line in flight: it is removed.
///
/// # Errors
/// The folder or file cannot be written.
pub fn open_log(path: &Path) -> Result<File, Error> {
    let problem = |e: &std::io::Error| Error::Input(format!("{}: {}", path.display(), io_text(e)));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| problem(&e))?;
    }
    let mut file = OpenOptions::new()
        .create(true)
        .read(true)
        .append(true)
        .open(path)
        .map_err(|e| problem(&e))?;
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))
        .and_then(|_| file.read_to_end(&mut bytes))
        .map_err(|e| problem(&e))?;
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    if whole < bytes.len() {
        file.set_len(whole as u64).map_err(|e| problem(&e))?;
    }
    Ok(file)
}

type OwnedKey = (String, String, u32, String);

/// A run's log, opened for appending.
#[derive(Debug)]
pub struct RunFolder {
    folder: PathBuf,
    records: File,
    responses: File,
    known_responses: BTreeSet<String>,
    /// For each key, the number of rows so far and whether the last one was served.
    rows: BTreeMap<OwnedKey, (u32, bool)>,
}

impl RunFolder {
    /// Opens or creates the run in `folder`.
    ///
    /// # Errors
    /// A file cannot be read or written, or holds a wrong line.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let records_path = folder.join("records.jsonl");
        let responses_path = folder.join("responses.jsonl");
        let records = open_log(&records_path)?;
        let responses = open_log(&responses_path)?;
        let mut rows = BTreeMap::new();
        for record in read_log::<Record>(&records_path)? {
            let (model, arm, repeat, item) = record.key();
            let key = (model.to_owned(), arm.to_owned(), repeat, item.to_owned());
            let entry = rows.entry(key).or_insert((0, false));
            *entry = (entry.0 + 1, is_final(record.status));
        }
        let known_responses = read_log::<ResponseText>(&responses_path)?
            .into_iter()
            .map(|r| r.response_sha256)
            .collect();
        Ok(Self { folder: folder.to_owned(), records, responses, known_responses, rows })
    }

    /// The number that the next row of this key bears, or `None` when its last row stands.
    #[must_use]
    pub fn next_attempt(&self, key: (&str, &str, u32, &str)) -> Option<u32> {
        let owned = (key.0.to_owned(), key.1.to_owned(), key.2, key.3.to_owned());
        match self.rows.get(&owned) {
            None => Some(1),
            Some((_, true)) => None,
            Some((rows, false)) => Some(rows + 1),
        }
    }

    /// Appends a row and the completions that it rests on, completions first.
    ///
    /// # Errors
    /// The disk is full or a file is gone.
    pub fn append(&mut self, record: &Record, completions: &[String]) -> Result<(), Error> {
        for text in completions {
            let response_sha256 = sha256_hex(text.as_bytes());
            if self.known_responses.insert(response_sha256.clone()) {
                let line = ResponseText {
                    schema: ResponseText::tag(),
                    response_sha256,
                    text: text.clone(),
                };
                append_line(&mut self.responses, &self.folder.join("responses.jsonl"), &line)?;
            }
        }
        append_line(&mut self.records, &self.folder.join("records.jsonl"), record)?;
        let (model, arm, repeat, item) = record.key();
        let key = (model.to_owned(), arm.to_owned(), repeat, item.to_owned());
        self.rows.insert(key, (record.attempt, is_final(record.status)));
        Ok(())
    }
}

/// A row that is not tried again when the run is resumed.
fn is_final(status: Status) -> bool {
    status.is_served() || status == Status::HarnessFault
}

fn append_line<T: serde::Serialize>(file: &mut File, path: &Path, row: &T) -> Result<(), Error> {
    let problem = |text: String| Error::Input(format!("{}: {text}", path.display()));
    let mut line = serde_json::to_string(row).map_err(|e| problem(e.to_string()))?;
    line.push('\n');
    file.write_all(line.as_bytes()).map_err(|e| problem(io_text(&e)))
}

/// Reads a log of a run.
///
/// # Errors
/// The file is missing or a line is wrong.
pub fn read_log<T: serde::de::DeserializeOwned + Versioned>(path: &Path) -> Result<Vec<T>, Error> {
    Ok(parse_jsonl(&path.display().to_string(), &read_file(path)?)?.rows)
}
