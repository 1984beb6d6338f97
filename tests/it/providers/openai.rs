use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::{Api, header, matrix, usage};

/// Chat Completions.
pub const OPENAI: Api = Api {
    provider: "openai",
    key_variable: "OPENAI_API_KEY",
    base_path: "/v1",
    path: "/v1/chat/completions",
    key: |headers| Some(header(headers, "authorization")?.strip_prefix("Bearer ")?.to_owned()),
    complaint,
    wrong_key: |key| {
        // The API shows the ends of the key.
        let (start, end) = (key.get(..8).unwrap_or(""), &key[key.len() - 4..]);
        let masked = format!("{start}{}{end}", "*".repeat(20));
        let message = format!(
            "Incorrect API key provided: {masked}. You can find your API key at https://platform.openai.com/account/api-keys."
        );
        (
            401,
            json!({"error": {"message": message, "type": "invalid_request_error", "param": null, "code": "invalid_api_key"}}),
        )
    },
    answer: |text| {
        completion(
            json!({"role": "assistant", "content": text, "refusal": null, "annotations": []}),
            "stop",
        )
    },
    usage: || usage(120, 45, 100, 0),
    version: "fp_played",
    refusals: || {
        let known = usage(120, 45, 100, 0);
        [
            (json!({"role": "assistant", "content": null, "refusal": "I'm sorry, I cannot assist with that request."}), "stop"),
            (json!({"role": "assistant", "content": null, "refusal": ""}), "stop"),
            (json!({"role": "assistant", "content": null, "refusal": null}), "content_filter"),
        ]
        .into_iter()
        .map(|(message, reason)| (completion(message, reason), known.clone()))
        .collect()
    },
    empty: || completion(json!({"role": "assistant", "content": "", "refusal": null}), "length"),
    error: |status, message| {
        let kind = match status {
            429 => "rate_limit_exceeded",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        json!({"error": {"message": message, "type": kind, "param": null, "code": null}})
    },
};

fn completion(message: Value, reason: &str) -> Value {
    json!({
        "id": "chatcmpl-played", "object": "chat.completion", "created": 1_796_072_280, "model": "played-2026-11-30",
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": reason}],
        "usage": {
            "prompt_tokens": 120, "completion_tokens": 45, "total_tokens": 165,
            "prompt_tokens_details": {"cached_tokens": 100, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 20, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0,
            },
        },
        "service_tier": "default", "system_fingerprint": "fp_played",
    })
}

fn complaint(_: &HeaderMap, body: &Value) -> Option<&'static str> {
    if body["model"] != "played" {
        return Some("the model `gpt-?` does not exist");
    }
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let roles = ["system", "developer", "user", "assistant"];
    let valid =
        messages.iter().all(|m| roles.iter().any(|r| m["role"] == *r) && m["content"].is_string());
    (messages.is_empty() || !valid).then_some("invalid 'messages'")
}

#[test]
fn the_matrix() {
    matrix::play(&OPENAI);
}
