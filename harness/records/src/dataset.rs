use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Versioned, read::FieldProblem};

/// The answer that an item takes as an abstention unless it names another.
pub const ABSTAIN_LABEL: &str = "UNRESOLVABLE";

fn default_abstain_label() -> String {
    ABSTAIN_LABEL.to_owned()
}

/// What kind of answer an item asks for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// YES or NO.
    Binary,
    /// One of a list of choices.
    Choice,
    /// A short piece of text.
    Span,
}

/// One question of a data set: a line of `items.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// "recount.item/1".
    pub schema: String,
    /// Unique within the data set.
    pub item_id: String,
    /// The unit that is resampled (an event, an article); the item itself when nothing else is named.
    #[serde(default)]
    pub cluster_id: Option<String>,
    /// What kind of answer is asked for.
    pub kind: Kind,
    /// The question as it is put to the model.
    pub question: String,
    /// What counts as which answer, and which source decides.
    #[serde(default)]
    pub criteria: String,
    /// The choices, for `kind` choice only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// The right answer.
    pub target: String,
    /// The label that counts as an abstention.
    #[serde(default = "default_abstain_label")]
    pub abstain_label: String,
    /// Part of the data set, e.g. main or contested.
    #[serde(default)]
    pub set: Option<String>,
    /// train, val or test.
    #[serde(default)]
    pub split: Option<String>,
    /// Free tags: domain, difficulty, form, …
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    /// When the question was opened, RFC 3339 UTC.
    #[serde(default)]
    pub opened_at: Option<String>,
    /// When the outcome was settled, RFC 3339 UTC.
    #[serde(default)]
    pub settled_at: Option<String>,
    /// Market price of YES 24 hours before settlement, from 0 to 1.
    #[serde(default)]
    pub price_before: Option<f64>,
    /// Documents that hold the answer.
    #[serde(default)]
    pub gold_docs: Vec<String>,
    /// Pairs of documents that disagree; null when nobody has labelled them.
    #[serde(default)]
    pub conflicts: Option<Vec<[String; 2]>>,
}

impl Item {
    /// The unit that is resampled: `cluster_id`, or the item itself.
    #[must_use]
    pub fn cluster(&self) -> &str {
        self.cluster_id.as_deref().unwrap_or(&self.item_id)
    }

    /// Place in `choices` of the one that `name` means: the choice with exactly this text, or else with this letter.
    #[must_use]
    pub fn choice_place(&self, name: &str) -> Option<usize> {
        let choices = self.choices.as_deref().unwrap_or_default();
        let by_letter = || {
            let letter = |at: &usize| Self::letter(*at).is_some_and(|l| name == l.to_string());
            (0..choices.len()).find(letter)
        };
        choices.iter().position(|choice| choice == name).or_else(by_letter)
    }

    /// The letter of the choice at `place`, from A; None beyond Z.
    #[must_use]
    pub fn letter(place: usize) -> Option<char> {
        ('A'..='Z').nth(place)
    }
}

impl Versioned for Item {
    const NAME: &'static str = "recount.item";
    fn schema(&self) -> &str {
        &self.schema
    }
    fn check(&self) -> Result<(), FieldProblem> {
        if self.kind == Kind::Binary && !["YES", "NO"].contains(&self.target.as_str()) {
            return Err(FieldProblem::new(
                "target",
                format!("is \"{}\", but a binary item settles as YES or NO", self.target),
                "write YES or NO, or another `kind`".into(),
            ));
        }
        if self.kind == Kind::Choice && self.choice_place(&self.target).is_none() {
            return Err(FieldProblem::new(
                "target",
                format!("is \"{}\", which is none of `choices`", self.target),
                "write the text of a choice, or its letter from A on".into(),
            ));
        }
        if let Some(price) = self.price_before
            && !(0.0..=1.0).contains(&price)
        {
            return Err(FieldProblem::new(
                "price_before",
                format!("is {price}, outside 0 to 1"),
                "write the price of YES as a fraction, or null".into(),
            ));
        }
        Ok(())
    }
}

/// What is recorded about one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileEntry {
    /// SHA-256 of the bytes.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of lines that are not blank.
    pub lines: u64,
}

/// One step of a construction pipeline and how many candidates were left after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunnelStage {
    /// Name of the step.
    pub stage: String,
    /// Candidates left after it.
    pub remaining: u64,
}

/// How a pool of candidates settled, before the draw balances it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BaseRate {
    /// Which pool.
    pub pool: String,
    /// Candidates that settled YES.
    pub yes: u64,
    /// Candidates in the pool.
    pub of: u64,
}

/// Who or what wrote the data set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Generator {
    /// Model or method.
    pub model: String,
    /// Its version.
    #[serde(default)]
    pub version: Option<String>,
    /// Decoding parameters, when a model wrote it.
    #[serde(default)]
    pub decoding: Option<serde_json::Value>,
    /// SHA-256 of each prompt used, by name.
    #[serde(default)]
    pub prompts: BTreeMap<String, String>,
}

/// The whole data set: `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// "recount.manifest/1".
    pub schema: String,
    /// Name of the data set; the folder's name.
    pub dataset_id: String,
    /// A sentence that says what the data set is.
    #[serde(default)]
    pub title: String,
    /// True when the world and its facts were made up by the authors.
    #[serde(default)]
    pub constructed: bool,
    /// True when a person has reviewed every item.
    #[serde(default)]
    pub reviewed: bool,
    /// One line that identifies the content; see `recount dataset sign`.
    pub signature: String,
    /// RFC 3339 UTC.
    pub created_at: String,
    /// Seed of the draw, when there was one.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Steps of the pipeline, when there was one.
    #[serde(default)]
    pub funnel: Vec<FunnelStage>,
    /// How the pools that the set was drawn from settled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub base_rates: Vec<BaseRate>,
    /// Constraints on the whole set that `recount bundle check` holds it to, by name.
    #[serde(default)]
    pub constraints: BTreeMap<String, serde_json::Value>,
    /// Number of items by tag and value, as `tag=value`.
    #[serde(default)]
    pub counts: BTreeMap<String, u64>,
    /// Who or what wrote it.
    pub generator: Generator,
    /// Licence of the whole set.
    #[serde(default)]
    pub licence: String,
    /// Every file of the set but this one.
    pub files: BTreeMap<String, FileEntry>,
}

impl Versioned for Manifest {
    const NAME: &'static str = "recount.manifest";
    fn schema(&self) -> &str {
        &self.schema
    }
}
