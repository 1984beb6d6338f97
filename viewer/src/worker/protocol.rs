//! What page and worker say to each other. Pure types; the text is JSON, file contents travel beside it as buffers.

use std::collections::BTreeMap;

use records::{FileEntry, ReadError, Results, Run, Versioned};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::model::{check::Check, files::Role};

/// One file that the page hands over; its bytes are the buffer at the same position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHead {
    /// Name without its folder.
    pub name: String,
    /// What it is.
    pub role: Role,
}

/// What the page asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Echoed in every reply, so that replies to an abandoned request can be told apart.
    pub job: u32,
    /// The files, in the order of their buffers.
    pub files: Vec<FileHead>,
    /// What the site's index says about the files, by name; empty for files from elsewhere.
    pub expected: BTreeMap<String, FileEntry>,
}

/// What the worker answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The worker has started and takes requests.
    Hello,
    /// Where it is.
    Progress {
        /// Which request.
        job: u32,
        /// What it is doing, as a sentence without its full stop.
        step: String,
    },
    /// It is done.
    Done {
        /// Which request.
        job: u32,
        /// What came out.
        report: Box<Report>,
    },
    /// It cannot go on.
    Failed {
        /// Which request; null when the worker itself broke.
        job: Option<u32>,
        /// Why.
        problem: Problem,
    },
}

/// Why something could not be read or computed, with the place and the remedy where they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Problem {
    /// Which file, when it is about one.
    pub file: Option<String>,
    /// Which line, from 1.
    pub line: Option<usize>,
    /// Path of the field.
    pub field: Option<String>,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Problem {
    /// A problem with a remedy.
    #[must_use]
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: Some(remedy.into()), ..Self::default() }
    }

    /// The same problem, in the file called `name`.
    #[must_use]
    pub fn in_file(mut self, name: impl Into<String>) -> Self {
        self.file = Some(name.into());
        self
    }

    /// Place and problem in one line, cut to a length that a page can show.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut place = Vec::new();
        if let Some(file) = &self.file {
            place.push(crate::format::cut(file, 80));
        }
        if let Some(line) = self.line {
            place.push(format!("line {line}"));
        }
        if let Some(field) = &self.field {
            place.push(format!("field {}", crate::format::cut(field, 80)));
        }
        let what = crate::format::cut(&self.what, 400);
        if place.is_empty() { what } else { format!("{}: {what}", place.join(", ")) }
    }
}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Self {
        Self {
            file: Some(error.file),
            line: Some(error.line),
            field: (!error.field.is_empty()).then_some(error.field),
            what: error.problem,
            remedy: Some(error.remedy),
        }
    }
}

/// One loaded file and whether its digest is the one that others name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReport {
    /// Name without its folder.
    pub name: String,
    /// Digest, size and lines of the bytes that were loaded.
    pub entry: FileEntry,
    /// Who names a digest for it, and whether it is this one.
    pub named_by: Vec<(String, bool)>,
}

/// Everything that came out of one request.
///
/// The three large parts travel beside the reply, each as a file of its own, and are read by the same reader as files
/// are: one reader less in the module, and the page can trust them no more and no less than any file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Report {
    /// The publication, when there is one.
    #[serde(skip)]
    pub published: Option<Results>,
    /// What follows from the records, when they are there and can be read.
    #[serde(skip)]
    pub recomputed: Option<Results>,
    /// What was run, when `run.json` is there.
    #[serde(skip)]
    pub run: Option<Run>,
    /// One per published entry; empty when nothing was published.
    pub checks: Vec<Check>,
    /// Records read.
    pub n_records: u64,
    /// Time for reading and hashing, in milliseconds.
    pub read_ms: f64,
    /// Time for computing and comparing, in milliseconds.
    pub compute_ms: f64,
    /// The files.
    pub files: Vec<FileReport>,
    /// What a reader should know besides: unknown fields, names that do not fit together.
    pub notes: Vec<String>,
    /// What could not be read or computed although the rest could.
    pub problems: Vec<Problem>,
}

impl Report {
    /// The large parts as text, in the order in which [`Report::attach`] takes them.
    #[must_use]
    pub fn parts(&self) -> [Option<String>; 3] {
        // By way of a JSON value, as elsewhere in the module: a second way of writing these types would be a second
        // copy of their code.
        fn text<T: Serialize>(part: Option<&T>) -> Option<String> {
            part.and_then(|p| serde_json::to_value(p).ok()).map(|v| v.to_string())
        }
        [text(self.published.as_ref()), text(self.recomputed.as_ref()), text(self.run.as_ref())]
    }

    /// Takes the parts back in.
    ///
    /// # Errors
    /// A part that cannot be read, which would be a fault of this program.
    pub fn attach(
        &mut self,
        [published, recomputed, run]: [Option<String>; 3],
    ) -> Result<(), Problem> {
        fn read<T: DeserializeOwned + Versioned>(
            name: &str,
            text: Option<String>,
        ) -> Result<Option<T>, Problem> {
            let parsed = text.map(|t| records::parse_json::<T>(name, t.as_bytes())).transpose()?;
            Ok(parsed.and_then(|p| p.rows.into_iter().next()))
        }
        self.published = read("the publication", published)?;
        self.recomputed = read("the recomputed results", recomputed)?;
        self.run = read("run.json", run)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_survives_the_round_trip() {
        let replies = [
            Reply::Hello,
            Reply::Progress { job: 3, step: "reading".into() },
            Reply::Done { job: 3, report: Box::default() },
            Reply::Failed { job: None, problem: Problem::new("a", "b").in_file("c") },
        ];
        for reply in replies {
            let text = serde_json::to_string(&reply).unwrap();
            assert_eq!(serde_json::from_str::<Reply>(&text).unwrap(), reply);
        }
    }

    #[test]
    fn the_large_parts_survive_to_the_bit() {
        let mut results = crate::model::example::results();
        results.figures[0].value = Some(0.1 + 0.2);
        let report = Report { recomputed: Some(results), ..Report::default() };
        let mut received = Report::default();
        received.attach(report.parts()).unwrap();
        assert_eq!(received, report);
    }

    #[test]
    fn a_problem_names_its_place() {
        let problem = Problem {
            file: Some("records.jsonl".into()),
            line: Some(17),
            field: Some("confidence".into()),
            what: "is 7, outside 0 to 1".into(),
            remedy: None,
        };
        assert_eq!(
            problem.sentence(),
            "records.jsonl, line 17, field confidence: is 7, outside 0 to 1"
        );
    }
}
