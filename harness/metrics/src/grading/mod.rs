//! From a raw completion to a graded answer: pure, and the same on every target.
//!
//! The answer contract is one JSON object with exactly the keys `reasoning`, `outcome`, `confidence`, `sources` and
//! `conflicts_detected`. Prose and code fences around the object are tolerated; a missing or extra key, a wrong type,
//! a confidence outside 0 to 1 or an outcome outside the labels is not, so that the reliability figures measure
//! what the model did.
//!
//! The outcome of a binary item is YES or NO; that of a choice one of its choices, by letter or exact text; that of a
//! span any text, compared with the target by [`normalise_span`]. Where the arm allows it, it may be the abstain label
//! instead.

mod contract;
mod extract;
mod judge;
mod outcome;
mod span;

pub use extract::single_object;
pub use judge::{JudgeVerdict, judge_source, judge_verdict};
pub use span::normalise_span;

use std::collections::BTreeSet;

use records::{Conflict, Item, Status};

/// A completion held against its item.
#[derive(Debug, Clone, PartialEq)]
pub struct Graded {
    /// Answered, abstained or hard_fail.
    pub status: Status,
    /// The label or span as it was given, or the choice, named as the target names its own: by letter or by text.
    /// `None` when the completion is not valid.
    pub answer: Option<String>,
    /// `exact`, or `normalised` for another way of writing a choice or span; `None` when the completion is not valid.
    pub score_source: Option<&'static str>,
    /// As stated, 0 to 1; `None` when the completion is not valid.
    pub confidence: Option<f64>,
    /// True only for an answer that equals the target.
    pub correct: bool,
    /// Ids that the answer cites, each once, in the order of first mention.
    pub sources: Vec<String>,
    /// Those of them that were not shown.
    pub sources_unknown: Vec<String>,
    /// Pairs of ids that the answer says conflict, each pair in byte order and once.
    pub conflicts: Vec<Conflict>,
    /// What is wrong with the completion, as the end of a sentence; `None` when it is valid.
    pub problem: Option<String>,
}

/// Grades `completion` as an answer to `item`.
///
/// `shown` holds the ids of the documents in the prompt; `may_abstain` says whether the arm allows the item's abstain
/// label. An invalid completion is a `hard_fail` with its problem; it never panics, and takes time linear in the
/// length of the completion.
#[must_use]
pub fn grade(completion: &str, item: &Item, shown: &[String], may_abstain: bool) -> Graded {
    read(completion, item, shown, may_abstain).unwrap_or_else(|problem| Graded {
        status: Status::HardFail,
        answer: None,
        score_source: None,
        confidence: None,
        correct: false,
        sources: Vec::new(),
        sources_unknown: Vec::new(),
        conflicts: Vec::new(),
        problem: Some(problem),
    })
}

fn read(
    completion: &str,
    item: &Item,
    shown: &[String],
    may_abstain: bool,
) -> Result<Graded, String> {
    let valid = contract::parse(completion)?;
    let outcome = outcome::read(valid.outcome, item, may_abstain)?;
    let sources = distinct(valid.sources);
    let shown: BTreeSet<&String> = shown.iter().collect();
    let sources_unknown = sources.iter().filter(|s| !shown.contains(s)).cloned().collect();
    Ok(Graded {
        status: if outcome.abstained { Status::Abstained } else { Status::Answered },
        answer: Some(outcome.answer),
        score_source: Some(outcome.score_source),
        confidence: Some(valid.confidence),
        correct: outcome.correct,
        sources,
        sources_unknown,
        conflicts: distinct(valid.conflicts_detected.into_iter().map(in_order).collect()),
        problem: None,
    })
}

fn in_order([a, b]: Conflict) -> Conflict {
    if a <= b { [a, b] } else { [b, a] }
}

fn distinct<T: Ord + Clone>(values: Vec<T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    values.into_iter().filter(|v| seen.insert(v.clone())).collect()
}
