//! A data set in the making, in a throw-away folder.

use std::{collections::BTreeMap, io::Write, path::PathBuf, process::Stdio};

use serde_json::Value;

use super::server::Server;
use crate::common::{Told, recount, tell, text};

/// Everything that a finished data set publishes.
pub const FILES: [&str; 7] = [
    "items.jsonl",
    "documents.jsonl",
    "bundles.jsonl",
    "rejected.jsonl",
    "review.jsonl",
    "LICENSE-DATA.md",
    "manifest.json",
];

pub struct Place {
    pub folder: tempfile::TempDir,
}

impl Place {
    /// A new data set `made` whose sources are `server`.
    pub fn new(server: &Server) -> Self {
        let place = Self { folder: tempfile::tempdir().expect("folder") };
        let made = place.made();
        let told = tell(&[
            "dataset",
            "markets",
            "init",
            text(&made),
            "--from",
            "2026-01-01",
            "--to",
            "2026-12-01",
            "--contact",
            "tests@example.org",
        ]);
        assert_eq!(told.code, 0, "{}", told.err);
        place.change("https://gamma-api.polymarket.com", &server.url);
        place.change("https://clob.polymarket.com", &server.url);
        place.change("https://en.wikipedia.org", &server.url);
        place.change("requests_per_minute = 100", "requests_per_minute = 4000000");
        place
    }

    pub fn made(&self) -> PathBuf {
        self.folder.path().join("data/made")
    }

    /// Replaces a line of the settings.
    pub fn change(&self, from: &str, to: &str) {
        let path = self.made().join("pipeline.toml");
        let settings = std::fs::read_to_string(&path).expect("settings");
        assert!(settings.contains(from), "{from}");
        std::fs::write(path, settings.replace(from, to)).expect("written");
    }

    /// `recount dataset markets STEP`.
    pub fn step(&self, step: &str) -> Told {
        tell(&["dataset", "markets", step, text(&self.made())])
    }

    /// As [`Place::step`], which must succeed.
    pub fn done(&self, step: &str) -> String {
        let told = self.step(step);
        assert_eq!(told.code, 0, "{step}: {}{}", told.out, told.err);
        told.out
    }

    /// A review in which these lines are typed.
    pub fn review(&self, typed: &str) -> String {
        let mut command =
            recount(&["dataset", "markets", "review", text(&self.made()), "--reviewer", "Ada"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        child.stdin.take().expect("input").write_all(typed.as_bytes()).expect("typed");
        let told: Told = child.wait_with_output().expect("ended").into();
        assert_eq!(told.code, 0, "{}", told.err);
        told.out
    }

    /// The rows of a file of the data set.
    pub fn rows(&self, file: &str) -> Vec<Value> {
        let file = std::fs::read_to_string(self.made().join(file)).expect("file");
        file.lines().map(|l| serde_json::from_str(l).expect("a row")).collect()
    }

    pub fn manifest(&self) -> Value {
        let file = std::fs::read(self.made().join("manifest.json")).expect("manifest");
        serde_json::from_slice(&file).expect("JSON")
    }

    /// The bytes of every published file.
    pub fn bytes(&self) -> BTreeMap<&'static str, Vec<u8>> {
        FILES.map(|f| (f, std::fs::read(self.made().join(f)).expect("file"))).into()
    }
}
