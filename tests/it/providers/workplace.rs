//! A data set of one question, and a throw-away folder for each run on it.

use std::{
    path::{Path, PathBuf},
    sync::LazyLock,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::Api;
use crate::common::{Told, copy_folder, recount, root, tell, text};

/// The first question of the control set with its documents, signed.
static ONE_QUESTION: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("folder");
    let (from, to) = (root().join("data/control"), folder.path().join("one"));
    copy_folder(&from, &to);
    for file in ["items.jsonl", "bundles.jsonl"] {
        let rows = std::fs::read_to_string(from.join(file)).expect("rows");
        let first = format!("{}\n", rows.lines().next().expect("a row"));
        std::fs::write(to.join(file), first).expect("written");
    }
    let manifest = std::fs::read(from.join("manifest.json")).expect("manifest");
    let mut manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    manifest["dataset_id"] = json!("one");
    manifest["constraints"] = json!({});
    std::fs::write(to.join("manifest.json"), manifest.to_string()).expect("written");
    let told = tell(&["dataset", "sign", "--write", text(&to)]);
    assert_eq!(told.code, 0, "{}", told.err);
    folder
});

/// Data, cassettes and results of one run.
pub struct Workplace {
    folder: TempDir,
    key_variable: &'static str,
    key: String,
}

impl Workplace {
    /// A place for a model of `api` at `base_url`.
    pub fn new(api: &Api, base_url: &str, timeout_seconds: f64, key: &str) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        copy_folder(ONE_QUESTION.path(), &folder.path().join("data"));
        let models = format!(
            "[[model]]\nname = \"played\"\nprovider = \"{}\"\nbase_url = \"{base_url}\"\nseed = 7\ntimeout_seconds = {timeout_seconds:?}\n",
            api.provider
        );
        std::fs::write(folder.path().join("data/models.toml"), models).expect("written");
        Self { folder, key_variable: api.key_variable, key: key.to_owned() }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// `recount run` in `mode`, the run named after the mode.
    pub fn run(&self, mode: &str) -> Told {
        let (data, cassettes, results) =
            (self.at("data"), self.at("cassettes"), self.at("results"));
        recount(&[
            "run",
            "--dataset",
            "one",
            "--models",
            "played",
            "--arms",
            "closed_book",
            "--yes",
            "--mode",
            mode,
            "--run",
            mode,
            "--data",
            text(&data),
            "--cassettes",
            text(&cassettes),
            "--results",
            text(&results),
        ])
        .env(self.key_variable, &self.key)
        .output()
        .expect("the binary starts")
        .into()
    }

    /// Number of exchanges in the cassette.
    pub fn exchanges(&self) -> usize {
        let cassette = self.at("cassettes/one/played/closed_book.jsonl");
        std::fs::read_to_string(cassette).expect("a cassette").lines().count()
    }

    /// The one row of the run in `mode`.
    pub fn row(&self, mode: &str) -> Value {
        let log = std::fs::read_to_string(self.at("results").join(mode).join("records.jsonl"));
        let log = log.expect("a log of records");
        assert_eq!(log.lines().count(), 1, "{log}");
        serde_json::from_str(&log).expect("a row")
    }

    /// The description of the run in `mode`.
    pub fn description(&self, mode: &str) -> Value {
        let bytes = std::fs::read(self.at("results").join(mode).join("run.json"));
        serde_json::from_slice(&bytes.expect("run.json")).expect("JSON")
    }
}
