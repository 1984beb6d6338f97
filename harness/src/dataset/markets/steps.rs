//! The steps: each reads what the steps before it wrote, calls one pure function, and writes what came of it.

use std::collections::BTreeSet;

use records::{BaseRate, FunnelStage, Rejected, Review};
use serde_json::json;

use super::{
    assemble::{self, About, Drawn, item_id},
    client::Api,
    collapse::{all_distinct, collapse, rank},
    difficulty, domains,
    draw::{Labelled, Place},
    gamma::Market,
    gather::{self, Reading},
    harvest::{self as fetching, Harvested},
    ledger::{self, rejected},
    screen::{Candidate, screen as screen_one, settled_as},
    settings::{SETTINGS_FILE, Settings},
    settle::{places, rejected_by_reviewer, settle},
    verdicts::{Decision, standings},
    work::Work,
};
use crate::{
    dataset::sign_folder,
    error::{Error, read_file, write_file},
};

/// Fetches the markets and their prices.
///
/// # Errors
/// An API cannot be used, or the disk is full.
pub async fn harvest(work: &Work, settings: &Settings, quiet: bool) -> Result<(), Error> {
    let sources = &settings.sources;
    let mut gamma = Api::open("gamma", &sources.gamma, sources, &work.fetched())?;
    let mut clob = Api::open("clob", &sources.clob, sources, &work.fetched())?;
    let harvested = fetching::harvest(settings, &mut gamma, &mut clob, quiet).await?;
    work.write("harvested.jsonl", &harvested)
}

/// Screens every harvested market.
///
/// # Errors
/// A file of an earlier step is missing or wrong.
pub fn screen(work: &Work, settings: &Settings) -> Result<(), Error> {
    let (mut passed, mut gone) = (Vec::new(), Vec::new());
    for h in work.read::<Harvested>("harvested.jsonl")? {
        let Some(market) = Market::read(&h.market) else {
            let facts = json!({"market": "has no id that could name it"});
            gone.push(rejected(&h.candidate_id, "screen", "unreadable", facts));
            continue;
        };
        match screen_one(market, h.history, settings.screen.min_prices) {
            Ok(candidate) => passed.push(candidate),
            Err(row) => gone.push(row),
        }
    }
    work.write("screened.jsonl", &passed)?;
    work.write("rejected.screen.jsonl", &gone)
}

/// Leaves one question per event and one per question without its deadline.
///
/// # Errors
/// As [`screen`].
pub fn collapse_step(work: &Work, settings: &Settings) -> Result<(), Error> {
    let screened = work.read::<Candidate>("screened.jsonl")?;
    let done = collapse(screened, settings.draw.seed, settings.collapse.similarity);
    work.write("collapsed.jsonl", &done.kept)?;
    work.write("rejected.collapse.jsonl", &done.rejected)
}

/// Labels difficulty and domain.
///
/// # Errors
/// As [`screen`].
pub fn label(work: &Work, settings: &Settings) -> Result<(), Error> {
    let labelled: Vec<Labelled> = work
        .read::<Candidate>("collapsed.jsonl")?
        .into_iter()
        .filter_map(|candidate| {
            // The screen lets nobody pass without prices in the window.
            let distance = difficulty::distance(&candidate.history, candidate.settled)?;
            Some(Labelled {
                distance,
                difficulty: difficulty::label(distance, &settings.difficulty),
                domain: domains::domain(
                    &candidate.question,
                    &candidate.event_title,
                    &candidate.tags,
                )
                .to_owned(),
                candidate,
            })
        })
        .collect();
    work.write("labelled.jsonl", &labelled)
}

/// Draws, and gives the places of candidates that a reviewer rejected to others.
///
/// # Errors
/// As [`screen`]; or a constraint cannot be met, with exit code 1.
pub fn draw(work: &Work, settings: &Settings) -> Result<(), Error> {
    let pool = work.read::<Labelled>("labelled.jsonl")?;
    let removed = rejected_by_reviewer(&pool, &work.reviews()?);
    let places = places(&pool, settings, &removed)?;
    write_draw(work, settings, &pool, &places, &removed)
}

