//! Gemini's `generateContent`.
//!
//! A model's parameters are the request's `generationConfig`. What a model that thinks may spend on it belongs there
//! too, as `thinkingConfig`: `{ thinkingLevel = "minimal" }`, or `{ thinkingBudget = 0 }` before Gemini 3. Without it the
//! provider's own default holds.

use std::time::Duration;

use records::{Request, Usage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Api, Reply, TokenLogprob};
use crate::{
    models::ModelConfig,
    prompt::{Message, Speaker},
};

pub(super) struct Google;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    #[serde(default)]
    candidates: Vec<Candidate>,
    prompt_feedback: Option<PromptFeedback>,
    usage_metadata: Option<WireUsage>,
    model_version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Content>,
    finish_reason: Option<String>,
    logprobs_result: Option<LogprobsResult>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LogprobsResult {
    #[serde(default)]
    chosen_candidates: Vec<WireLogprob>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireLogprob {
    #[serde(default)]
    token: String,
    /// Left out when it is 0, as the API leaves out every zero.
    #[serde(default)]
    log_probability: f64,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    /// A summary of the model's thinking, not its answer.
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback {
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireUsage {
    /// Cached ones included.
    #[serde(default)]
    prompt_token_count: u64,
    /// Those of the thoughts not included.
    #[serde(default)]
    candidates_token_count: u64,
    #[serde(default)]
    thoughts_token_count: u64,
    #[serde(default)]
    cached_content_token_count: u64,
}

/// Reasons to stop that a classifier gives, not the model. `MAX_TOKENS` is none: what came before it is an answer, even
/// when all tokens went into thoughts and the text is empty.
const DECLINED: [&str; 5] = ["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"];

impl Api for Google {
    fn name(&self) -> &'static str {
        "google"
    }

    fn key_variable(&self) -> &'static str {
        "GEMINI_API_KEY"
    }

    fn base_url(&self) -> &'static str {
        "https://generativelanguage.googleapis.com/v1beta"
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-goog-api-key", key.to_owned())
    }

    fn request(&self, model: &ModelConfig, conversation: &[Message], seed: Option<u64>) -> Request {
        let parts = |m: &Message| json!([{"text": m.text}]);
        let mut body = Map::new();
        let mut contents = Vec::new();
        // The API takes no empty part. An answer without text is left out; the turns around it stand side by side.
        for message in conversation.iter().filter(|m| !m.text.trim().is_empty()) {
            match message.speaker {
                Speaker::System => {
                    body.insert("systemInstruction".into(), json!({"parts": parts(message)}));
                }
                Speaker::User => contents.push(json!({"role": "user", "parts": parts(message)})),
                Speaker::Assistant => {
                    contents.push(json!({"role": "model", "parts": parts(message)}));
                }
            }
        }
        body.insert("contents".into(), contents.into());
        let mut settings: Map<String, Value> = model.parameters.clone().into_iter().collect();
        if let Some(seed) = seed {
            settings.insert("seed".into(), seed.into());
        }
        body.insert("generationConfig".into(), settings.into());
        let path = format!("/models/{}:generateContent", model.sent_name());
        Request { method: "POST".into(), path, body: body.into() }
    }

    fn read(&self, body: &Value) -> Result<Reply, String> {
        let body =
            Body::deserialize(body).map_err(|e| format!("the response has no answer: {e}"))?;
        let usage = body.usage_metadata.map(|u| Usage {
            input_tokens: u.prompt_token_count,
            output_tokens: u.candidates_token_count.saturating_add(u.thoughts_token_count),
            cache_read_tokens: u.cached_content_token_count,
            cache_write_tokens: 0,
        });
        if body.prompt_feedback.is_some_and(|f| f.block_reason.is_some()) {
            return Ok(Reply::Refused { usage });
        }
        let Some(candidate) = body.candidates.into_iter().next() else {
            return Ok(Reply::Empty { problem: "the response has no candidates", usage });
        };
        if candidate.finish_reason.as_deref().is_some_and(|r| DECLINED.contains(&r)) {
            return Ok(Reply::Refused { usage });
        }
        let text = candidate
            .content
            .into_iter()
            .flat_map(|c| c.parts)
            .filter(|p| !p.thought)
            .filter_map(|p| p.text)
            .collect();
        let logprobs = candidate
            .logprobs_result
            .into_iter()
            .flat_map(|l| l.chosen_candidates)
            .map(|l| TokenLogprob { token: l.token, logprob: l.log_probability })
            .collect();
        Ok(Reply::Completion { text, usage, version: body.model_version, logprobs })
    }

    /// The delay of a `google.rpc.RetryInfo`, such as "22s" or "8.5s".
    fn asked_wait(&self, body: &Value) -> Option<Duration> {
        let details = body["error"]["details"].as_array()?;
        let delay = details.iter().find_map(|d| d["retryDelay"].as_str())?;
        Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_contents_settings_and_the_model_in_its_path() {
        let model: ModelConfig = serde_json::from_value(json!({
            "name": "g", "provider": "google", "model": "gemini-x",
            "parameters": {"temperature": 0, "thinkingConfig": {"thinkingLevel": "minimal"}}
        }))
        .unwrap();
        let talk = [
            Message { speaker: Speaker::System, text: "be brief".into() },
            Message { speaker: Speaker::User, text: "q".into() },
            Message { speaker: Speaker::Assistant, text: "a".into() },
        ];
        let request = Google.request(&model, &talk, Some(3));
        assert_eq!(request.path, "/models/gemini-x:generateContent");
        assert_eq!(
            request.body,
            json!({
                "systemInstruction": {"parts": [{"text": "be brief"}]},
                "contents": [{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"text": "a"}]}],
                "generationConfig": {"temperature": 0, "thinkingConfig": {"thinkingLevel": "minimal"}, "seed": 3}
            })
        );
    }

    #[test]
    fn a_classifier_that_steps_in_makes_a_refusal_and_a_limit_does_not() {
        let read = |body: Value| Google.read(&body);
        for reason in DECLINED {
            for candidate in [
                json!({"finishReason": reason}),
                json!({"finishReason": reason, "content": {"parts": [{"text": "Well, first"}]}}),
            ] {
                assert_eq!(
                    read(json!({"candidates": [candidate]})),
                    Ok(Reply::Refused { usage: None })
                );
            }
        }
        let blocked = json!({"promptFeedback": {"blockReason": "OTHER"}});
        assert_eq!(read(blocked), Ok(Reply::Refused { usage: None }));
        let cut =
            json!({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"role": "model"}}]});
        assert!(matches!(read(cut), Ok(Reply::Completion { text, .. }) if text.is_empty()));
        // Ratings of a prompt that was not blocked.
        assert!(matches!(
            read(json!({"promptFeedback": {"safetyRatings": []}})),
            Ok(Reply::Empty { usage: None, .. })
        ));
        assert!(matches!(read(json!({})), Ok(Reply::Empty { .. })));
        assert!(read(json!([])).is_err());
    }

    #[test]
    fn the_wait_that_a_body_asks_for_is_read() {
        let body = |delay: &str| {
            json!({"error": {"code": 429, "details": [
                {"@type": "type.googleapis.com/google.rpc.Help"},
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
            ]}})
        };
        assert_eq!(Google.asked_wait(&body("22s")), Some(Duration::from_secs(22)));
        assert_eq!(Google.asked_wait(&body("8.5s")), Some(Duration::from_millis(8500)));
        for delay in ["-1s", "NaNs", "1e300s", "soon", "s", ""] {
            assert_eq!(Google.asked_wait(&body(delay)), None, "{delay}");
        }
        assert_eq!(Google.asked_wait(&json!("busy")), None);
    }

    #[test]
    fn thinking_counts_as_output_and_is_no_part_of_the_answer() {
        let body = json!({
            "candidates": [{
                "content": {"parts": [{"text": "hm", "thought": true}, {"text": "a"}, {"text": "b"}]},
                "finishReason": "STOP",
                "logprobsResult": {"chosenCandidates": [
                    {"token": "a", "tokenId": 1, "logProbability": -0.5}, {"token": "b", "tokenId": 2}
                ]}
            }],
            "usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 4, "thoughtsTokenCount": 6, "cachedContentTokenCount": 20},
            "modelVersion": "gemini-x-001"
        });
        let usage = Usage {
            input_tokens: 30,
            output_tokens: 10,
            cache_read_tokens: 20,
            cache_write_tokens: 0,
        };
        let token = |token: &str, logprob| TokenLogprob { token: token.to_owned(), logprob };
        assert_eq!(
            Google.read(&body),
            Ok(Reply::Completion {
                text: "ab".into(),
                usage: Some(usage),
                version: Some("gemini-x-001".into()),
                logprobs: vec![token("a", -0.5), token("b", 0.0)],
            })
        );
    }

    #[test]
    fn an_answer_without_text_is_left_out_of_the_conversation() {
        let model: ModelConfig =
            serde_json::from_value(json!({"name": "g", "provider": "google"})).unwrap();
        let talk = [
            Message { speaker: Speaker::User, text: "q".into() },
            Message { speaker: Speaker::Assistant, text: " \n".into() },
            Message { speaker: Speaker::User, text: "again".into() },
        ];
        let contents = &Google.request(&model, &talk, None).body["contents"];
        assert_eq!(contents.as_array().unwrap().len(), 2);
    }
}
