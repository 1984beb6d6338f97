//! What makes the binary pleasant: output for programs, completions, help, and a doctor.

use serde_json::Value;

use crate::{
    common::{copy_folder, recount, root, tell, text},
    played::{KEY, Place},
};

const GOLDEN: &str = "harness/metrics/tests/golden/binary/records.jsonl";

fn report(format: &str) -> String {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("results.json");
    let told = tell(&["report", "--records", GOLDEN, "--out", text(&out), "--format", format]);
    assert_eq!(told.code, 0, "{}", told.err);
    told.out
}

#[test]
fn a_report_comes_as_text_markdown_csv_and_json() {
    let published: Value = {
        let told = tell(&["report", "--records", GOLDEN, "--out", "-"]);
        serde_json::from_str(&told.out).expect("results")
    };
    let figures = published["figures"].as_array().expect("figures");
    let accuracy = figures.iter().find(|f| f["metric"] == "accuracy").expect("an accuracy");

    let text = report("text");
    let head = "config n q cov acc brier conf-wrong ece sch-ok abst $/res p50 p95";
    let first: Vec<_> = text.lines().next().expect("a line").split_whitespace().collect();
    assert_eq!(first.join(" "), head);
    assert!(text.contains("conf-recall") && text.contains("evidence lift"), "{text}");

    let markdown = report("markdown");
    assert!(markdown.starts_with("| config | n | q |"), "{markdown}");

    let csv = report("csv");
    assert_eq!(csv.lines().count(), 1 + figures.len(), "one line a figure");
    let value = accuracy["value"].as_f64().expect("a value").to_string();
    let id = accuracy["id"].as_str().expect("an id");
    assert!(csv.lines().any(|l| l.starts_with(id) && l.contains(&value)), "{csv}");

    let json: Value = serde_json::from_str(&report("json")).expect("JSON");
    let rows = json["rows"].as_array().expect("rows");
    let same = |r: &&Value| r["model"] == accuracy["model"] && r["arm"] == accuracy["arm"];
    let row = rows.iter().find(same).expect("the row");
    assert_eq!(row["accuracy"], accuracy["value"], "unrounded");
}

