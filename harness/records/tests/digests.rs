//! Hashes and canonical JSON against values computed elsewhere.

use records::{Request, bundle_digest, canonical_json, document_digest, file_entry, sha256_hex};
use serde_json::json;

/// The value of the empty text and of "abc" in FIPS 180-4's examples.
#[test]
fn sha256_of_known_texts() {
    assert_eq!(sha256_hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(
        sha256_hex(b"abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

/// Computed with Python's hashlib: sha256(b"T\n2026-01-01T00:00:00Z\nx") and the bundle of that digest twice.
#[test]
fn documents_and_bundles() {
    let document = document_digest("T", "2026-01-01T00:00:00Z", "x");
    assert_eq!(document, "4f7797800ca52a85c8d107dea9130bf5c4f04ab069b6e9f5e4abf59fd1b1bf8d");
    assert_eq!(
        bundle_digest([document.as_str(), document.as_str()]),
        "4398a76b431a1f85ea11630afc5b5e0071b74ce82eb7674ec196b830e50eb02f"
    );
}

#[test]
fn canonical_json_does_not_depend_on_the_order_of_keys() {
    let a: serde_json::Value =
        serde_json::from_str(r#"{"b": [1, {"z": null, "a": "ü\n"}], "a": 0.10}"#).expect("JSON");
    assert_eq!(canonical_json(&a), "{\"a\":0.1,\"b\":[1,{\"a\":\"ü\\n\",\"z\":null}]}");
}

#[test]
fn a_request_key_depends_on_provider_path_and_body_alone() {
    let request = |path: &str, body| Request { method: "POST".into(), path: path.into(), body };
    let key = request("/p", json!({"a": 1, "b": 2})).key("openai");
    assert_eq!(key, request("/p", json!({"b": 2, "a": 1})).key("openai"));
    assert_ne!(key, request("/q", json!({"a": 1, "b": 2})).key("openai"));
    assert_ne!(key, request("/p", json!({"a": 1, "b": 3})).key("openai"));
    assert_ne!(key, request("/p", json!({"a": 1, "b": 2})).key("google"));
}

#[test]
fn blank_lines_are_no_lines() {
    let entry = file_entry(b"a\n\nb\r\n  \nc");
    assert_eq!((entry.bytes, entry.lines), (10, 3));
}

/// By hand: 1,000 input tokens of which 600 cached and 100 written, 50 output tokens, at 2 and 10 dollars a million:
/// (300 + 600 × 0.1 + 100 × 1.25) × 2 / 10⁶ + 50 × 10 / 10⁶ = 0.00097 + 0.0005.
#[test]
fn a_row_costs_what_the_price_list_says() {
    let price = records::Price {
        as_of: "2026-11-30".into(),
        input_usd_per_million: 2.0,
        output_usd_per_million: 10.0,
        cache_read_factor: 0.1,
        cache_write_factor: 1.25,
    };
    let usage = records::Usage {
        input_tokens: 1000,
        output_tokens: 50,
        cache_read_tokens: 600,
        cache_write_tokens: 100,
    };
    assert!((price.cost_usd(&usage) - 0.00147).abs() < 1e-15);
    // A provider that reports more cached than read tokens makes no negative cost.
    let odd = records::Usage { cache_read_tokens: 5000, ..usage };
    assert!(price.cost_usd(&odd) > 0.0);
}
