//! The models that a run can name, `data/models.toml`, and what they cost, `data/prices.toml`.

use std::{collections::BTreeMap, num::NonZeroU32, path::Path, time::Duration};

use records::Price;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    cassette::slug,
    error::{Error, read_text},
    provider::Provider,
};

/// One model and how to reach it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// Name in records, on the command line and on the page.
    pub name: String,
    /// Provider: `openai`, `google`, `anthropic`, `lexical` or `baseline`.
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
    /// Gives each item a seed of its own, made of the repeat's seed and the item's id; see
    /// [`records::ModelSpec::seed_per_item`].
    #[serde(default)]
    pub seed_per_item: bool,
    /// Provenance, for `run.json`.
    #[serde(default)]
    pub notes: String,
    /// Calls under way at one time; the provider's number when not given.
    #[serde(default)]
    pub concurrency: Option<NonZeroU32>,
    /// A call whose answer is not there, whole, by then has failed; 300 when not given.
    #[serde(default)]
    pub timeout_seconds: Option<f64>,
    /// What the provider allows, from the table `limits` of the same file.
    #[serde(skip)]
    pub limits: Limits,
    /// The list price, from `prices.toml`.
    #[serde(skip)]
    pub price: Option<Price>,
}

/// What a provider allows a user. Where a number is missing, the harness does not hold back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Calls in any minute.
    #[serde(default)]
    pub requests_per_minute: Option<NonZeroU32>,
    /// Tokens in any minute, read and written, as estimated before the call.
    #[serde(default)]
    pub tokens_per_minute: Option<NonZeroU32>,
    /// Calls under way at one time.
    #[serde(default)]
    pub concurrency: Option<NonZeroU32>,
}

/// Calls under way at one time when nobody says otherwise.
const CONCURRENCY: NonZeroU32 = NonZeroU32::new(8).expect("eight is not zero");
/// How long a call may take when nobody says otherwise.
const TIMEOUT_SECONDS: f64 = 300.0;
/// Body fields that the harness sets itself, or that would carry a key into `run.json` and cassettes.
const RESERVED: [&str; 12] = [
    "model",
    "messages",
    "system",
    "contents",
    "systemInstruction",
    "stream",
    "n",
    "seed",
    "api_key",
    "key",
    "apiKey",
    "authorization",
];
/// Output that a call is taken to have when no parameter bounds it, in tokens.
const OUTPUT_TOKENS: u64 = 1024;
/// Parameters by which the providers bound the output.
const OUTPUT_BOUNDS: [&str; 3] = ["max_tokens", "max_completion_tokens", "maxOutputTokens"];

impl ModelConfig {
    /// The name that the provider knows the model by.
    #[must_use]
    pub fn sent_name(&self) -> &str {
        self.model.as_deref().unwrap_or(&self.name)
    }

    /// Calls under way at one time: the model's number, else its provider's, else 8.
    #[must_use]
    pub fn concurrency(&self) -> NonZeroU32 {
        self.concurrency.or(self.limits.concurrency).unwrap_or(CONCURRENCY)
    }

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

