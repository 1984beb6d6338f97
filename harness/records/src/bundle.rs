use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Versioned;

/// Where a document comes from and under which terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// news, encyclopaedia, official, report, constructed, …
    pub kind: String,
    /// Who published it.
    #[serde(default)]
    pub publisher: Option<String>,
    /// Address, when it has one.
    #[serde(default)]
    pub url: Option<String>,
    /// Revision that was taken, for sources that have revisions.
    #[serde(default)]
    pub revid: Option<u64>,
    /// Licence, as an SPDX identifier where there is one.
    pub licence: String,
    /// Whom to name.
    #[serde(default)]
    pub attribution: Option<String>,
}

/// One dated document: a line of `documents.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    /// "recount.document/1".
    pub schema: String,
    /// Unique within the data set.
    pub doc_id: String,
    /// Title as shown to the model.
    pub title: String,
    /// The date as of which the text stands, RFC 3339 UTC.
    pub as_of: String,
    /// The text.
    pub text: String,
    /// Where it comes from.
    pub source: Source,
    /// SHA-256 of title, as_of and text joined by newlines.
    pub sha256: String,
}

impl Versioned for Document {
    const NAME: &'static str = "recount.document";
    fn schema(&self) -> &str {
        &self.schema
    }
}

/// Why a document is in a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The outcome follows from it.
    Evidence,
    /// Shares names or numbers, decides nothing.
    Distractor,
    /// An earlier state that a later document corrects.
    OlderRevision,
}

/// A document's place in a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BundleDocument {
    /// Which document.
    pub doc_id: String,
    /// Why it is there; never shown to the model.
    pub role: Role,
    /// The document's digest at the time of freezing.
    pub sha256: String,
}

/// The frozen evidence of one item: a line of `bundles.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bundle {
    /// "recount.bundle/1".
    pub schema: String,
    /// Which item.
    pub item_id: String,
    /// Documents in prompt order.
    pub documents: Vec<BundleDocument>,
    /// SHA-256 of the documents' digests joined by newlines.
    pub sha256: String,
}

impl Versioned for Bundle {
    const NAME: &'static str = "recount.bundle";
    fn schema(&self) -> &str {
        &self.schema
    }
}
