//! Gemini's `generateContent`.

use records::{Request, Usage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Api, Reply};
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
    #[serde(default)]
    prompt_token_count: u64,
    #[serde(default)]
    candidates_token_count: u64,
    #[serde(default)]
    thoughts_token_count: u64,
    #[serde(default)]
    cached_content_token_count: u64,
}

/// Reasons to stop that a classifier gives, not the model.
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

    fn headers(&self, key: &str) -> Vec<(&'static str, String)> {
        vec![("x-goog-api-key", key.to_owned())]
    }

    fn request(&self, model: &ModelConfig, conversation: &[Message], seed: Option<u64>) -> Request {
        let parts = |m: &Message| json!([{"text": m.text}]);
        let mut body = Map::new();
        let mut contents = Vec::new();
        for message in conversation {
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
        let blocked = body.prompt_feedback.is_some_and(|f| f.block_reason.is_some());
        let Some(candidate) = body.candidates.into_iter().next() else {
            return if blocked {
                Ok(Reply::Refused)
            } else {
                Err("the response has no candidates".to_owned())
            };
        };
        let text: String = candidate
            .content
            .into_iter()
            .flat_map(|c| c.parts)
            .filter(|p| !p.thought)
            .filter_map(|p| p.text)
            .collect();
        let declined = candidate.finish_reason.as_deref().is_some_and(|r| DECLINED.contains(&r));
        if text.is_empty() && (declined || blocked) {
            return Ok(Reply::Refused);
        }
        let usage = body.usage_metadata.map(|u| Usage {
            input_tokens: u.prompt_token_count,
            output_tokens: u.candidates_token_count + u.thoughts_token_count,
            cache_read_tokens: u.cached_content_token_count,
            cache_write_tokens: 0,
        });
        Ok(Reply::Completion { text, usage, version: body.model_version })
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
    fn an_empty_answer_of_a_classifier_is_a_refusal() {
        let refused = json!({"candidates": [{"finishReason": "SAFETY"}], "usageMetadata": {"promptTokenCount": 3}});
        assert_eq!(Google.read(&refused), Ok(Reply::Refused));
        assert_eq!(
            Google.read(&json!({"promptFeedback": {"blockReason": "OTHER"}})),
            Ok(Reply::Refused)
        );
        assert!(Google.read(&json!({})).is_err());
    }

    #[test]
    fn thinking_counts_as_output_and_is_no_part_of_the_answer() {
        let body = json!({
            "candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"text": "a"}, {"text": "b"}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 4, "thoughtsTokenCount": 6, "cachedContentTokenCount": 20},
            "modelVersion": "gemini-x-001"
        });
        let usage = Usage {
            input_tokens: 30,
            output_tokens: 10,
            cache_read_tokens: 20,
            cache_write_tokens: 0,
        };
        let version = Some("gemini-x-001".to_owned());
        assert_eq!(
            Google.read(&body),
            Ok(Reply::Completion { text: "ab".into(), usage: Some(usage), version })
        );
    }
}