    /// The most tokens that an answer can have: what the parameters allow, or 1024 when they say nothing.
    #[must_use]
    pub fn most_output_tokens(&self) -> u64 {
        let bound = |name: &&str| self.parameters.get(*name).and_then(Value::as_u64);
        OUTPUT_BOUNDS.iter().find_map(bound).unwrap_or(OUTPUT_TOKENS)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireFile {
    model: Vec<ModelConfig>,
    /// By provider.
    #[serde(default)]
    limits: BTreeMap<String, Limits>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePrices {
    price: Vec<WirePrice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePrice {
    provider: String,
    model: String,
    as_of: String,
    input_usd_per_million: f64,
    output_usd_per_million: f64,
    cache_read_factor: f64,
    cache_write_factor: f64,
}

impl WirePrice {
    fn price(&self) -> Price {
        Price {
            as_of: self.as_of.clone(),
            input_usd_per_million: self.input_usd_per_million,
            output_usd_per_million: self.output_usd_per_million,
            cache_read_factor: self.cache_read_factor,
            cache_write_factor: self.cache_write_factor,
        }
    }
}

/// Reads the models, limits and prices of the data folder. A model without a price has none; a folder without
/// `prices.toml` has no prices.
///
/// # Errors
/// A file is wrong, `models.toml` is missing, or two models share a name.
pub fn all(data: &Path) -> Result<Vec<ModelConfig>, Error> {
    let path = data.join("models.toml");
    let file: WireFile = read_toml(&path)?;
    let prices_path = data.join("prices.toml");
    let prices =
        if prices_path.exists() { read_toml(&prices_path)? } else { WirePrices::default() };
    for p in &prices.price {
        let numbers = [
            ("input_usd_per_million", p.input_usd_per_million),
            ("output_usd_per_million", p.output_usd_per_million),
            ("cache_read_factor", p.cache_read_factor),
            ("cache_write_factor", p.cache_write_factor),
        ];
        if let Some((field, n)) = numbers.iter().find(|(_, n)| !n.is_finite() || *n < 0.0) {
            return Err(Error::Input(format!(
                "{}, price of {} {}, field `{field}`: is {n}; write a number of zero or more",
                prices_path.display(),
                p.provider,
                p.model
            )));
        }
    }
    let mut models = file.model;
    let wrong = |at: String, problem: String| {
        Err(Error::Input(format!("{}, {at}: {problem}", path.display())))
    };
    for provider in file.limits.keys() {
        Provider::of(provider)
            .map_err(|e| Error::Input(format!("{}, limits: {e}", path.display())))?;
    }
    for i in 0..models.len() {
        let model = &models[i];
        let at = format!("model \"{}\"", model.name);
        if model.name.trim().is_empty() || model.name.chars().any(char::is_control) {
            return wrong(at, "field `name`: is empty or holds a line break".to_owned());
        }
        // Names that differ may still share the folder of their recordings.
        let twin = models[..i].iter().find(|m| slug(&m.name) == slug(&model.name));
        if let Some(twin) = twin {
            let (twin, folder) = (&twin.name, slug(&model.name));
            return wrong(
                at,
                format!(
                    "would record into the folder of \"{twin}\", {folder}; choose another name"
                ),
            );
        }
        if let Some(name) = model.parameters.keys().find(|p| RESERVED.contains(&p.as_str())) {
            let problem = format!(
                "field `parameters.{name}`: is set by the harness, or would write a key into what is recorded; remove it"
            );
            return wrong(at, problem);
        }
        let priced = |p: &&WirePrice| p.provider == model.provider && p.model == model.sent_name();
        let price = prices.price.iter().find(priced).map(WirePrice::price);
        let limits = file.limits.get(&model.provider).copied().unwrap_or_default();
        models[i].price = price;
        models[i].limits = limits;
    }
    Ok(models)
}

/// Picks the named models of the data folder, in the order asked for.
///
/// # Errors
/// As [`all`]; or a name is not there (the message lists those that are) or is asked for twice.
pub fn select(data: &Path, names: &[String]) -> Result<Vec<ModelConfig>, Error> {
    let models = all(data)?;
    let mut picked: Vec<ModelConfig> = Vec::new();
    for name in names {
        if picked.iter().any(|m| m.name == *name) {
            return Err(Error::Usage(format!("the model \"{name}\" is asked for twice")));
        }
        let model = models.iter().find(|m| m.name == *name).ok_or_else(|| {
            let known: Vec<_> = models.iter().map(|m| m.name.as_str()).collect();
            Error::Usage(format!(
                "there is no model \"{name}\" in {}; it has: {}",
                data.join("models.toml").display(),
                known.join(", ")
            ))
        })?;
        picked.push(model.clone());
    }
    Ok(picked)
}

fn read_toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Error> {
    toml::from_str(&read_text(path)?).map_err(|e| Error::Input(format!("{}: {e}", path.display())))
}
