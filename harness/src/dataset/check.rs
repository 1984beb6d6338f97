use std::fmt;

use records::{Item, Kind, Role, bundle_digest, document_digest};

use super::{Dataset, sign};
use crate::cassette::is_plain_name;

/// Something about a data set that is not as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: &'static str,
    /// The id that the problem is about; empty when it is about the whole.
    pub id: String,
    /// What is wrong and what to do.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.id.is_empty() { String::new() } else { format!(", {}", self.id) };
        write!(f, "{}{at}: {}", self.file, self.text)
    }
}

/// Every hash of the data set and everything that must hold between its files. Constraints on the whole set, which a
/// manifest may ask for, are checked by `recount bundle check` on top of this.
#[must_use]
pub fn check(dataset: &Dataset) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut say = |file, id: &str, text: String| {
        problems.push(Problem { file, id: id.to_owned(), text });
    };
    let id = &dataset.manifest.dataset_id;
    if !is_plain_name(id) {
        let text = "field `dataset_id`: is no folder name; use letters, digits, dots, dashes and underscores";
        say("manifest.json", id, text.into());
    } else if dataset.folder_name.as_ref().is_some_and(|folder| folder != id) {
        let text = "field `dataset_id`: is not the name of the folder that the set lies in; rename one of them";
        say("manifest.json", id, text.into());
    }
    if dataset.items.is_empty() {
        say("items.jsonl", "", "holds no item".into());
    }
    for d in dataset.documents.values() {
        if d.sha256 != document_digest(&d.title, &d.as_of, &d.text) {
            say("documents.jsonl", &d.doc_id, "field `sha256` is not the digest of its text; restore the document, or sign the data set again".into());
        }
    }
    for bundle in dataset.bundles.values() {
        let id = bundle.item_id.as_str();
        if !dataset.items.iter().any(|i| i.item_id == id) {
            say("bundles.jsonl", id, "there is no such item; remove the bundle".into());
        }
        for d in &bundle.documents {
            match dataset.documents.get(&d.doc_id) {
                None => say(
                    "bundles.jsonl",
                    id,
                    format!("document {} is not in documents.jsonl", d.doc_id),
                ),
                Some(document) if document.sha256 != d.sha256 => say(
                    "bundles.jsonl",
                    id,
                    format!(
                        "document {} is not the one that was frozen; sign the data set again",
                        d.doc_id
                    ),
                ),
                Some(_) => {}
            }
        }
        if bundle.sha256 != bundle_digest(bundle.documents.iter().map(|d| d.sha256.as_str())) {
            say(
                "bundles.jsonl",
                id,
                "field `sha256` is not the digest of its documents; sign the data set again".into(),
            );
        }
    }
    for item in &dataset.items {
        let id = item.item_id.as_str();
        let Some(bundle) = dataset.bundles.get(id) else {
            say("items.jsonl", id, "has no bundle; add one, even if it is empty".into());
            continue;
        };
        let in_bundle = |doc: &str| bundle.documents.iter().any(|d| d.doc_id == doc);
        for doc in item.gold_docs.iter().filter(|d| !in_bundle(d)) {
            say("items.jsonl", id, format!("field `gold_docs`: {doc} is not in the item's bundle"));
        }
        for pair in item.conflicts.iter().flatten() {
            for doc in pair.iter().filter(|d| !in_bundle(d)) {
                say(
                    "items.jsonl",
                    id,
                    format!("field `conflicts`: {doc} is not in the item's bundle"),
                );
            }
        }
        for text in item_problems(item) {
            say("items.jsonl", id, text);
        }
        for d in dataset.shown(id) {
            let (Ok(as_of), settled) = (time(&d.as_of), item.settled_at.as_deref().map(time))
            else {
                let text = "field `as_of`: is no RFC 3339 time, such as 2026-06-23T15:00:00Z";
                say("documents.jsonl", &d.doc_id, text.into());
                continue;
            };
            if settled.and_then(Result::ok).is_some_and(|settled| as_of > settled) {
                say(
                    "bundles.jsonl",
                    id,
                    format!("document {} is dated after the item was settled", d.doc_id),
                );
            }
        }
        let evidence = bundle.documents.iter().filter(|d| d.role == Role::Evidence).count();
        if !bundle.documents.is_empty() && evidence == 0 {
            say("bundles.jsonl", id, "no document has the role evidence".into());
        }
    }
    for (name, entry) in &dataset.manifest.files {
        match dataset.files.get(name) {
            None => say(
                "manifest.json",
                name,
                "is listed but was not read; remove it from `files`".into(),
            ),
            Some(found) if found != entry => say(
                "manifest.json",
                name,
                "the file is not the one that was signed; restore it, or sign the data set again"
                    .into(),
            ),
            Some(_) => {}
        }
    }
    for name in super::DATA_FILES.iter().filter(|n| !dataset.manifest.files.contains_key(**n)) {
        say("manifest.json", name, "is missing in `files`; sign the data set again".into());
    }
    if dataset.manifest.counts != sign::counts(&dataset.items) {
        say(
            "manifest.json",
            "",
            "field `counts` is not what the items add up to; sign the data set again".into(),
        );
    }
    if dataset.manifest.signature != sign::signature(&dataset.manifest) {
        say(
            "manifest.json",
            "",
            "field `signature` does not belong to this content; sign the data set again".into(),
        );
    }
    problems
}

fn time(text: &str) -> Result<jiff::Timestamp, jiff::Error> {
    text.parse()
}

/// What is wrong with an item by itself.
fn item_problems(item: &Item) -> Vec<String> {
    let mut problems = Vec::new();
    let texts =
        [("item_id", &item.item_id), ("question", &item.question), ("target", &item.target)];
    for (field, _) in texts.iter().filter(|(_, text)| text.trim().is_empty()) {
        problems.push(format!("field `{field}`: is empty"));
    }
    for (field, text) in [("opened_at", &item.opened_at), ("settled_at", &item.settled_at)] {
        if text.as_deref().is_some_and(|text| time(text).is_err()) {
            problems.push(format!(
                "field `{field}`: is no RFC 3339 time, such as 2026-06-23T15:00:00Z"
            ));
        }
    }
    let choices = item.choices.as_deref().unwrap_or_default();
    if item.kind == Kind::Choice && !(2..=26).contains(&choices.len()) {
        problems.push("field `choices`: a choice has 2 to 26 of them".to_owned());
    }
    if (1..choices.len()).any(|i| choices[..i].contains(&choices[i])) {
        problems.push("field `choices`: one stands there twice".to_owned());
    }
    let label = item.abstain_label.as_str();
    let is_answer = match item.kind {
        Kind::Binary => ["YES", "NO"].contains(&label),
        Kind::Choice => item.choice_place(label).is_some(),
        Kind::Span => label == item.target,
    };
    if label.trim().is_empty() || is_answer {
        problems.push(format!(
            "field `abstain_label`: \"{label}\" is empty or an answer; choose a word that is neither"
        ));
    }
    problems
}
