//! The reader's declared behaviour, by kind of question.

use metrics::grading::grade;
use serde_json::json;

use super::{super::answer, document, item, read};

const QUESTION: &str = "Will at least 30 towns sign the river charter by 1 July 2026?";

#[test]
fn without_documents_it_abstains_or_gives_the_declared_answer() {
    for (kind, more, forced, confidence) in [
        ("binary", json!({}), "NO", 0.5),
        ("choice", json!({ "choices": ["Quill", "Pellin", "Tolm", "YES"] }), "Quill", 0.25),
        ("span", json!({}), "unknown", 0.0),
    ] {
        let item = item(kind, QUESTION, more);
        assert_eq!(read(&item, &[], true)["outcome"], "UNRESOLVABLE");
        let answer = read(&item, &[], false);
        assert_eq!(
            (&answer["outcome"], &answer["confidence"]),
            (&json!(forced), &json!(confidence))
        );
        assert_eq!((&answer["sources"], &answer["conflicts_detected"]), (&json!([]), &json!([])));
    }
}

#[test]
fn a_newer_count_outweighs_the_older_one_that_it_conflicts_with() {
    let item = item("binary", QUESTION, json!({}));
    let few = "Only 27 towns have signed the river charter.";
    let many = "The river charter has been signed by 33 towns.";
    for (older, newer, outcome) in [(few, many, "YES"), (many, few, "NO")] {
        let documents = [
            document("d1", "2026-06-20", "River charter", older),
            document("d2", "2026-06-30", "River charter", newer),
        ];
        let answer = read(&item, &documents, false);
        assert_eq!(answer["outcome"], outcome);
        assert_eq!(answer["sources"], json!(["d2"]));
        assert_eq!(answer["conflicts_detected"], json!([["d1", "d2"]]));
    }
}

#[test]
fn numbers_dates_and_failures_turn_the_answer() {
    let item = item("binary", "Will the Tolm bridge open to traffic by 1 July 2026?", json!({}));
    for (text, outcome) in [
        ("The Tolm bridge opened to traffic on 20 June.", "YES"),
        ("The Tolm bridge opened to traffic on 20 July.", "NO"),
        ("The Tolm bridge did not open to traffic.", "NO"),
        ("The opening of the Tolm bridge has been postponed.", "NO"),
        ("The opening of the Tolm bridge was not postponed.", "YES"),
    ] {
        let documents = [document("d1", "2026-07-22", "Tolm", text)];
        assert_eq!(read(&item, &documents, false)["outcome"], outcome, "{text}");
    }
}

#[test]
fn documents_about_something_else_leave_it_undecided() {
    let item = item("binary", QUESTION, json!({}));
    let documents = [document("d1", "2026-06-20", "Sky", "Forty cloudless nights were counted.")];
    assert_eq!(read(&item, &documents, true)["outcome"], "UNRESOLVABLE");
    assert_eq!(read(&item, &documents, false)["confidence"], 0.5);
}

#[test]
fn the_supported_choice_is_taken() {
    let choices = json!({ "choices": ["Jon Tesk", "Ana Verrick", "YES"] });
    let item = item("choice", "Who won the presidential election?", choices);
    let text = "Ana Verrick won the presidential election. Rain fell on Jon Tesk.";
    let documents = [document("d1", "2026-05-21", "Result", text)];
    let answer = read(&item, &documents, false);
    assert_eq!((&answer["outcome"], &answer["sources"]), (&json!("Ana Verrick"), &json!(["d1"])));
    assert!(answer["confidence"].as_f64().unwrap() > 0.34);
}

#[test]
fn a_span_is_of_the_kind_that_is_asked_for() {
    let text = "The river charter was signed on 3 June 2026 in the town hall of Old Harrowfen by 33 towns.";
    let documents = [document("d1", "2026-06-20", "charter", text)];
    for (question, span) in [
        ("When was the river charter signed?", "3 June 2026"),
        ("How many towns signed the river charter?", "33"),
        ("Where was the river charter signed?", "Old Harrowfen"),
    ] {
        let item = item("span", question, json!({}));
        assert_eq!(read(&item, &documents, false)["outcome"], span, "{question}");
    }
}

#[test]
fn an_item_without_choices_can_only_be_abstained_from() {
    let mut item = item("choice", "Who?", json!({ "choices": ["YES"] }));
    item.choices = None;
    assert_eq!(grade(&answer(&item, &[], true), &item, &[], true).problem, None);
    assert!(grade(&answer(&item, &[], false), &item, &[], false).problem.is_some());
}
