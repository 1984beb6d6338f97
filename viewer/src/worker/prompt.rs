//! A row's prompt, made again from its question, its documents and the texts of its arm.
//!
//! Harness and page write this down independently: the harness's way is `harness/src/prompt.rs`, and a test here holds
//! every published row's digest against this one.

use records::{ArmSpec, Document, Evidence, Item, Kind};

/// File of the system message of arms that name none.
pub const SYSTEM_FILE: &str = "system.md";

/// The file of an arm's system message.
#[must_use]
pub fn system_file(arm: &ArmSpec) -> &str {
    if arm.system.is_empty() { SYSTEM_FILE } else { &arm.system }
}

/// Does the arm show documents of a question's bundle?
#[must_use]
pub fn shows_documents(arm: &ArmSpec) -> bool {
    arm.evidence != Evidence::None
}

/// Is this document of the question's bundle among those that the arm shows?
#[must_use]
pub fn shows(arm: &ArmSpec, item: &Item, doc_id: &str) -> bool {
    match arm.evidence {
        Evidence::None => false,
        Evidence::Bundle => true,
        Evidence::Gold => item.gold_docs.iter().any(|gold| gold == doc_id),
    }
}

/// The text whose digest a row carries: the system message and the filled-in prompt, joined by a newline.
#[must_use]
pub fn prompt(
    system: &str,
    template: &str,
    item: &Item,
    shown: &[&Document],
    may_abstain: bool,
) -> String {
    let value = |name: &str| match name {
        "documents" => Some(documents(shown)),
        "question" => Some(item.question.clone()),
        "criteria" => Some(item.criteria.clone()),
        "choices" => Some(choices(item)),
        "outcome" => Some(outcome(item, may_abstain)),
        _ => None,
    };
    format!("{}\n{}", system.trim_end(), fill(template.trim_end(), value))
}

/// Replaces each `{{name}}` in one pass, so that a text which itself looks like one of them stays as it is.
fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let known = after.split_once("}}").and_then(|(name, left)| Some((value(name)?, left)));
        rest = match known {
            Some((text, left)) => {
                out.push_str(&text);
                left
            }
            None => {
                out.push_str("{{");
                after
            }
        };
    }
    out + rest
}

fn documents(shown: &[&Document]) -> String {
    let one = |d: &&Document| {
        let date = d.as_of.split('T').next().unwrap_or(&d.as_of);
        let publisher = d.source.publisher.as_deref().map(|p| format!(", {p}")).unwrap_or_default();
        format!("[{}] {} ({date}{publisher})\n{}\n\n", d.doc_id, d.title, d.text)
    };
    if shown.is_empty() {
        return String::new();
    }
    format!("Documents:\n\n{}", shown.iter().map(one).collect::<String>())
}

fn choices(item: &Item) -> String {
    let line = |(place, choice): (usize, &String)| {
        let letter = Item::letter(place).map_or_else(|| (place + 1).to_string(), String::from);
        format!("{letter}) {choice}\n")
    };
    item.choices.iter().flatten().enumerate().map(line).collect()
}

/// What may stand as the outcome: `"YES", "NO" or "UNRESOLVABLE"`.
fn outcome(item: &Item, may_abstain: bool) -> String {
    let quoted = |label: &str| format!("\"{label}\"");
    let mut labels: Vec<String> = match item.kind {
        Kind::Binary => vec![quoted("YES"), quoted("NO")],
        Kind::Choice => {
            let n = item.choices.as_ref().map_or(0, Vec::len);
            (0..n).filter_map(Item::letter).map(|l| quoted(&l.to_string())).collect()
        }
        Kind::Span => vec!["the answer, in at most ten words".to_owned()],
    };
    labels.extend(may_abstain.then(|| quoted(&item.abstain_label)));
    match labels.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => labels.concat(),
    }
}
