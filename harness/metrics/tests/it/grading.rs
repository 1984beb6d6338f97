//! Grading: what is tolerated around an answer, what is not within it, and what hostile text does.

use metrics::grading::{Graded, grade, single_object};
use proptest::prelude::*;
use records::{Item, Status, parse_jsonl};

fn item() -> Item {
    let line = r#"{"schema":"recount.item/1","item_id":"q1","kind":"binary","question":"Will it?","target":"YES"}"#;
    parse_jsonl::<Item>("items.jsonl", line.as_bytes()).expect("an item").rows.remove(0)
}

fn graded(completion: &str) -> Graded {
    grade(completion, &item(), &["q1-d1".to_owned(), "q1-d2".to_owned()], true)
}

pub fn answer(outcome: &str, confidence: &str) -> String {
    format!(
        r#"{{"reasoning":"r","outcome":"{outcome}","confidence":{confidence},"sources":["q1-d1"],"conflicts_detected":[]}}"#
    )
}

fn problem(completion: &str) -> String {
    let graded = graded(completion);
    assert_eq!(graded.status, Status::HardFail);
    assert_eq!((graded.answer, graded.confidence, graded.correct), (None, None, false));
    graded.problem.expect("a reason")
}

#[test]
fn a_plain_answer() {
    let yes = graded(&answer("YES", "0.8"));
    assert_eq!((yes.status, yes.correct, yes.confidence), (Status::Answered, true, Some(0.8)));
    assert_eq!(yes.answer.as_deref(), Some("YES"));
    let no = graded(&answer("NO", "1"));
    assert_eq!((no.status, no.correct, no.confidence), (Status::Answered, false, Some(1.0)));
}

#[test]
fn fences_and_prose_around_the_object_are_tolerated() {
    for around in ["```json\n@\n```", "Here it is: @ Hope that helps.", "\n\n@\n", "{@"] {
        let graded = graded(&around.replace('@', &answer("YES", "0.8")));
        assert_eq!(graded.status == Status::Answered, around != "{@", "{around}");
    }
}

#[test]
fn braces_and_quotes_inside_strings_do_not_count() {
    let text = r#"{"reasoning":"a } and a { and a \" and a \\","outcome":"YES","confidence":0.8,"sources":[],"conflicts_detected":[]}"#;
    assert_eq!(graded(text).status, Status::Answered);
}

#[test]
fn an_abstention_counts_only_where_it_is_allowed() {
    let text = answer("UNRESOLVABLE", "0.5");
    assert_eq!(graded(&text).status, Status::Abstained);
    assert!(!graded(&text).correct);
    let forced = grade(&text, &item(), &[], false);
    assert_eq!(forced.status, Status::HardFail);
    assert_eq!(forced.problem.as_deref(), Some("\"outcome\" must be one of YES, NO"));
}

#[test]
fn what_is_not_tolerated() {
    let whole = answer("YES", "0.8");
    for (broken, words) in [
        (whole.replace("\"outcome\":\"YES\",", ""), "missing field `outcome`"),
        (whole.replace("\"outcome\"", "\"mood\":1,\"outcome\""), "unknown field `mood`"),
        (
            whole.replace("\"outcome\"", "\"outcome\":\"NO\",\"outcome\""),
            "duplicate field `outcome`",
        ),
        (whole.replace("0.8", "\"0.8\""), "invalid type: string"),
        (whole.replace("0.8", "80"), "\"confidence\" must be a number from 0 to 1"),
        (whole.replace("0.8", "-0.1"), "\"confidence\" must be a number from 0 to 1"),
        (whole.replace("0.8", "null"), "invalid type: null"),
        (whole.replace("0.8", "NaN"), "expected value"),
        (whole.replace("YES", "yes"), "\"outcome\" must be one of YES, NO, UNRESOLVABLE"),
        (whole.replace("[\"q1-d1\"]", "[1]"), "invalid type: integer"),
        (whole.replace("detected\":[]", "detected\":[[\"a\"]]"), "invalid length 1"),
        (format!("{whole}{whole}"), "more than one JSON object"),
        (whole.replace('}', ""), "not finished"),
        ("YES".to_owned(), "no JSON object"),
        (String::new(), "no JSON object"),
    ] {
        let found = problem(&broken);
        assert!(found.contains(words), "`{words}` is missing in `{found}` for {broken}");
    }
}

#[test]
fn sources_are_distinct_and_unknown_ones_are_named() {
    let text = answer("YES", "0.8")
        .replace("[\"q1-d1\"]", "[\"q1-d2\",\"x\",\"q1-d2\"]")
        .replace("detected\":[]", "detected\":[[\"q1-d2\",\"q1-d1\"],[\"q1-d1\",\"q1-d2\"]]");
    let graded = graded(&text);
    assert_eq!(graded.sources, ["q1-d2", "x"]);
    assert_eq!(graded.sources_unknown, ["x"]);
    assert_eq!(graded.conflicts, [["q1-d1".to_owned(), "q1-d2".to_owned()]]);
}

#[test]
fn a_megabyte_of_braces_is_read_once() {
    let hostile = "{".repeat(1 << 20);
    assert_eq!(single_object(&hostile), Err("the JSON object is not finished".to_owned()));
    let nested = format!("{}{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert!(problem(&nested).contains("not as asked"));
}

proptest! {
    #[test]
    fn any_text_gives_a_grade(text in ".*") {
        let graded = graded(&text);
        prop_assert_eq!(graded.problem.is_some(), graded.status == Status::HardFail);
    }

    #[test]
    fn any_text_of_json_marks_gives_a_grade(text in "[{}\\[\\]\":,\\\\a1 ]{0,200}") {
        let graded = graded(&text);
        prop_assert!(!graded.correct || graded.status == Status::Answered);
    }

    #[test]
    fn any_confidence_from_0_to_1_is_read_back_exactly(confidence in 0.0_f64..=1.0) {
        let text = answer("NO", &serde_json::to_string(&confidence).expect("a number"));
        prop_assert_eq!(graded(&text).confidence, Some(confidence));
    }
}
