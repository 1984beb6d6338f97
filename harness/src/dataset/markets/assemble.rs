//! From places, readings and verdicts to the files of the data set. Pure: the same input gives the same bytes.

use std::collections::BTreeMap;

use records::{
    BaseRate, Bundle, BundleDocument, Document, FunnelStage, Generator, Item, Kind, Manifest, Role,
    Source, Versioned, bundle_digest, document_digest,
};
use serde_json::{Value, json};

use super::{
    articles::Text,
    collapse::rank,
    difficulty::price_before,
    domains::RULES_TEXT,
    draw::{Labelled, Place},
    gather::Reading,
    settings::Settings,
    time,
    verdicts::{Decision, Standing},
    wiki::Site,
};

/// One drawn item with everything that is known about it.
#[derive(Debug, Clone)]
pub struct Drawn<'a> {
    /// Its place.
    pub place: &'a Place,
    /// The candidate and its labels.
    pub labelled: &'a Labelled,
    /// What it is given to read.
    pub reading: &'a Reading,
    /// What reviewers said of it as it is now.
    pub standing: Standing,
}

/// The id of a candidate's item.
#[must_use]
pub fn item_id(candidate_id: &str) -> String {
    format!("m{candidate_id}")
}

/// The id of a revision as one item shows it. Two items show different parts of the same revision.
#[must_use]
pub fn doc_id(candidate_id: &str, text: &Text) -> String {
    format!("{}-w{}", item_id(candidate_id), text.revid)
}

/// The revision that a document id of this pipeline names.
#[must_use]
pub fn revid_of(doc_id: &str) -> Option<u64> {
    doc_id.rsplit_once("-w")?.1.parse().ok()
}

/// What reviewers said of an item that is given this to read: see [`Standing::of`].
#[must_use]
pub fn standing_now(standing: Standing, reading: &Reading) -> Standing {
    let id = |text: &Text| doc_id(&reading.candidate_id, text);
    // A choice that is to be fetched yet counts as the evidence already; one that is gone does not.
    let chosen = reading.articles.iter().find(|t| Some(id(t)) == standing.article);
    let evidence = chosen.or(reading.articles.first()).map(id);
    let older = reading.older.as_ref().map(id);
    standing.of(evidence.as_deref(), older.as_deref())
}

/// An item with its documents and bundle.
#[must_use]
pub fn assemble(
    drawn: &Drawn<'_>,
    settings: &Settings,
    site: &Site,
) -> (Item, Vec<Document>, Bundle) {
    let Drawn { place, labelled, reading, standing } = drawn;
    let candidate = &labelled.candidate;
    let id = &candidate.candidate_id;
    let evidence = reading.articles.first();
    let older = reading.older.as_ref().filter(|o| Some(doc_id(id, o)) == standing.conflict);
    let others = settings.bundle.documents - 1 - usize::from(older.is_some());
    let roles = evidence
        .map(|t| (t, Role::Evidence))
        .into_iter()
        .chain(reading.articles.iter().skip(1).take(others).map(|t| (t, Role::Distractor)))
        .chain(older.map(|t| (t, Role::OlderRevision)));
    let mut pairs: Vec<_> = roles.map(|(t, role)| (document(id, t, site), role)).collect();
    // By the seeded order, so that the place in the prompt says nothing about the role.
    pairs.sort_by_cached_key(|(d, _)| rank(settings.draw.seed, &d.doc_id));
    let listed: Vec<_> = pairs
        .iter()
        .map(|(d, role)| BundleDocument {
            doc_id: d.doc_id.clone(),
            role: *role,
            sha256: d.sha256.clone(),
        })
        .collect();
    let bundle = Bundle {
        schema: Bundle::tag(),
        item_id: item_id(id),
        sha256: bundle_digest(listed.iter().map(|d| d.sha256.as_str())),
        documents: listed,
    };
    let accepted = standing.decision == Some(Decision::Accepted);
    let evidence_id = evidence.map(|t| doc_id(id, t));
    let conflict = older.zip(evidence_id.clone()).map(|(o, e)| [doc_id(id, o), e]);
    let item = Item {
        schema: Item::tag(),
        item_id: item_id(id),
        cluster_id: Some(format!("event-{}", candidate.event)),
        kind: Kind::Binary,
        question: candidate.question.clone(),
        criteria: candidate.criteria.clone(),
        choices: None,
        target: if candidate.yes { "YES" } else { "NO" }.to_owned(),
        abstain_label: records::ABSTAIN_LABEL.to_owned(),
        set: Some(place.set.clone()),
        split: Some("test".to_owned()),
        tags: [
            ("difficulty".to_owned(), labelled.difficulty.name().to_owned()),
            ("domain".to_owned(), labelled.domain.clone()),
        ]
        .into(),
        opened_at: candidate.opened.map(time::rfc3339),
        settled_at: Some(time::rfc3339(candidate.settled)),
        price_before: price_before(&candidate.history, candidate.settled),
        // Which document holds the answer, and whether any two disagree, is for a person to say.
        gold_docs: evidence_id.filter(|_| accepted).into_iter().collect(),
        conflicts: (accepted || conflict.is_some()).then(|| conflict.into_iter().collect()),
    };
    (item, pairs.into_iter().map(|(d, _)| d).collect(), bundle)
}

