use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::{Api, header, matrix, usage};

/// Messages.
pub const ANTHROPIC: Api = Api {
    provider: "anthropic",
    key_variable: "ANTHROPIC_API_KEY",
    base_path: "/v1",
    path: "/v1/messages",
    key: |headers| header(headers, "x-api-key"),
    complaint,
    wrong_key: |_| (401, error(401, "invalid x-api-key")),
    answer: |text| {
        let thinking = json!({"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"});
        message(json!([thinking, {"type": "text", "text": text}]), "end_turn")
    },
    usage: || usage(120, 45, 90, 20),
    version: "played-2026-11-30",
    refusals: || {
        [json!([]), json!([{"type": "text", "text": "Hello.."}])]
            .into_iter()
            .map(|content| (message(content, "refusal"), usage(120, 45, 90, 20)))
            .collect()
    },
    empty: || message(json!([]), "max_tokens"),
    error,
};

fn message(content: Value, reason: &str) -> Value {
    json!({
        "id": "msg_played", "type": "message", "role": "assistant", "model": "played-2026-11-30",
        "content": content, "stop_reason": reason, "stop_sequence": null,
        "usage": {
            "input_tokens": 10, "output_tokens": 45,
            "cache_read_input_tokens": 90, "cache_creation_input_tokens": 20,
            "cache_creation": {"ephemeral_5m_input_tokens": 20, "ephemeral_1h_input_tokens": 0},
            "service_tier": "standard",
        },
    })
}

fn error(status: u16, message: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_played"})
}

fn complaint(headers: &HeaderMap, body: &Value) -> Option<&'static str> {
    if header(headers, "anthropic-version").as_deref() != Some("2023-06-01") {
        return Some("anthropic-version: header is required");
    }
    if body["model"] != "played" {
        return Some("model: not found");
    }
    if body["max_tokens"].as_u64().is_none_or(|n| n == 0) {
        return Some("max_tokens: Field required");
    }
    if !(body["system"].is_string() || body["system"].is_null()) || body.get("seed").is_some() {
        return Some("extra inputs are not permitted");
    }
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let valid = messages.iter().all(|m| {
        (m["role"] == "user" || m["role"] == "assistant")
            && m["content"].as_str().is_some_and(|t| !t.trim().is_empty())
    });
    if messages.is_empty() || !valid || messages[0]["role"] != "user" {
        return Some("messages: text content blocks must be non-empty");
    }
    None
}

#[test]
fn the_matrix() {
    matrix::play(&ANTHROPIC);
}
