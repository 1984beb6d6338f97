//! One question with everything that its rows rest on, and each link of the chain made again.

use std::collections::BTreeMap;

use records::{Document, Item, Record, Status};

use super::{
    chain::{evidence_links, row_links},
    grid::mark,
    open::Opened,
    protocol::Problem,
    store::Store,
};
use crate::{
    format,
    model::evidence::{QuestionPage, RowPage, ShownDocument},
    url_state::RowKey,
};

/// Most rows of one question that a page shows.
const MAX_ROWS: usize = 200;
/// Most characters of one text.
const MAX_TEXT: usize = 40_000;
/// Most characters of a licence, an attribution or an address: a cut one would name nobody.
const MAX_TERM: usize = 4_000;

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
        criteria: item.map_or_else(String::new, |i| format::paragraphs(&i.criteria, MAX_TEXT)),
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
            terms: d.map_or_else(String::new, |d| terms(&d.source)),
            text: d.map_or_else(String::new, |d| format::paragraphs(&d.text, MAX_TEXT)),
            role: role_words(listed.role).to_owned(),
            gold: item.is_some_and(|i| i.gold_docs.contains(&listed.doc_id)),
            conflicts_with: conflicts.collect(),
        }
    };
    bundle.documents.iter().take(60).map(one).collect()
}

/// What must be said wherever a document is shown: its licence, whom to name, its address and revision.
fn terms(source: &records::Source) -> String {
    let revision = source.revid.map(|revid| format!("revision {revid}"));
    let parts = [
        Some(source.licence.clone()).filter(|licence| !licence.is_empty()),
        source.attribution.clone(),
        source.url.clone(),
        revision,
    ];
    let said: Vec<_> =
        parts.into_iter().flatten().map(|part| format::cut(&part, MAX_TERM)).collect();
    said.join(" · ")
}

fn role_words(role: records::Role) -> &'static str {
    match role {
        records::Role::Evidence => "evidence",
        records::Role::Distractor => "distractor",
        records::Role::OlderRevision => "older revision",
    }
}

fn row(record: &Record, superseded: bool, opened: &Opened, store: &Store) -> RowPage {
    let completion = record.response_sha256.as_ref().and_then(|d| store.responses.get(d));
    let (prompt, links) = row_links(record, completion, opened, store);
    RowPage {
        key: RowKey::of(record),
        mark: mark(record),
        facts: facts_of_row(record),
        prompt: prompt.map(|text| format::paragraphs(&text, MAX_TEXT)),
        completion: completion.map(|text| format::paragraphs(text, MAX_TEXT)),
        links,
        superseded,
        can_flip: record.status == Status::Answered && !superseded,
    }
}

/// A status in words.
pub(super) fn words(status: Status) -> String {
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
