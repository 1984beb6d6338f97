//! What a model that judges an answer said.

use records::sha256_hex;
use serde::Deserialize;

use super::contract::object;

/// A judge's word on one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum JudgeVerdict {
    /// The answer says what the target says.
    Correct,
    /// It does not.
    Incorrect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contract {
    #[serde(rename = "reasoning")]
    _reasoning: String,
    verdict: JudgeVerdict,
}

/// Reads a judge's completion: one JSON object with exactly the keys `reasoning`, a string, and `verdict`, CORRECT or
/// INCORRECT. Prose and code fences around it are tolerated, as for an answer. There is no third verdict, since an
/// item that cannot be judged is not one to publish a rate over.
///
/// # Errors
/// What is wrong with the completion, as the end of a sentence. An unreadable verdict is no verdict: neither side of
/// it may be assumed.
pub fn judge_verdict(completion: &str) -> Result<JudgeVerdict, String> {
    object::<Contract>(completion).map(|valid| valid.verdict)
}

/// What a record says about an answer that `model` judged: `judge:MODEL:HASH`, with the digest of the judge's
/// completion, by which it can be found and read again.
#[must_use]
pub fn judge_source(model: &str, completion: &str) -> String {
    format!("judge:{model}:{}", sha256_hex(completion.as_bytes()))
}
