use records::Rejected;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    articles::{self, Article, Text},
    client::{Answer, Api},
    draw::Labelled,
    ledger::rejected,
    settings::BundleSettings,
    time::{self, DAY},
    wiki::{self, Edit, Hit, Site},
    wikitext,
};
use crate::error::Error;

/// Pages of edits that are read of one article; five hundred edits each.
const PAGES_OF_EDITS: usize = 6;

/// What was found to read for one item, best article first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The item's candidate.
    pub candidate_id: String,
    /// What search was asked for.
    pub query: String,
    /// Articles at settlement, the hardest edited first.
    pub articles: Vec<Text>,
    /// The chosen article as it stood earlier; None when it did not exist yet or has not changed since.
    pub older: Option<Text>,
}

/// The wiki's name, addresses and licence.
///
/// # Errors
/// The wiki cannot be reached or names no licence, without which nothing of it may be passed on.
pub async fn site(api: &mut Api) -> Result<Site, Error> {
    let answer = query(api, &[("meta", "siteinfo"), ("siprop", "general|rightsinfo")]).await?;
    Site::read(&answer.body).ok_or_else(|| {
        Error::Provider(
            "wiki: its siteinfo names no licence or no address; without a licence its text cannot be passed on".to_owned(),
        )
    })
}

/// Finds what an item is given to read. `preferred` is the revision that a reviewer chose.
///
/// # Errors
/// The wiki cannot be reached. Too little to read is no error but the inner one: a row of the ledger.
pub async fn gather(
    api: &mut Api,
    item: &Labelled,
    settings: &BundleSettings,
    preferred: Option<u64>,
) -> Result<Result<Reading, Rejected>, Error> {
    let candidate = &item.candidate;
    let query_text = articles::search_query(&candidate.question);
    let hits = search(api, &query_text, settings.search_results).await?;
    let found = hits.len();
    let mut candidates = Vec::new();
    for (at, hit) in hits.into_iter().enumerate() {
        candidates.extend(article(api, hit, at + 1, candidate.settled, settings).await?);
    }
    let mut texts = Vec::new();
    for (article, intensity) in articles::ranked(candidates) {
        if texts.len() == settings.documents {
            break;
        }
        let text =
            shown(api, &article.hit, article.standing, &candidate.question, settings).await?;
        texts.extend(text.map(|text| Text {
            title: article.hit.title.clone(),
            revid: article.standing.revid,
            at: article.standing.at,
            text,
            search_rank: article.search_rank,
            edits: article.edits.len(),
            intensity,
        }));
    }
    if texts.len() < 2 {
        let facts = json!({"query": query_text, "found": found, "usable": texts.len()});
        return Ok(Err(rejected(&candidate.candidate_id, "bundle", "few_articles", facts)));
    }
    if let Some(at) = texts.iter().position(|t| Some(t.revid) == preferred) {
        let chosen = texts.remove(at);
        texts.insert(0, chosen);
    }
    let older = older(api, &texts[0], item, settings).await?;
    Ok(Ok(Reading {
        candidate_id: candidate.candidate_id.clone(),
        query: query_text,
        articles: texts,
        older,
    }))
}

async fn older(
    api: &mut Api,
    chosen: &Text,
    item: &Labelled,
    settings: &BundleSettings,
) -> Result<Option<Text>, Error> {
    let before = item.candidate.settled.saturating_sub(settings.older_days * DAY);
    let hit = Hit { pageid: 0, title: chosen.title.clone() };
    let Some(edit) = standing(api, &hit, before).await? else { return Ok(None) };
    if edit.revid == chosen.revid {
        return Ok(None);
    }
    let text = shown(api, &hit, edit, &item.candidate.question, settings).await?;
    Ok(text.filter(|text| *text != chosen.text).map(|text| Text {
        revid: edit.revid,
        at: edit.at,
        text,
        ..chosen.clone()
    }))
}

