//! Reading a JSON Lines file that arrives in pieces.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::{
    Versioned,
    read::{ReadError, UnknownFields, parse_one, strip_bom},
};

/// Reads JSON Lines from pieces of any size, one row at a time: besides what the caller keeps of them it holds no more
/// than the line that a piece ended in.
///
/// Accepts and refuses what [`crate::parse_jsonl`] does, with the same messages, wherever the pieces begin and end.
#[derive(Debug)]
pub struct LineReader<T> {
    file: String,
    /// The line that comes next, from 1.
    number: usize,
    /// The beginning of a line whose end has not come yet.
    rest: Vec<u8>,
    unknown: UnknownFields,
    row: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + Versioned> LineReader<T> {
    /// A reader of `file`, which is named in messages and not opened.
    #[must_use]
    pub fn new(file: &str) -> Self {
        Self::from_line(file, 1)
    }

    /// A reader of a part of `file` that begins with line `number`, counted from 1; see [`line_parts`].
    #[must_use]
    pub fn from_line(file: &str, number: usize) -> Self {
        Self {
            file: file.to_owned(),
            number,
            rest: Vec::new(),
            unknown: UnknownFields::new(),
            row: PhantomData,
        }
    }

    /// Takes the next piece and hands each row that it completes to `each`, with the row's line.
    ///
    /// # Errors
    /// The first line that [`crate::parse_jsonl`] would refuse. Nothing that comes after it should be pushed.
    pub fn push(
        &mut self,
        mut piece: &[u8],
        mut each: impl FnMut(usize, T),
    ) -> Result<(), ReadError> {
        while let Some(end) = memchr::memchr(b'\n', piece) {
            let (line, after) = (&piece[..end], &piece[end + 1..]);
            if self.rest.is_empty() {
                self.line(line, &mut each)?;
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.line(&whole, &mut each)?;
            }
            piece = after;
        }
        self.rest.extend_from_slice(piece);
        Ok(())
    }

    /// Reads the last line, which need not have an end, and returns the unknown fields of all lines.
    ///
    /// # Errors
    /// As [`LineReader::push`].
    pub fn finish(mut self, mut each: impl FnMut(usize, T)) -> Result<UnknownFields, ReadError> {
        let last = std::mem::take(&mut self.rest);
        self.line(&last, &mut each)?;
        Ok(self.unknown)
    }

    fn line(&mut self, line: &[u8], each: &mut impl FnMut(usize, T)) -> Result<(), ReadError> {
        let number = self.number;
        self.number += 1;
        let line = if number == 1 { strip_bom(line) } else { line };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.iter().all(u8::is_ascii_whitespace) {
            each(number, parse_one(&self.file, number, line, &mut self.unknown)?);
        }
        Ok(())
    }
}

/// Cuts a JSON Lines file into at most `n` parts of about the same size that begin at lines, each with the number of
/// its first line: for readers with several threads.
#[must_use]
pub fn line_parts(bytes: &[u8], n: usize) -> Vec<(usize, &[u8])> {
    let mut parts = Vec::new();
    let (mut start, mut number) = (0, 1);
    for i in 1..=n {
        let aim = (bytes.len() / n * i).max(start);
        let end = match memchr::memchr(b'\n', &bytes[aim..]) {
            Some(offset) if i < n => aim + offset + 1,
            _ => bytes.len(),
        };
        if end > start {
            parts.push((number, &bytes[start..end]));
            number += memchr::memchr_iter(b'\n', &bytes[start..end]).count();
        }
        start = end;
    }
    parts
}
