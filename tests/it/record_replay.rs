//! Recording against a loopback server that plays Chat Completions, and replaying what was recorded.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::played::{KEY, Place, completion, each_file, serve, valid};

#[test]
fn a_replay_gives_the_recorded_rows_without_a_call() {
    let server = serve(Arc::new(|call, _| valid(["YES", "NO"][call % 2], 0.75)));
    let place = Place::new(&server.url);
    let told = place.run("record", "first", "closed_book:2");
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(place.records("first").len(), 100);
    let recorded_calls = server.calls();
    assert_eq!(recorded_calls, 100, "one call a row");
    assert_eq!(place.run("replay", "second", "closed_book:2").code, 0);
    assert_eq!(server.calls(), recorded_calls, "replay makes no call");
    let without_run_id = |run: &str| -> Vec<Value> {
        let mut rows = place.records(run);
        rows.iter_mut().for_each(|r| r["run_id"] = Value::Null);
        rows
    };
    assert_eq!(without_run_id("first"), without_run_id("second"));
    assert_eq!(place.bytes("first", "responses.jsonl"), place.bytes("second", "responses.jsonl"));
    // Running it once more adds nothing: every row stands.
    let before = place.bytes("second", "records.jsonl");
    assert_eq!(place.run("replay", "second", "closed_book:2").code, 0);
    assert_eq!(before, place.bytes("second", "records.jsonl"));
}

#[test]
fn the_key_is_written_nowhere() {
    // The server echoes the key, as a careless one would.
    let server = serve(Arc::new(|call, _| match call % 3 {
        0 => (StatusCode::UNAUTHORIZED, json!({"error": {"message": format!("bad key {KEY}")}})),
        1 => (StatusCode::OK, json!(format!("not an answer but {KEY}"))),
        _ => completion(KEY),
    }));
    let place = Place::new(&server.url);
    let told = place.run("record", "main", "closed_book");
    assert!(!told.err.contains(KEY) && !told.out.contains(KEY));
    let mut files = 0;
    each_file(place.folder.path(), &mut |path, bytes| {
        files += 1;
        let found = bytes.windows(KEY.len()).any(|w| w == KEY.as_bytes());
        assert!(!found, "the key stands in {}", path.display());
    });
    assert!(files > 6, "the run wrote its files");
}

#[test]
fn each_failure_becomes_its_status() {
    let server = serve(Arc::new(|_, body| {
        let prompt = body["messages"].as_array().map_or(0, Vec::len);
        let question = body["messages"][1]["content"].as_str().unwrap_or("");
        let repaired = prompt > 2;
        match question.len() % 5 {
            0 => (StatusCode::INTERNAL_SERVER_ERROR, json!({"error": {"message": "down"}})),
            1 => (StatusCode::NOT_FOUND, json!({"error": {"message": "no such model"}})),
            2 if repaired => valid("NO", 1.0),
            2 => completion("I think it is NO."),
            3 => completion("No JSON, whatever you ask."),
            _ => valid("UNRESOLVABLE", 0.5),
        }
    }));
    let place = Place::new(&server.url);
    let told = place.run("record", "main", "closed_book");
    assert_eq!(told.code, 1, "{}", told.err);
    let rows = place.records("main");
    let mut seen = std::collections::BTreeSet::new();
    for row in &rows {
        let status = row["status"].as_str().expect("status");
        seen.insert(status.to_owned());
        match status {
            "unserved" => assert_eq!(row["error"]["http_status"], 500),
            "harness_fault" => assert_eq!(row["error"]["message"], "no such model"),
            "answered" => {
                assert_eq!((&row["repairs"], &row["schema_ok"]), (&json!(1), &json!(false)))
            }
            "hard_fail" => {
                assert_eq!((&row["repairs"], &row["correct"]), (&json!(1), &json!(false)))
            }
            "abstained" => {
                assert_eq!((&row["schema_ok"], &row["correct"]), (&json!(true), &json!(false)))
            }
            other => panic!("unexpected status {other}"),
        }
    }
    assert_eq!(seen.len(), 5, "every kind of failure occurred: {seen:?}");
    let failed = rows.iter().filter(|r| r["status"] == "unserved").count();
    let faults = rows.iter().filter(|r| r["status"] == "harness_fault").count();
    let repaired = rows.iter().filter(|r| r["repairs"] == 1).count();
    let expected = rows.len() + 2 * failed + repaired;
    assert_eq!(server.calls(), expected, "three attempts, one repair; {faults} faults tried once");
    // Failures are recorded and replayed as what they were.
    assert_eq!(place.run("replay", "again", "closed_book").code, 0);
    let statuses = |run: &str| -> Vec<Value> {
        place.records(run).iter().map(|r| r["status"].clone()).collect()
    };
    assert_eq!(statuses("main"), statuses("again"));
}

