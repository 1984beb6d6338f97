//! One question with everything that its rows rest on, and each link of the chain made again.

use std::collections::BTreeMap;

use metrics::grading::{Graded, grade};
use records::{Document, Item, Record, Status, bundle_digest, document_digest, sha256_hex};

use super::{
    grid::mark,
    open::Opened,
    prompt::{SYSTEM_FILE, prompt, shows_bundle},
    protocol::Problem,
    store::Store,
};
use crate::{
    format,
    model::evidence::{Link, QuestionPage, RowPage, ShownDocument},
    url_state::RowKey,
};

/// Most rows of one question that a page shows.
const MAX_ROWS: usize = 200;
/// Most characters of one text.
const MAX_TEXT: usize = 40_000;
/// The provider of rows that no model was asked for.
const BASELINE: &str = "baseline";

/// The page of the question called `item_id`.
///
/// # Errors
/// No record is about it and no data set has it.
pub fn page(opened: &Opened, store: &Store, item_id: &str) -> Result<QuestionPage, Problem> {
    let rows: Vec<&Record> = opened.records.iter().filter(|r| r.item_id == item_id).collect();
    let item = store.items.get(item_id);
    if rows.is_empty() && item.is_none() {
        return Err(Problem::new(
            format!("this run has no question called \"{}\"", format::cut(item_id, 80)),
            "choose one of the grid",
        ));
    }
    let mut last_of: BTreeMap<_, usize> = BTreeMap::new();
    for (i, r) in rows.iter().enumerate() {
        last_of.insert(r.key(), i);
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|i| (rows[*i].key(), *i));
    let row_page = |i: &usize| {
        let superseded = last_of.get(&rows[*i].key()) != Some(i);
        row(rows[*i], superseded, opened, store)
    };
    let hidden = rows.len().saturating_sub(MAX_ROWS);
    let (previous, next) = neighbours(opened, item_id);
    let target = item.map(|i| &i.target).or_else(|| rows.first().map(|r| &r.target));
    Ok(QuestionPage {
        item_id: item_id.to_owned(),
        question: item.map_or_else(String::new, |i| format::cut(&i.question, MAX_TEXT)),
        criteria: item.map_or_else(String::new, |i| format::cut(&i.criteria, MAX_TEXT)),
        target: target.map_or_else(String::new, |t| format::cut(t, 400)),
        facts: item.map(facts_of_item).unwrap_or_default(),
        documents: documents(store, item_id, item),
        links: evidence_links(store, item_id),
        rows: order.iter().take(MAX_ROWS).map(row_page).collect(),
        hidden_rows: hidden as u64,
        previous,
        next,
    })
}

/// The ids before and after this one among those that have rows.
fn neighbours(opened: &Opened, item_id: &str) -> (Option<String>, Option<String>) {
    let ids = || opened.records.iter().map(|r| r.item_id.as_str());
    let before = ids().filter(|id| *id < item_id).max();
    let after = ids().filter(|id| *id > item_id).min();
    (before.map(str::to_owned), after.map(str::to_owned))
}

fn facts_of_item(item: &Item) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut say = |name: &str, value: Option<String>| {
        facts.extend(value.map(|v| (name.to_owned(), format::cut(&v, 300))));
    };
    say("choices", item.choices.as_ref().map(|c| c.join(" · ")));
    say("set", item.set.clone());
    for (name, value) in item.tags.iter().take(20) {
        say(name, Some(value.clone()));
    }
    say("opened", item.opened_at.as_deref().map(format::day));
    say("settled", item.settled_at.as_deref().map(format::day));
    say("market price before", item.price_before.map(format::plain));
    say("cluster", item.cluster_id.clone());
    facts
}

