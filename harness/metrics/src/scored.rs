//! What figures need of a row.

use records::{Conflict, Kind, Record, Status, Usage};

use crate::distinct::{common, distinct};

/// A row of the log, reduced to what figures need. Names are places in the log's lists, which are in order of bytes:
/// names and their places sort alike.
#[derive(Debug, Clone)]
pub(crate) struct Scored {
    pub model: u32,
    pub arm: u32,
    pub repeat: u32,
    pub item: u32,
    pub cluster: u32,
    pub target: u32,
    /// Which answer was given; of rows that have a valid one, abstentions included.
    pub answer: Option<u32>,
    pub set: Option<u32>,
    pub split: Option<u32>,
    /// Which of the log's combinations of tags the row has.
    pub tags: u32,
    pub kind: Kind,
    pub status: Status,
    pub is_correct: bool,
    pub schema_ok: bool,
    pub repaired: bool,
    pub confidence: Option<f64>,
    pub prediction: Option<Prediction>,
    pub cited: u32,
    pub cited_and_known: u32,
    /// Of items that somebody has labelled.
    pub conflicts: Option<Conflicts>,
    /// Of agent arms.
    pub actions: Option<Actions>,
    pub ranking: Ranking,
    pub usage: Option<Usage>,
    pub cost_usd: Option<f64>,
    pub latency_ms: Option<f64>,
}

/// A predicted probability and whether the event happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prediction {
    pub predicted: f64,
    pub happened: bool,
}

/// Numbers of distinct pairs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conflicts {
    pub named: u32,
    pub labelled: u32,
    /// Both named and labelled.
    pub both: u32,
}

/// What an agent did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Actions {
    pub searches: u32,
    pub visits: u32,
    pub any_bad: bool,
}

/// Where the first document that holds the answer stands among those retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ranking {
    NotRetrieved,
    /// No document is known to hold the answer.
    NoGoldDocuments,
    NotFound,
    /// From 1.
    Rank(u32),
}

/// Binary: the probability of YES, and 0.5 for every served row without a valid answer. Choice and span: the stated
/// confidence in the answer. None where an answer states no confidence, or (choice, span) where there is no answer.
pub(crate) fn prediction(record: &Record) -> Option<Prediction> {
    let answered = record.status == Status::Answered;
    let (predicted, happened) = match record.kind {
        Kind::Binary => {
            let yes = record.target == "YES";
            match (answered, record.confidence) {
                (false, _) => (0.5, yes),
                (true, None) => return None,
                (true, Some(c)) if record.answer.as_deref() == Some("YES") => (c, yes),
                (true, Some(c)) => (1.0 - c, yes),
            }
        }
        Kind::Choice | Kind::Span if answered => (record.confidence?, record.correct == Some(true)),
        Kind::Choice | Kind::Span => return None,
    };
    // A confidence of -0 is 0: without this the two would be told apart when sorting.
    Some(Prediction { predicted: predicted + 0.0, happened })
}

pub(crate) fn cited_and_known(record: &Record) -> usize {
    let unknown = distinct(&record.sources_unknown);
    record.sources.iter().filter(|source| unknown.binary_search(source).is_err()).count()
}

fn in_order([a, b]: &Conflict) -> [&String; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

/// Counts distinct pairs, whichever way round they were written.
pub(crate) fn conflicts(record: &Record) -> Option<Conflicts> {
    let labels = distinct(record.conflict_labels.as_deref()?.iter().map(in_order));
    let named = distinct(record.conflicts.iter().map(in_order));
    Some(Conflicts {
        named: named.len() as u32,
        labelled: labels.len() as u32,
        both: common(&named, &labels).count() as u32,
    })
}

pub(crate) fn actions(record: &Record) -> Option<Actions> {
    let acts = record.searches.is_some() || record.visits.is_some() || record.bad_actions.is_some();
    acts.then(|| Actions {
        searches: record.searches.unwrap_or(0),
        visits: record.visits.unwrap_or(0),
        any_bad: record.bad_actions.is_some_and(|n| n > 0),
    })
}

pub(crate) fn ranking(record: &Record) -> Ranking {
    let Some(retrieved) = &record.retrieved else {
        return Ranking::NotRetrieved;
    };
    let gold = distinct(record.gold_docs.iter().flatten());
    if gold.is_empty() {
        return Ranking::NoGoldDocuments;
    }
    let first = retrieved.iter().position(|doc| gold.binary_search(&doc).is_ok());
    first.map_or(Ranking::NotFound, |at| Ranking::Rank(at as u32 + 1))
}
