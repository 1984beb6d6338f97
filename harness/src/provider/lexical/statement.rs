//! What one sentence says about a claim.

use jiff::civil::Date;

use super::{
    claim::{Asks, Claim},
    cues::cues,
    dates::{Mention, mentions},
    figures::stated,
    reading::{Read, Sentence},
};

/// A late date counts by this share in a sentence that tells of nothing that is asked about.
const LATE_ASIDE: f64 = 0.5;
/// What happened longer before the deadline than this, in days, is another matter.
const HISTORY_DAYS: i32 = 400;
/// Words before a date that may make it the end of a span.
const BEFORE_DATE: usize = 3;

/// What a sentence says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Statement {
    /// Its words: from -1, the claim does not hold, to 1, it does; 0 when they say neither.
    pub said: f64,
    /// Its last date: -1 after the deadline, 1 when something was done within it, else 0.
    pub timed: f64,
    /// Its number of the threshold's unit.
    pub number: Option<f64>,
    /// It says what is planned or expected.
    pub planned: bool,
    /// It tells, as a fact, of what is asked about or of a setback.
    pub event: bool,
}

/// Reads what `sentence` says about `claim`.
///
/// A claim is a conjunction: done, in time and enough. So what is late or too little is no success, unless what is
/// asked for is that nothing changes.
pub(super) fn statement(claim: &Claim, read: &Read<'_>, sentence: &Sentence<'_>) -> Statement {
    let cues = cues(sentence.text, &sentence.words, claim);
    let number = stated(claim, read, sentence);
    let met = number.zip(claim.threshold.as_ref()).map(|(n, threshold)| threshold.met_by(n));
    let timed = match in_time(claim.deadline, read, sentence) {
        Some(false) if cues.done || cues.undone || cues.names_own => -1.0,
        Some(false) => -LATE_ASIDE,
        Some(true) if cues.done && !cues.planned => 1.0,
        _ => 0.0,
    };
    let said = cues.polarity(claim.asks);
    let missed = claim.asks != Asks::NoChange && (timed < 0.0 || met == Some(false));
    Statement {
        said: if missed { said.min(0.0) } else { said },
        timed,
        number,
        planned: cues.planned,
        event: cues.event && !cues.planned,
    }
}

/// Whether the last date named lies within the deadline: what was put off is named with its old dates first.
fn in_time(deadline: Option<Date>, read: &Read<'_>, sentence: &Sentence<'_>) -> Option<bool> {
    let deadline = deadline?;
    let words = &sentence.words;
    let dates = mentions(words, read.as_of.or(Some(deadline)));
    let ends_a_span = |date: &Mention| {
        let before = &words[date.words.start.saturating_sub(BEFORE_DATE)..date.words.start];
        before.iter().any(|w| ["until", "till"].contains(&w.stem.as_str()))
    };
    let last = dates.iter().filter(|date| !ends_a_span(date)).max_by_key(|date| date.last)?;
    if last.first > deadline {
        return Some(false);
    }
    let long_before = last.last.until(deadline).is_ok_and(|s| s.get_days() >= HISTORY_DAYS);
    (last.last <= deadline && !long_before).then_some(true)
}
