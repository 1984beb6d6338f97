//! Grading of choices, spans and judges' verdicts.

use std::path::Path;

use metrics::grading::{Graded, JudgeVerdict, grade, judge_source, judge_verdict, normalise_span};
use proptest::prelude::*;
use records::{Item, Kind, Status, Versioned, parse_jsonl};

use crate::grading::answer;

fn item(kind: &str, rest: &str) -> Item {
    let line = format!(
        r#"{{"schema":"recount.item/1","item_id":"q1","kind":"{kind}","question":"Which?",{rest}}}"#
    );
    parse_jsonl::<Item>("items.jsonl", line.as_bytes()).unwrap().rows.remove(0)
}

fn towns(target: &str) -> Item {
    item("choice", &format!(r#""choices":["Berne","Aarau","Chur"],"target":"{target}""#))
}

fn graded(outcome: &str, item: &Item) -> Graded {
    let quoted = serde_json::to_string(outcome).unwrap();
    grade(&answer(&quoted[1..quoted.len() - 1], "0.8"), item, &[], true)
}

fn outcome(outcome: &str, item: &Item) -> Option<(String, bool, &'static str)> {
    let graded = graded(outcome, item);
    Some((graded.answer?, graded.correct, graded.score_source?))
}

#[test]
fn choices_by_letter_or_exact_text() {
    // The answer is named as the target is, whichever way it was given.
    let (by_letter, by_text) = (towns("B"), towns("Aarau"));
    for (text, place, source) in [
        ("B", 1, "exact"),
        ("Aarau", 1, "exact"),
        ("b", 1, "normalised"),
        ("(B)", 1, "normalised"),
        ("b.", 1, "normalised"),
        (" C: ", 2, "normalised"),
        ("A", 0, "exact"),
        ("Berne", 0, "exact"),
    ] {
        let (letter, town) = (["A", "B", "C"][place], ["Berne", "Aarau", "Chur"][place]);
        let correct = place == 1;
        assert_eq!(outcome(text, &by_letter), Some((letter.into(), correct, source)), "{text}");
        assert_eq!(outcome(text, &by_text), Some((town.into(), correct, source)), "{text}");
    }
}

#[test]
fn two_letters_and_other_texts_are_no_choice() {
    for text in
        ["AB", "A, B", "A or B", "D", "aarau", "Aarau.", "B Aarau", "((B))", "1", "", "ß", "YES"]
    {
        let graded = graded(text, &towns("B"));
        assert_eq!(graded.status, Status::HardFail, "{text}");
        let problem = graded.problem.unwrap();
        assert_eq!(problem, "\"outcome\" must be one of A, B, C, UNRESOLVABLE", "{text}");
    }
}

#[test]
fn a_text_that_looks_like_a_letter_is_a_text_first() {
    let item = item("choice", r#""choices":["B","A"],"target":"B""#);
    assert_eq!(outcome("B", &item), Some(("B".into(), true, "exact")));
    assert_eq!(outcome("A", &item), Some(("A".into(), false, "exact")));
}

#[test]
fn choices_beyond_the_alphabet_go_by_text() {
    let choices: Vec<_> = (0..30).map(|i| format!("\"n{i}\"")).collect();
    let item = item("choice", &format!(r#""choices":[{}],"target":"n28""#, choices.join(",")));
    assert_eq!(outcome("n28", &item), Some(("n28".into(), true, "exact")));
    assert_eq!(outcome("Z", &item), Some(("n25".into(), false, "exact")));
    assert_eq!(outcome("[", &item), None);
}

#[test]
fn a_choice_item_whose_target_is_none_of_its_choices_is_refused() {
    let mut item = towns("B");
    assert!(item.check().is_ok());
    for (target, choices) in
        [("D", Some(vec!["x".to_owned()])), ("A", None), ("b", item.choices.clone())]
    {
        (item.target, item.choices) = (target.to_owned(), choices);
        assert_eq!(item.check().unwrap_err().field, "target");
        assert!(!graded("A", &item).correct);
    }
}

#[test]
fn abstaining_is_not_a_choice_or_a_span() {
    for item in [towns("B"), item("span", r#""target":"Aarau""#)] {
        let abstained = graded("UNRESOLVABLE", &item);
        assert_eq!((abstained.status, abstained.correct), (Status::Abstained, false));
        let forced = grade(&answer("UNRESOLVABLE", "0.8"), &item, &[], false);
        // Any text is a span, and this one is the wrong one.
        let expected = if item.kind == Kind::Span { Status::Answered } else { Status::HardFail };
        assert_eq!((forced.status, forced.correct), (expected, false));
    }
}

#[test]
fn spans_keep_their_wording_and_say_how_they_were_scored() {
    let aarau = item("span", r#""target":"the Aare""#);
    assert_eq!(outcome("the Aare", &aarau), Some(("the Aare".into(), true, "exact")));
    assert_eq!(outcome("AARE.", &aarau), Some(("AARE.".into(), true, "normalised")));
    assert_eq!(outcome("Rhine", &aarau), Some(("Rhine".into(), false, "normalised")));
    let empty = graded(" ", &aarau);
    assert_eq!(empty.status, Status::HardFail);
    assert_eq!(empty.problem.as_deref(), Some("\"outcome\" must not be empty"));
}

/// `../golden/spans.py`: Python's unicodedata, str.casefold and regular expressions.
#[test]
fn spans_match_the_independent_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/spans.json");
    let pairs: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for pair in pairs.as_array().unwrap() {
        let (a, b) = (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap());
        assert_eq!(normalise_span(a), pair["normal_a"].as_str().unwrap(), "{a}");
        assert_eq!(
            normalise_span(a) == normalise_span(b),
            pair["same"].as_bool().unwrap(),
            "{a} {b}"
        );
    }
    assert!(pairs.as_array().unwrap().len() >= 40);
}

#[test]
fn verdicts_are_read_to_the_letter() {
    let verdict = |word: &str| format!(r#"{{"reasoning":"r","verdict":{word}}}"#);
    assert_eq!(judge_verdict(&verdict(r#""CORRECT""#)), Ok(JudgeVerdict::Correct));
    let fenced = format!("Well.\n```json\n{}\n```", verdict(r#""INCORRECT""#));
    assert_eq!(judge_verdict(&fenced), Ok(JudgeVerdict::Incorrect));
    for broken in [
        verdict(r#""correct""#),
        verdict(r#""UNSURE""#),
        verdict("true"),
        verdict("null"),
        r#"{"verdict":"CORRECT"}"#.to_owned(),
        r#"{"reasoning":"r","verdict":"CORRECT","score":1}"#.to_owned(),
        r#"{"reasoning":"r","verdict":"CORRECT","verdict":"INCORRECT"}"#.to_owned(),
        verdict(r#""CORRECT""#).repeat(2),
        "CORRECT".to_owned(),
        String::new(),
    ] {
        let problem = judge_verdict(&broken).unwrap_err();
        assert!(problem.contains("JSON object"), "{broken}: {problem}");
    }
    // SHA-256 of "abc", from FIPS 180-4.
    assert_eq!(
        judge_source("m", "abc"),
        "judge:m:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

/// A second reading would show: a pass over each rest of the text takes hours.
#[test]
fn a_megabyte_of_anything_is_read_in_one_pass() {
    let items = [towns("B"), item("span", r#""target":"x""#)];
    let long = [
        "{".repeat(1 << 20),
        "}".repeat(1 << 20),
        "{}".repeat(1 << 19),
        "{\"".repeat(1 << 19),
        "\\".repeat(1 << 20),
        answer(&"\u{301}\u{327}".repeat(1 << 18), "0.8"),
        answer(&"the ".repeat(1 << 18), "0.8"),
        answer(&"\u{fdfa}".repeat(1 << 18), "0.8"),
        answer("B", &"1".repeat(1 << 20)),
        answer("B", "0.8").replace("[\"q1-d1\"]", &format!("[{}\"x\"]", "\"y\",".repeat(1 << 18))),
    ];
    for item in &items {
        for text in &long {
            let graded = grade(text, item, &[], true);
            assert_eq!(graded.problem.is_some(), graded.status == Status::HardFail);
        }
    }
    for text in &long {
        assert!(judge_verdict(text).is_err());
    }
}

proptest! {
    #[test]
    fn any_bytes_give_a_grade(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = judge_verdict(&text);
        for item in [towns("B"), towns("Aarau"), item("span", r#""target":"x""#)] {
            for text in [text.clone().into_owned(), answer(&text.replace(['"', '\\'], "?"), "0.5")] {
                let graded = grade(&text, &item, &[], true);
                prop_assert_eq!(graded.problem.is_some(), graded.status == Status::HardFail);
                prop_assert_eq!(graded.answer.is_some(), graded.score_source.is_some());
                prop_assert!(!graded.correct || graded.status == Status::Answered);
            }
        }
    }

    #[test]
    fn a_span_equals_itself_and_normalising_twice_changes_nothing(text in "\\PC{0,40}") {
        let once = normalise_span(&text);
        prop_assert_eq!(&normalise_span(&once), &once);
        if !text.trim().is_empty() {
            let item = Item { target: text.clone(), ..item("span", r#""target":"x""#) };
            prop_assert!(graded(&text, &item).correct);
        }
    }

    #[test]
    fn a_correct_choice_is_the_one_that_the_target_names(given in "[ABCabc().: ]{0,4}") {
        let graded = graded(&given, &towns("B"));
        let letters: Vec<_> = given.chars().filter(|c| c.is_ascii_alphabetic()).collect();
        prop_assert!(!graded.correct || letters == ['B'] || letters == ['b'], "{}", given);
        prop_assert!(letters.len() < 2 || graded.status == Status::HardFail, "{}", given);
    }
}
