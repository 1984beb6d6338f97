use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ABSTAIN_LABEL, Kind, Versioned, read::FieldProblem};

/// What became of one call. Which of them count towards what is defined in the metrics crate.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A valid answer other than the abstain label.
    Answered,
    /// The abstain label.
    Abstained,
    /// Served, but no valid answer after the one repair turn.
    HardFail,
    /// Declined by a safety classifier.
    Refused,
    /// Timeout, 429 or 5xx after the last attempt.
    Unserved,
    /// The request itself was wrong (400, 401, 404): retrying cannot help.
    HarnessFault,
}

impl Status {
    /// Every status, in the order in which tables list them.
    pub const ALL: [Self; 6] = [
        Self::Answered,
        Self::Abstained,
        Self::HardFail,
        Self::Refused,
        Self::Unserved,
        Self::HarnessFault,
    ];

    /// True when the provider delivered something that quality can be measured on.
    #[must_use]
    pub fn is_served(self) -> bool {
        !matches!(self, Self::Unserved | Self::HarnessFault)
    }

    /// The name used in files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Abstained => "abstained",
            Self::HardFail => "hard_fail",
            Self::Refused => "refused",
            Self::Unserved => "unserved",
            Self::HarnessFault => "harness_fault",
        }
    }
}

/// Tokens as the provider reported them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens read, cached ones included.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Of the tokens read, those served from a cache.
    #[serde(default)]
    pub cache_read_tokens: u64,
    /// Of the tokens read, those written to a cache.
    #[serde(default)]
    pub cache_write_tokens: u64,
}

/// What a provider reports may be any number, so sums stop at the largest one.
impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        for (sum, n) in [
            (&mut self.input_tokens, other.input_tokens),
            (&mut self.output_tokens, other.output_tokens),
            (&mut self.cache_read_tokens, other.cache_read_tokens),
            (&mut self.cache_write_tokens, other.cache_write_tokens),
        ] {
            *sum = sum.saturating_add(n);
        }
    }
}

/// Why a call was not served or its answer not valid; secrets are removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorInfo {
    /// A short name: timeout, rate_limited, invalid_answer, …
    pub kind: String,
    /// Status of the HTTP answer, when there was one.
    #[serde(default)]
    pub http_status: Option<u16>,
    /// What happened.
    pub message: String,
}

/// Two documents that an answer says disagree.
pub type Conflict = [String; 2];

/// One row of `records.jsonl`: one call, graded.
///
/// `attempt` counts the rows of one key; a later row of the same key supersedes the earlier ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// "recount.record/1".
    pub schema: String,
    /// The run.
    pub run_id: String,
    /// The data set.
    pub dataset_id: String,
    /// Name of the model as the run calls it.
    pub model: String,
    /// Name of the arm.
    pub arm: String,
    /// Repeat, from 0.
    pub repeat: u32,
    /// The item.
    pub item_id: String,
    /// The unit that is resampled.
    pub cluster_id: String,
    /// Number of the row for this key, from 1.
    #[serde(default = "one")]
    pub attempt: u32,
    /// Copied from the item, so that a record can be scored alone.
    pub kind: Kind,
    /// Copied from the item.
    pub target: String,
    /// Copied from the item.
    #[serde(default)]
    pub set: Option<String>,
    /// Copied from the item: train, val or test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Copied from the item.
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    /// What became of the call.
    pub status: Status,
    /// The label, choice or span; null unless answered or abstained.
    pub answer: Option<String>,
    /// As the model stated it, 0 to 1; null when it stated none.
    pub confidence: Option<f64>,
    /// Natural logarithm of the probability that the model gave to the tokens of its answer, summed over them; only
    /// when the provider reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_logprob: Option<f64>,
    /// Null for unserved and harness_fault.
    pub correct: Option<bool>,
    /// exact, normalised or judge:MODEL.
    #[serde(default)]
    pub score_source: Option<String>,
    /// Did the first completion parse?
    pub schema_ok: bool,
    /// Number of repair turns, 0 or 1.
    #[serde(default)]
    pub repairs: u32,
    /// Ids that the answer cites.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Those of them that are not in the bundle.
    #[serde(default)]
    pub sources_unknown: Vec<String>,
    /// Pairs of ids that the answer says conflict.
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
    /// Copied from the item: pairs of ids that are known to conflict; null when nobody has labelled them, and in rows
    /// that were shown no document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict_labels: Option<Vec<Conflict>>,
    /// Searches made, agent arms only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searches: Option<u32>,
    /// Pages visited, agent arms only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<u32>,
    /// Actions that did not parse or were over budget, agent arms only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bad_actions: Option<u32>,
    /// Ranked ids, retrieval arms only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved: Option<Vec<String>>,
    /// Ids of the documents that hold the answer, retrieval arms only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold_docs: Option<Vec<String>>,
    /// As the provider reported it, over all turns.
    #[serde(default)]
    pub usage: Option<Usage>,
    /// At list price in US dollars; null when no price is known.
    #[serde(default)]
    pub cost_usd: Option<f64>,
    /// Of the provider's calls, in milliseconds, as measured when they were recorded.
    #[serde(default)]
    pub latency_ms: Option<f64>,
    /// Digest of the frozen evidence; null when none was shown.
    #[serde(default)]
    pub bundle_sha256: Option<String>,
    /// SHA-256 of the prompt text.
    #[serde(default)]
    pub prompt_sha256: Option<String>,
    /// SHA-256 of the last raw completion.
    #[serde(default)]
    pub response_sha256: Option<String>,
    /// Why there is no answer.
    #[serde(default)]
    pub error: Option<ErrorInfo>,
    /// When the (last) call was made, RFC 3339 UTC; a replay keeps the recorded time.
    #[serde(default)]
    pub started_at: Option<String>,
}

