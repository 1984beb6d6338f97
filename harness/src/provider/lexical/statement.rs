//! What one sentence says about a claim.

use jiff::civil::Date;

use super::{
    claim::Claim,
    cues::{Polarity, polarity},
    dates::{Mention, mentions},
    figures::stated,
    reading::{Read, Sentence},
    words::Word,
};

/// A plan counts by this share of the fact.
const PLAN: f64 = 0.3;
/// What happened long before the deadline counts by this share.
const HISTORY: f64 = 0.3;
/// Words before a date that may set it aside.
const BEFORE_DATE: usize = 3;
/// Stems of verbs of telling.
const TELLING: [&str; 14] = [
    "admit", "announc", "conced", "declar", "explain", "note", "promis", "publish", "releas",
    "report", "say", "state", "tell", "warn",
];
/// How long before is long, in days.
const HISTORY_DAYS: i32 = 400;

/// What a sentence says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Statement {
    /// Its words: from -1, the claim does not hold, to 1, it does; 0 when they say neither.
    pub said: f64,
    /// Its dates: 1 within the deadline, -1 after it; 0 when it has none, or some of each.
    pub timed: f64,
    /// Its number: 1 when it meets the threshold, -1 when not; 0 when it has none.
    pub counted: f64,
    /// The number it was compared by.
    pub number: Option<f64>,
    /// It says what is planned or expected.
    pub planned: bool,
    /// How far what it says counts.
    pub share: f64,
}

/// Reads what `sentence` says about `claim`.
pub(super) fn statement(claim: &Claim, read: &Read<'_>, sentence: &Sentence<'_>) -> Statement {
    let words = &sentence.words;
    let dates = mentions(words, read.as_of.or(claim.deadline));
    let Polarity { value, planned } = polarity(sentence.text, words, &claim.asked, &claim.terms);
    let number = stated(claim, read, sentence);
    let met = number.zip(claim.threshold.as_ref()).map(|(n, threshold)| threshold.met_by(n));
    let in_time = in_time(claim.deadline, words, &dates);
    let plan = if planned { PLAN } else { 1.0 };
    let history = if is_history(claim.deadline, &dates) { HISTORY } else { 1.0 };
    Statement {
        said: value * claim.direction,
        timed: sign(in_time),
        counted: sign(met),
        number,
        planned,
        share: plan * history,
    }
}

/// 1, -1 or 0 for yes, no and neither.
pub(super) fn sign(answer: Option<bool>) -> f64 {
    answer.map_or(0.0, |yes| if yes { 1.0 } else { -1.0 })
}

/// Whether the last date named lies within the deadline: what was put off is named with its old dates first. The day of
/// an announcement and the end of a span are no dates of what happened.
fn in_time(deadline: Option<Date>, words: &[Word], dates: &[Mention]) -> Option<bool> {
    let deadline = deadline?;
    let before =
        |date: &Mention| &words[date.words.start.saturating_sub(BEFORE_DATE)..date.words.start];
    let aside = |date: &Mention| {
        let ends = |w: &Word| ["until", "till"].contains(&w.stem.as_str());
        let told = |w: &Word| TELLING.contains(&w.stem.as_str());
        before(date).iter().any(|w| ends(w) || date.relative && told(w))
    };
    let last = dates.iter().filter(|date| !aside(date)).max_by_key(|date| date.last)?;
    if last.first > deadline {
        return Some(false);
    }
    (last.last <= deadline).then_some(true)
}

/// Whether all dates lie long before the deadline.
fn is_history(deadline: Option<Date>, dates: &[Mention]) -> bool {
    let long_before = |date: &Mention| {
        deadline.is_some_and(|d| date.last.until(d).is_ok_and(|s| s.get_days() > HISTORY_DAYS))
    };
    !dates.is_empty() && dates.iter().all(long_before)
}
