//! Reading lines: what is accepted, and what the message says when a line is not.

use proptest::prelude::*;
use records::{Interaction, Item, ReadError, Record, Results, parse_json, parse_jsonl};

const ITEM: &str = r#"{"schema":"recount.item/1","item_id":"q1","kind":"binary","question":"Will it?","target":"YES"}"#;

fn items(text: &str) -> Result<records::Parsed<Item>, ReadError> {
    parse_jsonl("items.jsonl", text.as_bytes())
}

#[test]
fn a_mark_crlf_blank_lines_and_a_missing_last_newline_are_accepted() {
    let text = format!("\u{feff}{ITEM}\r\n\r\n{ITEM}");
    assert_eq!(items(&text).expect("two items").rows.len(), 2);
}

#[test]
fn unknown_fields_are_counted_by_path() {
    let text = ITEM.replacen('{', r#"{"mood":1,"#, 1);
    let parsed = items(&format!("{text}\n{text}\n{ITEM}\n")).expect("items");
    assert_eq!(parsed.unknown.get("mood"), Some(&2));
    assert_eq!(
        parsed.unknown_note("items.jsonl").as_deref(),
        Some(
            "items.jsonl: kept but not used, since this build does not know them: `mood` (2 times)"
        )
    );
}

#[test]
fn the_message_names_file_line_field_and_remedy() {
    let text = format!("{ITEM}\n{}\n", ITEM.replace("\"binary\"", "7"));
    let error = items(&text).expect_err("a wrong type");
    assert_eq!((error.line, error.field.as_str()), (2, "kind"));
    let message = error.to_string();
    assert!(message.starts_with("items.jsonl, line 2, field `kind`: "), "{message}");
    assert!(message.contains("recount schema"), "{message}");
}

#[test]
fn bytes_that_are_no_text_are_named_with_their_place() {
    let spoil = |text: &str| {
        let (before, after) = text.split_once('ü').expect("a place to spoil");
        [before.as_bytes(), b"\xff", after.as_bytes()].concat()
    };
    let line = ITEM.replace("Will it?", "Wird es ü?");
    let bytes = spoil(&format!("{ITEM}\n{line}\n"));
    let error = parse_jsonl::<Item>("items.jsonl", &bytes).expect_err("no text");
    assert_eq!((error.line, error.field.as_str()), (2, "question"));
    let column = line.find('ü').expect("there") + 1;
    assert_eq!(error.problem, format!("is not UTF-8 text: byte 0xFF at column {column}"));
    // In a file of many lines, after characters of several bytes, and alone.
    for (text, expected) in [
        ("{\n \"schema\": \"äüö\"}", (2, "schema", "byte 0xFF at column 14")),
        ("ü", (1, "", "byte 0xFF at column 1")),
    ] {
        let error = parse_json::<Results>("results.json", &spoil(text)).expect_err("no text");
        let (line, field, words) = expected;
        assert_eq!((error.line, error.field.as_str()), (line, field), "{error}");
        assert!(error.problem.ends_with(words), "{error}");
    }
    // What is wrong before comes first.
    let error = parse_json::<Results>("results.json", &spoil("{\"schema\": 1, \"title\": \"ü\"}"));
    assert_eq!(error.expect_err("a wrong type").field, "schema");
}

#[test]
fn another_format_and_a_newer_version_are_refused_before_their_types_are_looked_at() {
    let newer = r#"{"schema":"recount.item/2","kind":{"of":"another shape"}}"#;
    let error = items(newer).expect_err("newer");
    assert!(
        error.problem.contains("version 2 of recount.item") && error.problem.contains("version 1"),
        "{error}"
    );
    let other = ITEM.replace("recount.item/1", "recount.record/1");
    assert!(items(&other).expect_err("another format").problem.contains("recount.item/1"));
    for broken in ["recount.item", "recount.item/0", "recount.item/x", ""] {
        assert!(items(&ITEM.replace("recount.item/1", broken)).is_err(), "{broken}");
    }
}

#[test]
fn a_line_of_a_pretty_printed_file_is_its_own_line() {
    let text = "{\n \"schema\": \"recount.results/1\",\n \"metrics_version\": \"one\"\n}";
    let error = parse_json::<Results>("results.json", text.as_bytes()).expect_err("wrong type");
    assert_eq!((error.line, error.field.as_str()), (3, "metrics_version"));
}

#[test]
fn rows_that_contradict_themselves_are_refused() {
    let row = r#"{"schema":"recount.record/1","run_id":"r","dataset_id":"d","model":"m","arm":"a","repeat":0,"item_id":"q","cluster_id":"q","kind":"binary","target":"YES","status":"answered","answer":"YES","confidence":0.7,"correct":true,"schema_ok":true}"#;
    let read = |text: &str| parse_jsonl::<Record>("records.jsonl", text.as_bytes());
    assert!(read(row).is_ok());
    for (from, to, field) in [
        ("\"confidence\":0.7", "\"confidence\":1.7", "confidence"),
        ("\"confidence\":0.7", "\"confidence\":-0.1", "confidence"),
        ("\"correct\":true", "\"correct\":false", "correct"),
        ("\"correct\":true", "\"correct\":null", "correct"),
        ("\"answer\":\"YES\"", "\"answer\":null", "answer"),
        ("\"answer\":\"YES\"", "\"answer\":\"MAYBE\"", "answer"),
        ("\"target\":\"YES\"", "\"target\":\"PERHAPS\"", "target"),
        ("\"status\":\"answered\"", "\"status\":\"unserved\"", "answer"),
        ("\"status\":\"answered\"", "\"status\":\"abstained\"", "correct"),
    ] {
        let error = read(&row.replace(from, to)).expect_err(to);
        assert_eq!(error.field, field, "{to}: {error}");
    }
}

#[test]
fn an_edited_exchange_is_refused() {
    let text = r#"{"schema":"recount.cassette/1","request_key":"00","provider":"openai","request":{"method":"POST","path":"/x","body":{}},"response":{"status":200,"body":{}},"latency_ms":1,"recorded_at":"2026-01-01T00:00:00Z"}"#;
    let error = parse_jsonl::<Interaction>("a0.jsonl", text.as_bytes()).expect_err("edited");
    assert_eq!(error.field, "request_key");
}

proptest! {
    #[test]
    fn any_bytes_give_rows_or_a_message(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Err(error) = parse_jsonl::<Record>("records.jsonl", &bytes) {
            prop_assert!(error.line >= 1 && !error.problem.is_empty() && !error.remedy.is_empty());
        }
    }

    #[test]
    fn every_float_is_read_back_to_its_bits(price in 0.0_f64..=1.0) {
        let text = ITEM.replacen('{', &format!("{{\"price_before\":{},", serde_json::to_string(&price).expect("a number")), 1);
        let read = items(&text).expect("an item").rows[0].price_before.expect("a price");
        prop_assert_eq!(read.to_bits(), price.to_bits());
    }
}

#[test]
fn paths_of_errors_and_of_unknown_fields_lead_into_lists_and_maps() {
    let item = |extra: &str| ITEM.replacen('{', &format!("{{{extra},"), 1);
    let error = items(&item(r#""conflicts":[["a","b"],["c",7]]"#)).expect_err("a number");
    assert_eq!(error.field, "conflicts[1][1]");
    let error = items(&item(r#""tags":{"doma\u0069n":7}"#)).expect_err("a number");
    assert_eq!(error.field, "tags.domain", "an escaped key is a key");
    let error = items(r#"{"schema":"recount.item/1","item_id":"q"}"#).expect_err("no kind");
    assert_eq!(error.field, "");
    assert!(error.problem.contains("missing field `kind`"), "{error}");
    let text = item(r#""mood":{"deep":[1]},"tags":{"a":"b"}"#);
    assert_eq!(items(&text).expect("an item").unknown.get("mood"), Some(&1));
    let results = r#"{"schema":"recount.results/1","plan":{"seed":1,"moon":2,"level":"x"}}"#;
    let error = parse_json::<Results>("results.json", results.as_bytes()).expect_err("no level");
    assert_eq!(error.field, "plan");
}

#[test]
fn a_list_is_no_object_even_when_its_values_are_in_the_order_of_the_fields() {
    let bin = "[0.0,1.0,3,0.5,0.5,0.1,0.9]";
    let results = format!(r#"{{"schema":"recount.results/1","reliability":[{{"bins":[{bin}]}}]}}"#);
    let error = parse_json::<Results>("results.json", results.as_bytes()).expect_err("a list");
    assert_eq!(error.field, "reliability[0].bins[0]");
    assert!(error.problem.contains("invalid type: sequence"), "{error}");
}
