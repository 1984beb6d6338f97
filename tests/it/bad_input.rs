//! Each kind of broken file gets a message that names the place and the remedy, and nothing panics.

use std::process::Stdio;

use crate::common::{Told, recount, root, tell, text};

fn first_golden_line() -> String {
    let path = root().join("harness/metrics/tests/golden/binary/records.jsonl");
    let log = std::fs::read_to_string(path).expect("golden log");
    log.lines().next().expect("a line").to_owned()
}

fn report_on(log: &[u8]) -> Told {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("records.jsonl");
    std::fs::write(&path, log).expect("written");
    let out = folder.path().join("results.json");
    let told = tell(&["report", "--records", text(&path), "--out", text(&out), "--quiet"]);
    assert!(!told.err.contains("panicked"), "{}", told.err);
    assert_eq!(told.code == 0, out.exists(), "results are written exactly when all is well");
    told
}

fn refuses(log: &str, words: &[&str]) {
    let told = report_on(log.as_bytes());
    assert_eq!(told.code, 3, "{}", told.err);
    for word in words {
        assert!(told.err.contains(word), "`{word}` is missing in: {}", told.err);
    }
}

#[test]
fn a_missing_file() {
    let told = tell(&["report", "--records", "nowhere.jsonl", "--out", "/dev/stdout"]);
    assert_eq!(told.code, 3);
    assert!(told.err.contains("nowhere.jsonl: there is no such file"), "{}", told.err);
}

#[test]
fn a_truncated_line() {
    let line = first_golden_line();
    let log = format!("{line}\n{}", &line[..100]);
    refuses(&log, &["line 2", "ends too early", "cut off"]);
}

#[test]
fn a_wrong_type() {
    let log = first_golden_line().replace("\"repeat\": 0", "\"repeat\": \"zero\"");
    refuses(&log, &["line 1", "`repeat`", "invalid type", "recount schema"]);
}

#[test]
fn a_confidence_above_one() {
    let log = first_golden_line().replace("\"confidence\": 0.7", "\"confidence\": 1.7");
    refuses(&log, &["line 1", "`confidence`", "1.7", "90 percent is 0.9"]);
}

#[test]
fn a_newer_schema_names_both_versions() {
    let log = first_golden_line().replace("recount.record/1", "recount.record/2");
    refuses(&log, &["version 2 of recount.record", "up to version 1", "newer Recount"]);
}

#[test]
fn a_web_page_instead_of_a_log() {
    refuses("<!doctype html><title>404</title>", &["looks like a web page"]);
}

#[test]
fn an_empty_log() {
    refuses("", &["holds no record"]);
}

#[test]
fn deep_nesting_and_tokens_that_are_no_json() {
    refuses(&"[".repeat(200_000), &["line 1"]);
    refuses(
        &first_golden_line().replace("\"confidence\": 0.7", "\"confidence\": NaN"),
        &["not valid JSON"],
    );
}

#[test]
fn an_unknown_field_is_kept_counted_and_said() {
    let log = first_golden_line().replacen('{', "{\"mood\": \"good\", ", 1);
    let told = report_on(log.as_bytes());
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.err.contains("`mood` (1 times)"), "{}", told.err);
}

#[test]
fn a_byte_order_mark_and_crlf_are_accepted() {
    let log = format!("\u{feff}{}\r\n", first_golden_line());
    let told = report_on(log.as_bytes());
    assert_eq!(told.code, 0, "{}", told.err);
}

#[test]
fn an_unknown_arm_model_or_control_lists_the_known_ones() {
    let told = tell(&["run", "--dataset", "control", "--models", "nobody"]);
    assert_eq!(told.code, 2);
    assert!(told.err.contains("always_no"), "{}", told.err);
    let told = tell(&["run", "--dataset", "control", "--models", "always_no", "--arms", "a9"]);
    assert_eq!(told.code, 2);
    assert!(told.err.contains("closed_book_forced"), "{}", told.err);
    let golden = "harness/metrics/tests/golden/binary/records.jsonl";
    let told = tell(&["report", "--records", golden, "--control", "a9", "--out", "/dev/stdout"]);
    assert_eq!(told.code, 2);
    assert!(told.err.contains("the arms are a0, a1"), "{}", told.err);
}

const GOLDEN: &str = "harness/metrics/tests/golden/binary/records.jsonl";

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let mut child = recount(&["report", "--records", GOLDEN, "--out", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let told: Told = child.wait_with_output().expect("it ends").into();
    assert_eq!((told.code, told.err.as_str()), (0, ""));
}

#[test]
fn a_full_disk_is_said() {
    let full = std::fs::File::create("/dev/full").expect("a device that is always full");
    let output = recount(&["report", "--records", GOLDEN, "--out", "-"]).stdout(full).output();
    let told: Told = output.expect("the binary starts").into();
    assert_eq!(told.code, 3);
    assert!(told.err.contains("the disk is full"), "{}", told.err);
}

#[test]
fn results_never_overwrite_anything_else() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("records.jsonl");
    let log = std::fs::read(root().join(GOLDEN)).expect("golden log");
    std::fs::write(&path, &log).expect("written");
    let told = tell(&["report", "--records", text(&path), "--out", text(&path), "--quiet"]);
    assert_eq!(told.code, 2, "{}", told.err);
    assert!(told.err.contains("holds no results"), "{}", told.err);
    assert_eq!(std::fs::read(&path).expect("still there"), log);
}
