//! The folder of a run: an append-only log of records, the raw completions, and what was run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{File, OpenOptions, TryLockError},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use records::{LineReader, Record, ResponseText, Status, Versioned, parse_jsonl, sha256_hex};
use serde::de::DeserializeOwned;

use crate::error::{Error, io_text, read_file};

/// Names of a run's files, in the order in which `SHA256SUMS` lists them.
pub const RUN_FILES: [&str; 4] = ["records.jsonl", "responses.jsonl", "run.json", "results.json"];

/// Bytes that are read of a log at a time.
const PIECE: usize = 1 << 16;

/// An append-only log of lines that this process alone writes to.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    len: u64,
}

impl Log {
    /// Opens or creates the log and its folder, takes the lock that goes with writing to it, and hands each row that is
    /// there to `each`. A last line without a line end is what a crash left of the line in flight: it is removed.
    ///
    /// # Errors
    /// The folder or file cannot be written, another process holds the lock, or a line is wrong.
    pub fn open<T: DeserializeOwned + Versioned>(
        path: &Path,
        mut each: impl FnMut(T),
    ) -> Result<Self, Error> {
        let name = path.display().to_string();
        let problem = |e: &std::io::Error| Error::Input(format!("{name}: {}", io_text(e)));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| problem(&e))?;
        }
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        let mut file = options.open(path).map_err(|e| problem(&e))?;
        file.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => Error::Input(format!(
                "{name}: another recount is writing to it; wait until it is done, or name another folder"
            )),
            TryLockError::Error(e) => problem(&e),
        })?;
        let mut reader = LineReader::<T>::new(&name);
        let mut piece = vec![0; PIECE];
        let (mut read, mut whole) = (0, 0);
        loop {
            let n = file.read(&mut piece).map_err(|e| problem(&e))?;
            if n == 0 {
                break;
            }
            reader.push(&piece[..n], |_, row| each(row))?;
            if let Some(end) = piece[..n].iter().rposition(|b| *b == b'\n') {
                whole = read + end as u64 + 1;
            }
            read += n as u64;
        }
        if whole < read {
            file.set_len(whole).map_err(|e| problem(&e))?;
        }
        Ok(Self { path: path.to_owned(), file, len: whole })
    }

    /// Writes one row, whole or not at all.
    ///
    /// # Errors
    /// The disk is full or the file is gone.
    pub fn append<T: serde::Serialize>(&mut self, row: &T) -> Result<(), Error> {
        let problem = |text: String| Error::Input(format!("{}: {text}", self.path.display()));
        let mut line = serde_json::to_string(row).map_err(|e| problem(e.to_string()))?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(|e| {
            // What there was room for would stand before the next row. Whoever opens the log removes it too.
            let _ = self.file.set_len(self.len);
            problem(io_text(&e))
        })?;
        self.len += line.len() as u64;
        Ok(())
    }

    /// Waits until what was written is on the disk.
    ///
    /// # Errors
    /// As [`Log::append`].
    pub fn sync(&mut self) -> Result<(), Error> {
        let problem = |e| Error::Input(format!("{}: {}", self.path.display(), io_text(&e)));
        self.file.sync_data().map_err(problem)
    }

    fn remove_if_empty(self) {
        if self.len == 0 {
            // Best effort: whatever made the file unwanted is the error that matters.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

type OwnedKey = (String, String, u32, String);

/// A run's log, opened for appending.
#[derive(Debug)]
pub struct RunFolder {
    records: Log,
    responses: Log,
    known_responses: BTreeSet<String>,
    /// For each key, the number of rows so far and the status of the last one.
    rows: BTreeMap<OwnedKey, (u32, Status)>,
    span: Span,
}

/// From the first to the last call of a run, RFC 3339 UTC.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// Time of the first call.
    pub first: Option<String>,
    /// Time of the last call.
    pub last: Option<String>,
}

impl Span {
    /// Takes the time of a call, if there is one.
    pub fn add(&mut self, time: Option<&String>) {
        let Some(time) = time else { return };
        if self.first.as_ref().is_none_or(|first| time < first) {
            self.first = Some(time.clone());
        }
        if self.last.as_ref().is_none_or(|last| time > last) {
            self.last = Some(time.clone());
        }
    }
}

fn owned((model, arm, repeat, item): records::Key<'_>) -> OwnedKey {
    (model.to_owned(), arm.to_owned(), repeat, item.to_owned())
}

impl RunFolder {
    /// Opens or creates the run in `folder`; no other process can until this one is done with it.
    ///
    /// # Errors
    /// A file cannot be read or written, holds a wrong line, or is being written to by another process.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let mut rows = BTreeMap::new();
        let mut span = Span::default();
        let records = Log::open(&folder.join("records.jsonl"), |record: Record| {
            span.add(record.started_at.as_ref());
            let entry = rows.entry(owned(record.key())).or_insert((0, record.status));
            *entry = (entry.0 + 1, record.status);
        })?;
        let mut known_responses = BTreeSet::new();
        let responses = Log::open(&folder.join("responses.jsonl"), |response: ResponseText| {
            known_responses.insert(response.response_sha256);
        })?;
        Ok(Self { records, responses, known_responses, rows, span })
    }

    /// The number that the next row of this key bears, or `None` when its last row stands. A row that was not served
    /// is tried again; one that the harness or the request was at fault for, only when `retry_faults` asks for it.
    #[must_use]
    pub fn next_attempt(&self, key: records::Key<'_>, retry_faults: bool) -> Option<u32> {
        match self.rows.get(&owned(key)) {
            None => Some(1),
            Some((rows, Status::Unserved)) => Some(rows + 1),
            Some((rows, Status::HarnessFault)) if retry_faults => Some(rows + 1),
            Some(_) => None,
        }
    }

    /// Appends a row and the completions that it rests on, completions first.
    ///
    /// # Errors
    /// The disk is full or a file is gone.
    pub fn append(&mut self, record: &Record, completions: &[String]) -> Result<(), Error> {
        for text in completions {
            let response_sha256 = sha256_hex(text.as_bytes());
            if !self.known_responses.contains(&response_sha256) {
                self.responses.append(&ResponseText {
                    schema: ResponseText::tag(),
                    response_sha256: response_sha256.clone(),
                    text: text.clone(),
                })?;
                self.known_responses.insert(response_sha256);
            }
        }
        self.records.append(record)?;
        self.span.add(record.started_at.as_ref());
        self.rows.insert(owned(record.key()), (record.attempt, record.status));
        Ok(())
    }

    /// Leaves nothing behind of a run that could not begin.
    pub fn remove_if_empty(self) {
        let folder = self.records.path.parent().map(Path::to_owned);
        self.records.remove_if_empty();
        self.responses.remove_if_empty();
        // A folder that holds anything stays.
        folder.map(std::fs::remove_dir);
    }

    /// From the first to the last call.
    #[must_use]
    pub fn span(&self) -> &Span {
        &self.span
    }
}

/// The folder of a run that somebody named: a path to it, or its name below `results`.
///
/// # Errors
/// It is a file, or there is no such run.
pub fn located(run: &Path, results: &Path) -> Result<PathBuf, Error> {
    if run.is_file() {
        return Err(Error::Usage(format!(
            "{}: is a file; name the folder of the run that it belongs to",
            run.display()
        )));
    }
    if run.is_dir() || run.components().count() > 1 {
        return Ok(run.to_owned());
    }
    let named = results.join(run);
    if named.is_dir() {
        return Ok(named);
    }
    Err(Error::Input(format!("{}: there is no such run", named.display())))
}

/// Reads a log of a run.
///
/// # Errors
/// The file is missing or a line is wrong.
pub fn read_log<T: DeserializeOwned + Versioned>(path: &Path) -> Result<Vec<T>, Error> {
    Ok(parse_jsonl(&path.display().to_string(), &read_file(path)?)?.rows)
}
