//! A loopback server that plays Chat Completions as a script says, and a throw-away workplace to run against it.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use serde_json::{Value, json};

use crate::common::{Told, copy_folder, recount, root, text};

/// The key that the harness is given.
pub const KEY: &str = "planted-key-5f0c1e";

/// How the server answers its n-th call (from 0), given the request.
pub type Script = Arc<dyn Fn(usize, &Value) -> (StatusCode, Value) + Send + Sync>;

/// A server at work.
pub struct Server {
    /// Its address, as a base URL.
    pub url: String,
    calls: Arc<AtomicUsize>,
    most_at_once: Arc<AtomicUsize>,
}

impl Server {
    /// Calls that arrived.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Calls that were under way at one time.
    pub fn most_at_once(&self) -> usize {
        self.most_at_once.load(Ordering::SeqCst)
    }
}

#[derive(Clone)]
struct Played {
    script: Script,
    takes: Duration,
    calls: Arc<AtomicUsize>,
    now: Arc<AtomicUsize>,
    most_at_once: Arc<AtomicUsize>,
}

/// Starts a server that answers at once.
pub fn serve(script: Script) -> Server {
    serve_slowly(script, Duration::ZERO)
}

/// Starts a server whose answers take a while.
pub fn serve_slowly(script: Script, takes: Duration) -> Server {
    let count = || Arc::new(AtomicUsize::new(0));
    let state = Played { script, takes, calls: count(), now: count(), most_at_once: count() };
    let (calls, most_at_once) = (state.calls.clone(), state.most_at_once.clone());
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
    Server { url: format!("http://{address}/v1"), calls, most_at_once }
}

async fn answer(
    State(played): State<Played>,
    Json(body): Json<Value>,
) -> (StatusCode, [(&'static str, &'static str); 1], Json<Value>) {
    let call = played.calls.fetch_add(1, Ordering::SeqCst);
    let now = played.now.fetch_add(1, Ordering::SeqCst) + 1;
    played.most_at_once.fetch_max(now, Ordering::SeqCst);
    tokio::time::sleep(played.takes).await;
    let (status, body) = (played.script)(call, &body);
    played.now.fetch_sub(1, Ordering::SeqCst);
    // No wait between attempts, so that the test is quick.
    (status, [("retry-after", "0")], Json(body))
}

/// A completion with `content`.
pub fn completion(content: &str) -> (StatusCode, Value) {
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        "system_fingerprint": "played",
    });
    (StatusCode::OK, body)
}

/// A completion that keeps the answer contract.
pub fn valid(outcome: &str, confidence: f64) -> (StatusCode, Value) {
    completion(&format!(
        "{{\"reasoning\": \"r\", \"outcome\": \"{outcome}\", \"confidence\": {confidence}, \"sources\": [], \"conflicts_detected\": []}}"
    ))
}

/// A workplace of its own: data, cassettes and results in one throw-away folder.
pub struct Place {
    pub folder: tempfile::TempDir,
}

impl Place {
    /// A copy of the control data set and the model `played` behind `base_url`.
    pub fn new(base_url: &str) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        copy_folder(&root().join("data/control"), &folder.path().join("data/control"));
        let place = Self { folder };
        place.write_models(&format!(
            "base_url = \"{base_url}\"\nseed = 7\nparameters = {{ temperature = 0.5 }}\n"
        ));
        place
    }

    /// Writes `models.toml` with these lines about the model `played`, and whatever follows them.
    pub fn write_models(&self, lines: &str) {
        let models = format!("[[model]]\nname = \"played\"\nprovider = \"openai\"\n{lines}");
        std::fs::write(self.path("data/models.toml"), models).expect("written");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `recount run` of the model `played`, one call at a time.
    pub fn run(&self, mode: &str, run: &str, arms: &str) -> Told {
        let mut command = self.command(mode, run, arms);
        command.args(["--yes", "--concurrency", "1"]).output().expect("the binary starts").into()
    }

    /// As [`Place::run`], to be added to and started.
    pub fn command(&self, mode: &str, run: &str, arms: &str) -> Command {
        let (data, cassettes, results) =
            (self.path("data"), self.path("cassettes"), self.path("results"));
        let mut command = recount(&["run", "--dataset", "control", "--models", "played"]);
        command.args(["--arms", arms, "--mode", mode, "--run", run, "--data", text(&data)]);
        command.args(["--cassettes", text(&cassettes), "--results", text(&results)]);
        command.env("OPENAI_API_KEY", KEY);
        command
    }

    /// The rows of a run, in file order.
    pub fn records(&self, run: &str) -> Vec<Value> {
        let path = self.path("results").join(run).join("records.jsonl");
        let log = std::fs::read_to_string(path).expect("log");
        log.lines().map(|l| serde_json::from_str(l).expect("a row")).collect()
    }

    /// Number of whole lines in the log of a run that may have been cut off.
    pub fn records_or_cut(&self, run: &str) -> usize {
        self.bytes(run, "records.jsonl").iter().filter(|b| **b == b'\n').count()
    }

    pub fn bytes(&self, run: &str, file: &str) -> Vec<u8> {
        std::fs::read(self.path("results").join(run).join(file)).expect("file")
    }
}

/// Shows every file below `folder` to `see`.
pub fn each_file(folder: &Path, see: &mut impl FnMut(&Path, &[u8])) {
    for entry in std::fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            each_file(&path, see);
        } else {
            see(&path, &std::fs::read(&path).expect("file"));
        }
    }
}
