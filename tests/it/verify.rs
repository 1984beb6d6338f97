//! The committed run verifies, and no byte of it can change unseen.

use std::path::{Path, PathBuf};

use crate::common::{Told, copy_folder, root, tell, text};

#[test]
fn the_committed_run_verifies() {
    let told = tell(&["verify", "results/main"]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    let last = told.out.lines().last().expect("a last line");
    let words: Vec<_> = last.split(' ').collect();
    assert_eq!(words[1..2], ["of"]);
    assert_eq!(words[0], words[2], "{last}");
    assert!(words[0].parse::<u32>().expect("a number") > 100, "{last}");
    assert!(last.ends_with("published numbers agree"), "{last}");
}

/// A copy of everything that the committed run rests on.
struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        for name in ["data", "cassettes", "results"] {
            copy_folder(&root().join(name), &folder.path().join(name));
        }
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn verify(&self) -> Told {
        let (run, data, cassettes) =
            (self.path("results/main"), self.path("data"), self.path("cassettes"));
        tell(&["verify", text(&run), "--data", text(&data), "--cassettes", text(&cassettes)])
    }
}

/// Every file that the run rests on, below the copy: those that its results name, and its own.
fn files_of_the_run(folder: &Path) -> Vec<PathBuf> {
    let run = folder.join("results/main");
    let results = std::fs::read(run.join("results.json")).expect("results");
    let results: serde_json::Value = serde_json::from_slice(&results).expect("JSON");
    let inputs = results["inputs"]["files"].as_array().expect("inputs");
    let mut files: Vec<_> = inputs
        .iter()
        .map(|input| input["name"].as_str().expect("name"))
        .map(|name| if name.contains('/') { folder.join(name) } else { run.join(name) })
        .collect();
    files.extend([run.join("results.json"), run.join("SHA256SUMS")]);
    files
}

/// Three places of each file, from its first byte to its last.
#[test]
fn a_flipped_byte_anywhere_is_found() {
    let copy = Copy::new();
    assert_eq!(copy.verify().code, 0, "the copy is whole to begin with");
    let files = files_of_the_run(copy.folder.path());
    assert!(files.len() > 12, "{files:?}");
    for path in files {
        let whole = std::fs::read(&path).expect("file");
        for place in [0, whole.len() / 2, whole.len() - 1] {
            let mut flipped = whole.clone();
            flipped[place] ^= 1;
            std::fs::write(&path, &flipped).expect("written");
            let told = copy.verify();
            let what = format!("byte {place} of {}: {}{}", path.display(), told.out, told.err);
            assert!(matches!(told.code, 1 | 3), "exit {}: {what}", told.code);
            assert!(!told.err.contains("panicked"), "{what}");
            let name = path.file_name().expect("name").to_string_lossy().into_owned();
            assert!(told.out.contains(&name) || told.err.contains(&name), "not named: {what}");
        }
        std::fs::write(&path, whole).expect("restored");
    }
}

/// A value that was changed together with its digest is found by recomputing it.
#[test]
fn a_forged_value_with_a_forged_digest_is_named() {
    let copy = Copy::new();
    let path = copy.path("results/main/results.json");
    let file = std::fs::read(&path).expect("results");
    let mut results: serde_json::Value = serde_json::from_slice(&file).expect("JSON");
    let figures = results["figures"].as_array_mut().expect("figures");
    let figure = figures
        .iter_mut()
        .find(|f| f["metric"] == "accuracy" && f["value"].is_f64())
        .expect("an accuracy");
    let id = figure["id"].as_str().expect("id").to_owned();
    figure["value"] = (figure["value"].as_f64().expect("value") + 0.01).into();
    let forged = serde_json::to_vec_pretty(&results).expect("JSON");
    std::fs::write(&path, &forged).expect("written");
    let sums_path = copy.path("results/main/SHA256SUMS");
    let sums = std::fs::read_to_string(&sums_path).expect("sums");
    let sums = sums.replace(&records::sha256_hex(&file), &records::sha256_hex(&forged));
    std::fs::write(&sums_path, sums).expect("written");
    let told = copy.verify();
    assert_eq!(told.code, 1);
    let named: Vec<_> = told.out.lines().filter(|l| l.contains("results.json, ")).collect();
    assert_eq!(named.len(), 1, "exactly the forged figure: {}", told.out);
    assert!(named[0].contains(&id) && named[0].contains("recomputed"), "{}", named[0]);
}

