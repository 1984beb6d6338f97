//! From a raw completion to a graded answer: pure, and the same on every target.
//!
//! The answer contract is one JSON object with exactly the keys `reasoning`, `outcome`, `confidence`, `sources` and
//! `conflicts_detected`. Prose and code fences around the object are tolerated; a missing or extra key, a wrong type,
//! a confidence outside 0 to 1 or an outcome outside the labels is not, so that the reliability figures measure
//! what the model did.

mod contract;
mod extract;

pub use extract::single_object;

use records::{Conflict, Item, Kind, Status};

/// A completion held against its item.
#[derive(Debug, Clone, PartialEq)]
pub struct Graded {
    /// Answered, abstained or hard_fail.
    pub status: Status,
    /// The label; `None` when the completion is not valid.
    pub answer: Option<String>,
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

/// Grades `completion` as an answer to the binary item `item`.
///
/// `shown` holds the ids of the documents in the prompt; `may_abstain` says whether the arm allows the item's abstain
/// label. An invalid completion is a `hard_fail` with its problem; it never panics, and takes time linear in the
/// length of the completion.
#[must_use]
pub fn grade(completion: &str, item: &Item, shown: &[String], may_abstain: bool) -> Graded {
    match contract::parse(completion, &labels(item, may_abstain)) {
        Ok(valid) => {
            let abstained = may_abstain && valid.outcome == item.abstain_label;
            let sources = distinct(valid.sources);
            let sources_unknown = sources.iter().filter(|s| !shown.contains(s)).cloned().collect();
            Graded {
                status: if abstained { Status::Abstained } else { Status::Answered },
                correct: !abstained && valid.outcome == item.target,
                answer: Some(valid.outcome),
                confidence: Some(valid.confidence),
                sources,
                sources_unknown,
                conflicts: distinct(valid.conflicts_detected.into_iter().map(in_order).collect()),
                problem: None,
            }
        }
        Err(problem) => Graded {
            status: Status::HardFail,
            answer: None,
            confidence: None,
            correct: false,
            sources: Vec::new(),
            sources_unknown: Vec::new(),
            conflicts: Vec::new(),
            problem: Some(problem),
        },
    }
}

fn labels(item: &Item, may_abstain: bool) -> Vec<&str> {
    let mut labels = match item.kind {
        Kind::Binary => vec!["YES", "NO"],
        Kind::Choice | Kind::Span => Vec::new(),
    };
    if may_abstain {
        labels.push(&item.abstain_label);
    }
    labels
}

fn in_order([a, b]: Conflict) -> Conflict {
    if a <= b { [a, b] } else { [b, a] }
}

fn distinct<T: Ord + Clone>(values: Vec<T>) -> Vec<T> {
    let mut seen = std::collections::BTreeSet::new();
    values.into_iter().filter(|v| seen.insert(v.clone())).collect()
}
