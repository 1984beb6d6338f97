//! Any input gives a valid answer, the same one each time, in any order of the documents, and in good time.

use metrics::grading::grade;
use proptest::{prelude::*, sample::select};
use records::{Document, Item, Status};
use serde_json::json;

use super::{super::answer, document, item};

/// Text with and without the words and marks that the reader reacts to.
fn some_text() -> impl Strategy<Value = String> {
    let pieces = select(&[
        "not",
        "no",
        "YES",
        "NO",
        "before",
        "by",
        "at least",
        "more than",
        "40,000",
        "3.5",
        "%",
        "$",
        "tonnes",
        "twenty",
        "-",
        "one",
        "million",
        "dozen",
        "short",
        "another",
        "5",
        "May",
        "June",
        "2026",
        "2026-13-45",
        "Monday",
        "next year",
        "31",
        "February",
        "9999",
        "approved",
        "put off",
        "yet",
        "to",
        "will",
        "Quill",
        ".",
        ",",
        "\n",
        "didn’t",
        "İstanbul",
        "ß",
        "\u{301}",
        "🇫🇷",
        "\u{0}",
        "{",
        "\"",
        "}",
        "when",
        "how many",
    ]);
    let joined = prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.join(" "));
    prop_oneof![3 => joined, 1 => any::<String>()]
}

fn some_item() -> impl Strategy<Value = Item> {
    let kind = select(&["binary", "choice", "span"]);
    (kind, some_text(), some_text(), prop::collection::vec(some_text(), 1..5), some_text())
        .prop_map(|(kind, question, criteria, choices, label)| {
            let target = if kind == "choice" { choices[0].clone() } else { "YES".into() };
            let more = json!({
                "criteria": criteria, "choices": choices, "target": target, "abstain_label": label,
            });
            item(kind, &question, more)
        })
}

fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let day = select(&["2026-05-01", "2026-06-01", "", "9999-12-31", "-009999-01", "éééééé"]);
    let one = (0..3_u8, day, some_text(), some_text());
    let one =
        one.prop_map(|(id, day, title, text)| document(&format!("d{id}"), day, &title, &text));
    prop::collection::vec(one, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_answer_is_valid_and_the_same_in_any_order(
        item in some_item(),
        documents in some_documents(),
        may_abstain: bool,
        turn in 0..6_usize,
    ) {
        let mut shown: Vec<&Document> = documents.iter().collect();
        let ids: Vec<String> = documents.iter().map(|d| d.doc_id.clone()).collect();
        let text = answer(&item, &shown, may_abstain);
        let graded = grade(&text, &item, &ids, may_abstain);
        prop_assert_eq!(&graded.problem, &None, "{}", text);
        prop_assert!(graded.sources_unknown.is_empty(), "{}", text);
        if !shown.is_empty() {
            let turn = turn % shown.len();
            shown.rotate_left(turn);
            shown[turn..].reverse();
        }
        prop_assert_eq!(answer(&item, &shown, may_abstain), text);
    }

    #[test]
    fn what_an_item_is_labelled_with_is_not_looked_at(
        item in some_item(),
        documents in some_documents(),
        may_abstain: bool,
    ) {
        let shown: Vec<&Document> = documents.iter().collect();
        let mut other = item.clone();
        other.item_id = "other".into();
        other.cluster_id = Some("d0".into());
        other.target = "NO".into();
        other.set = Some("contested".into());
        other.split = Some("test".into());
        other.tags = [("form".to_owned(), "negated".to_owned())].into();
        other.opened_at = Some("2026-01-01T00:00:00Z".into());
        other.settled_at = Some("2026-06-01T00:00:00Z".into());
        other.price_before = Some(0.99);
        other.gold_docs = vec!["d1".into()];
        other.conflicts = Some(vec![["d0".into(), "d1".into()]]);
        prop_assert_eq!(answer(&other, &shown, may_abstain), answer(&item, &shown, may_abstain));
    }
}

/// Texts without a sentence, without a space, without an end.
#[test]
fn long_texts_of_one_kind_are_answered() {
    let units = [
        "a",
        "A ",
        ". ",
        "not ",
        "5 ",
        "5",
        "-",
        "May 5 ",
        "opened, ",
        "é",
        "\u{301}",
        "\n",
        "Not 5 towns signed in May. ",
    ];
    for unit in units {
        let text = unit.repeat((1 << 15) / unit.len());
        let documents = [document("d1", "2026-05-01", "Long", &text)];
        for (kind, question) in
            [("binary", text.as_str()), ("span", "How many?"), ("choice", "Who?")]
        {
            let item = item(kind, question, json!({ "choices": ["YES", "A"] }));
            let graded = grade(&answer(&item, &[&documents[0]], true), &item, &["d1".into()], true);
            assert_ne!(graded.status, Status::HardFail);
        }
    }
}
