//! Recording against a loopback server that plays Chat Completions, and replaying what was recorded.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use serde_json::{Value, json};

use crate::common::{Told, copy_folder, recount, root, text};

const KEY: &str = "planted-key-5f0c1e";

/// How the server answers its n-th call (from 0), given the request.
type Script = Arc<dyn Fn(usize, &Value) -> (StatusCode, Value) + Send + Sync>;

#[derive(Clone)]
struct Played {
    script: Script,
    calls: Arc<AtomicUsize>,
}

/// Starts the server; its address and a counter of its calls.
fn serve(script: Script) -> (String, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let state = Played { script, calls: calls.clone() };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("non-blocking");
    let address = listener.local_addr().expect("address");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("runtime").block_on(async move {
            let app = Router::new().route("/v1/chat/completions", post(answer)).with_state(state);
            let listener = tokio::net::TcpListener::from_std(listener).expect("listener");
            axum::serve(listener, app).await.expect("served");
        });
    });
    (format!("http://{address}/v1"), calls)
}

async fn answer(
    State(played): State<Played>,
    Json(body): Json<Value>,
) -> (StatusCode, [(&'static str, &'static str); 1], Json<Value>) {
    let call = played.calls.fetch_add(1, Ordering::SeqCst);
    let (status, body) = (played.script)(call, &body);
    // No wait between attempts, so that the test is quick.
    (status, [("retry-after", "0")], Json(body))
}

fn completion(content: &str) -> (StatusCode, Value) {
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        "system_fingerprint": "played",
    });
    (StatusCode::OK, body)
}

fn valid(outcome: &str, confidence: f64) -> (StatusCode, Value) {
    completion(&format!(
        "{{\"reasoning\": \"r\", \"outcome\": \"{outcome}\", \"confidence\": {confidence}, \"sources\": [], \"conflicts_detected\": []}}"
    ))
}

/// A workplace of its own: data, cassettes and results in one throw-away folder.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(base_url: &str) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        copy_folder(&root().join("data/control"), &folder.path().join("data/control"));
        let models = format!(
            "[[model]]\nname = \"played\"\nprovider = \"openai\"\nbase_url = \"{base_url}\"\nseed = 7\nparameters = {{ temperature = 0.5 }}\n"
        );
        std::fs::write(folder.path().join("data/models.toml"), models).expect("written");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, mode: &str, run: &str, arms: &str) -> Told {
        let (data, cassettes, results) =
            (self.path("data"), self.path("cassettes"), self.path("results"));
        recount(&[
            "run",
            "--dataset",
            "control",
            "--models",
            "played",
            "--arms",
            arms,
            "--mode",
            mode,
            "--run",
            run,
            "--data",
            text(&data),
            "--cassettes",
            text(&cassettes),
            "--results",
            text(&results),
        ])
        .env("OPENAI_API_KEY", KEY)
        .output()
        .expect("the binary starts")
        .into()
    }

    fn records(&self, run: &str) -> Vec<Value> {
        let path = self.path("results").join(run).join("records.jsonl");
        let log = std::fs::read_to_string(path).expect("log");
        log.lines().map(|l| serde_json::from_str(l).expect("a row")).collect()
    }

    fn bytes(&self, run: &str, file: &str) -> Vec<u8> {
        std::fs::read(self.path("results").join(run).join(file)).expect("file")
    }
}

fn each_file(folder: &Path, see: &mut impl FnMut(&Path, &[u8])) {
    for entry in std::fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            each_file(&path, see);
        } else {
            see(&path, &std::fs::read(&path).expect("file"));
        }
    }
}

#[test]
fn a_replay_gives_the_recorded_rows_without_a_call() {
    let (url, calls) = serve(Arc::new(|call, _| valid(["YES", "NO"][call % 2], 0.75)));
    let place = Place::new(&url);
    let told = place.run("record", "first", "closed_book:2");
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(place.records("first").len(), 100);
    let recorded_calls = calls.load(Ordering::SeqCst);
    assert_eq!(recorded_calls, 100, "one call a row");
    assert_eq!(place.run("replay", "second", "closed_book:2").code, 0);
    assert_eq!(calls.load(Ordering::SeqCst), recorded_calls, "replay makes no call");
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
    let (url, _) = serve(Arc::new(|call, _| match call % 3 {
        0 => (StatusCode::UNAUTHORIZED, json!({"error": {"message": format!("bad key {KEY}")}})),
        1 => (StatusCode::OK, json!(format!("not an answer but {KEY}"))),
        _ => completion(KEY),
    }));
    let place = Place::new(&url);
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
    let (url, calls) = serve(Arc::new(|_, body| {
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
    let place = Place::new(&url);
    let told = place.run("record", "main", "closed_book");
    assert_eq!(told.code, 0, "{}", told.err);
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
    assert_eq!(
        calls.load(Ordering::SeqCst),
        expected,
        "three attempts, one repair; {faults} faults tried once"
    );
    // Failures are recorded and replayed as what they were.
    assert_eq!(place.run("replay", "again", "closed_book").code, 0);
    let statuses = |run: &str| -> Vec<Value> {
        place.records(run).iter().map(|r| r["status"].clone()).collect()
    };
    assert_eq!(statuses("main"), statuses("again"));
}

#[test]
fn a_crash_loses_the_line_in_flight_and_nothing_else() {
    let (url, calls) = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = Place::new(&url);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    let whole = place.bytes("main", "records.jsonl");
    let made = calls.load(Ordering::SeqCst);
    // What a kill in the middle of a write leaves behind.
    let cut = whole.len() * 2 / 3;
    std::fs::write(place.path("results/main/records.jsonl"), &whole[..cut]).expect("written");
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    assert_eq!(whole, place.bytes("main", "records.jsonl"));
    assert_eq!(calls.load(Ordering::SeqCst), made, "no served call is made twice");
}

#[test]
fn a_miss_names_the_nearest_recording_and_never_calls() {
    let (url, calls) = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = Place::new(&url);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    let made = calls.load(Ordering::SeqCst);
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
    assert_eq!(calls.load(Ordering::SeqCst), made);
}

/// A provider that takes no seed gets the same request for every repeat; the recordings must not be mixed up, not even
/// when the recording is taken up again between two repeats.
#[test]
fn repeats_without_a_seed_keep_their_own_recordings() {
    let (url, calls) =
        serve(Arc::new(|call, _| valid(["YES", "NO"][usize::from(call >= 50)], 0.5)));
    let place = Place::new(&url);
    let models = place.path("data/models.toml");
    let seedless = std::fs::read_to_string(&models).expect("models").replace("seed = 7\n", "");
    std::fs::write(&models, seedless).expect("written");
    assert_eq!(place.run("record", "main", "closed_book:1").code, 0);
    assert_eq!(place.run("record", "main", "closed_book:2").code, 0);
    assert_eq!(calls.load(Ordering::SeqCst), 100);
    assert_eq!(place.run("replay", "again", "closed_book:2").code, 0);
    for run in ["main", "again"] {
        for row in place.records(run) {
            let expected = ["YES", "NO"][row["repeat"].as_u64().expect("repeat") as usize];
            assert_eq!(row["answer"], expected, "{run}");
        }
    }
}

/// Rows that stand must not be relabelled by an edited model entry.
#[test]
fn a_run_is_not_taken_up_with_another_model() {
    let (url, _) = serve(Arc::new(|_, _| valid("YES", 0.9)));
    let place = Place::new(&url);
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
