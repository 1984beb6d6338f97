//! The answer contract, held to the letter.

use serde::{Deserialize, de::DeserializeOwned};

use super::single_object;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Contract {
    #[serde(rename = "reasoning")]
    _reasoning: String,
    pub outcome: String,
    pub confidence: f64,
    pub sources: Vec<String>,
    pub conflicts_detected: Vec<[String; 2]>,
}

/// Reads the one object of `completion` and checks the confidence.
pub(super) fn parse(completion: &str) -> Result<Contract, String> {
    let valid: Contract = object(completion)?;
    if !(0.0..=1.0).contains(&valid.confidence) {
        return Err("\"confidence\" must be a number from 0 to 1".to_owned());
    }
    Ok(valid)
}

/// Reads the one object of `completion` as a `T`.
pub(super) fn object<T: DeserializeOwned>(completion: &str) -> Result<T, String> {
    serde_json::from_str(single_object(completion)?).map_err(|e| {
        let text = e.to_string();
        format!("the JSON object is not as asked: {}", text.split(" at line ").next().unwrap_or(""))
    })
}
