//! What the outcome of a valid completion says about its item.

use records::{Item, Kind};

use super::normalise_span;

/// The answer was taken as it stands.
const EXACT: &str = "exact";
/// The answer was taken for another way of writing the same.
const NORMALISED: &str = "normalised";

/// An outcome held against its item.
pub(super) struct Outcome {
    pub answer: String,
    pub abstained: bool,
    pub correct: bool,
    pub score_source: &'static str,
}

/// Reads an outcome, or says what it must be instead.
pub(super) fn read(outcome: String, item: &Item, may_abstain: bool) -> Result<Outcome, String> {
    if may_abstain && outcome == item.abstain_label {
        return Ok(Outcome {
            answer: outcome,
            abstained: true,
            correct: false,
            score_source: EXACT,
        });
    }
    let answered = |answer: String, correct: bool, exact: bool| Outcome {
        answer,
        abstained: false,
        correct,
        score_source: if exact { EXACT } else { NORMALISED },
    };
    match item.kind {
        Kind::Binary if ["YES", "NO"].contains(&outcome.as_str()) => {
            let correct = outcome == item.target;
            Ok(answered(outcome, correct, true))
        }
        Kind::Binary => Err(one_of(vec!["YES".to_owned(), "NO".to_owned()], item, may_abstain)),
        Kind::Choice => {
            let choices = item.choices.as_deref().unwrap_or_default();
            let (place, exact) = choice(&outcome, item).ok_or_else(|| {
                let letters = (0..choices.len()).filter_map(Item::letter).map(String::from);
                one_of(letters.collect(), item, may_abstain)
            })?;
            let target = item.choice_place(&item.target);
            // Named as the target is, so that equal answers are equal texts, however they were given.
            let by_letter = target.is_some_and(|at| choices[at] != item.target);
            let letter = Item::letter(place).filter(|_| by_letter).map(String::from);
            let answer = letter.unwrap_or_else(|| choices[place].clone());
            Ok(answered(answer, target == Some(place), exact))
        }
        Kind::Span if outcome.trim().is_empty() => Err("\"outcome\" must not be empty".to_owned()),
        Kind::Span => {
            let exact = outcome == item.target;
            let correct = exact || normalise_span(&outcome) == normalise_span(&item.target);
            Ok(answered(outcome, correct, exact))
        }
    }
}

/// Which choice an outcome names, by its text or its letter, and whether it does so to the letter. A letter may also
/// be small, in brackets, or followed by a bracket, full stop or colon.
fn choice(outcome: &str, item: &Item) -> Option<(usize, bool)> {
    if let Some(place) = item.choice_place(outcome) {
        return Some((place, true));
    }
    let bare = outcome.trim();
    let bare = bare.strip_prefix('(').unwrap_or(bare);
    let bare = bare.strip_suffix([')', '.', ':']).unwrap_or(bare);
    let mut letters = bare.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?.to_ascii_uppercase();
    let n_choices = item.choices.as_ref().map_or(0, Vec::len);
    (0..n_choices).find(|at| Item::letter(*at) == Some(letter)).map(|place| (place, false))
}

fn one_of(mut labels: Vec<String>, item: &Item, may_abstain: bool) -> String {
    if may_abstain {
        labels.push(item.abstain_label.clone());
    }
    format!("\"outcome\" must be one of {}", labels.join(", "))
}
