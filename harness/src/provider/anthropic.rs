//! Anthropic's Messages.

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

    fn headers(&self, key: &str) -> Vec<(&'static str, String)> {
        vec![("x-api-key", key.to_owned()), ("anthropic-version", VERSION.to_owned())]
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
        for message in conversation {
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
        Request { method: "POST".into(), path: "/messages".into(), body: body.into() }
    }

    fn read(&self, body: &Value) -> Result<Reply, String> {
        let body =
            Body::deserialize(body).map_err(|e| format!("the response has no answer: {e}"))?;
        let text: String = body.content.into_iter().filter_map(|b| b.text).collect();
        if text.is_empty() && body.stop_reason.as_deref() == Some("refusal") {
            return Ok(Reply::Refused);
        }
        let usage = body.usage.map(|u| {
            let read = u.cache_read_input_tokens.unwrap_or(0);
            let written = u.cache_creation_input_tokens.unwrap_or(0);
            Usage {
                // The API counts cached tokens apart; here they are part of what was read.
                input_tokens: u.input_tokens + read + written,
                output_tokens: u.output_tokens,
                cache_read_tokens: read,
                cache_write_tokens: written,
            }
        });
        Ok(Reply::Completion { text, usage, version: body.model })
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
                version: Some("c-1".into())
            })
        );
    }

    #[test]
    fn a_refusal_without_text_is_one() {
        assert_eq!(
            Anthropic.read(&json!({"content": [], "stop_reason": "refusal"})),
            Ok(Reply::Refused)
        );
        assert!(Anthropic.read(&json!({"type": "error"})).is_err());
    }
}
