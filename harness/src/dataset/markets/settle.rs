//! Who has which place once everybody had enough to read and the review is put in.

use std::collections::BTreeMap;

use records::{Rejected, Review};
use serde_json::json;

use super::{
    assemble::{item_id, revid_of},
    client::Api,
    draw::{Labelled, Place, draw},
    gather::{self, Reading},
    ledger::rejected,
    settings::Settings,
    verdicts::{Decision, standings},
};
use crate::{error::Error, progress::Counter};

/// Who has which place in the end, and what they are given to read.
pub(super) struct Given {
    /// Every place.
    pub places: Vec<Place>,
    /// Who had a place and left it, in order.
    pub removed: Vec<Rejected>,
    /// What the holders, and some who left, are given to read.
    pub readings: BTreeMap<String, Reading>,
}

/// Draws, and gives each place on until its holder has enough to read; then takes away the first candidate that a
/// reviewer rejected, does the same again, and so on. So the outcome follows from pool, settings, log and wiki alone, and
/// not from how often the steps were made or in which state of the review.
///
/// # Errors
/// The wiki cannot be used, or a constraint cannot be met.
pub(super) async fn settle(
    wiki: &mut Api,
    pool: &[Labelled],
    settings: &Settings,
    log: &[Review],
    quiet: bool,
) -> Result<Given, Error> {
    let standings = standings(log);
    let preferred = |id: &str| standings.get(&item_id(id))?.article.as_deref().and_then(revid_of);
    let mut waiting = rejected_by_reviewer(pool, log).into_iter();
    let mut removed: Vec<Rejected> = Vec::new();
    let mut readings: BTreeMap<String, Reading> = BTreeMap::new();
    loop {
        let places = places(pool, settings, &removed)?;
        let new: Vec<&Labelled> = places
            .iter()
            .filter(|p| !readings.contains_key(&p.candidate_id))
            .filter_map(|p| pool.iter().find(|l| l.candidate.candidate_id == p.candidate_id))
            .collect();
        let before = removed.len();
        let mut bar = Counter::new("articles", Some(new.len() as u64), quiet);
        for labelled in new {
            let id = labelled.candidate.candidate_id.as_str();
            match gather::gather(wiki, labelled, &settings.bundle, preferred(id)).await? {
                Ok(reading) => drop(readings.insert(id.to_owned(), reading)),
                Err(row) => removed.push(row),
            }
            bar.advance(id);
        }
        if removed.len() > before {
            continue;
        }
        let next = waiting.find(|r| removed.iter().all(|gone| gone.candidate_id != r.candidate_id));
        match next {
            Some(row) => removed.push(row),
            None => return Ok(Given { places, removed, readings }),
        }
    }
}

/// Who has which place when these have left it, one after the other.
///
/// # Errors
/// What cannot be met, with exit code 1.
pub(super) fn places(
    pool: &[Labelled],
    settings: &Settings,
    removed: &[Rejected],
) -> Result<Vec<Place>, Error> {
    let ids: Vec<String> = removed.iter().map(|r| r.candidate_id.clone()).collect();
    draw(pool, &settings.draw, &ids).map_err(|infeasible| {
        let left = removed.iter().find(|r| Some(&r.candidate_id) == infeasible.removed.as_ref());
        let why = left.map_or_else(String::new, |r| format!(" (it left as {})", r.reason));
        Error::Disagrees(format!("{infeasible}{why}"))
    })
}

/// The candidates of the pool that a reviewer rejected, in the order of the log. Who is not in the pool any more has left
/// it earlier, and has a reason there.
pub(super) fn rejected_by_reviewer(pool: &[Labelled], log: &[Review]) -> Vec<Rejected> {
    let standings = standings(log);
    let mut rows: Vec<Rejected> = Vec::new();
    for review in log {
        let Some(id) = review.item_id.strip_prefix('m') else { continue };
        let decision = standings.get(&review.item_id).and_then(|s| s.decision.as_ref());
        let Some(Decision::Rejected(reason)) = decision else { continue };
        let known = pool.iter().any(|l| l.candidate.candidate_id == id);
        if known && !rows.iter().any(|r| r.candidate_id == id) {
            let facts = json!({"reviewer": review.reviewer, "said": reason});
            rows.push(rejected(id, "review", "rejected_by_reviewer", facts));
        }
    }
    rows
}