/// Whoever publishes may choose a plan; the reader is told, and a mark in front of the file changes nothing.
#[test]
fn an_unusual_plan_is_said_and_a_byte_order_mark_is_read() {
    let copy = Copy::new();
    let results = copy.path("results");
    let (data, cassettes) = (copy.path("data"), copy.path("cassettes"));
    let places =
        ["--results", text(&results), "--data", text(&data), "--cassettes", text(&cassettes)];
    let told = tell(&[&["report", "--resamples", "500", "--quiet"][..], &places].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let told = copy.verify();
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    assert!(told.out.contains("chose its own plan.n_resamples"), "{}", told.out);
    let path = copy.path("results/main/results.json");
    let marked = [b"\xef\xbb\xbf".to_vec(), std::fs::read(&path).expect("results")].concat();
    std::fs::write(&path, marked).expect("written");
    let told = copy.verify();
    assert_eq!(told.code, 1, "the digest is another: {}", told.err);
    assert!(
        told.out.contains("SHA256SUMS") && told.out.contains("not all is well"),
        "{}",
        told.out
    );
}

/// Without the rows that are wrong, the numbers still follow from the rows.
#[test]
fn rows_that_were_left_out_are_missed() {
    let copy = Copy::new();
    let run = copy.path("results/main");
    let wrong = |r: &serde_json::Value| {
        r["model"] == "qwen2.5-coder-0.5b" && r["arm"] == "a0" && r["correct"] == false
    };
    let path = run.join("records.jsonl");
    let log = std::fs::read_to_string(&path).expect("log");
    let kept = log.lines().filter(|l| !wrong(&serde_json::from_str(l).expect("a row")));
    let rest: String = kept.map(|l| format!("{l}\n")).collect();
    std::fs::write(&path, rest).expect("written");
    let (data, cassettes, results) =
        (copy.path("data"), copy.path("cassettes"), copy.path("results"));
    let told = tell(&[
        "report",
        "-q",
        "--results",
        text(&results),
        "--data",
        text(&data),
        "--cassettes",
        text(&cassettes),
    ]);
    assert_eq!(told.code, 0, "{}", told.err);
    let told = copy.verify();
    assert_eq!(told.code, 1, "{}", told.out);
    for words in ["qwen2.5-coder-0.5b/a0/0: ", "items have no row", "of its recordings"] {
        assert!(told.out.contains(words), "`{words}` is missing in: {}", told.out);
    }
}

#[test]
fn what_run_json_says_of_the_rows_is_held_against_them() {
    for (from, to, words) in [
        ("\"a0\": 3", "\"a0\": 9", "field `repeats`"),
        ("\"started_at\": \"2026", "\"started_at\": \"1999", "field `started_at`"),
    ] {
        let copy = Copy::new();
        let path = copy.path("results/main/run.json");
        let run = std::fs::read_to_string(&path).expect("run.json");
        assert!(run.contains(from), "{from}");
        std::fs::write(&path, run.replacen(from, to, 1)).expect("written");
        let told = copy.verify();
        assert_eq!(told.code, 1);
        assert!(told.out.contains(words), "{}", told.out);
    }
}

/// Rows and completions are looked at one after the other, and what is found keeps its order: attempts, what is missing,
/// completions, then rows.
#[test]
fn what_is_wrong_with_attempts_and_completions_is_said_in_order() {
    let copy = Copy::new();
    let lines = |name: &str| -> Vec<String> {
        let file = std::fs::read_to_string(copy.path(name)).expect("a log");
        file.lines().map(str::to_owned).collect()
    };
    let field = |line: &str, name: &str| -> String {
        let row: serde_json::Value = serde_json::from_str(line).expect("a row");
        row[name].as_str().expect("text").to_owned()
    };
    let mut records = lines("results/main/records.jsonl");
    let mut responses = lines("results/main/responses.jsonl");
    // The first row again as the attempt that it was, a completion twice, one changed, and one gone.
    records.push(records[0].clone());
    let id = |i: usize| field(&responses[i], "response_sha256")[..12].to_owned();
    let (twice, changed, gone) = (id(0), id(1), field(&responses[2], "response_sha256"));
    let resting = records.iter().find(|r| r.contains(&gone)).expect("a row that rests on it");
    let resting = ["model", "arm", "item_id"].map(|name| field(resting, name));
    responses[1] = responses[1].replace("\"text\":\"", "\"text\":\" ");
    responses[2] = responses[0].clone();
    for (name, lines) in [("records", records), ("responses", responses)] {
        let path = copy.path(&format!("results/main/{name}.jsonl"));
        std::fs::write(path, lines.join("\n") + "\n").expect("written");
    }
    let told = copy.verify();
    assert_eq!(told.code, 1, "{}{}", told.out, told.err);
    let completion = "its completion is not in responses.jsonl";
    let expected = [
        "records.jsonl, always_no/baseline/0/a01: row 2 of its key says that it is attempt 1",
        &format!("responses.jsonl: the text under {changed} has another digest"),
        &format!("responses.jsonl: {twice} stands there twice"),
        &format!("records.jsonl, {}/{}/0/{}: {completion}", resting[0], resting[1], resting[2]),
    ];
    let found = told.out.lines().filter(|l| l.starts_with("re") && !l.starts_with("results"));
    assert_eq!(found.take(4).collect::<Vec<_>>(), expected, "{}", told.out);
}
