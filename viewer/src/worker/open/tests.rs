//! From bytes to verdicts, with records made on the spot; the numbers themselves are tested in the metrics crate.

use super::*;
use crate::worker::protocol::FileHead;

pub(in crate::worker) const QUIET: Surroundings<'static> =
    Surroundings { now: &|| 0.0, progress: &|_| {} };

/// 25 items in two arms, three quarters right; enough to be above the floor of 20.
pub(in crate::worker) fn log() -> Vec<u8> {
    let mut out = String::new();
    for (arm, wrong) in [("a0", 4), ("closed_book_forced", 2)] {
        for i in 0..25 {
            let right = i % wrong != 0;
            let answer = if right { "YES" } else { "NO" };
            out.push_str(&format!(
                r#"{{"schema":"recount.record/1","run_id":"r","dataset_id":"d","model":"m","arm":"{arm}","repeat":0,"item_id":"i{i}","cluster_id":"c{i}","kind":"binary","target":"YES","status":"answered","answer":"{answer}","confidence":0.8,"correct":{right},"schema_ok":true}}"#
            ));
            out.push('\n');
        }
    }
    out.into_bytes()
}

pub(in crate::worker) fn publication(log: &[u8]) -> Vec<u8> {
    let records = records::parse_jsonl::<Record>("records.jsonl", log).unwrap().rows;
    let plan = default_plan(&records);
    let computed = metrics::compute(&records, &plan).unwrap();
    let header = Header { run_id: "r".into(), dataset_id: "d".into(), title: "t".into() };
    let input = Input { name: "records.jsonl".into(), entry: records::file_entry(log) };
    serde_json::to_vec(&metrics::results(header, vec![input], computed, plan)).unwrap()
}

fn job(files: &[(&str, &[u8])]) -> Result<Report, Problem> {
    let heads = files
        .iter()
        .map(|(name, bytes)| FileHead { name: (*name).into(), role: files::role(name, bytes) })
        .collect();
    let request = Files { heads, expected: BTreeMap::new() };
    open(&request, files.iter().map(|(_, b)| b.to_vec()).collect(), &QUIET)
        .map(|(report, _)| report)
}

/// A run of nothing but a log.
pub(in crate::worker) fn opened(log: &[u8]) -> Opened {
    let heads = vec![FileHead { name: "records.jsonl".into(), role: Role::Records }];
    open(&Files { heads, expected: BTreeMap::new() }, vec![log.to_vec()], &QUIET).unwrap().1
}

fn verdict(report: &Report, id: &str) -> Verdict {
    report.checks.iter().find(|c| c.id == id).unwrap().verdict
}

fn reading(results: &[u8], log: &[u8]) -> Reading {
    let heads = [("results.json", Role::Results), ("records.jsonl", Role::Records)]
        .map(|(name, role)| FileHead { name: name.into(), role });
    let files = Files { heads: heads.into(), expected: BTreeMap::new() };
    read(&files, vec![results.to_vec(), log.to_vec()], &QUIET).unwrap()
}

#[test]
fn values_are_compared_before_their_intervals_are_there() {
    let log = log();
    let published = publication(&log);
    let so_far = |published: &[u8]| {
        let reading = reading(published, &log);
        let (records, plan) = reading.work();
        let (points, _) = metrics::Log::new(records).unwrap().points(&plan, 0).unwrap();
        reading.so_far(points, &QUIET)
    };
    let report = so_far(&published);
    assert!(report.awaits_intervals);
    assert!(report.checks.len() > 20 && report.checks.iter().all(|c| c.verdict.agrees()));
    assert!(report.recomputed.unwrap().figures.iter().all(|f| f.interval.is_none()));
    // An interval that is wrong shows later, a value at once.
    let mut changed: Results = serde_json::from_slice(&published).unwrap();
    let with_interval = changed.figures.iter_mut().find(|f| f.id == "m/a0/brier").unwrap();
    with_interval.interval.as_mut().unwrap().lower = Some(0.0);
    let value = changed.figures.iter_mut().find(|f| f.id == "m/a0/accuracy").unwrap();
    value.value = Some(0.987);
    let report = so_far(&serde_json::to_vec(&changed).unwrap());
    assert_eq!(verdict(&report, "m/a0/accuracy"), Verdict::Differs);
    assert_eq!(verdict(&report, "m/a0/brier"), Verdict::Identical);
    assert_eq!(report.checks.iter().filter(|c| !c.verdict.agrees()).count(), 1);
    let whole = reading(&serde_json::to_vec(&changed).unwrap(), &log);
    let computed = whole.compute();
    let (report, _) = whole.concluded(computed, &QUIET);
    assert!(!report.awaits_intervals);
    assert_eq!(verdict(&report, "m/a0/brier"), Verdict::Differs);
}

