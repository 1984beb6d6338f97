use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Versioned, read::FieldProblem};

/// A candidate that is not in the data set, and why: a line of `rejected.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rejected {
    /// "recount.rejected/1".
    pub schema: String,
    /// The candidate, as its source names it.
    pub candidate_id: String,
    /// The step of the pipeline at which it left.
    pub stage: String,
    /// Why, as one word of a short list.
    pub reason: String,
    /// What the reason rests on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, Value>,
}

impl Versioned for Rejected {
    const NAME: &'static str = "recount.rejected";
    fn schema(&self) -> &str {
        &self.schema
    }
}

/// What a reviewer says about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The item stands: the documents decide the question as it settled.
    Accept,
    /// The item must go; `reason` says why.
    Reject,
    /// Another document, `document`, is the one that holds the answer.
    Article,
    /// The item's older revision, `document`, contradicts the document that holds the answer.
    Conflict,
    /// The last verdict on this item that has not been taken back is taken back.
    Undo,
}

/// A person's verdict on an item: a line of `review.jsonl`. The log is read from the top; later lines count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// "recount.review/1".
    pub schema: String,
    /// The item.
    pub item_id: String,
    /// Who says so.
    pub reviewer: String,
    /// What is said.
    pub verdict: Verdict,
    /// Why, in the reviewer's words; never empty for `reject`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The document that `article` and `conflict` are about; for `accept`, the one that counted as evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// When, RFC 3339 UTC.
    pub at: String,
}

impl Versioned for Review {
    const NAME: &'static str = "recount.review";
    fn schema(&self) -> &str {
        &self.schema
    }
    fn check(&self) -> Result<(), FieldProblem> {
        let missing = |field: &str, verdict: &str| {
            Err(FieldProblem::new(
                field,
                format!("is missing, and the verdict {verdict} needs it"),
                "write it, or take the verdict back with an undo".into(),
            ))
        };
        match self.verdict {
            Verdict::Reject if self.reason.as_deref().unwrap_or_default().trim().is_empty() => {
                missing("reason", "reject")
            }
            Verdict::Article if self.document.is_none() => missing("document", "article"),
            Verdict::Conflict if self.document.is_none() => missing("document", "conflict"),
            _ => Ok(()),
        }
    }
}
