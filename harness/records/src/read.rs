use std::collections::BTreeMap;

use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};

use crate::{
    LineReader, Versioned,
    version::check_version,
    watched::{Watch, Watched},
};

/// Characters of a broken line that a message shows.
const SNIPPET_CHARS: usize = 60;

/// One field whose value is not allowed: what is wrong with it and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldProblem {
    /// Path of the field, e.g. `usage.input_tokens`.
    pub field: String,
    /// What is wrong, as the end of a sentence that begins with the field's name.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl FieldProblem {
    /// A problem at `field`.
    #[must_use]
    pub fn new(field: impl Into<String>, problem: impl Into<String>, remedy: String) -> Self {
        Self { field: field.into(), problem: problem.into(), remedy }
    }
}

/// Why a file could not be read, with the place and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}{}: {problem}; {remedy}", if field.is_empty() { String::new() } else { format!(", field `{field}`") })]
pub struct ReadError {
    /// Name of the file, as the caller gave it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Path of the field; empty when the line as a whole is wrong.
    pub field: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

/// Fields that this build does not know, by path, with how often each was seen. They stay in the file untouched.
pub type UnknownFields = BTreeMap<String, u64>;

/// The typed rows of a file and what was noticed while reading it.
#[derive(Debug, Clone)]
pub struct Parsed<T> {
    /// One value per line, in file order.
    pub rows: Vec<T>,
    /// Fields that were not understood, counted.
    pub unknown: UnknownFields,
}

impl<T> Parsed<T> {
    /// One sentence about unknown fields, or `None` when there were none.
    #[must_use]
    pub fn unknown_note(&self, file: &str) -> Option<String> {
        if self.unknown.is_empty() {
            return None;
        }
        let list: Vec<_> = self.unknown.iter().map(|(k, n)| format!("`{k}` ({n} times)")).collect();
        Some(format!(
            "{file}: kept but not used, since this build does not know them: {}",
            list.join(", ")
        ))
    }
}

#[derive(Deserialize)]
struct SchemaOnly {
    schema: Option<String>,
}

/// Reads a JSON Lines file: one `T` a line.
///
/// A byte order mark, CRLF line ends and a missing last newline are accepted; blank lines are skipped; unknown fields
/// are counted.
///
/// # Errors
/// The first line that is not valid JSON, lacks a field, has a wrong type or value, or is of a newer major version.
pub fn parse_jsonl<T: DeserializeOwned + Versioned>(
    file: &str,
    bytes: &[u8],
) -> Result<Parsed<T>, ReadError> {
    let mut rows = Vec::new();
    let unknown = parse_jsonl_with(file, bytes, |_, row| rows.push(row))?;
    Ok(Parsed { rows, unknown })
}

/// As [`parse_jsonl`], handing each row with its line number (from 1) to `each` instead of collecting them.
///
/// # Errors
/// As [`parse_jsonl`].
pub fn parse_jsonl_with<T: DeserializeOwned + Versioned>(
    file: &str,
    bytes: &[u8],
    mut each: impl FnMut(usize, T),
) -> Result<UnknownFields, ReadError> {
    let mut reader = LineReader::new(file);
    reader.push(bytes, &mut each)?;
    reader.finish(each)
}

/// Reads a file that holds one JSON value.
///
/// # Errors
/// As [`parse_jsonl`]; the line is the one where the parser stopped.
pub fn parse_json<T: DeserializeOwned + Versioned>(
    file: &str,
    bytes: &[u8],
) -> Result<Parsed<T>, ReadError> {
    let mut unknown = UnknownFields::new();
    let row = parse_one(file, 1, strip_bom(bytes), &mut unknown)?;
    Ok(Parsed { rows: vec![row], unknown })
}

pub(crate) fn strip_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

pub(crate) fn parse_one<T: DeserializeOwned + Versioned>(
    file: &str,
    first_line: usize,
    bytes: &[u8],
    unknown: &mut UnknownFields,
) -> Result<T, ReadError> {
    // All at once takes less time than text by text.
    let (text, no_text) = as_text(bytes);
    let watch = Watch::default();
    let mut json = serde_json::Deserializer::from_str(text);
    let outcome = T::deserialize(Watched::new(&mut json, &watch))
        .and_then(|value| json.end().map(|()| value));
    // What needs no type is not written out for each of them.
    let outcome = match no_text {
        None => outcome.map_err(|error| {
            let check = |schema: &str| check_version(schema, T::NAME, T::MAJOR);
            refused(&error, text, watch.path(), check)
        }),
        Some(byte) => Err(not_text(outcome.err(), text, byte, watch.path())),
    };
    let value = outcome.map_err(|refusal| refusal.at(file, first_line))?;
    check_version(value.schema(), T::NAME, T::MAJOR)
        .and_then(|()| value.check())
        .map_err(|p| Refusal { line: 1, problem: p }.at(file, first_line))?;
    count(watch.into_ignored(), unknown);
    Ok(value)
}

/// The text that bytes are, or the text before the first byte that is none, and that byte.
fn as_text(bytes: &[u8]) -> (&str, Option<u8>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let (text, rest) = bytes.split_at(error.valid_up_to());
            (std::str::from_utf8(text).unwrap_or_default(), rest.first().copied())
        }
    }
}

