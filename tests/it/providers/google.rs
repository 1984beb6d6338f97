use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::{
    Api, header,
    matrix::{self, Case},
    server::Act,
    usage,
};

/// Gemini's `generateContent`.
pub const GOOGLE: Api = Api {
    provider: "google",
    key_variable: "GEMINI_API_KEY",
    base_path: "/v1beta",
    path: "/v1beta/models/played:generateContent",
    key: |headers| header(headers, "x-goog-api-key"),
    complaint,
    wrong_key: |_| {
        let details = json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}]);
        let message = "API key not valid. Please pass a valid API key.";
        (
            400,
            json!({"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT", "details": details}}),
        )
    },
    answer: |text| {
        let parts = json!([{"text": "Let me see.", "thought": true}, {"text": text}]);
        response(
            json!({"content": {"parts": parts, "role": "model"}, "finishReason": "STOP", "index": 0}),
        )
    },
    usage: || usage(120, 45, 100, 0),
    version: "played-001",
    refusals: || {
        let ratings = json!([{"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": true}]);
        let blocked = json!({
            "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
            "usageMetadata": {"promptTokenCount": 120, "totalTokenCount": 120},
            "modelVersion": "played-001", "responseId": "played",
        });
        vec![
            (
                response(json!({"finishReason": "SAFETY", "index": 0, "safetyRatings": ratings})),
                usage(120, 45, 100, 0),
            ),
            (
                response(json!({"content": {}, "finishReason": "PROHIBITED_CONTENT", "index": 0})),
                usage(120, 45, 100, 0),
            ),
            (blocked, usage(120, 0, 0, 0)),
        ]
    },
    empty: || {
        response(json!({"content": {"role": "model"}, "finishReason": "MAX_TOKENS", "index": 0}))
    },
    error,
};

fn response(candidate: Value) -> Value {
    json!({
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": 120, "candidatesTokenCount": 25, "totalTokenCount": 165,
            "cachedContentTokenCount": 100, "thoughtsTokenCount": 20,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 120}],
        },
        "modelVersion": "played-001", "responseId": "played",
    })
}

fn error(status: u16, message: &str) -> Value {
    let name = match status {
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        500 => "INTERNAL",
        503 => "UNAVAILABLE",
        _ => "INVALID_ARGUMENT",
    };
    json!({"error": {"code": status, "message": message, "status": name}})
}

fn complaint(_: &HeaderMap, body: &Value) -> Option<&'static str> {
    let said = |content: &Value| {
        let parts = content["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
        !parts.is_empty() && parts.iter().all(|p| p["text"].as_str().is_some_and(|t| !t.is_empty()))
    };
    let contents = body["contents"].as_array().map(Vec::as_slice).unwrap_or_default();
    let valid = contents.iter().all(|c| (c["role"] == "user" || c["role"] == "model") && said(c));
    if contents.is_empty() || !valid {
        return Some("contents.parts must not be empty.");
    }
    if !said(&body["systemInstruction"]) {
        return Some("Invalid value at 'system_instruction'");
    }
    let known = ["contents", "systemInstruction", "generationConfig", "safetySettings", "tools"];
    let unknown = body.as_object().is_none_or(|b| b.keys().any(|k| !known.contains(&k.as_str())));
    unknown.then_some("Invalid JSON payload received. Unknown name")
}

#[test]
fn the_matrix() {
    matrix::play(&GOOGLE);
}

/// This API says in the body how long to wait, and sends no header.
#[test]
fn the_delay_in_the_body_is_kept() {
    let mut busy = error(429, "You exceeded your current quota.");
    busy["error"]["details"] = json!([
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.1s"},
    ]);
    let case = Case {
        acts: vec![Act::json(429, &[], &busy), matrix::served(&GOOGLE)],
        calls: 2,
        waits: vec![1.1],
        ..Case::new("a delay in the body")
    };
    matrix::check(&GOOGLE, &case);
}
