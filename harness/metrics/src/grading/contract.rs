//! The answer contract, held to the letter.

use serde::Deserialize;

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

/// Reads the one object of `completion` and checks outcome and confidence.
pub(super) fn parse(completion: &str, labels: &[&str]) -> Result<Contract, String> {
    let object = single_object(completion)?;
    let valid: Contract = serde_json::from_str(object).map_err(|e| {
        let text = e.to_string();
        format!("the JSON object is not as asked: {}", text.split(" at line ").next().unwrap_or(""))
    })?;
    if !labels.contains(&valid.outcome.as_str()) {
        return Err(format!("\"outcome\" must be one of {}", labels.join(", ")));
    }
    if !(0.0..=1.0).contains(&valid.confidence) {
        return Err("\"confidence\" must be a number from 0 to 1".to_owned());
    }
    Ok(valid)
}
