//! Anthropic's Messages.
//!
//! A model's parameters are fields of the request as they stand; nothing is marked for caching unless they say so.

use records::{Request, Usage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Api, Reply};
use crate::{
    models::ModelConfig,
    prompt::{Message, Speaker},
};

/// The API's version that this module speaks.
const VERSION: &str = "2023-06-01";
/// The API requires `max_tokens`; this is sent when a model's parameters hold none.
const MAX_TOKENS: u32 = 1024;

pub(super) struct Anthropic;

#[derive(Deserialize)]
struct Body {
    content: Vec<Block>,
    stop_reason: Option<String>,
    model: Option<String>,
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    /// Missing in blocks that are no text, such as thinking.
    text: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    input_tokens: u64,
    output_tokens: u64,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
}

impl Api for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn key_variable(&self) -> &'static str {
        "ANTHROPIC_API_KEY"
    }

    fn base_url(&self) -> &'static str {
        "https://api.anthropic.com/v1"
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", VERSION)]
    }

    /// The API takes no seed, so none is sent: repeats measure what varies.
    fn request(
        &self,
        model: &ModelConfig,
        conversation: &[Message],
        _seed: Option<u64>,
    ) -> Request {
        let mut body: Map<String, Value> = model.parameters.clone().into_iter().collect();
        let mut messages = Vec::new();
        // The API takes no empty text. An answer without any is left out; the turns around it stand side by side.
        for message in conversation.iter().filter(|m| !m.text.trim().is_empty()) {
            match message.speaker {
                Speaker::System => {
                    body.insert("system".into(), message.text.as_str().into());
                }
                Speaker::User => messages.push(json!({"role": "user", "content": message.text})),
                Speaker::Assistant => {
                    messages.push(json!({"role": "assistant", "content": message.text}));
                }
            }
        }
        body.insert("model".into(), model.sent_name().into());
        body.insert("messages".into(), messages.into());
        body.entry("max_tokens").or_insert_with(|| MAX_TOKENS.into());
        Request { method: "POST".into(), path: "/messages".into(), body: body.into() }
    }

    fn read(&self, body: &Value) -> Result<Reply, String> {
        let body =
            Body::deserialize(body).map_err(|e| format!("the response has no answer: {e}"))?;
        let usage = body.usage.map(|u| {
            let read = u.cache_read_input_tokens.unwrap_or(0);
            let written = u.cache_creation_input_tokens.unwrap_or(0);
            Usage {
                // The API counts cached tokens apart; here they are part of what was read.
                input_tokens: u.input_tokens.saturating_add(read).saturating_add(written),
                output_tokens: u.output_tokens,
                cache_read_tokens: read,
                cache_write_tokens: written,
            }
        });
        if body.stop_reason.as_deref() == Some("refusal") {
            return Ok(Reply::Refused { usage });
        }
        let text =
            body.content.into_iter().filter(|b| b.kind == "text").filter_map(|b| b.text).collect();
        Ok(Reply::Completion { text, usage, version: body.model, logprobs: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_message_stands_apart_and_no_seed_is_sent() {
        let model: ModelConfig = serde_json::from_value(json!({
            "name": "c", "provider": "anthropic", "parameters": {"max_tokens": 400}
        }))
        .unwrap();
        let talk = [
            Message { speaker: Speaker::System, text: "be brief".into() },
            Message { speaker: Speaker::User, text: "q".into() },
        ];
        let request = Anthropic.request(&model, &talk, Some(3));
        assert_eq!(
            request.body,
            json!({"model": "c", "max_tokens": 400, "system": "be brief",
                   "messages": [{"role": "user", "content": "q"}]})
        );
    }

    #[test]
    fn an_answer_without_text_is_left_out_of_the_conversation() {
        let model: ModelConfig =
            serde_json::from_value(json!({"name": "c", "provider": "anthropic"})).unwrap();
        let talk = [
            Message { speaker: Speaker::User, text: "q".into() },
            Message { speaker: Speaker::Assistant, text: String::new() },
            Message { speaker: Speaker::User, text: "again".into() },
        ];
        let messages = &Anthropic.request(&model, &talk, None).body["messages"];
        assert_eq!(messages.as_array().unwrap().len(), 2);
    }

    #[test]
    fn cached_tokens_are_part_of_what_was_read() {
        let body = json!({
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}],
            "stop_reason": "end_turn", "model": "c-1",
            "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 7}
        });
        let usage = Usage {
            input_tokens: 107,
            output_tokens: 5,
            cache_read_tokens: 90,
            cache_write_tokens: 7,
        };
        assert_eq!(
            Anthropic.read(&body),
            Ok(Reply::Completion {
                text: "yes".into(),
                usage: Some(usage),
                version: Some("c-1".into()),
                logprobs: Vec::new(),
            })
        );
    }

    #[test]
    fn a_limit_that_the_api_requires_is_sent_when_none_is_set() {
        let model: ModelConfig =
            serde_json::from_value(json!({"name": "c", "provider": "anthropic"})).unwrap();
        assert_eq!(Anthropic.request(&model, &[], None).body["max_tokens"], 1024);
    }

    #[test]
    fn a_classifier_that_steps_in_makes_a_refusal_and_is_paid_for() {
        for content in [json!([]), json!([{"type": "text", "text": "Hello.."}])] {
            let body = json!({"content": content, "stop_reason": "refusal", "usage": {"input_tokens": 9, "output_tokens": 2}});
            let usage = Usage { input_tokens: 9, output_tokens: 2, ..Usage::default() };
            assert_eq!(Anthropic.read(&body), Ok(Reply::Refused { usage: Some(usage) }));
        }
        let cut = json!({"content": [], "stop_reason": "max_tokens"});
        assert!(
            matches!(Anthropic.read(&cut), Ok(Reply::Completion { text, .. }) if text.is_empty())
        );
        assert!(Anthropic.read(&json!({"type": "error"})).is_err());
    }
}
