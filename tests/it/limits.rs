//! Cost, concurrency, and providers that are out of reach.

use std::{sync::Arc, time::Duration};

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::{
    common::Told,
    played::{Place, serve, serve_slowly, valid},
};

fn finish(mut command: std::process::Command, more: &[&str]) -> Told {
    command.args(more).output().expect("the binary starts").into()
}

fn priced(url: &str) -> Place {
    let place = Place::new(url);
    place.write_models(&format!("base_url = \"{url}\"\nparameters = {{ max_tokens = 100 }}\n"));
    let price = "[[price]]\nprovider = \"openai\"\nmodel = \"played\"\nas_of = \"2026-11-30\"\ninput_usd_per_million = 100.0\noutput_usd_per_million = 1000.0\ncache_read_factor = 0.1\ncache_write_factor = 1.25\n";
    std::fs::write(place.path("data/prices.toml"), price).expect("written");
    place
}

#[test]
fn a_live_run_says_what_it_takes_and_asks_first() {
    let server = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = priced(&server.url);
    let told = finish(place.command("record", "main", "closed_book"), &[]);
    assert_eq!(told.code, 2, "{}", told.err);
    assert!(told.err.contains("50 rows to ask, about"), "{}", told.err);
    assert!(told.err.contains("$") && told.err.contains("2026-11-30"), "{}", told.err);
    assert!(told.err.contains("say --yes"), "{}", told.err);
    assert_eq!(server.calls(), 0);
    let told = finish(place.command("record", "main", "closed_book"), &["--yes"]);
    assert_eq!(told.code, 0, "{}", told.err);
    // 10 tokens read at 100 and 5 written at 1000 dollars a million, fifty times.
    assert!(told.err.contains("50 calls made, $0.3000"), "{}", told.err);
    // What is recorded needs no call, so nobody needs to be asked.
    let told = finish(place.command("record", "again", "closed_book"), &[]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(server.calls(), 50);
}

#[test]
fn a_cost_limit_stops_cleanly_and_the_run_goes_on_later() {
    let server = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = priced(&server.url);
    // A row may take about a third of a dollar at most, and takes 0.006.
    let told =
        finish(place.command("record", "main", "closed_book"), &["--yes", "--max-cost-usd", "0.5"]);
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(
        told.err.contains("--max-cost-usd 0.5") && told.err.contains("goes on"),
        "{}",
        told.err
    );
    let spent: f64 = place.records("main").iter().filter_map(|r| r["cost_usd"].as_f64()).sum();
    assert!(spent > 0.0 && spent <= 0.5, "{spent}");
    assert_eq!(server.calls(), place.records("main").len());
    let told = finish(place.command("record", "main", "closed_book"), &["--yes"]);
    assert_eq!((told.code, place.records("main").len()), (0, 50), "{}", told.err);
}

#[test]
fn a_cost_limit_without_a_price_is_refused() {
    let server = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = Place::new(&server.url);
    let told =
        finish(place.command("record", "main", "closed_book"), &["--yes", "--max-cost-usd", "1"]);
    assert_eq!(told.code, 2);
    assert!(told.err.contains("no price is known for played"), "{}", told.err);
    for amount in ["-1", "NaN", "much"] {
        let told = finish(
            place.command("record", "main", "closed_book"),
            &["--yes", &format!("--max-cost-usd={amount}")],
        );
        assert_eq!(told.code, 2, "{amount}: {}", told.err);
    }
}

#[test]
fn a_thousand_calls_are_under_way_at_one_time() {
    let server = serve_slowly(Arc::new(|_, _| valid("YES", 0.9)), Duration::from_millis(1500));
    let place = Place::new(&server.url);
    let told = finish(
        place.command("record", "main", "closed_book:20"),
        &["--yes", "--concurrency", "1000"],
    );
    assert_eq!(told.code, 0, "{}", told.err);
    let rows = place.records("main");
    assert_eq!(rows.len(), 1000);
    assert!(rows.iter().all(|r| r["status"] == "answered"));
    assert_eq!(server.calls(), 1000);
    assert!(server.most_at_once() >= 500, "{} at one time", server.most_at_once());
}

#[test]
fn the_limits_of_a_provider_are_kept() {
    let server = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = Place::new(&server.url);
    place.write_models(&format!(
        "base_url = \"{}\"\n[limits.openai]\nconcurrency = 2\nrequests_per_minute = 40\n",
        server.url
    ));
    let start = std::time::Instant::now();
    let told = finish(place.command("record", "main", "closed_book"), &["--yes"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(server.most_at_once() <= 2, "{}", server.most_at_once());
    // Forty at once, and ten more at one in 1.5 seconds.
    assert!(start.elapsed() >= Duration::from_millis(14_000), "{:?}", start.elapsed());
}

#[test]
fn a_provider_that_rejects_everything_is_left_alone_soon() {
    let server = serve(Arc::new(|call, _| {
        if call < 10 {
            (StatusCode::UNAUTHORIZED, json!({"error": {"message": "no such key"}}))
        } else {
            valid("YES", 0.9)
        }
    }));
    let place = Place::new(&server.url);
    let told = place.run("record", "main", "closed_book");
    assert_eq!(told.code, 4, "{}", told.err);
    for words in ["HTTP 401: no such key", "--retry-faults"] {
        assert!(told.err.contains(words), "{}", told.err);
    }
    assert_eq!(server.calls(), 10);
    let faults = || place.records("main").iter().filter(|r| r["status"] == "harness_fault").count();
    assert_eq!(faults(), 10);
    // Without being asked for, what was rejected stays rejected; the rest goes on.
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    assert_eq!((place.records("main").len(), faults()), (50, 10));
    let told = finish(
        place.command("record", "main", "closed_book"),
        &["--yes", "--concurrency", "1", "--retry-faults"],
    );
    assert_eq!(told.code, 0, "{}", told.err);
    let rows: Vec<Value> = place.records("main");
    assert_eq!(rows.len(), 60);
    assert!(rows[50..].iter().all(|r| r["attempt"] == 2 && r["status"] == "answered"));
}

#[test]
fn a_dead_address_ends_the_run_with_the_address_in_mind() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("port")
        .local_addr()
        .expect("address")
        .port();
    let place = Place::new(&format!("http://127.0.0.1:{port}/v1"));
    let told =
        finish(place.command("live", "main", "closed_book"), &["--yes", "--concurrency", "10"]);
    assert_eq!(told.code, 4, "{}", told.err);
    assert!(told.err.contains("base_url"), "{}", told.err);
    assert!(place.records("main").len() <= 30);
}

#[test]
fn tokens_that_bring_no_answer_are_paid_for_too() {
    let server = serve(Arc::new(|_, _| {
        let usage = json!({"prompt_tokens": 1000, "completion_tokens": 0});
        (StatusCode::OK, json!({"choices": [], "usage": usage}))
    }));
    let place = priced(&server.url);
    let told = finish(
        place.command("live", "main", "closed_book"),
        &["--yes", "--concurrency", "1", "--max-cost-usd", "2.2"],
    );
    // Three tries of a row at 0.1 dollars each.
    assert!(told.err.contains("calls made, $"), "{}", told.err);
    let spent: f64 = place.records("main").iter().filter_map(|r| r["cost_usd"].as_f64()).sum();
    assert!(spent > 0.0 && spent <= 2.2 + 1e-9, "{spent}: {}", told.err);
    assert!((spent - server.calls() as f64 * 0.1).abs() < 1e-9, "{spent}");
}

#[test]
fn prices_and_models_that_make_no_sense_are_refused() {
    let refused = |models: &str, price: &str, words: &[&str]| {
        let place = priced("http://127.0.0.1:9/v1");
        let models_path = place.path("data/models.toml");
        let known = std::fs::read_to_string(&models_path).expect("models");
        std::fs::write(&models_path, format!("{known}{models}")).expect("written");
        let prices = place.path("data/prices.toml");
        let known = std::fs::read_to_string(&prices).expect("prices");
        std::fs::write(&prices, known.replace("= 100.0", price)).expect("written");
        let told = place.run("replay", "main", "closed_book");
        assert_eq!(told.code, 3, "{}", told.err);
        for word in words {
            assert!(told.err.contains(word), "`{word}` is missing in: {}", told.err);
        }
    };
    refused("", "= -1.0", &["prices.toml", "played", "`input_usd_per_million`", "-1"]);
    refused("", "= nan", &["`input_usd_per_million`", "NaN"]);
    refused("", "= 1.0\ncurrency = \"EUR\"", &["prices.toml", "currency"]);
    let model = |name: &str, more: &str| {
        format!("[[model]]\nname = \"{name}\"\nprovider = \"openai\"\n{more}\n")
    };
    let two = model("a b", "") + &model("a/b", "");
    refused(&two, "= 1.0", &["\"a/b\"", "\"a b\"", "a-b", "another name"]);
    refused(&model("x", "parameters = { api_key = \"sk\" }"), "= 1.0", &["`parameters.api_key`"]);
    refused(&model("x", "parameters = { messages = [] }"), "= 1.0", &["`parameters.messages`"]);
    refused(&model(" ", ""), "= 1.0", &["`name`"]);
    refused("[limits.opnai]\nconcurrency = 1\n", "= 1.0", &["limits", "opnai"]);
}
