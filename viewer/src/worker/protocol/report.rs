use records::{FileEntry, Results, Run};
use serde::{Deserialize, Serialize};

use super::Problem;
use crate::{model::check::Check, url_state::Applied};

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
    /// Fields by which the records can be cut into parts: `set`, `split`, `tags.NAME`.
    pub cuts: Vec<String>,
    /// Arms of the records, in order.
    pub arms: Vec<String>,
    /// True when some cluster holds more than one question.
    pub grouped: bool,
    /// True while only values have been recomputed; the checks are then of values alone.
    pub awaits_intervals: bool,
}

/// What came out of the reader's own settings or changed records.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Computation {
    /// The numbers; travels beside the reply as those of [`Report`] do.
    #[serde(skip)]
    pub results: Option<Results>,
    /// Verdicts on the publication; empty when the settings are not those that it was made with.
    pub checks: Vec<Check>,
    /// What the changes met.
    pub applied: Applied,
    /// Records that entered.
    pub n_records: u64,
    /// Time for computing and comparing, in milliseconds.
    pub compute_ms: f64,
}
