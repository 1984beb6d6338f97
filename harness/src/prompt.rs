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
