//! The models that a run can name: `data/models.toml`.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use serde_json::Value;

use crate::error::{Error, read_file};

/// One model and how to reach it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// Name in records, on the command line and on the page.
    pub name: String,
    /// Provider: `openai`, `google`, `anthropic` or `baseline`.
    pub provider: String,
    /// The name sent to the provider; the model's own name when not given.
    #[serde(default)]
    pub model: Option<String>,
    /// Address of the API up to and including its version, e.g. `http://127.0.0.1:8080/v1`; the provider's own when not
    /// given.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Body fields sent as they stand here: temperature, max_tokens, provider-specific ones.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    /// Seed of repeat 0; repeat r sends this plus r. None: no seed is sent.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Provenance, for `run.json`.
    #[serde(default)]
    pub notes: String,
}

impl ModelConfig {
    /// The name that the provider knows the model by.
    #[must_use]
    pub fn sent_name(&self) -> &str {
        self.model.as_deref().unwrap_or(&self.name)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireFile {
    model: Vec<ModelConfig>,
}

/// Reads the model file and picks the named ones, in the order asked for.
///
/// # Errors
/// The file is missing or wrong, or a name is not in it (the message lists those that are).
pub fn select(path: &Path, names: &[String]) -> Result<Vec<ModelConfig>, Error> {
    let bytes = read_file(path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::Input(format!("{}: is not UTF-8 text", path.display())))?;
    let file: WireFile =
        toml::from_str(&text).map_err(|e| Error::Input(format!("{}: {e}", path.display())))?;
    names
        .iter()
        .map(|name| {
            file.model.iter().find(|m| m.name == *name).cloned().ok_or_else(|| {
                let known: Vec<_> = file.model.iter().map(|m| m.name.as_str()).collect();
                Error::Usage(format!(
                    "there is no model \"{name}\" in {}; it has: {}",
                    path.display(),
                    known.join(", ")
                ))
            })
        })
        .collect()
}
