//! What the reader must do on its development set, and on any input at all.

mod any_input;
mod development;
mod kinds;

use records::{Document, Item, Kind, parse_jsonl};
use serde_json::{Value, json};

use super::{Question, answer};

/// An item with the given question, and nothing else that the reader is given.
fn item(kind: &str, question: &str, more: Value) -> Item {
    let mut item = json!({
        "schema": "recount.item/1", "item_id": "q1", "kind": kind, "question": question, "target": "YES",
    });
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut rows = parse_jsonl("items.jsonl", item.to_string().as_bytes()).unwrap().rows;
    rows.remove(0)
}

/// A yes/no question without criteria.
pub(super) fn question(text: &str) -> Question<'_> {
    Question { text, criteria: "", kind: Kind::Binary, choices: &[], abstain_label: "" }
}

pub(super) fn document(id: &str, day: &str, title: &str, text: &str) -> Document {
    serde_json::from_value(json!({
        "schema": "recount.document/1", "doc_id": id, "title": title, "as_of": format!("{day}T12:00:00Z"),
        "text": text, "source": { "kind": "constructed", "licence": "CC0-1.0" }, "sha256": "",
    }))
    .unwrap()
}

/// The answer as JSON.
fn read(item: &Item, documents: &[Document], may_abstain: bool) -> Value {
    let shown: Vec<&Document> = documents.iter().collect();
    serde_json::from_str(&answer(item, &shown, may_abstain)).unwrap()
}