fn one() -> u32 {
    1
}

/// What identifies a row: of several rows with one key, the last counts.
pub type Key<'a> = (&'a str, &'a str, u32, &'a str);

impl Record {
    /// The value of a field that a plan can slice by: `set`, `split`, `model` or `tags.NAME`. None when the row has
    /// none, and for every other field.
    #[must_use]
    pub fn slice_value(&self, field: &str) -> Option<&str> {
        match field {
            "set" => self.set.as_deref(),
            "split" => self.split.as_deref(),
            "model" => Some(&self.model),
            _ => self.tags.get(field.strip_prefix("tags.")?).map(String::as_str),
        }
    }

    /// Model, arm, repeat, item.
    #[must_use]
    pub fn key(&self) -> Key<'_> {
        (&self.model, &self.arm, self.repeat, &self.item_id)
    }
}

impl Versioned for Record {
    const NAME: &'static str = "recount.record";
    fn schema(&self) -> &str {
        &self.schema
    }
    fn check(&self) -> Result<(), FieldProblem> {
        let wrong = |field: &str, problem: String, remedy: &str| {
            Err(FieldProblem::new(field, problem, remedy.to_owned()))
        };
        if let Some(c) = self.confidence
            && !(0.0..=1.0).contains(&c)
        {
            return wrong(
                "confidence",
                format!("is {c}, outside 0 to 1"),
                "write a fraction (90 percent is 0.9), or null when the model stated none",
            );
        }
        for (field, value) in [("cost_usd", self.cost_usd), ("latency_ms", self.latency_ms)] {
            if let Some(v) = value
                && v < 0.0
            {
                let problem = format!("is {v}, below zero");
                return wrong(
                    field,
                    problem,
                    "write what was measured, or null when it is unknown",
                );
            }
        }
        let has_answer = matches!(self.status, Status::Answered | Status::Abstained);
        if has_answer != self.answer.is_some() {
            return wrong(
                "answer",
                format!("and status `{}` contradict each other", self.status.as_str()),
                "an answer stands exactly in rows that are answered or abstained",
            );
        }
        if self.status.is_served() != self.correct.is_some() {
            return wrong(
                "correct",
                format!("and status `{}` contradict each other", self.status.as_str()),
                "write true or false for a served row, null for unserved and harness_fault",
            );
        }
        if self.correct == Some(true) && self.status != Status::Answered {
            return wrong(
                "correct",
                format!("is true in a row with status `{}`", self.status.as_str()),
                "only an answered row can be correct",
            );
        }
        if self.kind == Kind::Binary {
            if !["YES", "NO"].contains(&self.target.as_str()) {
                return wrong(
                    "target",
                    format!("is \"{}\", but a binary item settles as YES or NO", self.target),
                    "write YES or NO, or another `kind`",
                );
            }
            if let (Status::Answered, Some(answer)) = (self.status, &self.answer) {
                if !["YES", "NO"].contains(&answer.as_str()) {
                    return wrong(
                        "answer",
                        format!("is \"{answer}\", but an answered binary row says YES or NO"),
                        &format!(
                            "use status abstained for an abstain label such as {ABSTAIN_LABEL}"
                        ),
                    );
                }
                if self.correct != Some(*answer == self.target) {
                    return wrong(
                        "correct",
                        format!("does not follow from answer {answer} and target {}", self.target),
                        "an answered binary row is correct exactly when answer equals target",
                    );
                }
            }
        }
        Ok(())
    }
}

/// One line of `responses.jsonl`: a raw completion, each once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResponseText {
    /// "recount.response/1".
    pub schema: String,
    /// SHA-256 of `text`.
    pub response_sha256: String,
    /// The completion as the model wrote it.
    pub text: String,
}

impl Versioned for ResponseText {
    const NAME: &'static str = "recount.response";
    fn schema(&self) -> &str {
        &self.schema
    }
}