async fn query(api: &mut Api, parameters: &[(&str, &str)]) -> Result<Answer, Error> {
    let mut all =
        vec![("action", "query"), ("format", "json"), ("formatversion", "2"), ("maxlag", "5")];
    all.extend_from_slice(parameters);
    let is_answer =
        |a: &Answer| a.is_success() && a.body.get("query").is_some_and(Value::is_object);
    api.get("", &all, is_answer).await
}

fn odd(what: &str, about: &str) -> Error {
    Error::Provider(format!(
        "wiki: the answer about \"{about}\" holds no {what}; the API may have changed"
    ))
}

async fn search(api: &mut Api, text: &str, limit: usize) -> Result<Vec<Hit>, Error> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let limit = limit.to_string();
    let parameters =
        [("list", "search"), ("srsearch", text), ("srnamespace", "0"), ("srlimit", &limit)];
    let answer = query(api, &parameters).await?;
    let mut hits = wiki::hits(&answer.body).ok_or_else(|| odd("search results", text))?;
    hits.dedup_by(|a, b| a.pageid == b.pageid);
    Ok(hits)
}

/// An article with its edits around settlement; None when it did not exist then.
async fn article(
    api: &mut Api,
    hit: Hit,
    search_rank: usize,
    settled: i64,
    settings: &BundleSettings,
) -> Result<Option<Article>, Error> {
    let Some(standing) = standing(api, &hit, settled).await? else { return Ok(None) };
    let around = settings.days_around * DAY;
    let (newest, oldest) = (
        time::rfc3339(settled.saturating_add(around)),
        time::rfc3339(settled.saturating_sub(around)),
    );
    let mut edits: Vec<Edit> = Vec::new();
    let mut go_on: Option<String> = None;
    for _ in 0..PAGES_OF_EDITS {
        let mut parameters = vec![
            ("prop", "revisions"),
            ("titles", hit.title.as_str()),
            ("rvprop", "ids|timestamp|size"),
            ("rvlimit", "500"),
            ("rvstart", newest.as_str()),
            ("rvend", oldest.as_str()),
        ];
        parameters.extend(go_on.as_deref().map(|c| ("rvcontinue", c)));
        let answer = query(api, &parameters).await?;
        edits.extend(wiki::edits(&answer.body).ok_or_else(|| odd("edits", &hit.title))?);
        match wiki::more_edits(&answer.body) {
            Some(next) => go_on = Some(next.to_owned()),
            None => break,
        }
    }
    Ok(Some(Article { hit, search_rank, edits, standing }))
}

/// The revision that stood at a moment; None when the page did not exist.
async fn standing(api: &mut Api, hit: &Hit, at: i64) -> Result<Option<Edit>, Error> {
    let moment = time::rfc3339(at);
    let parameters = [
        ("prop", "revisions"),
        ("titles", hit.title.as_str()),
        ("rvprop", "ids|timestamp|size"),
        ("rvlimit", "1"),
        ("rvstart", moment.as_str()),
    ];
    let answer = query(api, &parameters).await?;
    let edits = wiki::edits(&answer.body).ok_or_else(|| odd("edits", &hit.title))?;
    Ok(edits.into_iter().find(|e| e.at <= at))
}

/// What an item shows of a revision; None when it is hidden or has too little prose.
async fn shown(
    api: &mut Api,
    hit: &Hit,
    edit: Edit,
    question: &str,
    settings: &BundleSettings,
) -> Result<Option<String>, Error> {
    let revid = edit.revid.to_string();
    let parameters = [
        ("prop", "revisions"),
        ("revids", revid.as_str()),
        ("rvprop", "ids|timestamp|size|content"),
        ("rvslots", "main"),
    ];
    let answer = query(api, &parameters).await?;
    let Some(text) = wiki::wikitext(&answer.body, edit.revid) else { return Ok(None) };
    let text =
        articles::excerpt(&wikitext::paragraphs(text), question, settings.words_per_document);
    // The title stands over the document, so an empty one would be a puzzle.
    Ok(text.filter(|_| !hit.title.trim().is_empty()))
}
