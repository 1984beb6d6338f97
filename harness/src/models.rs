//! The models that a run can name, `data/models.toml`, and what they cost, `data/prices.toml`.

use std::{collections::BTreeMap, path::Path, time::Duration};

use records::Price;
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
    /// A call whose answer is not there after this many seconds has failed; 300 when not given.
    #[serde(default)]
    pub timeout_seconds: Option<f64>,
    /// Provenance, for `run.json`.
    #[serde(default)]
    pub notes: String,
    /// The list price, from `prices.toml`.
    #[serde(skip)]
    pub price: Option<Price>,
}

/// How long a call may take when a model says nothing else.
const TIMEOUT_SECONDS: f64 = 300.0;

impl ModelConfig {
    /// How long a call may take.
    ///
    /// # Errors
    /// `timeout_seconds` is not a number of seconds above zero.
    pub fn timeout(&self) -> Result<Duration, Error> {
        let seconds = self.timeout_seconds.unwrap_or(TIMEOUT_SECONDS);
        match Duration::try_from_secs_f64(seconds) {
            Ok(timeout) if !timeout.is_zero() => Ok(timeout),
            _ => Err(Error::Usage(format!(
                "model \"{}\", field `timeout_seconds`: {seconds} is no time to wait; write seconds above 0, such as 300",
                self.name
            ))),
        }
    }

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

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePrices {
    price: Vec<WirePrice>,
}

#[derive(Deserialize)]
struct WirePrice {
    provider: String,
    model: String,
    #[serde(flatten)]
    price: Price,
}

/// Reads the models and prices of the data folder and picks the named models, in the order asked for. A model without
/// a price has none; a folder without `prices.toml` has no prices.
///
/// # Errors
/// A file is wrong, `models.toml` is missing, or a name is not in it (the message lists those that are).
pub fn select(data: &Path, names: &[String]) -> Result<Vec<ModelConfig>, Error> {
    let path = data.join("models.toml");
    let file: WireFile = read_toml(&path)?;
    let prices_path = data.join("prices.toml");
    let prices =
        if prices_path.exists() { read_toml(&prices_path)? } else { WirePrices::default() };
    let with_price = |mut model: ModelConfig| {
        let listed = prices
            .price
            .iter()
            .find(|p| p.provider == model.provider && p.model == model.sent_name());
        model.price = listed.map(|p| p.price.clone());
        model
    };
    names
        .iter()
        .map(|name| {
            file.model.iter().find(|m| m.name == *name).cloned().map(with_price).ok_or_else(|| {
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

fn read_toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let wrong = |text: String| Error::Input(format!("{}: {text}", path.display()));
    let text =
        String::from_utf8(read_file(path)?).map_err(|_| wrong("is not UTF-8 text".to_owned()))?;
    toml::from_str(&text).map_err(|e| wrong(e.to_string()))
}
