//! What one sentence says about a claim.

use std::ops::Range;

use jiff::civil::Date;

use super::{
    claim::Claim,
    cues::{Polarity, polarity},
    dates::{Mention, mentions},
    quantities::{Quantity, Role, quantities},
    reading::Sentence,
};

// How far each kind of statement settles the claim. Set by hand before the development set was first read, and left
// as they were.
/// A number that misses the threshold, or meets it in time.
const NUMBER: f64 = 1.0;
/// A date after the deadline.
const TOO_LATE: f64 = 0.9;
/// Words of failure, or of success without a threshold to meet.
const FAILURE: f64 = 0.9;
const SUCCESS: f64 = 0.8;
/// What a date in time adds to words of success.
const IN_TIME: f64 = 0.2;
/// Words of success count by this share when the claim names a threshold that the sentence has no number for.
const NO_NUMBER: f64 = 0.4;
/// A plan counts by this share of the fact.
const PLAN: f64 = 0.3;
/// What happened long before the deadline counts by this share.
const HISTORY: f64 = 0.3;
/// How long before is long, in days.
const HISTORY_DAYS: i32 = 400;

/// What a sentence says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Statement {
    /// From -1, the claim does not hold, to about 1, it does; 0 when the sentence says neither.
    pub value: f64,
    /// The number it was compared by.
    pub number: Option<f64>,
    /// What decided, for the reader of the answer.
    pub basis: &'static str,
}

/// Reads what `sentence`, written on `as_of`, says about `claim`.
///
/// A claim is a conjunction: enough, in time, and done. So a sentence speaks against it when any part fails, and for it
/// when some part holds and none fails. A number outweighs words, since "fell to 4.8 percent" may be good news.
pub(super) fn statement(claim: &Claim, sentence: &Sentence<'_>, as_of: Option<Date>) -> Statement {
    let words = &sentence.words;
    let dates = mentions(words, as_of.or(claim.deadline));
    let number = number(claim, sentence, &dates);
    let absolute: Vec<&Mention> =
        dates.iter().filter(|d| !d.relative || number.is_none()).collect();
    let in_time = in_time(claim.deadline, &absolute);
    let Polarity { value: said, planned } = polarity(sentence.text, words, &claim.asked);
    let said = said * claim.direction;

    let met = number.zip(claim.threshold.as_ref()).map(|(n, threshold)| threshold.met_by(n));
    let (fact, basis) = match (met, in_time) {
        (Some(false), _) => (-NUMBER, "its number"),
        (_, Some(false)) => (-TOO_LATE, "its date"),
        (Some(true), _) => (NUMBER, "its number"),
        (None, _) if said < 0.0 => (FAILURE * said, "its wording"),
        (None, _) => {
            let bonus = if in_time == Some(true) && said > 0.0 { IN_TIME } else { 0.0 };
            let share = if claim.threshold.is_some() { NO_NUMBER } else { 1.0 };
            (share * (SUCCESS * said + bonus), "its wording")
        }
    };
    // A plan to be late is as good as being late.
    let plan = if planned && in_time != Some(false) { PLAN } else { 1.0 };
    let history = if is_history(claim.deadline, &absolute) { HISTORY } else { 1.0 };
    Statement { value: fact * plan * history, number, basis }
}

/// The number that answers the claim's threshold: the first level of the same unit with all that is added to it.
fn number(claim: &Claim, sentence: &Sentence<'_>, dates: &[Mention]) -> Option<f64> {
    let wanted = &claim.threshold.as_ref()?.quantity;
    let dates: Vec<Range<usize>> = dates.iter().map(|date| date.words.clone()).collect();
    let same: Vec<Quantity> = quantities(&sentence.words, &dates)
        .into_iter()
        .filter(|quantity| quantity.comparable(wanted))
        .collect();
    let level = same.iter().find(|quantity| quantity.role == Role::Level)?;
    let added = same.iter().filter(|quantity| quantity.role == Role::Addition);
    Some(level.value + added.map(|quantity| quantity.value).sum::<f64>())
}

/// Whether all dates lie within the deadline, or all after it.
fn in_time(deadline: Option<Date>, dates: &[&Mention]) -> Option<bool> {
    let deadline = deadline.filter(|_| !dates.is_empty())?;
    if dates.iter().all(|date| date.first > deadline) {
        return Some(false);
    }
    dates.iter().all(|date| date.last <= deadline).then_some(true)
}

/// Whether all dates lie long before the deadline.
fn is_history(deadline: Option<Date>, dates: &[&Mention]) -> bool {
    let long_before = |date: &&Mention| {
        deadline.is_some_and(|d| date.last.until(d).is_ok_and(|s| s.get_days() > HISTORY_DAYS))
    };
    !dates.is_empty() && dates.iter().all(long_before)
}
