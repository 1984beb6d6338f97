//! Arms that a user adds as data, and the arms for choices and spans.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use crate::{
    common::{Told, recount, text},
    played::{Place, serve, valid},
};

const ARM: &str = "[[arm]]\nname = \"brief\"\ndescription = \"Short.\"\nevidence = \"bundle\"\nmay_abstain = true\nprompt = \"brief.md\"\n";
const PROMPT: &str = "{{documents}}{{question}} Say {{outcome}}.\n";

fn place(url: &str, arm: &str, prompt: &str) -> Place {
    let place = Place::new(url);
    std::fs::write(place.path("data/arms.toml"), arm).expect("written");
    std::fs::write(place.path("data/brief.md"), prompt).expect("written");
    place
}

#[test]
fn an_arm_is_added_without_touching_code() {
    let prompts = Arc::new(Mutex::new(BTreeSet::new()));
    let seen = prompts.clone();
    let server = serve(Arc::new(move |_, body| {
        let text = body["messages"][1]["content"].as_str().expect("a prompt").to_owned();
        seen.lock().expect("whole").insert(text);
        valid("UNRESOLVABLE", 0.5)
    }));
    let place = place(&server.url, ARM, PROMPT);
    let told = place.run("record", "main", "brief,closed_book");
    assert_eq!(told.code, 0, "{}", told.err);
    let prompts = prompts.lock().expect("whole");
    let own: Vec<_> = prompts.iter().filter(|p| p.contains("Say \"YES\"")).collect();
    assert_eq!(own.len(), 50);
    assert!(
        own.iter()
            .all(|p| p.starts_with("Documents:\n\n") && p.ends_with("\"NO\" or \"UNRESOLVABLE\"."))
    );
    let run: Value = serde_json::from_slice(&place.bytes("main", "run.json")).expect("run.json");
    assert_eq!(run["arms"][0]["name"], "brief");
    assert_eq!(run["arms"][0]["prompt_sha256"], records::sha256_hex(PROMPT.as_bytes()));
    let rows = place.records("main");
    assert!(rows.iter().filter(|r| r["arm"] == "brief").all(|r| r["conflict_labels"].is_array()));
    assert!(
        rows.iter().filter(|r| r["arm"] == "closed_book").all(|r| r["conflict_labels"].is_null())
    );
    // An edited prompt shows as what it is.
    std::fs::write(place.path("data/brief.md"), PROMPT.replace("Say", "Tell")).expect("written");
    let told = place.run("replay", "main", "brief:2");
    assert!(told.code == 3 && told.err.contains("another prompt"), "{}", told.err);
    let told = place.run("replay", "other", "brief");
    assert!(
        told.code == 3 && told.err.contains("`messages` (the prompt was edited)"),
        "{}",
        told.err
    );
}

#[test]
fn a_wrong_arm_says_where_and_why() {
    let refused = |arm: &str, prompt: &str, words: &[&str]| {
        let told = place("http://127.0.0.1:9/v1", arm, prompt).run("replay", "main", "brief");
        assert_eq!(told.code, 3, "{}", told.err);
        for word in words {
            assert!(told.err.contains(word), "`{word}` is missing in: {}", told.err);
        }
    };
    refused(&ARM.replace("brief\"\nd", "a0\"\nd"), PROMPT, &["arms.toml, arm \"a0\"", "another"]);
    refused(&ARM.replace("brief.md", "none.md"), PROMPT, &["`prompt`", "none.md"]);
    refused(ARM, "{{documents}}{{mood}}", &["brief.md", "{{mood}}", "{{question}}"]);
    refused(ARM, "{{question}}", &["{{documents}} must be there"]);
    refused(&ARM.replace("bundle", "bundles"), PROMPT, &["arms.toml", "bundles"]);
    refused(&ARM.replace("may_abstain", "may_abstane"), PROMPT, &["may_abstane"]);
    refused(&ARM.replace("\"brief\"", "\"../brief\""), PROMPT, &["`name`"]);
}

/// Makes the control set into one of choices and spans; the facts do not matter here.
fn choices_and_spans(place: &Place) {
    let data = place.path("data/control");
    let items = std::fs::read_to_string(data.join("items.jsonl")).expect("items");
    let other: Vec<String> = items
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let mut item: Value = serde_json::from_str(line).expect("an item");
            item["tags"] = json!({});
            if at % 2 == 0 {
                item["kind"] = "choice".into();
                item["choices"] = json!(["red", "blue", "green", "none"]);
                item["target"] = "B".into();
            } else {
                item["kind"] = "span".into();
                item["target"] = "the harbour".into();
            }
            item.to_string() + "\n"
        })
        .collect();
    std::fs::write(data.join("items.jsonl"), other.concat()).expect("written");
    let manifest = data.join("manifest.json");
    let mut value: Value =
        serde_json::from_slice(&std::fs::read(&manifest).expect("manifest")).expect("JSON");
    value["constraints"] = json!({});
    std::fs::write(&manifest, value.to_string()).expect("written");
    let told: Told =
        recount(&["dataset", "sign", text(&data), "--write"]).output().expect("starts").into();
    assert_eq!(told.code, 0, "{}", told.err);
}

#[test]
fn choices_and_spans_are_asked_with_and_without_their_documents() {
    let server = serve(Arc::new(|_, body| {
        let prompt = body["messages"][1]["content"].as_str().expect("a prompt");
        let known = prompt.starts_with("Documents:");
        let choice = prompt.contains("A) red\nB) blue\n");
        assert!(body["messages"][0]["content"].as_str().expect("system").contains("news"));
        match (choice, known) {
            (true, true) => valid("b.", 0.9),
            (true, false) => valid("A", 0.3),
            (false, true) => valid("Harbour", 0.9),
            (false, false) => valid("the town", 0.2),
        }
    }));
    let place = Place::new(&server.url);
    choices_and_spans(&place);
    let told = place.run("record", "main", "a0");
    assert!(told.code == 2 && told.err.contains("asks no item"), "{}", told.err);
    let told = place.run("record", "main", "no_context,oracle,no_search");
    assert_eq!(told.code, 0, "{}", told.err);
    let rows = place.records("main");
    assert_eq!(rows.len(), 50 + 50 + 25, "no_search asks spans only");
    for row in &rows {
        assert_eq!(row["correct"], row["arm"] == "oracle", "{row}");
        assert_eq!(row["status"], "answered");
    }
    let told = place.run("replay", "again", "no_context,oracle,no_search");
    assert_eq!(told.code, 0, "{}", told.err);
}
