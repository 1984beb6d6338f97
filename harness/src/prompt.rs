//! From an item, its documents and an arm to the messages that a model is sent. Pure.

use records::{Document, Item};

use crate::arms::{Arm, REPAIR, SYSTEM};

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// Instructions that stand above the conversation.
    System,
    /// The harness.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub speaker: Speaker,
    /// What is said.
    pub text: String,
}

/// The conversation that opens a call: the system message and the filled-in prompt.
#[must_use]
pub fn opening(item: &Item, shown: &[&Document], arm: &Arm) -> Vec<Message> {
    vec![
        Message { speaker: Speaker::System, text: SYSTEM.trim_end().to_owned() },
        Message { speaker: Speaker::User, text: render(item, shown, &arm.template) },
    ]
}

/// The two messages that ask for a repair: what the model said, and what is wrong with it.
#[must_use]
pub fn repair(completion: &str, problem: &str) -> [Message; 2] {
    [
        Message { speaker: Speaker::Assistant, text: completion.to_owned() },
        Message { speaker: Speaker::User, text: fill(REPAIR.trim_end(), &[("problem", problem)]) },
    ]
}

/// Fills an arm's template in.
#[must_use]
pub fn render(item: &Item, shown: &[&Document], template: &str) -> String {
    let documents = documents_block(shown);
    fill(
        template.trim_end(),
        &[
            ("documents", documents.as_str()),
            ("question", item.question.as_str()),
            ("criteria", item.criteria.as_str()),
        ],
    )
}

fn documents_block(shown: &[&Document]) -> String {
    if shown.is_empty() {
        return String::new();
    }
    let mut block = String::from("Documents:\n\n");
    for d in shown {
        // The date alone: a time of day would say more than a reader of the day's paper knew.
        let date = d.as_of.split('T').next().unwrap_or(&d.as_of);
        let publisher = d.source.publisher.as_deref().map(|p| format!(", {p}")).unwrap_or_default();
        block.push_str(&format!("[{}] {} ({date}{publisher})\n{}\n\n", d.doc_id, d.title, d.text));
    }
    block
}

/// Replaces each `{{name}}` of `template` in one pass, so that a value that itself looks like a placeholder stays
/// as it is.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        out.push_str(&rest[..start]);
        let after = &rest[start + 2..];
        let known = after.find("}}").and_then(|end| {
            values.iter().find(|(name, _)| *name == &after[..end]).map(|(_, v)| (end, *v))
        });
        match known {
            Some((end, value)) => {
                out.push_str(value);
                rest = &after[end + 2..];
            }
            None => {
                out.push_str("{{");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_looks_like_a_placeholder_stays_as_it_is() {
        let filled = fill("{{a}} {{b}} {{c}} {{", &[("a", "{{b}}"), ("b", "2")]);
        assert_eq!(filled, "{{b}} 2 {{c}} {{");
    }

    #[test]
    fn every_arm_begins_with_the_documents_and_leaves_no_placeholder() {
        let item = records::parse_jsonl::<Item>(
            "items.jsonl",
            br#"{"schema":"recount.item/1","item_id":"q1","kind":"binary","question":"Will it rain?","criteria":"Rain.","target":"YES"}"#,
        )
        .unwrap()
        .rows
        .remove(0);
        let document = records::parse_jsonl::<Document>(
            "documents.jsonl",
            br#"{"schema":"recount.document/1","doc_id":"q1-d1","title":"Sky","as_of":"2026-05-01T10:00:00Z","text":"Grey.","source":{"kind":"news","publisher":"Gazette","licence":"CC0-1.0"},"sha256":""}"#,
        )
        .unwrap()
        .rows
        .remove(0);
        for arm in crate::arms::built_in().unwrap() {
            let shown: &[&Document] = match arm.spec.evidence {
                records::Evidence::None => &[],
                records::Evidence::Bundle => &[&document],
            };
            let text = render(&item, shown, &arm.template);
            let start = if shown.is_empty() {
                "Question: Will it rain?\nResolution criteria: Rain.\n"
            } else {
                "Documents:\n\n[q1-d1] Sky (2026-05-01, Gazette)\nGrey.\n\nQuestion: Will it rain?\n"
            };
            assert!(text.starts_with(start), "{}: {text}", arm.spec.name);
            assert!(!text.contains("{{"), "{}: {text}", arm.spec.name);
            assert_eq!(text.contains("UNRESOLVABLE"), arm.spec.may_abstain, "{}", arm.spec.name);
        }
    }
}