/// Writes who has which place, who left one, and who has none.
fn write_draw(
    work: &Work,
    settings: &Settings,
    pool: &[Labelled],
    places: &[Place],
    removed: &[Rejected],
) -> Result<(), Error> {
    let mut taken: BTreeSet<&str> = places.iter().map(|p| p.candidate_id.as_str()).collect();
    if !all_distinct(
        pool.iter().map(|l| &l.candidate).filter(|c| taken.contains(c.candidate_id.as_str())),
    ) {
        return Err(Error::Disagrees(
            "two drawn items share an event or a question; repeat the step collapse".to_owned(),
        ));
    }
    taken.extend(removed.iter().map(|r| r.candidate_id.as_str()));
    let gone: Vec<Rejected> = pool
        .iter()
        .filter(|l| !taken.contains(l.candidate.candidate_id.as_str()))
        .map(|l| {
            let facts = json!({
                "set": if l.candidate.disputed { "contested" } else { "main" },
                "settled": if l.candidate.yes { "YES" } else { "NO" },
                "difficulty": l.difficulty,
                "domain": l.domain,
                "rank": rank(settings.draw.seed, &l.candidate.candidate_id),
            });
            rejected(&l.candidate.candidate_id, "draw", "not_drawn", facts)
        })
        .collect();
    work.write("removed.jsonl", removed)?;
    work.write("drawn.jsonl", places)?;
    work.write("rejected.draw.jsonl", &gone)
}

/// Finds what each drawn item is given to read, draws again for those with too little, and writes and signs the files of
/// the data set.
///
/// # Errors
/// The wiki cannot be used; as [`draw`].
pub async fn bundle(work: &Work, settings: &Settings, quiet: bool) -> Result<(), Error> {
    let sources = &settings.sources;
    let mut wiki = Api::open("wiki", &sources.wiki, sources, &work.fetched())?;
    let site = gather::site(&mut wiki).await?;
    let pool = work.read::<Labelled>("labelled.jsonl")?;
    let log = work.reviews()?;
    let given = settle(&mut wiki, &pool, settings, &log, quiet).await?;
    write_draw(work, settings, &pool, &given.places, &given.removed)?;
    let mut readings = given.readings;
    let readings: Vec<Reading> =
        given.places.iter().filter_map(|p| readings.remove(&p.candidate_id)).collect();
    work.write("readings.jsonl", &readings)?;
    let standings = standings(&log);
    let mut drawn = Vec::new();
    for (place, reading) in given.places.iter().zip(&readings) {
        let id = place.candidate_id.as_str();
        let labelled = pool.iter().find(|l| l.candidate.candidate_id == id);
        let labelled = labelled.ok_or_else(|| {
            Error::Input(format!(
                "drawn.jsonl: {id} is not in labelled.jsonl; repeat the step draw"
            ))
        })?;
        let standing = standings.get(&item_id(id)).cloned().unwrap_or_default();
        let standing = assemble::standing_now(standing, reading);
        drawn.push(Drawn { place, labelled, reading, standing });
    }
    publish(work, settings, &site, &drawn, wiki.latest())
}

