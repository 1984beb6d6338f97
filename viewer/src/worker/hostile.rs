//! Files that are broken or written to do harm, each with the message that the page gives. What the page says is the
//! problem it fails with, or the problems and notes of a run that could be opened in part.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    grid,
    open::tests::{QUIET, log, publication},
    protocol::{Answer, Ask, FileHead, Files, Finding, Problem, Request},
    session::Session,
};
use crate::{
    model::{evidence::GridAsk, files::role},
    url_state::{Edits, Settings},
};

/// Opens files by name and returns everything that the page would say about them, and whether a run is open.
fn said(files: &[(&str, Vec<u8>)]) -> (bool, String) {
    let heads = files
        .iter()
        .map(|(name, bytes)| FileHead { name: (*name).into(), role: role(name, bytes) })
        .collect();
    let request = Request { job: 1, ask: Ask::Open(Files { heads, expected: BTreeMap::new() }) };
    let buffers = files.iter().map(|(_, b)| b.clone()).collect();
    let whole =
        |p: &Problem| format!("{} ({})", p.sentence(), p.remedy.clone().unwrap_or_default());
    match Session::default().inquire(request.ask, buffers, &QUIET) {
        Err(problem) => (false, whole(&problem)),
        Ok(Answer::Opened(report)) => {
            let reasons = report.checks.iter().filter_map(|c| c.reason.clone());
            let all: Vec<_> = report
                .problems
                .iter()
                .map(whole)
                .chain(report.notes.clone())
                .chain(reasons)
                .collect();
            (true, all.join("\n"))
        }
        Ok(other) => panic!("opening answered {other:?}"),
    }
}