fn documents(store: &Store, item_id: &str, item: Option<&Item>) -> Vec<ShownDocument> {
    let Some(bundle) = store.bundles.get(item_id) else { return Vec::new() };
    let pairs = item.and_then(|i| i.conflicts.as_ref());
    let one = |listed: &records::BundleDocument| {
        let d = store.documents.get(&listed.doc_id);
        let text = |field: fn(&Document) -> &str| {
            d.map_or_else(String::new, |d| format::cut(field(d), 300))
        };
        let conflicts = pairs.into_iter().flatten().filter_map(|[a, b]| {
            if *a == listed.doc_id {
                Some(b.clone())
            } else {
                (*b == listed.doc_id).then(|| a.clone())
            }
        });
        ShownDocument {
            doc_id: listed.doc_id.clone(),
            title: text(|d| &d.title),
            as_of: text(|d| &d.as_of),
            publisher: text(|d| d.source.publisher.as_deref().unwrap_or_default()),
            text: d.map_or_else(String::new, |d| format::paragraphs(&d.text, MAX_TEXT)),
            role: role_words(listed.role).to_owned(),
            gold: item.is_some_and(|i| i.gold_docs.contains(&listed.doc_id)),
            conflicts_with: conflicts.collect(),
        }
    };
    bundle.documents.iter().take(60).map(one).collect()
}

fn role_words(role: records::Role) -> &'static str {
    match role {
        records::Role::Evidence => "evidence",
        records::Role::Distractor => "distractor",
        records::Role::OlderRevision => "older revision",
    }
}

/// From each document's text to the bundle: the links that all rows of a question share.
fn evidence_links(store: &Store, item_id: &str) -> Vec<Link> {
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

fn row(record: &Record, superseded: bool, opened: &Opened, store: &Store) -> RowPage {
    let completion = record.response_sha256.as_ref().and_then(|d| store.responses.get(d));
    let made = made_prompt(record, opened, store);
    let mut links = Vec::new();
    if is_baseline(record, opened) {
        links.push(Link::unknown(
            "question → row",
            "a baseline asks no model, so there is no prompt and no completion; recount verify makes its rows again",
        ));
    } else {
        links.push(bundle_link(record, opened, store));
        links.push(match &made {
            Ok(text) => Link::compared(
                "question, documents, arm → prompt",
                record.prompt_sha256.as_deref() == Some(&sha256_hex(text.as_bytes())),
                "the prompt was filled in here and its SHA-256 compared with the row's",
            ),
            Err(why) => Link::unknown("question, documents, arm → prompt", why.clone()),
        });
        links.push(Link::unknown(
            "prompt → completion",
            "that the model said this rests on the recording; recount verify follows it, a page cannot",
        ));
        links.push(completion_link(record, completion));
        links.push(grade_link(record, completion, opened, store));
    }
    RowPage {
        key: RowKey::of(record),
        mark: mark(record),
        facts: facts_of_row(record),
        prompt: made.ok().map(|text| format::paragraphs(&text, MAX_TEXT)),
        completion: completion.map(|text| format::paragraphs(text, MAX_TEXT)),
        links,
        superseded,
        can_flip: record.status == Status::Answered && !superseded,
    }
}

fn is_baseline(record: &Record, opened: &Opened) -> bool {
    let models = opened.run.iter().flat_map(|run| &run.models);
    models.into_iter().any(|m| m.name == record.model && m.provider == BASELINE)
}

/// What a row's prompt is made from, and the prompt; or what is missing for it.
fn made_prompt(record: &Record, opened: &Opened, store: &Store) -> Result<String, String> {
    let run = opened.run.as_ref().ok_or("run.json is not there")?;
    let arm = run.arms.iter().find(|a| a.name == record.arm);
    let arm = arm.ok_or("run.json does not describe this arm")?;
    let item = store.items.get(&record.item_id).ok_or("the data set's items.jsonl is not there")?;
    let text = |file: &str| {
        let name = format::cut(file, 40);
        store.prompts.get(file).ok_or_else(|| format!("the prompt text {name} is not there"))
    };
    let template = text(&arm.prompt)?;
    if sha256_hex(template.as_bytes()) != arm.prompt_sha256 {
        return Err("the prompt text that is there is not the one that run.json names".into());
    }
    let shown = if shows_bundle(arm) { shown(store, &record.item_id)? } else { Vec::new() };
    Ok(prompt(text(SYSTEM_FILE)?, template, item, &shown))
}

/// A question's documents in prompt order.
fn shown<'a>(store: &'a Store, item_id: &str) -> Result<Vec<&'a Document>, String> {
    let bundle = store.bundles.get(item_id).ok_or("the data set's bundles.jsonl is not there")?;
    let find = |d: &records::BundleDocument| {
        store.documents.get(&d.doc_id).ok_or_else(|| "a document is not there".to_owned())
    };
    bundle.documents.iter().map(find).collect()
}

