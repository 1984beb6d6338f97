//! From an item, its documents and an arm to the messages that a model is sent. Pure.

use records::{Document, Evidence, Item, Kind};

use crate::arms::{Arm, REPAIR};

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
        Message { speaker: Speaker::System, text: arm.system.trim_end().to_owned() },
        Message { speaker: Speaker::User, text: render(item, shown, arm) },
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

/// The places that a prompt file may have.
const PLACES: [&str; 5] = ["documents", "question", "criteria", "choices", "outcome"];

/// Says what is wrong with a prompt file, if anything: a place that nothing fills, or one that must be there and is not.
///
/// # Errors
/// The problem, as the end of a sentence.
pub fn check_template(template: &str, evidence: Evidence) -> Result<(), String> {
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        rest = &rest[start + 2..];
        let name = rest.split("}}").next().unwrap_or_default();
        if !PLACES.contains(&name) {
            return Err(format!(
                "nothing fills \"{{{{{}}}}}\"; the places are {}",
                name.chars().take(40).collect::<String>(),
                PLACES.map(|p| format!("{{{{{p}}}}}")).join(", ")
            ));
        }
    }
    if !template.contains("{{question}}") {
        return Err("it never asks: {{question}} is missing".to_owned());
    }
    if (evidence != Evidence::None) != template.contains("{{documents}}") {
        return Err("{{documents}} must be there exactly when the arm shows evidence".to_owned());
    }
    Ok(())
}

/// Fills an arm's prompt in.
#[must_use]
pub fn render(item: &Item, shown: &[&Document], arm: &Arm) -> String {
    let (documents, choices) = (documents_block(shown), choices_block(item));
    let outcome = outcome_text(item, arm.spec.may_abstain);
    fill(
        arm.template.trim_end(),
        &[
            ("documents", documents.as_str()),
            ("question", item.question.as_str()),
            ("criteria", item.criteria.as_str()),
            ("choices", choices.as_str()),
            ("outcome", outcome.as_str()),
        ],
    )
}

/// `A) …` a line; empty for items without choices.
fn choices_block(item: &Item) -> String {
    let mut block = String::new();
    for (place, choice) in item.choices.iter().flatten().enumerate() {
        let letter = Item::letter(place).map_or_else(|| (place + 1).to_string(), String::from);
        block.push_str(&format!("{letter}) {choice}\n"));
    }
    block
}

/// What may stand as the outcome, as the end of a sentence.
fn outcome_text(item: &Item, may_abstain: bool) -> String {
    let quoted = |label: &str| format!("\"{label}\"");
    let mut labels: Vec<String> = match item.kind {
        Kind::Binary => vec![quoted("YES"), quoted("NO")],
        Kind::Choice => {
            let n_choices = item.choices.as_ref().map_or(0, Vec::len);
            (0..n_choices).filter_map(Item::letter).map(|l| quoted(&l.to_string())).collect()
        }
        Kind::Span => vec!["the answer, in at most ten words".to_owned()],
    };
    if may_abstain {
        labels.push(quoted(&item.abstain_label));
    }
    match labels.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => labels.concat(),
    }
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
                Evidence::None => &[],
                Evidence::Bundle | Evidence::Gold => &[&document],
            };
            let text = render(&item, shown, &arm);
            let start = if shown.is_empty() {
                "Question: Will it rain?\n"
            } else {
                "Documents:\n\n[q1-d1] Sky (2026-05-01, Gazette)\nGrey.\n\nQuestion: Will it rain?\n"
            };
            assert!(text.starts_with(start), "{}: {text}", arm.spec.name);
            assert!(!text.contains("{{"), "{}: {text}", arm.spec.name);
            assert_eq!(text.contains("UNRESOLVABLE"), arm.spec.may_abstain, "{}", arm.spec.name);
            let asks_for_criteria = arm.spec.kinds == [Kind::Binary];
            assert_eq!(text.contains("Resolution criteria: Rain."), asks_for_criteria);
        }
    }

    #[test]
    fn the_outcome_is_said_as_the_kind_of_item_has_it() {
        let item = |line: &str| {
            let line =
                format!(r#"{{"schema":"recount.item/1","item_id":"q1","question":"?",{line}}}"#);
            records::parse_jsonl::<Item>("items.jsonl", line.as_bytes()).unwrap().rows.remove(0)
        };
        let binary = item(r#""kind":"binary","target":"YES""#);
        assert_eq!(outcome_text(&binary, true), r#""YES", "NO" or "UNRESOLVABLE""#);
        assert_eq!(outcome_text(&binary, false), r#""YES" or "NO""#);
        let choice = item(r#""kind":"choice","target":"A","choices":["red","blue","green"]"#);
        assert_eq!(outcome_text(&choice, false), r#""A", "B" or "C""#);
        assert_eq!(choices_block(&choice), "A) red\nB) blue\nC) green\n");
        let span = item(r#""kind":"span","target":"red""#);
        assert_eq!(outcome_text(&span, false), "the answer, in at most ten words");
    }

    #[test]
    fn a_prompt_file_with_a_wrong_place_is_refused() {
        let problem = |text: &str, evidence| check_template(text, evidence).unwrap_err();
        assert!(problem("{{question}} {{mood}}", Evidence::None).contains("{{mood}}"));
        assert!(problem("{{documents}}", Evidence::Bundle).contains("{{question}} is missing"));
        assert!(problem("{{question}}", Evidence::Gold).contains("{{documents}} must be there"));
        assert!(problem("{{question}} {{", Evidence::None).contains("nothing fills"));
        assert_eq!(check_template("{{documents}}{{question}}", Evidence::Bundle), Ok(()));
    }
}
