//! Which of the documents is the one to go by.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    claim::Claim,
    dates::is_month,
    reading::{Read, Relevance},
    statement::{Statement, statement},
    words::words,
};

/// After how many days a document that a newer one follows counts half as recent.
const HALF_RECENT_DAYS: f64 = 60.0;
/// A headline and the two sentences after it say what a report is about.
const LEAD_SENTENCES: usize = 3;

/// What is known of how far a document can be gone by, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing {
    /// Share of the terms of what decides that it or its publisher's name has.
    pub decider: f64,
    /// 1 for the newest, 1/2 for one sixty days older.
    pub recent: f64,
    /// Share of the claim's terms in its headline and first two sentences.
    pub lead: f64,
    /// Share of its sentences that speak of plans.
    pub planned: f64,
    /// Relevance of the best sentence that tells of what is asked about, or of a setback, as a fact.
    pub event: f64,
    /// 1 when its headline names somebody or something that neither question nor criteria do, else 0.
    pub foreign: f64,
    /// Share of the claim's terms anywhere in it; this does not weigh.
    pub about: f64,
}

/// Weights of a standing, in its order. They are twice those of a multinomial logit over the documents of each
/// question, fitted to which of them is named as evidence, with a ridge of 0.003 a question, and rounded. They are
/// doubled, since one document settles a question, and what the others say is to count little.
const WEIGHTS: [f64; 6] = [8.1, 11.6, 4.8, -1.8, 4.3, -1.9];

impl Standing {
    fn values(&self) -> [f64; 6] {
        [self.decider, self.recent, self.lead, self.planned, self.event, self.foreign]
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
    let evenly: BTreeMap<String, f64> =
        claim.criteria.decider.iter().map(|stem| (stem.clone(), 1.0)).collect();
    let terms = Relevance::new(&claim.terms, read);
    let decider = Relevance::new(&evenly, read);
    let newest = read.iter().filter_map(|r| r.as_of).max();
    let mut voices: Vec<Voice<'a>> = read
        .iter()
        .map(|read| {
            let statements: Vec<Statement> =
                read.sentences.iter().map(|sentence| statement(claim, read, sentence)).collect();
            let relevance: Vec<f64> =
                read.sentences.iter().map(|sentence| terms.of_sentence(sentence)).collect();
            let days = read.as_of.zip(newest).and_then(|(day, newest)| day.until(newest).ok());
            let days = days.map_or(HALF_RECENT_DAYS, |span| f64::from(span.get_days()));
            let n_planned = statements.iter().filter(|s| s.planned).count() as f64;
            let events = statements.iter().zip(&relevance).filter(|(s, _)| s.event);
            let stems = first_stems(read, usize::MAX);
            let publisher = words(read.document.source.publisher.as_deref().unwrap_or_default());
            let publisher = publisher.iter().map(|word| word.stem.as_str());
            let named = stems.iter().copied().chain(publisher).collect();
            let standing = Standing {
                decider: decider.of_stems(&named),
                recent: 1.0 / (1.0 + days / HALF_RECENT_DAYS),
                lead: terms.of_stems(&first_stems(read, LEAD_SENTENCES)),
                planned: n_planned / statements.len().max(1) as f64,
                event: events.map(|(_, relevance)| *relevance).fold(0.0, f64::max),
                foreign: f64::from(u8::from(is_foreign(claim, read))),
                about: terms.of_stems(&stems),
            };
            let score: f64 = standing.values().iter().zip(WEIGHTS).map(|(v, w)| v * w).sum();
            Voice { read, statements, relevance, standing, weight: libm::exp(score) }
        })
        .collect();
    let total: f64 = voices.iter().map(|v| v.weight).sum();
    for voice in &mut voices {
        voice.weight /= total;
    }
    voices
}

/// The stems in the first `n` sentences.
fn first_stems<'a>(read: &'a Read<'_>, n: usize) -> BTreeSet<&'a str> {
    read.sentences.iter().take(n).flat_map(|s| &s.words).map(|w| w.stem.as_str()).collect()
}

/// Whether the headline has a name, a capital not at its beginning, that question and criteria do not.
fn is_foreign(claim: &Claim, read: &Read<'_>) -> bool {
    let headline = read.sentences.first().map(|s| s.words.as_slice()).unwrap_or_default();
    headline.iter().skip(1).any(|word| {
        word.capital && word.has_content() && !claim.known.contains(&word.stem) && !is_month(word)
    })
}