fn bundle_link(record: &Record, opened: &Opened, store: &Store) -> Link {
    const WHAT: &str = "bundle → row";
    let arms = opened.run.iter().flat_map(|run| &run.arms);
    let arm = arms.into_iter().find(|a| a.name == record.arm);
    match (arm, &record.bundle_sha256, store.bundles.get(&record.item_id)) {
        (Some(arm), None, _) if !shows_bundle(arm) => {
            Link::compared(WHAT, true, "the arm shows no bundle, and the row names none")
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
    opened: &Opened,
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
    let arms = opened.run.iter().flat_map(|run| &run.arms);
    let arm = arms.into_iter().find(|a| a.name == record.arm);
    let (Some(text), Some(arm), Some(item)) = (completion, arm, store.items.get(&record.item_id))
    else {
        return Link::unknown(WHAT, "completion, run.json or items.jsonl is not there");
    };
    let ids: Vec<String> = if shows_bundle(arm) {
        let bundle = store.bundles.get(&record.item_id);
        let Some(bundle) = bundle else {
            return Link::unknown(WHAT, "bundles.jsonl is not there");
        };
        bundle.documents.iter().map(|d| d.doc_id.clone()).collect()
    } else {
        Vec::new()
    };
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

fn words(status: Status) -> String {
    status.as_str().replace('_', " ")
}

fn facts_of_row(r: &Record) -> Vec<(String, String)> {
    let mut facts = vec![("status".to_owned(), words(r.status))];
    let mut say = |name: &str, value: Option<String>| {
        facts.extend(value.map(|v| (name.to_owned(), format::cut(&v, 300))));
    };
    say("answer", r.answer.clone());
    say("confidence", r.confidence.map(format::plain));
    say("correct", r.correct.map(|c| if c { "yes" } else { "no" }.into()));
    say("scored by", r.score_source.clone());
    say("first reply valid", Some(if r.schema_ok { "yes" } else { "no" }.into()));
    say("repair turns", (r.repairs > 0).then(|| r.repairs.to_string()));
    let listed = |list: &[String]| (!list.is_empty()).then(|| list.join(", "));
    say("cites", listed(&r.sources));
    say("cites, not shown", listed(&r.sources_unknown));
    let pairs: Vec<_> = r.conflicts.iter().map(|[a, b]| format!("{a} and {b}")).collect();
    say("names as conflicting", listed(&pairs));
    say("searches", r.searches.map(|n| n.to_string()));
    say("visits", r.visits.map(|n| n.to_string()));
    say("retrieved", r.retrieved.as_deref().and_then(listed));
    let tokens = |u: &records::Usage| {
        format!(
            "{} read, {} written",
            format::count(u.input_tokens),
            format::count(u.output_tokens)
        )
    };
    say("tokens", r.usage.as_ref().map(tokens));
    say("latency", r.latency_ms.map(|ms| format::in_unit(ms, "ms")));
    say("attempt", (r.attempt > 1).then(|| r.attempt.to_string()));
    say("error", r.error.as_ref().map(|e| format!("{}: {}", e.kind, e.message)));
    facts
}

#[cfg(test)]
mod tests;