#[test]
fn every_verb_can_speak_to_a_program() {
    let json = |arguments: &[&str]| -> Value {
        let told = tell(arguments);
        serde_json::from_str(&told.out)
            .unwrap_or_else(|e| panic!("{arguments:?}: {e}: {}{}", told.out, told.err))
    };
    let check = json(&["bundle", "check", "data/control", "--json"]);
    assert_eq!((&check["items"], &check["problems"]), (&50.into(), &Value::Array(Vec::new())));
    let folder = tempfile::tempdir().expect("folder");
    let results = text(folder.path());
    let run = ["run", "--dataset", "control", "--models", "always_no", "--run", "b", "--json"];
    let run = json(&[&run[..], &["--results", results]].concat());
    assert_eq!(run["models"][0]["tally"]["added"]["answered"], 50);
    assert_eq!(run["finished"], true);
    json(&["report", "--run", "b", "--results", results, "--json"]);
    let folder_of_run = folder.path().join("b");
    json(&["report", "--run", text(&folder_of_run), "--json"]);
    let verify = json(&["verify", "b", "--results", results, "--json"]);
    assert_eq!((&verify["verifies"], &verify["differs"]), (&true.into(), &0.into()));
    let doctor = json(&["doctor", "--json"]);
    let findings = doctor["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|f| f["name"] == "lexical" && f["ready"] == true), "{doctor}");
}

#[test]
fn a_command_line_that_is_wrong_is_told_to_a_program_too() {
    let told = tell(&["report", "--json", "--resamples", "7"]);
    assert_eq!(told.code, 2);
    let object: Value = serde_json::from_str(&told.out).expect("JSON");
    assert_eq!(object["exit_code"], 2);
    let error = object["error"].as_str().expect("words");
    assert!(error.contains("--resamples") && told.err.contains(error), "{object} {}", told.err);
    let told = tell(&["report", "--json", "--help"]);
    assert_eq!(told.code, 0);
    assert!(told.out.contains("Usage:") && !told.out.contains("exit_code"), "{}", told.out);
}

#[test]
fn the_doctor_says_what_is_missing_and_never_shows_a_key() {
    let place = Place::new("http://127.0.0.1:9/v1");
    let doctor = |key: Option<&str>| {
        let mut command = recount(&["doctor", "--data", text(&place.path("data"))]);
        command.env_remove("OPENAI_API_KEY").envs(key.map(|k| ("OPENAI_API_KEY", k)));
        let told: crate::common::Told = command.output().expect("starts").into();
        assert_eq!(told.code, 0);
        told.out
    };
    let told = doctor(None);
    assert!(told.contains("nothing listens at http://127.0.0.1:9/v1"), "{told}");
    assert!(
        told.contains("not reviewed by a person yet") && told.contains("prices.toml"),
        "{told}"
    );
    place.write_models("");
    assert!(doctor(None).contains("OPENAI_API_KEY is not set"));
    let told = doctor(Some(KEY));
    assert!(told.contains("OPENAI_API_KEY is set") && !told.contains(KEY), "{told}");
}

#[test]
fn completions_and_help_name_the_verbs() {
    for shell in ["bash", "zsh", "fish"] {
        let told = tell(&["completions", shell]);
        assert!(told.code == 0 && told.out.contains("verify"), "{shell}");
    }
    for verb in ["run", "report", "verify", "schema", "doctor", "completions"] {
        let told = tell(&[verb, "--help"]);
        assert!(told.out.contains("Examples:"), "{verb}: {}", told.out);
        assert!(!told.out.contains('\u{1b}'), "{verb}: colours where none are wanted");
    }
}

#[test]
fn a_run_is_named_as_a_folder_and_found_as_one() {
    for name in ["a b", "..", "a/b", ""] {
        let told = tell(&["run", "--dataset", "control", "--models", "always_no", "--run", name]);
        assert_eq!(told.code, 2, "{name}: {}", told.err);
        assert!(told.err.contains("no folder name"), "{name}: {}", told.err);
    }
    let told = tell(&["verify", "results/main/results.json"]);
    assert!(told.code == 2 && told.err.contains("name the folder"), "{}", told.err);
    let told = tell(&["verify", "nowhere"]);
    assert!(told.code == 3 && told.err.contains("no such run"), "{}", told.err);
}

#[test]
fn a_broken_cassette_is_said_once() {
    let folder = tempfile::tempdir().expect("folder");
    let cassettes = folder.path().join("cassettes");
    copy_folder(&root().join("cassettes"), &cassettes);
    let path = cassettes.join("control/qwen2.5-coder-0.5b/closed_book.jsonl");
    let log = std::fs::read_to_string(&path).expect("a cassette");
    std::fs::write(&path, log.replacen("\"seed\":", "\"sead\":", 1)).expect("written");
    let told = tell(&["verify", "main", "--cassettes", text(&cassettes)]);
    assert_eq!(told.code, 1);
    let lines: Vec<_> =
        told.out.lines().filter(|l| l.contains("restore it from version")).collect();
    assert_eq!(lines.len(), 1, "{}", told.out);
    assert!(lines[0].contains("closed_book.jsonl") && lines[0].ends_with("50 rows rest on it"));
}

#[test]
fn the_lexical_reader_needs_nothing_and_answers_every_item() {
    let folder = tempfile::tempdir().expect("folder");
    let results = text(folder.path());
    let run = ["run", "--dataset", "control", "--models", "lexical", "--run", "l"];
    let arms = ["--arms", "a0,a1,a2,closed_book,closed_book_forced", "--results", results];
    let told = tell(&[&run[..], &arms].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let told = tell(&["report", "--run", "l", "--results", results, "--json"]);
    let table: Value = serde_json::from_str(&told.out).expect("JSON");
    let rows = table["rows"].as_array().expect("rows");
    let row = |arm: &str| rows.iter().find(|r| r["arm"] == arm).expect("the arm");
    assert!(row("a0")["evidence_lift"].is_f64(), "{table}");
    assert_eq!(row("a0")["schema_ok_rate"], 1.0);
    assert_eq!(row("closed_book")["abstention_rate"], 1.0);
    assert_eq!(row("closed_book_forced")["abstention_rate"], 0.0);
    let told = tell(&["verify", "l", "--results", results]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
}
