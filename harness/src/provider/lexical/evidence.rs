//! Which of the documents is the one to go by.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    claim::Claim,
    reading::{Read, Relevance},
    statement::{Statement, statement},
};

/// After how many days a document that a newer one follows counts half as recent.
const HALF_RECENT_DAYS: f64 = 7.0;

/// What is known of how far a document can be gone by.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing {
    /// Share of the claim's terms in it.
    pub about: f64,
    /// Share of the terms of what decides.
    pub decider: f64,
    /// 1 for the newest, 1/2 for one seven days older.
    pub recent: f64,
    /// Share of its sentences that speak of plans.
    pub planned: f64,
    /// Shares of the terms of what does not count, and of what is admitted; these do not weigh.
    pub excluded: f64,
    pub admitted: f64,
}

/// Weights of a standing, in its order. Fitted on the same questions as those of the signs, to which documents they name
/// as evidence, and rounded.
const WEIGHTS: [f64; 4] = [1.6, 3.3, 2.8, -1.6];

impl Standing {
    fn values(&self) -> [f64; 4] {
        [self.about, self.decider, self.recent, self.planned]
    }
}

/// A document with what its sentences say.
#[derive(Debug)]
pub(super) struct Voice<'a> {
    pub read: &'a Read<'a>,
    pub statements: Vec<Statement>,
    /// Relevance of each sentence, 0 to 1.
    pub relevance: Vec<f64>,
    pub standing: Standing,
    /// How far it is the one to go by; all weights sum to 1.
    pub weight: f64,
}

/// Reads every document and weighs them: by the exponential of their standings, over the sum of all.
pub(super) fn voices<'a>(claim: &Claim, read: &'a [Read<'a>]) -> Vec<Voice<'a>> {
    let evenly = |stems: &BTreeSet<String>| -> BTreeMap<String, f64> {
        stems.iter().map(|stem| (stem.clone(), 1.0)).collect()
    };
    let terms = Relevance::new(&claim.terms, read);
    let decider = Relevance::new(&evenly(&claim.criteria.decider), read);
    let excluded = Relevance::new(&evenly(&claim.criteria.excluded), read);
    let admitted = Relevance::new(&evenly(&claim.criteria.admitted), read);
    let newest = read.iter().filter_map(|r| r.as_of).max();
    let mut voices: Vec<Voice<'a>> = read
        .iter()
        .map(|read| {
            let all: Vec<Statement> =
                read.sentences.iter().map(|sentence| statement(claim, read, sentence)).collect();
            let days = read.as_of.zip(newest).and_then(|(day, newest)| day.until(newest).ok());
            let days = days.map_or(HALF_RECENT_DAYS, |span| f64::from(span.get_days()));
            let n_planned = all.iter().filter(|s| s.planned).count() as f64;
            let standing = Standing {
                about: terms.of_document(read),
                decider: decider.of_document(read),
                excluded: excluded.of_document(read),
                admitted: admitted.of_document(read),
                recent: 1.0 / (1.0 + days / HALF_RECENT_DAYS),
                planned: n_planned / all.len().max(1) as f64,
            };
            let relevance = read.sentences.iter().map(|s| terms.of_sentence(s)).collect();
            let score: f64 = standing.values().iter().zip(WEIGHTS).map(|(v, w)| v * w).sum();
            Voice { read, statements: all, relevance, standing, weight: libm::exp(score) }
        })
        .collect();
    let total: f64 = voices.iter().map(|v| v.weight).sum();
    for voice in &mut voices {
        voice.weight /= total;
    }
    voices
}
