//! Chat Completions, as served by OpenAI, llama.cpp, vLLM, Ollama and others.

use records::{Request, Usage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Api, Reply, TokenLogprob};
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
    model: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    message: WireMessage,
    finish_reason: Option<String>,
    logprobs: Option<Logprobs>,
}

#[derive(Deserialize)]
struct Logprobs {
    content: Option<Vec<WireLogprob>>,
}

#[derive(Deserialize)]
struct WireLogprob {
    token: String,
    logprob: f64,
}

#[derive(Deserialize)]
struct WireMessage {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    /// Cached ones included.
    prompt_tokens: u64,
    /// Those of the reasoning included.
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

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("authorization", format!("Bearer {key}"))
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
        let usage = body.usage.map(|u| Usage {
            input_tokens: u.prompt_tokens,
            output_tokens: u.completion_tokens,
            cache_read_tokens: u.prompt_tokens_details.and_then(|d| d.cached_tokens).unwrap_or(0),
            cache_write_tokens: 0,
        });
        let Some(choice) = body.choices.into_iter().next() else {
            return Ok(Reply::Empty { problem: "the response has no choices", usage });
        };
        let text = choice.message.content.unwrap_or_default();
        let filtered = choice.finish_reason.as_deref() == Some("content_filter");
        // Some servers send an empty refusal beside every answer.
        let refused = choice.message.refusal.is_some_and(|r| !r.is_empty() || text.is_empty());
        if refused || filtered {
            return Ok(Reply::Refused { usage });
        }
        let logprobs = choice.logprobs.and_then(|l| l.content).unwrap_or_default();
        Ok(Reply::Completion {
            text,
            usage,
            // The fingerprint names the deployment, and changes where the name of the model does not.
            version: body.system_fingerprint.or(body.model),
            logprobs: logprobs
                .into_iter()
                .map(|l| TokenLogprob { token: l.token, logprob: l.logprob })
                .collect(),
        })
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
        for (message, reason) in [
            (json!({"content": null}), "content_filter"),
            (json!({"content": "Well, first"}), "content_filter"),
            (json!({"content": null, "refusal": "I cannot help."}), "stop"),
            (json!({"content": null, "refusal": ""}), "stop"),
        ] {
            assert_eq!(read(choice(message, reason)), Ok(Reply::Refused { usage: None }));
        }
        let completion = |text: &str| {
            let text = text.to_owned();
            Ok(Reply::Completion { text, usage: None, version: None, logprobs: Vec::new() })
        };
        assert_eq!(read(choice(json!({"content": "x"}), "stop")), completion("x"));
        assert_eq!(read(choice(json!({"content": "x", "refusal": ""}), "stop")), completion("x"));
        assert_eq!(read(choice(json!({"content": null}), "length")), completion(""));
        assert!(matches!(read(json!({"choices": []})), Ok(Reply::Empty { usage: None, .. })));
        assert!(read(json!("half an ans")).is_err());
    }

    #[test]
    fn the_fingerprint_names_the_version_and_else_the_model() {
        let version = |fingerprint: Value| {
            let body = json!({"choices": [{"message": {"content": "x"}}], "model": "m-1-2026", "system_fingerprint": fingerprint});
            match OpenAi.read(&body) {
                Ok(Reply::Completion { version, .. }) => version,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(version(json!("fp_1")).as_deref(), Some("fp_1"));
        assert_eq!(version(Value::Null).as_deref(), Some("m-1-2026"));
    }

    #[test]
    fn cached_and_reasoning_tokens_are_parts_and_not_added_again() {
        let body = json!({
            "choices": [{
                "message": {"content": "ab"},
                "logprobs": {"content": [
                    {"token": "a", "logprob": -0.25, "bytes": [97], "top_logprobs": []},
                    {"token": "b", "logprob": 0, "bytes": [98], "top_logprobs": []}
                ]},
                "finish_reason": "stop"
            }],
            "usage": {
                "prompt_tokens": 30, "completion_tokens": 10, "total_tokens": 40,
                "prompt_tokens_details": {"cached_tokens": 20, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 6}
            }
        });
        let usage = Usage {
            input_tokens: 30,
            output_tokens: 10,
            cache_read_tokens: 20,
            cache_write_tokens: 0,
        };
        let token = |token: &str, logprob| TokenLogprob { token: token.to_owned(), logprob };
        assert_eq!(
            OpenAi.read(&body),
            Ok(Reply::Completion {
                text: "ab".into(),
                usage: Some(usage),
                version: None,
                logprobs: vec![token("a", -0.25), token("b", 0.0)],
            })
        );
    }
}