fn publish(
    work: &Work,
    settings: &Settings,
    site: &super::wiki::Site,
    drawn: &[Drawn<'_>],
    created_at: &str,
) -> Result<(), Error> {
    let (mut items, mut documents, mut bundles) = (Vec::new(), Vec::new(), Vec::new());
    for one in drawn {
        let (item, texts, bundle) = assemble::assemble(one, settings, site);
        items.push(item);
        documents.extend(texts);
        bundles.push(bundle);
    }
    let rows = ledger(work)?;
    let ids: BTreeSet<String> = items.iter().map(|i| i.item_id.clone()).collect();
    let reviews: Vec<Review> = work.reviews()?;
    let about = About {
        funnel: funnel(work)?,
        base_rates: base_rates(work)?,
        reviewed: drawn.iter().all(|d| d.standing.decision == Some(Decision::Accepted)),
        created_at: created_at.to_owned(),
        settings_sha256: records::sha256_hex(&read_file(&work.folder().join(SETTINGS_FILE))?),
    };
    let harvested = work.read::<Harvested>("harvested.jsonl")?.len();
    if harvested != rows.len() + ids.len() {
        return Err(Error::Disagrees(format!(
            "{harvested} candidates were harvested, but {} are drawn or have a reason; run `recount dataset markets all {}`",
            rows.len() + ids.len(),
            work.folder().display()
        )));
    }
    work.publish("items.jsonl", &items)?;
    work.publish("documents.jsonl", &documents)?;
    work.publish("bundles.jsonl", &bundles)?;
    work.publish("rejected.jsonl", &rows)?;
    work.publish("review.jsonl", &reviews)?;
    let licence = assemble::licence_text(settings, site, &documents);
    write_file(&work.folder().join("LICENSE-DATA.md"), licence.as_bytes())?;
    let manifest = assemble::manifest(settings, site, about);
    sign_folder(work.folder(), manifest)?;
    Ok(())
}

/// Every candidate that left, once, with the one reason for which it left.
///
/// # Errors
/// A candidate has two reasons: a step was not repeated after one before it was.
fn ledger(work: &Work) -> Result<Vec<Rejected>, Error> {
    let mut rows: Vec<Rejected> = Vec::new();
    for name in ["rejected.screen.jsonl", "rejected.collapse.jsonl", "rejected.draw.jsonl"] {
        if work.has(name) {
            rows.extend(work.read(name)?);
        }
    }
    rows.extend(work.removed()?);
    let mut seen = BTreeSet::new();
    if let Some(twice) = rows.iter().find(|r| !seen.insert(r.candidate_id.clone())) {
        return Err(Error::Disagrees(format!(
            "{} left twice; run `recount dataset markets all {}`",
            twice.candidate_id,
            work.folder().display()
        )));
    }
    ledger::sort(&mut rows);
    Ok(rows)
}

/// Candidates left after each step that was made so far.
///
/// # Errors
/// A file of `work/` is wrong.
pub fn funnel(work: &Work) -> Result<Vec<FunnelStage>, Error> {
    let harvested = work.read::<serde::de::IgnoredAny>("harvested.jsonl")?.len();
    Ok(ledger::funnel(harvested, &ledger(work)?))
}

/// How the pools settled, before the draw balances anything.
///
/// # Errors
/// A file of `work/` is wrong.
pub fn base_rates(work: &Work) -> Result<Vec<BaseRate>, Error> {
    let rate = |pool: &str, outcomes: &[bool]| BaseRate {
        pool: pool.to_owned(),
        yes: outcomes.iter().filter(|yes| **yes).count() as u64,
        of: outcomes.len() as u64,
    };
    let unscreened: Vec<bool> = work
        .read::<Harvested>("harvested.jsonl")?
        .iter()
        .filter_map(|h| {
            let market = Market::read(&h.market)?;
            settled_as(&market, market.yes_place()?).ok()
        })
        .collect();
    let mut rates = vec![rate("unscreened, yes/no and settled cleanly", &unscreened)];
    for (name, file) in [
        ("screened and undisputed", "screened.jsonl"),
        ("collapsed and undisputed", "collapsed.jsonl"),
    ] {
        if work.has(file) {
            let candidates = work.read::<Candidate>(file)?;
            let outcomes: Vec<bool> =
                candidates.iter().filter(|c| !c.disputed).map(|c| c.yes).collect();
            rates.push(rate(name, &outcomes));
        }
    }
    Ok(rates)
}
