use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Kind, Usage, Versioned};

/// Which evidence an arm shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// No document.
    None,
    /// The item's frozen bundle.
    Bundle,
    /// Of the item's bundle the documents that hold the answer.
    Gold,
}

/// One arm as it was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArmSpec {
    /// Name, e.g. `a0`.
    pub name: String,
    /// What a reader should know about it.
    #[serde(default)]
    pub description: String,
    /// Which evidence it shows.
    pub evidence: Evidence,
    /// May the model abstain?
    pub may_abstain: bool,
    /// Kinds of items that it can ask; empty in files that are older than the field, which asked binary items only.
    #[serde(default)]
    pub kinds: Vec<Kind>,
    /// Name of the file of the system message.
    #[serde(default)]
    pub system: String,
    /// SHA-256 of the file of the system message.
    #[serde(default)]
    pub system_sha256: String,
    /// Name of the prompt file.
    pub prompt: String,
    /// SHA-256 of the prompt file.
    pub prompt_sha256: String,
}

/// What a model's tokens cost at list price, in US dollars.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// The day of the price list.
    pub as_of: String,
    /// For a million input tokens.
    pub input_usd_per_million: f64,
    /// For a million output tokens.
    pub output_usd_per_million: f64,
    /// Input tokens read from a prompt cache cost this part of the input price.
    pub cache_read_factor: f64,
    /// Input tokens written to a prompt cache cost this part of the input price.
    pub cache_write_factor: f64,
}

impl Price {
    /// Cost of one call or row in US dollars.
    #[must_use]
    pub fn cost_usd(&self, usage: &Usage) -> f64 {
        let cached = usage.cache_read_tokens + usage.cache_write_tokens;
        let input = usage.input_tokens.saturating_sub(cached) as f64
            + usage.cache_read_tokens as f64 * self.cache_read_factor
            + usage.cache_write_tokens as f64 * self.cache_write_factor;
        let output = usage.output_tokens as f64;
        (input * self.input_usd_per_million + output * self.output_usd_per_million) / 1e6
    }
}

/// One model as it was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelSpec {
    /// Name as records call it.
    pub name: String,
    /// Provider: openai, baseline, …
    pub provider: String,
    /// The name sent to the provider.
    #[serde(default)]
    pub model: Option<String>,
    /// The version that the provider reported, when it did.
    #[serde(default)]
    pub version: Option<String>,
    /// Decoding parameters and provider-specific body fields, as sent.
    #[serde(default)]
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// Seed of each repeat, by position; empty when the provider takes none.
    #[serde(default)]
    pub seeds: Vec<u64>,
    /// Is each item asked with a seed of its own, made of the repeat's seed and the item's id? If not, every item of a
    /// repeat is asked with the repeat's seed: a sampler then makes the same draws for all of them, and what they share by
    /// that, no interval over items shows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seed_per_item: bool,
    /// The list price that costs were computed at; null when none is known.
    #[serde(default)]
    pub price: Option<Price>,
    /// Provenance: weights, digests, server build.
    #[serde(default)]
    pub notes: String,
}

/// What was run: `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// "recount.run/1".
    pub schema: String,
    /// Name of the run; the folder's name.
    pub run_id: String,
    /// A line for people.
    #[serde(default)]
    pub title: String,
    /// The data set.
    pub dataset_id: String,
    /// The data set's signature.
    pub dataset_signature: String,
    /// True when the data set's facts were made up by its authors.
    #[serde(default)]
    pub dataset_constructed: bool,
    /// True when a person has reviewed every item of the data set.
    #[serde(default)]
    pub dataset_reviewed: bool,
    /// The models.
    pub models: Vec<ModelSpec>,
    /// The arms.
    pub arms: Vec<ArmSpec>,
    /// Repeats by arm.
    pub repeats: BTreeMap<String, u32>,
    /// Version of the harness that wrote the rows.
    pub harness_version: String,
    /// Commit of the harness, when known.
    #[serde(default)]
    pub commit: Option<String>,
    /// Did the checkout have uncommitted changes?
    #[serde(default)]
    pub dirty: Option<bool>,
    /// Time of the first call, RFC 3339 UTC.
    #[serde(default)]
    pub started_at: Option<String>,
    /// Time of the last call, RFC 3339 UTC.
    #[serde(default)]
    pub finished_at: Option<String>,
    /// What a reader should know.
    #[serde(default)]
    pub notes: Vec<String>,
}

impl Versioned for Run {
    const NAME: &'static str = "recount.run";
    fn schema(&self) -> &str {
        &self.schema
    }
}