/// The honest publication with one change.
fn results(change: impl Fn(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(&publication(&log())).unwrap();
    change(&mut value);
    serde_json::to_vec(&value).unwrap()
}

/// The honest log with one text put for another, once.
fn rows(from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(log()).unwrap();
    let changed = text.replacen(from, to, 1);
    assert_ne!(text, changed, "nothing was changed");
    changed.into_bytes()
}

type Case = (&'static str, Vec<u8>, &'static str);

/// Publications that cannot be opened at all, with what the page says.
fn refused_results() -> Vec<Case> {
    let deep =
        |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    let good = String::from_utf8(publication(&log())).unwrap();
    let text = |t: &str| t.as_bytes().to_vec();
    let plan =
        |field: &'static str, value: Value| results(move |v| v["plan"][field] = value.clone());
    vec![
        ("empty", text(""), "is empty"),
        ("blank", text(" \n\t "), "is empty"),
        ("a page", text("<!doctype html><title>404</title>"), "looks like a web page"),
        ("plain text", text("hello"), "not valid JSON"),
        ("one bracket", text("{"), "ends too early"),
        ("cut in half", text(&good[..good.len() / 2]), "ends too early"),
        ("two objects", text(&format!("{good}{good}")), "not valid JSON"),
        ("NaN", text(&good.replacen("_level\":0.95", "_level\":NaN", 1)), "not valid JSON"),
        (
            "Infinity",
            text(&good.replacen("_level\":0.95", "_level\":Infinity", 1)),
            "not valid JSON",
        ),
        ("a comment", text(&format!("/* x */{good}")), "not valid JSON"),
        ("single quotes", text("{'schema':'recount.results/1'}"), "not valid JSON"),
        (
            "a huge number",
            text(&good.replacen("_level\":0.95", "_level\":1e999", 1)),
            "out of range",
        ),
        ("deep lists", text(&deep("[", "]")), ""),
        ("deep objects", text(&deep("{\"a\":", "}")), ""),
        (
            "deep inside",
            text(&good.replacen('{', &format!("{{\"x\":{},", deep("[", "]")), 1)),
            "recursion limit",
        ),
        ("a list", text("[]"), ""),
        ("null", text("null"), "type"),
        ("a number", text("7"), "type"),
        (
            "no schema",
            results(|v| {
                v.as_object_mut().unwrap().remove("schema");
            }),
            "schema",
        ),
        ("another schema", results(|v| v["schema"] = json!("recount.run/1")), "recount.run"),
        ("a newer schema", results(|v| v["schema"] = json!("recount.results/9")), "9"),
        ("schema of a number", results(|v| v["schema"] = json!(1)), "schema"),
        (
            "no plan",
            results(|v| {
                v.as_object_mut().unwrap().remove("plan");
            }),
            "plan",
        ),
        ("level 0", plan("confidence_level", json!(0.0)), "strictly between 0 and 1"),
        ("level 7", plan("confidence_level", json!(7)), "strictly between 0 and 1"),
        ("a billion resamples", plan("n_resamples", json!(1_000_000_000)), "1 to 1000000"),
        ("minus one resample", plan("n_resamples", json!(-1)), "n_resamples"),
        ("no bins", plan("n_bins", json!(0)), "1 to 1000"),
        ("a million bins", plan("n_bins", json!(1_000_000)), "1 to 1000"),
        ("an unknown bin rule", plan("bin_strategy", json!("moon")), "bin_strategy"),
        ("an unknown cluster field", plan("cluster_field", json!("moon")), "cluster_id"),
        ("a slice of nothing", plan("slices", json!(["moon"])), "slices"),
        ("a slice twice", plan("slices", json!(["set", "set"])), "twice"),
        (
            "seed beyond 64 bits",
            text(&good.replacen("\"seed\":20261130", "\"seed\":99999999999999999999999", 1)),
            "seed",
        ),
        ("figures as text", results(|v| v["figures"] = json!("many")), "figures"),
        (
            "a figure of the wrong type",
            results(|v| v["figures"][0]["value"] = json!("high")),
            "figures[0]",
        ),
        (
            "not UTF-8",
            [&b"{\"schema\":\"recount.results/1\",\"title\":\"\xff\xfe"[..], b"\"}"].concat(),
            "is not UTF-8 text: byte 0xFF at column 40",
        ),
    ]
}

#[test]
fn a_publication_that_cannot_be_read_is_refused_with_the_cause() {
    let cases = refused_results();
    assert!(cases.len() >= 35);
    let mut wrong = Vec::new();
    for (name, bytes, cause) in cases {
        let (open, said) = said(&[("results.json", bytes), ("records.jsonl", log())]);
        let names_file = said.starts_with("results.json");
        let readable = said.chars().count() < 900 && !said.ends_with("()");
        if open || !names_file || !said.contains(cause) || !readable {
            wrong.push(format!("{name}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Logs beside an honest publication: the publication stays, and the page says why it cannot be checked.
fn bad_logs() -> Vec<Case> {
    let text = |t: &str| t.as_bytes().to_vec();
    let twice = [log(), log()].concat();
    vec![
        ("no rows", text(""), "holds no record"),
        ("a page", text("<html>"), "looks like a web page"),
        ("a cut line", log()[..log().len() - 20].to_vec(), "line 50"),
        ("confidence 7", rows("\"confidence\":0.8", "\"confidence\":7"), "outside 0 to 1"),
        ("confidence -1", rows("\"confidence\":0.8", "\"confidence\":-1"), "outside 0 to 1"),
        ("confidence NaN", rows("\"confidence\":0.8", "\"confidence\":NaN"), "not valid JSON"),
        (
            "a false grade",
            rows("\"correct\":false", "\"correct\":true"),
            "does not follow from answer",
        ),
        ("no grade", rows("\"correct\":false", "\"correct\":null"), "contradict each other"),
        (
            "an answer of its own",
            rows("\"answer\":\"NO\"", "\"answer\":\"MAYBE\""),
            "says YES or NO",
        ),
        (
            "a target of its own",
            rows("\"target\":\"YES\"", "\"target\":\"MAYBE\""),
            "settles as YES or NO",
        ),
        ("an unknown status", rows("\"answered\"", "\"thinking\""), "status"),
        ("two data sets", rows("\"dataset_id\":\"d\"", "\"dataset_id\":\"e\""), "mixes data sets"),
        (
            "two targets of one item",
            rows(
                "\"target\":\"YES\",\"status\":\"answered\",\"answer\":\"NO\",\"confidence\":0.8,\"correct\":false",
                "\"target\":\"NO\",\"status\":\"answered\",\"answer\":\"NO\",\"confidence\":0.8,\"correct\":true",
            ),
            "in one row and",
        ),
        (
            "two clusters of one item",
            rows("\"cluster_id\":\"c1\"", "\"cluster_id\":\"x\""),
            "cluster_id",
        ),
        ("a newer schema", rows("recount.record/1", "recount.record/2"), "2"),
        ("a number for a name", rows("\"model\":\"m\"", "\"model\":1"), "model"),
        ("every row twice", twice, "signature"),
        ("an unknown field", rows("\"repeat\":0", "\"repeat\":0,\"mood\":1"), "mood"),
        ("negative repeat", rows("\"repeat\":0", "\"repeat\":-1"), "repeat"),
    ]
}

#[test]
fn a_log_that_cannot_be_used_leaves_the_publication_standing_and_says_why() {
    let mut wrong = Vec::new();
    for (name, bytes, cause) in bad_logs() {
        let (open, said) = said(&[("results.json", publication(&log())), ("records.jsonl", bytes)]);
        if !open || !said.contains(cause) {
            wrong.push(format!("{name}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn other_files_that_are_broken_are_named_and_the_numbers_stand() {
    let cases: [(&str, &str, &[u8], &str); 5] = [
        ("run of another kind", "run.json", b"[]", "run.json"),
        ("run without models", "run.json", br#"{"schema":"recount.run/1"}"#, "missing field"),
        ("newer run", "run.json", br#"{"schema":"recount.run/7"}"#, "7"),
        ("sums of nothing", "SHA256SUMS", b"\xff\xff\xff", ""),
        ("a picture", "photo.jpg", b"\xff\xd8\xff", ""),
    ];
    for (name, file, bytes, cause) in cases {
        let files = [
            ("results.json", publication(&log())),
            ("records.jsonl", log()),
            (file, bytes.to_vec()),
        ];
        let (open, said) = said(&files);
        assert!(open && said.contains(cause), "{name}: {said}");
    }
}

#[test]
fn data_set_files_that_are_broken_are_named() {
    for file in
        ["items.jsonl", "documents.jsonl", "bundles.jsonl", "manifest.json", "responses.jsonl"]
    {
        for bytes in [&b"{"[..], b"<html>", b"{\"schema\":\"recount.item/9\"}", b"[[[[", b"\xff"] {
            let heads = vec![FileHead { name: file.into(), role: role(file, b"") }];
            let ask = Ask::Attach(Files { heads, expected: BTreeMap::new() });
            let request = Request { job: 1, ask };
            let answer =
                Session::default().inquire(request.ask, vec![bytes.to_vec()], &QUIET).unwrap();
            let Ok(Finding::Attached(attached)) = Finding::of(&answer) else {
                panic!("{answer:?}")
            };
            assert_eq!(attached.problems.len(), 1, "{file}");
            assert_eq!(attached.problems[0].file.as_deref(), Some(file));
        }
    }
}

/// A session with the honest run open.
fn open_session() -> Session {
    let mut session = Session::default();
    let heads = vec![FileHead { name: "records.jsonl".into(), role: role("records.jsonl", b"") }];
    let ask = Ask::Open(Files { heads, expected: BTreeMap::new() });
    session.inquire(ask, vec![log()], &QUIET).unwrap();
    session
}

#[test]
fn a_run_that_cannot_be_opened_leaves_nothing_of_the_one_before() {
    let mut session = open_session();
    let heads = vec![FileHead { name: "results.json".into(), role: role("results.json", b"") }];
    let ask = Ask::Open(Files { heads, expected: BTreeMap::new() });
    assert!(session.inquire(ask, vec![b"{".to_vec()], &QUIET).is_err());
    let ask = Ask::Grid(GridAsk::default());
    let answer = session.inquire(ask, vec![], &QUIET).unwrap();
    let Ok(Finding::Grid(grid)) = Finding::of(&answer) else { panic!("{answer:?}") };
    assert_eq!(grid.all, 0);
}

#[test]
fn settings_that_cannot_be_computed_with_are_a_message() {
    let wrong = [
        Settings { confidence_level: Some(f64::NAN), ..Settings::default() },
        Settings { n_resamples: Some(0), ..Settings::default() },
        Settings { n_resamples: Some(u32::MAX), ..Settings::default() },
        Settings { n_bins: Some(0), ..Settings::default() },
        Settings { confident_threshold: Some(-1.0), ..Settings::default() },
        Settings { cut: Some("moon".into()), ..Settings::default() },
    ];
    for settings in wrong {
        let ask = Ask::Compute { settings, edits: Edits::default() };
        let problem = open_session().inquire(ask, vec![], &QUIET).unwrap_err();
        assert!(problem.what.contains("plan."), "{problem:?}");
    }
}

#[test]
fn a_search_for_anything_ends() {
    for find in ["\u{0}", "\u{202e}", "(((((", &"x ".repeat(10_000), "İ"] {
        let ask = GridAsk { find: find.to_owned(), ..GridAsk::default() };
        let answer = open_session().inquire(Ask::Grid(ask), vec![], &QUIET);
        assert!(matches!(Finding::of(&answer.unwrap()), Ok(Finding::Grid(_))));
    }
    assert_eq!(grid::PAGE, 50);
}

/// The honest publication with few resamples, so that many can be opened.
fn small_publication() -> Vec<u8> {
    static ONE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    ONE.get_or_init(|| results(|v| v["plan"]["n_resamples"] = json!(10))).clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_give_a_message_or_a_page(
        name in prop::sample::select(vec!["results.json", "records.jsonl", "run.json", "x"]),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let alone = said(&[(name, bytes.clone())]).1;
        prop_assert!(!alone.is_empty());
        let mut files = vec![("results.json", small_publication()), ("records.jsonl", log())];
        files.retain(|(other, _)| *other != name);
        files.push((name, bytes));
        let _ = said(&files);
    }

    #[test]
    fn an_honest_file_with_some_bytes_changed_gives_a_message_or_a_page(
        of_results in any::<bool>(),
        at in any::<prop::sample::Index>(),
        put in prop::collection::vec(any::<u8>(), 0..4),
        removed in 0_usize..4,
    ) {
        let (mut results, mut records) = (small_publication(), log());
        let bytes = if of_results { &mut results } else { &mut records };
        let at = at.index(bytes.len());
        let end = (at + removed).min(bytes.len());
        bytes.splice(at..end, put);
        let _ = said(&[("results.json", results), ("records.jsonl", records)]);
    }
}
