use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FileEntry, Versioned};

/// One run of a site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IndexEntry {
    /// The run.
    pub run_id: String,
    /// A line for people.
    pub title: String,
    /// The data set's signature.
    pub dataset_signature: String,
    /// Time of the last call, RFC 3339 UTC.
    pub date: Option<String>,
    /// Folder of the run, relative to the index.
    pub path: String,
    /// Its files.
    pub files: BTreeMap<String, FileEntry>,
    /// A few figures by id.
    pub headline: BTreeMap<String, f64>,
}

/// The runs of a published site: `index.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Index {
    /// "recount.index/1".
    pub schema: String,
    /// The runs, newest first.
    pub runs: Vec<IndexEntry>,
}

impl Versioned for Index {
    const NAME: &'static str = "recount.index";
    fn schema(&self) -> &str {
        &self.schema
    }
}
