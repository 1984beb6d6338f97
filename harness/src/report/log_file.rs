//! A records file of any length, read on all threads, of which no more is held than figures need.

use std::{fs::File, io::Read, path::Path, thread};

use metrics::{Log, LogBuilder, Workers};
use records::{
    FileDigest, FileEntry, LineReader, Parsed, ReadError, Record, UnknownFields, line_parts,
};

use crate::{
    error::{Error, io_text},
    threads::Threads,
};

/// Bytes that each thread parses at a time; a longer line is read whole.
const PIECE: usize = 1 << 21;

/// What stands in a records file.
#[derive(Debug)]
pub struct LogFile {
    /// The rows that count.
    pub log: Log,
    /// Digest and size of the file.
    pub entry: FileEntry,
    /// Run of the first row.
    pub run_id: String,
    /// Data set of the first row.
    pub dataset_id: String,
    /// A sentence about unknown fields.
    pub note: Option<String>,
}

/// What a thread made of its part.
type Part = Result<(Vec<Record>, UnknownFields), ReadError>;

/// Reads a records file piece by piece: while some threads parse a piece, this one takes the rows of the piece before.
///
/// # Errors
/// The file cannot be read, holds no row, or has a line that is wrong; the first such line is named.
pub fn read_log_file(path: &Path) -> Result<LogFile, Error> {
    let name = path.display().to_string();
    let failed = |e: std::io::Error| Error::Input(format!("{name}: {}", io_text(&e)));
    let mut file = File::open(path).map_err(failed)?;
    let width = Threads::of_this_machine().width();
    let mut taken = Taken::default();
    let (mut parsed, mut rest, mut line) = (Vec::new(), Vec::new(), 1);
    loop {
        let piece = next_piece(&mut file, &mut rest, width * PIECE).map_err(failed)?;
        taken.digest.push(&piece);
        let first_line = line;
        line += piece.iter().filter(|b| **b == b'\n').count();
        let parts = line_parts(&piece, width);
        let waiting = std::mem::take(&mut parsed);
        thread::scope(|scope| {
            let name = &name;
            let parse = |(number, part)| move || parse(name, first_line + number - 1, part);
            let threads: Vec<_> = parts.into_iter().map(|p| scope.spawn(parse(p))).collect();
            let outcome = waiting.into_iter().try_for_each(|part| taken.take(part));
            parsed = threads
                .into_iter()
                .map(|t| t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect();
            outcome
        })?;
        if parsed.is_empty() {
            break;
        }
    }
    taken.finish(&name)
}

/// Whole lines of about `size` bytes, or whatever is left; `rest` holds the beginning of the line that comes next.
fn next_piece(file: &mut File, rest: &mut Vec<u8>, size: usize) -> std::io::Result<Vec<u8>> {
    let mut piece = std::mem::take(rest);
    loop {
        let n = file.by_ref().take(size as u64).read_to_end(&mut piece)?;
        if n == 0 {
            return Ok(piece);
        }
        if let Some(last) = piece.iter().rposition(|b| *b == b'\n') {
            *rest = piece.split_off(last + 1);
            return Ok(piece);
        }
    }
}

fn parse(name: &str, first_line: usize, bytes: &[u8]) -> Part {
    let mut rows = Vec::new();
    let mut reader = LineReader::from_line(name, first_line);
    reader.push(bytes, |_, row| rows.push(row))?;
    let unknown = reader.finish(|_, row| rows.push(row))?;
    Ok((rows, unknown))
}

/// What was taken of the file so far.
#[derive(Default)]
struct Taken {
    digest: FileDigest,
    log: LogBuilder,
    /// Run and data set of the first row.
    first: Option<(String, String)>,
    unknown: UnknownFields,
}

impl Taken {
    fn take(&mut self, part: Part) -> Result<(), Error> {
        let (rows, unknown) = part?;
        for row in &rows {
            self.log.push(row).map_err(|e| Error::Input(e.to_string()))?;
        }
        if let (None, Some(row)) = (&self.first, rows.first()) {
            self.first = Some((row.run_id.clone(), row.dataset_id.clone()));
        }
        for (field, n) in unknown {
            *self.unknown.entry(field).or_insert(0) += n;
        }
        Ok(())
    }

    fn finish(self, name: &str) -> Result<LogFile, Error> {
        let Some((run_id, dataset_id)) = self.first else {
            return Err(Error::Input(format!("{name}: holds no record")));
        };
        let log = self.log.finish().map_err(|e| Error::Input(e.to_string()))?;
        let note = Parsed::<Record> { rows: Vec::new(), unknown: self.unknown }.unknown_note(name);
        Ok(LogFile { log, entry: self.digest.finish(), run_id, dataset_id, note })
    }
}
