//! The chain from document to grade, each link made again and compared.

use metrics::grading::{Graded, grade};
use records::{ArmSpec, Document, Record, Status, bundle_digest, document_digest, sha256_hex};

use super::{
    open::Opened,
    prompt::{prompt, shows, shows_documents, system_file},
    question::words,
    store::Store,
};
use crate::{format, model::evidence::Link};

/// The provider of rows that no model was asked for.
const BASELINE: &str = "baseline";
const TO_PROMPT: &str = "question, documents, arm → prompt";

/// From each document's text to the bundle: the links that all rows of a question share.
pub(super) fn evidence_links(store: &Store, item_id: &str) -> Vec<Link> {
    const TEXTS: &str = "documents → their digests";
    const BUNDLE: &str = "digests → bundle";
    let Some(bundle) = store.bundles.get(item_id) else {
        let why = "bundles.jsonl is not there, or has no entry for this question";
        return vec![Link::unknown(TEXTS, why), Link::unknown(BUNDLE, why)];
    };
    let of_bundle = bundle_digest(bundle.documents.iter().map(|d| d.sha256.as_str()));
    let bundle_link = Link::compared(
        BUNDLE,
        of_bundle == bundle.sha256,
        format!("SHA-256 of the documents' digests is {}", format::digest(&of_bundle)),
    );
    let mut wrong = Vec::new();
    for listed in &bundle.documents {
        let Some(d) = store.documents.get(&listed.doc_id) else {
            let missing = format!("{} is not among the documents", format::cut(&listed.doc_id, 60));
            return vec![Link::unknown(TEXTS, missing), bundle_link];
        };
        if document_digest(&d.title, &d.as_of, &d.text) != listed.sha256 {
            wrong.push(format::cut(&listed.doc_id, 60));
        }
    }
    let n = format::plural(bundle.documents.len() as u64, "document", "documents");
    let why = if wrong.is_empty() {
        format!("title, date and text of {n} give the digests that the bundle lists")
    } else {
        format!("{} gives another digest than the bundle lists", format::list(&wrong))
    };
    vec![Link::compared(TEXTS, wrong.is_empty(), why), bundle_link]
}

/// A row's own links, and its prompt where it could be made again.
pub(super) fn row_links(
    record: &Record,
    completion: Option<&String>,
    opened: &Opened,
    store: &Store,
) -> (Option<String>, Vec<Link>) {
    if is_baseline(record, opened) {
        let why = "a baseline asks no model, so there is no prompt and no completion; recount verify makes its rows again";
        return (None, vec![Link::unknown("question → row", why)]);
    }
    let arm = arm_of(record, opened);
    let made = made_prompt(record, arm, store);
    let links = vec![
        bundle_link(record, arm, store),
        prompt_link(record, &made),
        Link::unknown(
            "prompt → completion",
            "that the model said this rests on the recording; recount verify follows it, a page cannot",
        ),
        completion_link(record, completion),
        grade_link(record, completion, arm, store),
    ];
    (made.ok(), links)
}

fn arm_of<'a>(record: &Record, opened: &'a Opened) -> Option<&'a ArmSpec> {
    opened.run.as_ref()?.arms.iter().find(|arm| arm.name == record.arm)
}

fn is_baseline(record: &Record, opened: &Opened) -> bool {
    let models = opened.run.iter().flat_map(|run| &run.models);
    models.into_iter().any(|m| m.name == record.model && m.provider == BASELINE)
}

/// What a row's prompt is made from, and the prompt; or what is missing for it.
fn made_prompt(record: &Record, arm: Option<&ArmSpec>, store: &Store) -> Result<String, String> {
    if record.prompt_sha256.is_none() {
        return Err(
            "the row names no prompt: a reader that is part of the harness is given none".into()
        );
    }
    let arm = arm.ok_or("run.json is not there, or does not describe this arm")?;
    let item = store.items.get(&record.item_id).ok_or("the data set's items.jsonl is not there")?;
    let text = |file: &str, digest: &str| {
        let name = format::cut(file, 40);
        let text = store.prompts.get(file);
        let text = text.ok_or_else(|| format!("the prompt text {name} is not there"))?;
        // Runs older than the field name no digest for the system message; the prompt's own still holds it.
        if !digest.is_empty() && sha256_hex(text.as_bytes()) != digest {
            return Err(format!(
                "the prompt text {name} that is there is not the one that run.json names"
            ));
        }
        Ok(text)
    };
    let template = text(&arm.prompt, &arm.prompt_sha256)?;
    let system = text(system_file(arm), &arm.system_sha256)?;
    let mut shown: Vec<&Document> = Vec::new();
    if shows_documents(arm) {
        let bundle = store.bundles.get(&record.item_id);
        for listed in &bundle.ok_or("the data set's bundles.jsonl is not there")?.documents {
            if shows(arm, item, &listed.doc_id) {
                shown.push(store.documents.get(&listed.doc_id).ok_or("a document is not there")?);
            }
        }
    }
    Ok(prompt(system, template, item, &shown, arm.may_abstain))
}

