//! Files of any length, of which no more is held than the piece that is being read.

use std::{fs::File, io::Read, path::Path, thread};

use metrics::Workers;
use records::{
    FileDigest, FileEntry, LineReader, Parsed, ReadError, UnknownFields, Versioned, line_parts,
};
use serde::de::DeserializeOwned;

use crate::{
    error::{Error, io_text},
    threads::Threads,
};

/// Bytes that each thread parses at a time; a longer line is read whole.
const PIECE: usize = 1 << 21;

/// Bytes that are digested at a time where nothing is parsed.
const DIGESTED: u64 = 1 << 16;

/// What is known of a file once all of it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen {
    /// Digest and size of the file.
    pub entry: FileEntry,
    /// A sentence about unknown fields.
    pub note: Option<String>,
}

/// Digest and size of a file.
///
/// # Errors
/// The file is missing or cannot be read.
pub fn digest_of(path: &Path) -> Result<FileEntry, Error> {
    let failed = |e: std::io::Error| Error::Input(format!("{}: {}", path.display(), io_text(&e)));
    let mut file = File::open(path).map_err(failed)?;
    let (mut digest, mut piece) = (FileDigest::default(), Vec::new());
    while file.by_ref().take(DIGESTED).read_to_end(&mut piece).map_err(failed)? > 0 {
        digest.push(&piece);
        piece.clear();
    }
    Ok(digest.finish())
}

/// Reads a JSON Lines file on all threads and hands its rows to `each`, in order: while some threads parse a piece, this
/// one hands over the rows of the piece before.
///
/// # Errors
/// The file cannot be read, a line is wrong (the first such line is named), or `each` refuses a row.
pub fn read_rows<T: DeserializeOwned + Versioned + Send>(
    path: &Path,
    each: impl FnMut(T) -> Result<(), Error>,
) -> Result<Seen, Error> {
    read_by(path, Threads::of_this_machine().width(), PIECE, each)
}

/// [`read_rows`] on `width` threads that take `size` bytes each.
fn read_by<T: DeserializeOwned + Versioned + Send>(
    path: &Path,
    width: usize,
    size: usize,
    mut each: impl FnMut(T) -> Result<(), Error>,
) -> Result<Seen, Error> {
    let name = path.display().to_string();
    let failed = |e: std::io::Error| Error::Input(format!("{name}: {}", io_text(&e)));
    let mut file = File::open(path).map_err(failed)?;
    let (mut digest, mut unknown) = (FileDigest::default(), UnknownFields::new());
    let (mut parsed, mut rest, mut line) = (Vec::<Part<T>>::new(), Vec::new(), 1);
    loop {
        let piece = next_piece(&mut file, &mut rest, width * size).map_err(failed)?;
        digest.push(&piece);
        let first_line = line;
        line += piece.iter().filter(|b| **b == b'\n').count();
        let parts = line_parts(&piece, width);
        let waiting = std::mem::take(&mut parsed);
        thread::scope(|scope| {
            let name = &name;
            let parse = |(number, part)| move || parse(name, first_line + number - 1, part);
            let threads: Vec<_> = parts.into_iter().map(|p| scope.spawn(parse(p))).collect();
            let outcome = waiting.into_iter().try_for_each(|part| {
                let (rows, fields) = part?;
                for (field, n) in fields {
                    *unknown.entry(field).or_insert(0) += n;
                }
                rows.into_iter().try_for_each(&mut each)
            });
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
    let note = Parsed::<T> { rows: Vec::new(), unknown }.unknown_note(&name);
    Ok(Seen { entry: digest.finish(), note })
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

/// What a thread made of its part.
type Part<T> = Result<(Vec<T>, UnknownFields), ReadError>;

fn parse<T: DeserializeOwned + Versioned>(name: &str, first_line: usize, bytes: &[u8]) -> Part<T> {
    let mut rows = Vec::new();
    let mut reader = LineReader::from_line(name, first_line);
    reader.push(bytes, |_, row| rows.push(row))?;
    let unknown = reader.finish(|_, row| rows.push(row))?;
    Ok((rows, unknown))
}

#[cfg(test)]
mod tests {
    use records::{ResponseText, file_entry, parse_jsonl};

    use super::*;

    /// A line with an unknown field now and then.
    fn line(i: usize) -> String {
        let more = if i.is_multiple_of(3) { r#","mood":"good""# } else { "" };
        let text = "x".repeat(i * 7 % 50);
        format!(
            r#"{{"schema":"recount.response/1","response_sha256":"{i}","text":"{text}"{more}}}"#
        )
    }

    /// Files that end in all ways, and some with a line that is wrong.
    fn files() -> Vec<Vec<u8>> {
        let lines: Vec<String> = (0..40).map(line).collect();
        let mut wrong = lines.clone();
        wrong[31] = wrong[31].replace("text", "txt");
        wrong[37].truncate(9);
        vec![
            Vec::new(),
            b"\n\n".to_vec(),
            lines[0].clone().into_bytes(),
            format!("\u{feff}{}\n", lines.join("\n")).into_bytes(),
            lines.join("\r\n\n").into_bytes(),
            wrong.join("\n").into_bytes(),
            [lines.join("\n").as_bytes(), b"\n\xff"].concat(),
        ]
    }

    #[test]
    fn a_file_in_pieces_is_the_file_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("responses.jsonl");
        let name = path.display().to_string();
        for bytes in files() {
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(digest_of(&path).unwrap(), file_entry(&bytes));
            let whole = parse_jsonl::<ResponseText>(&name, &bytes).map_err(Error::from);
            for (width, size) in [(1, 1), (1, 100), (2, 64), (3, 500), (2, PIECE)] {
                let mut rows = Vec::new();
                let seen = read_by(&path, width, size, |row: ResponseText| {
                    rows.push(row);
                    Ok(())
                });
                match (&whole, seen) {
                    (Ok(whole), Ok(seen)) => {
                        assert_eq!(rows, whole.rows);
                        let note = whole.unknown_note(&name);
                        assert_eq!(seen, Seen { entry: file_entry(&bytes), note });
                    }
                    (Err(whole), Err(found)) => assert_eq!(found.to_string(), whole.to_string()),
                    (whole, seen) => panic!("{whole:?} as a whole, {seen:?} in pieces"),
                }
            }
        }
    }

    #[test]
    fn reading_stops_at_a_row_that_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("responses.jsonl");
        std::fs::write(&path, (0..40).map(|i| line(i) + "\n").collect::<String>()).unwrap();
        let mut taken = 0;
        let outcome = read_by(&path, 2, 200, |_: ResponseText| {
            taken += 1;
            if taken == 11 { Err(Error::Input("enough".to_owned())) } else { Ok(()) }
        });
        assert_eq!((outcome.unwrap_err().to_string(), taken), ("enough".to_owned(), 11));
    }
}