#[test]
fn an_untouched_run_is_identical_to_the_bit() {
    let log = log();
    let report = job(&[("results.json", &publication(&log)), ("records.jsonl", &log)]).unwrap();
    assert!(report.checks.len() > 20);
    for check in &report.checks {
        assert!(
            matches!(check.verdict, Verdict::Identical | Verdict::Withheld),
            "{}: {:?} {:?}",
            check.id,
            check.verdict,
            check.reason
        );
    }
    assert_eq!(report.n_records, 50);
    assert_eq!(report.problems, []);
    assert_eq!(report.notes, Vec::<String>::new());
    let named = &report.files.iter().find(|f| f.name == "records.jsonl").unwrap().named_by;
    assert_eq!(named, &[("results.json".to_owned(), true)]);
}

#[test]
fn a_changed_publication_differs_in_that_number_alone() {
    let log = log();
    let mut value: Value = serde_json::from_slice(&publication(&log)).unwrap();
    let figures = value["figures"].as_array_mut().unwrap();
    let accuracy = figures.iter_mut().find(|f| f["id"] == "m/a0/accuracy").unwrap();
    accuracy["value"] = Value::from(0.9);
    let bytes = serde_json::to_vec(&value).unwrap();
    let report = job(&[("results.json", &bytes), ("records.jsonl", &log)]).unwrap();
    let differing: Vec<_> =
        report.checks.iter().filter(|c| c.verdict == Verdict::Differs).map(|c| &c.id).collect();
    assert_eq!(differing, ["m/a0/accuracy"]);
}

#[test]
fn a_changed_record_shows_in_numbers_and_in_its_digest() {
    let log = log();
    let published = publication(&log);
    let changed =
        String::from_utf8(log).unwrap().replacen("\"confidence\":0.8", "\"confidence\":0.7", 1);
    let report =
        job(&[("results.json", &published), ("records.jsonl", changed.as_bytes())]).unwrap();
    assert_eq!(verdict(&report, "m/a0/brier"), Verdict::Differs);
    assert_eq!(verdict(&report, "m/a0/accuracy"), Verdict::Identical);
    let named = &report.files.iter().find(|f| f.name == "records.jsonl").unwrap().named_by;
    assert_eq!(named, &[("results.json".to_owned(), false)]);
    assert!(report.notes.iter().any(|n| n.contains("signature")), "{:?}", report.notes);
}

#[test]
fn without_records_everything_cannot_be_checked_and_says_why() {
    let report = job(&[("results.json", &publication(&log()))]).unwrap();
    assert!(report.recomputed.is_none() && !report.checks.is_empty());
    for check in &report.checks {
        assert_eq!(check.verdict, Verdict::CannotBeChecked);
        assert_eq!(check.reason.as_deref(), Some("no records.jsonl was loaded"));
    }
}

#[test]
fn a_broken_record_names_file_line_and_field_and_leaves_the_rest_standing() {
    let log = log();
    let published = publication(&log);
    let broken =
        String::from_utf8(log).unwrap().replacen("\"confidence\":0.8", "\"confidence\":7", 1);
    let report =
        job(&[("results.json", &published), ("records.jsonl", broken.as_bytes())]).unwrap();
    let problem = &report.problems[0];
    assert_eq!(problem.file.as_deref(), Some("records.jsonl"));
    assert_eq!((problem.line, problem.field.as_deref()), (Some(1), Some("confidence")));
    assert!(problem.remedy.is_some());
    let reason = report.checks[0].reason.as_deref().unwrap();
    assert!(reason.contains("line 1, field confidence"), "{reason}");
}

#[test]
fn records_alone_are_computed_under_the_default_plan() {
    let report = job(&[("records.jsonl", &log())]).unwrap();
    assert!(report.published.is_none() && report.checks.is_empty());
    let recomputed = report.recomputed.unwrap();
    assert_eq!(recomputed.plan.control.as_deref(), Some("closed_book_forced"));
    assert!(!recomputed.figures.is_empty());
}

#[test]
fn unknown_fields_are_counted_and_said() {
    let log = String::from_utf8(log()).unwrap().replace("\"repeat\":0", "\"repeat\":0,\"mood\":1");
    let report = job(&[("records.jsonl", log.as_bytes())]).unwrap();
    assert!(report.notes[0].contains("`mood` (50 times)"), "{:?}", report.notes);
}

#[test]
fn a_file_that_is_no_publication_is_refused_with_a_remedy() {
    let deep = "[".repeat(100_000);
    let huge_number = br#"{"schema":"recount.results/1","metrics_version":1e999}"#;
    let newer = br#"{"schema":"recount.results/9"}"#;
    for bytes in [&b"<html>404</html>"[..], b"", b"NaN", b"{", deep.as_bytes(), huge_number, newer]
    {
        let problem = job(&[("results.json", bytes)]).unwrap_err();
        assert_eq!(problem.file.as_deref(), Some("results.json"));
        assert!(problem.remedy.is_some() && !problem.what.is_empty());
        assert!(problem.sentence().chars().count() < 700);
    }
}

#[test]
fn nothing_at_all_is_a_message() {
    assert!(job(&[]).unwrap_err().what.contains("neither"));
    assert!(job(&[("photo.jpg", b"x")]).is_err());
}