fn prompt_link(record: &Record, made: &Result<String, String>) -> Link {
    match made {
        Ok(text) => Link::compared(
            TO_PROMPT,
            record.prompt_sha256.as_deref() == Some(&sha256_hex(text.as_bytes())),
            "the prompt was filled in here and its SHA-256 compared with the row's",
        ),
        Err(why) => Link::unknown(TO_PROMPT, why.clone()),
    }
}

fn bundle_link(record: &Record, arm: Option<&ArmSpec>, store: &Store) -> Link {
    const WHAT: &str = "bundle → row";
    match (arm, &record.bundle_sha256, store.bundles.get(&record.item_id)) {
        (Some(arm), None, _) if !shows_documents(arm) => {
            Link::compared(WHAT, true, "the arm shows no documents, and the row names no bundle")
        }
        (_, Some(named), Some(bundle)) => {
            Link::compared(WHAT, *named == bundle.sha256, "the row names the bundle's digest")
        }
        (Some(_), None, Some(_)) => Link::compared(WHAT, false, "the row names no bundle"),
        _ => Link::unknown(WHAT, "run.json or bundles.jsonl is not there"),
    }
}

fn completion_link(record: &Record, completion: Option<&String>) -> Link {
    const WHAT: &str = "completion → row";
    match (&record.response_sha256, completion) {
        (None, _) => Link::unknown(WHAT, "the row names no completion"),
        (Some(_), None) => {
            Link::unknown(WHAT, "its completion is not in responses.jsonl, or that is not there")
        }
        (Some(named), Some(text)) => Link::compared(
            WHAT,
            *named == sha256_hex(text.as_bytes()),
            "the SHA-256 of the completion's text was compared with the row's",
        ),
    }
}

/// Grades the completion again and compares with what the row says.
fn grade_link(
    record: &Record,
    completion: Option<&String>,
    arm: Option<&ArmSpec>,
    store: &Store,
) -> Link {
    const WHAT: &str = "completion → grade";
    if !matches!(record.status, Status::Answered | Status::Abstained | Status::HardFail) {
        return Link::unknown(WHAT, "a row with this status carries no grade of a completion");
    }
    if record.score_source.as_deref().is_some_and(|s| s.starts_with("judge:")) {
        return Link::unknown(
            WHAT,
            "another model graded it; its verdict is not graded again here",
        );
    }
    let (Some(text), Some(arm), Some(item)) = (completion, arm, store.items.get(&record.item_id))
    else {
        return Link::unknown(WHAT, "completion, run.json or items.jsonl is not there");
    };
    let mut ids: Vec<String> = Vec::new();
    if shows_documents(arm) {
        let Some(bundle) = store.bundles.get(&record.item_id) else {
            return Link::unknown(WHAT, "bundles.jsonl is not there");
        };
        let listed = bundle.documents.iter().map(|d| d.doc_id.clone());
        ids.extend(listed.filter(|id| shows(arm, item, id)));
    }
    let graded = grade(text, item, &ids, arm.may_abstain);
    let different = different(record, &graded);
    let problem = graded.problem.map(|p| format!(" ({})", format::cut(&p, 200)));
    let why = if different.is_empty() {
        format!(
            "graded again here: {}{}, {}, as the row says",
            words(graded.status),
            problem.unwrap_or_default(),
            if graded.correct { "right" } else { "not right" }
        )
    } else {
        format!("graded again here, {} came out differently", format::list(&different))
    };
    Link::compared(WHAT, different.is_empty(), why)
}

/// The fields in which a new grade and a row do not agree.
fn different(record: &Record, graded: &Graded) -> Vec<String> {
    let target_and_grade = record.correct == Some(graded.correct);
    [
        ("status", record.status == graded.status),
        ("answer", record.answer == graded.answer),
        ("confidence", record.confidence == graded.confidence),
        ("correct", target_and_grade),
        ("sources", record.sources == graded.sources),
        ("unknown sources", record.sources_unknown == graded.sources_unknown),
        ("conflicts", record.conflicts == graded.conflicts),
    ]
    .into_iter()
    .filter(|(_, same)| !same)
    .map(|(name, _)| name.to_owned())
    .collect()
}