fn document(candidate_id: &str, text: &Text, site: &Site) -> Document {
    let as_of = time::rfc3339(text.at);
    Document {
        schema: Document::tag(),
        doc_id: doc_id(candidate_id, text),
        title: text.title.clone(),
        sha256: document_digest(&text.title, &as_of, &text.text),
        as_of,
        text: text.text.clone(),
        source: Source {
            kind: "encyclopaedia".to_owned(),
            publisher: Some(site.name.clone()),
            url: Some(site.permalink(&text.title, text.revid)),
            revid: Some(text.revid),
            licence: site.licence.clone(),
            attribution: Some(site.attribution(&text.title, text.revid)),
        },
    }
}

/// What the manifest says beside the digests of the files.
#[derive(Debug, Clone)]
pub struct About {
    /// Candidates left after each step.
    pub funnel: Vec<FunnelStage>,
    /// How the pools settled.
    pub base_rates: Vec<BaseRate>,
    /// True when every item was accepted by a person.
    pub reviewed: bool,
    /// When the last answer that the set rests on was fetched, RFC 3339.
    pub created_at: String,
    /// SHA-256 of `pipeline.toml`.
    pub settings_sha256: String,
}

/// The manifest without digests, counts and signature, which signing puts in.
#[must_use]
pub fn manifest(settings: &Settings, site: &Site, about: About) -> Manifest {
    Manifest {
        schema: Manifest::tag(),
        dataset_id: settings.dataset_id.clone(),
        title: settings.title.clone(),
        constructed: false,
        reviewed: about.reviewed,
        signature: String::new(),
        created_at: about.created_at,
        seed: Some(settings.draw.seed),
        funnel: about.funnel,
        base_rates: about.base_rates,
        constraints: constraints(settings),
        counts: BTreeMap::new(),
        generator: Generator {
            model: "recount dataset markets".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            decoding: None,
            prompts: [
                ("domains.toml".to_owned(), records::sha256_hex(RULES_TEXT.as_bytes())),
                ("pipeline.toml".to_owned(), about.settings_sha256),
            ]
            .into(),
        },
        licence: site.licence.clone(),
        files: BTreeMap::new(),
    }
}

/// What was asked of the draw, in the words that `recount bundle check` knows.
fn constraints(settings: &Settings) -> BTreeMap<String, Value> {
    let draw = &settings.draw;
    let mut asked = BTreeMap::from([
        ("items".to_owned(), json!(draw.main.total() + draw.contested.total())),
        ("one_item_per_cluster".to_owned(), json!(true)),
        ("documents_per_bundle".to_owned(), json!([2, settings.bundle.documents])),
    ]);
    for (set, quota) in [("main", &draw.main), ("contested", &draw.contested)] {
        asked.insert(format!("set,target={set},YES"), json!(quota.yes));
        asked.insert(format!("set,target={set},NO"), json!(quota.no));
        asked.insert(format!("largest_domain={set}"), json!(quota.per_domain));
        for (difficulty, least) in &quota.at_least {
            asked.insert(format!("at_least_difficulty={set},{}", difficulty.name()), json!(least));
        }
    }
    asked
}

/// `LICENSE-DATA.md` of the set: the licence and the attribution of each document.
#[must_use]
pub fn licence_text(settings: &Settings, site: &Site, documents: &[Document]) -> String {
    use std::fmt::Write as _;
    let mut text = format!(
        "# Licence of the data set {}\n\nThe documents are parts of {} articles, taken out of their markup, under {}{}. Whoever passes them on must name the\nauthors as below, say that the text was shortened, and keep the licence.\n\nQuestions and criteria are quoted from the public pages of the markets; no licence was granted for them, and whether\nquoting them is allowed where you are is for you to find out.\n\n| document | article | revision | licence | attribution |\n|---|---|---|---|---|\n",
        settings.dataset_id,
        site.name,
        site.licence,
        if site.licence_url.is_empty() {
            String::new()
        } else {
            format!(" (<{}>)", site.licence_url)
        },
    );
    for d in documents {
        let cell = |text: &str| text.replace('|', "\\|").replace(['\n', '\r'], " ");
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | <{}> | {} | {} |",
            d.doc_id,
            cell(&d.title),
            d.source.url.as_deref().unwrap_or_default(),
            cell(&d.source.licence),
            cell(d.source.attribution.as_deref().unwrap_or_default()),
        );
    }
    text
}
