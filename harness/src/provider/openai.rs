//! Chat Completions, as served by OpenAI, llama.cpp, vLLM, Ollama and others.

use records::{Request, Usage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Api, Reply};
use crate::{
    models::ModelConfig,
    prompt::{Message, Speaker},
};

pub(super) struct OpenAi;

#[derive(Deserialize)]
struct Body {
    choices: Vec<Choice>,
    usage: Option<WireUsage>,
    system_fingerprint: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    message: WireMessage,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct WireMessage {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    prompt_tokens: u64,
    completion_tokens: u64,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

impl Api for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn key_variable(&self) -> &'static str {
        "OPENAI_API_KEY"
    }

    fn base_url(&self) -> &'static str {
        "https://api.openai.com/v1"
    }

    fn headers(&self, key: &str) -> Vec<(&'static str, String)> {
        vec![("authorization", format!("Bearer {key}"))]
    }

    fn request(&self, model: &ModelConfig, conversation: &[Message], seed: Option<u64>) -> Request {
        let messages: Vec<Value> = conversation
            .iter()
            .map(|m| {
                let role = match m.speaker {
                    Speaker::System => "system",
                    Speaker::User => "user",
                    Speaker::Assistant => "assistant",
                };
                json!({"role": role, "content": m.text})
            })
            .collect();
        let mut body: Map<String, Value> = model.parameters.clone().into_iter().collect();
        body.insert("model".into(), model.sent_name().into());
        body.insert("messages".into(), messages.into());
        if let Some(seed) = seed {
            body.insert("seed".into(), seed.into());
        }
        Request { method: "POST".into(), path: "/chat/completions".into(), body: body.into() }
    }

    fn read(&self, body: &Value) -> Result<Reply, String> {
        let body =
            Body::deserialize(body).map_err(|e| format!("the response has no answer: {e}"))?;
        let choice = body.choices.into_iter().next().ok_or("the response has no choices")?;
        let text = choice.message.content.unwrap_or_default();
        let filtered = choice.finish_reason.as_deref() == Some("content_filter");
        if choice.message.refusal.is_some() || (filtered && text.is_empty()) {
            return Ok(Reply::Refused);
        }
        let usage = body.usage.map(|u| Usage {
            input_tokens: u.prompt_tokens,
            output_tokens: u.completion_tokens,
            cache_read_tokens: u.prompt_tokens_details.and_then(|d| d.cached_tokens).unwrap_or(0),
            cache_write_tokens: 0,
        });
        Ok(Reply::Completion { text, usage, version: body.system_fingerprint })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> ModelConfig {
        serde_json::from_value(json!({
            "name": "m", "provider": "openai", "model": "m-1", "parameters": {"temperature": 0.5, "cache_prompt": false}
        }))
        .unwrap()
    }

    #[test]
    fn a_request_carries_messages_parameters_and_seed() {
        let talk = [Message { speaker: Speaker::User, text: "hello".into() }];
        let request = OpenAi.request(&model(), &talk, Some(9));
        assert_eq!(
            request.body,
            json!({"model": "m-1", "messages": [{"role": "user", "content": "hello"}],
                   "temperature": 0.5, "cache_prompt": false, "seed": 9})
        );
        assert!(OpenAi.request(&model(), &talk, None).body.get("seed").is_none());
    }

    #[test]
    fn refusals_are_told_from_completions_and_from_nonsense() {
        let read = |body: Value| OpenAi.read(&body);
        let choice = |message: Value, reason: &str| json!({"choices": [{"message": message, "finish_reason": reason}]});
        assert_eq!(read(choice(json!({"content": null}), "content_filter")), Ok(Reply::Refused));
        assert_eq!(
            read(choice(json!({"content": "", "refusal": "no"}), "stop")),
            Ok(Reply::Refused)
        );
        let text = Reply::Completion { text: "x".into(), usage: None, version: None };
        assert_eq!(read(choice(json!({"content": "x"}), "stop")), Ok(text));
        assert!(read(json!({"choices": []})).is_err());
        assert!(read(json!("half an ans")).is_err());
    }
}