#[test]
fn a_crash_loses_the_line_in_flight_and_nothing_else() {
    let server = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = Place::new(&server.url);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    let whole = place.bytes("main", "records.jsonl");
    let made = server.calls();
    // What a kill in the middle of a write leaves behind.
    let cut = whole.len() * 2 / 3;
    std::fs::write(place.path("results/main/records.jsonl"), &whole[..cut]).expect("written");
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    assert_eq!(whole, place.bytes("main", "records.jsonl"));
    assert_eq!(server.calls(), made, "no served call is made twice");
}

#[test]
fn a_miss_names_the_nearest_recording_and_never_calls() {
    let server = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = Place::new(&server.url);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    let made = server.calls();
    let told = place.run("replay", "more", "closed_book:2");
    assert_eq!(told.code, 3);
    for word in ["cassette miss", "closed_book.jsonl", "`seed`", "--mode record"] {
        assert!(told.err.contains(word), "`{word}` is missing in: {}", told.err);
    }
    let models = place.path("data/models.toml");
    let other = std::fs::read_to_string(&models).expect("models").replace("0.5", "0.6");
    std::fs::write(&models, other).expect("written");
    let told = place.run("replay", "other", "closed_book");
    assert!(told.err.contains("`temperature`"), "{}", told.err);
    assert_eq!(server.calls(), made);
}

/// A provider that takes no seed gets the same request for every repeat; the recordings must not be mixed up, not even
/// when the recording is taken up again between two repeats.
#[test]
fn repeats_without_a_seed_keep_their_own_recordings() {
    let server = serve(Arc::new(|call, _| valid(["YES", "NO"][usize::from(call >= 50)], 0.5)));
    let place = Place::new(&server.url);
    let models = place.path("data/models.toml");
    let seedless = std::fs::read_to_string(&models).expect("models").replace("seed = 7\n", "");
    std::fs::write(&models, seedless).expect("written");
    assert_eq!(place.run("record", "main", "closed_book:1").code, 0);
    assert_eq!(place.run("record", "main", "closed_book:2").code, 0);
    assert_eq!(server.calls(), 100);
    assert_eq!(place.run("replay", "again", "closed_book:2").code, 0);
    for run in ["main", "again"] {
        for row in place.records(run) {
            let expected = ["YES", "NO"][row["repeat"].as_u64().expect("repeat") as usize];
            assert_eq!(row["answer"], expected, "{run}");
        }
    }
}

/// With one seed for all, a sampler would draw the same numbers for every item.
#[test]
fn each_item_can_have_a_seed_of_its_own() {
    let seeds = Arc::new(std::sync::Mutex::new(std::collections::BTreeSet::new()));
    let seen = seeds.clone();
    let server = serve(Arc::new(move |_, body| {
        seen.lock().expect("whole").insert(body["seed"].as_u64().expect("a seed"));
        valid("YES", 0.9)
    }));
    let place = Place::new(&server.url);
    let models = place.path("data/models.toml");
    let own = std::fs::read_to_string(&models).expect("models") + "seed_per_item = true\n";
    std::fs::write(&models, own).expect("written");
    assert_eq!(place.run("record", "main", "closed_book:2").code, 0);
    let seeds = seeds.lock().expect("whole");
    assert_eq!(seeds.len(), 100);
    assert!(seeds.iter().all(|s| i32::try_from(*s).is_ok()));
    let run: Value = serde_json::from_slice(&place.bytes("main", "run.json")).expect("run.json");
    assert_eq!(run["models"][0]["seed_per_item"], true);
    assert_eq!(place.run("replay", "again", "closed_book:2").code, 0);
}

/// Rows that stand must not be relabelled by an edited model entry.
#[test]
fn a_run_is_not_taken_up_with_another_model() {
    let server = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = Place::new(&server.url);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    let before = place.bytes("main", "run.json");
    let models = place.path("data/models.toml");
    let other = std::fs::read_to_string(&models).expect("models").replace("0.5", "0.6");
    std::fs::write(&models, other).expect("written");
    let told = place.run("replay", "main", "closed_book");
    assert_eq!(told.code, 3);
    assert!(told.err.contains("another `parameters`"), "{}", told.err);
    assert_eq!(before, place.bytes("main", "run.json"));
}

#[test]
fn the_probability_of_the_answers_tokens_is_recorded_when_offered() {
    let server = serve(Arc::new(|_, _| {
        let (status, mut body) = valid("YES", 0.9);
        let content = body["choices"][0]["message"]["content"].as_str().expect("text");
        let (before, after) = content.split_once("YES").expect("an outcome");
        let tokens = [(before, -9.0), ("YE", -0.125), ("S", -0.25), (after, -9.0)];
        let tokens: Vec<Value> =
            tokens.iter().map(|(t, l)| json!({"token": t, "logprob": l})).collect();
        body["choices"][0]["logprobs"] = json!({"content": tokens});
        (status, body)
    }));
    let place = Place::new(&server.url);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    assert!(place.records("main").iter().all(|r| r["answer_logprob"] == -0.375));
}
