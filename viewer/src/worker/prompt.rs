//! A row's prompt, made again from its question, its documents and the text of its arm.
//!
//! Harness and page write this down independently: the harness's way is `harness/src/prompt.rs`, and a test here holds
//! every published row's digest against this one.

use records::{ArmSpec, Document, Item};

/// File of the message that stands above every prompt.
pub const SYSTEM_FILE: &str = "system.md";

/// The text whose digest a row carries: the system message and the filled-in prompt, joined by a newline.
#[must_use]
pub fn prompt(system: &str, template: &str, item: &Item, shown: &[&Document]) -> String {
    format!("{}\n{}", system.trim_end(), fill(template.trim_end(), item, shown))
}

/// Replaces `{{documents}}`, `{{question}}` and `{{criteria}}` in one pass, so that a text which itself looks like one
/// of them stays as it is.
fn fill(template: &str, item: &Item, shown: &[&Document]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let known = after.split_once("}}").and_then(|(name, left)| {
            let value = match name {
                "documents" => documents(shown),
                "question" => item.question.clone(),
                "criteria" => item.criteria.clone(),
                _ => return None,
            };
            Some((value, left))
        });
        match known {
            Some((value, left)) => {
                out.push_str(&value);
                rest = left;
            }
            None => {
                out.push_str("{{");
                rest = after;
            }
        }
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

/// Does the arm show a question's bundle?
#[must_use]
pub fn shows_bundle(arm: &ArmSpec) -> bool {
    arm.evidence == records::Evidence::Bundle
}