fn count(ignored: Vec<String>, unknown: &mut UnknownFields) {
    for path in ignored {
        *unknown.entry(path).or_insert(0) += 1;
    }
}

/// What is wrong with a value, and in which of its lines, from 1.
struct Refusal {
    line: usize,
    problem: FieldProblem,
}

impl Refusal {
    fn at(self, file: &str, first_line: usize) -> ReadError {
        let FieldProblem { field, problem, remedy } = self.problem;
        let line = first_line + self.line.saturating_sub(1);
        ReadError { file: file.to_owned(), line, field, problem, remedy }
    }
}

/// What is wrong with `text`, which ends where a byte is no text: that, unless something else is wrong before.
fn not_text(error: Option<serde_json::Error>, text: &str, byte: u8, field: String) -> Refusal {
    if let Some(error) = error.filter(|error| !error.is_eof()) {
        return refused(&error, text, field, |_| Ok(()));
    }
    let column = text.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let problem = format!("is not UTF-8 text: byte 0x{byte:02X} at column {column}");
    let remedy = "save the file as UTF-8, or restore it".to_owned();
    Refusal {
        line: text.matches('\n').count() + 1,
        problem: FieldProblem { field, problem, remedy },
    }
}

fn refused(
    error: &serde_json::Error,
    text: &str,
    field: String,
    check: fn(&str) -> Result<(), FieldProblem>,
) -> Refusal {
    // A newer version may have other types, so its version is the cause to name.
    if let Ok(SchemaOnly { schema: Some(schema) }) = serde_json::from_str(text)
        && let Err(problem) = check(&schema)
    {
        return Refusal { line: 1, problem };
    }
    let (problem, remedy) = explain(error, text);
    Refusal { line: error.line(), problem: FieldProblem { field, problem, remedy } }
}

fn explain(error: &serde_json::Error, json: &str) -> (String, String) {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or(&text).to_owned();
    if json.bytes().all(|byte| byte.is_ascii_whitespace()) {
        return ("is empty".into(), "check that the whole file was copied".into());
    }
    if error.is_eof() {
        return (
            format!("the JSON ends too early, at column {}", error.column()),
            "the line is cut off: restore it, or delete it if it is the last one of a log".into(),
        );
    }
    // A number where a name should be is called a fault of syntax too, in JSON that has none.
    if error.is_syntax() && serde_json::from_str::<IgnoredAny>(json).is_err() {
        let start = json.chars().filter(|c| !c.is_control()).take(SNIPPET_CHARS);
        let start: String = start.collect();
        let remedy = if start.trim_start().starts_with('<') {
            "this looks like a web page, not a data file: check the address".into()
        } else {
            "write one JSON value as RFC 8259 has it (no NaN, no comments, no trailing comma)"
                .into()
        };
        return (
            format!("not valid JSON at column {} ({text}); it begins `{start}`", error.column()),
            remedy,
        );
    }
    let text = if text == "expected value" { "has a value of the wrong type".into() } else { text };
    (text, "see the JSON Schema of this file (`recount schema`)".into())
}
