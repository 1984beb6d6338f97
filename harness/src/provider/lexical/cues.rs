//! What the words of one sentence say of what a question asks.

use super::{
    claim::{Asks, Claim},
    lexicon::{
        NEGATION_STEMS, PLAN_STEMS, SETBACK_PAIRS, SETBACKS, SPLIT_STEMS, SUCCESS_STEMS, Setback,
        Synonyms, UNCHANGED_STEMS,
    },
    words::{Word, is_irregular},
};

/// How far before a word its negation may stand, in words and marks.
const NEGATION_REACH: usize = 4;
/// How far before a word what makes a plan of it may stand.
const PLAN_REACH: usize = 5;
/// How far before an "-ing" its "is" may stand.
const PROGRESS_REACH: usize = 3;
const CLAUSE_BREAKS: [&str; 10] = [",", ";", ":", "(", ")", "—", "–", "but", "although", "while"];

/// Words of a sentence, counted by what they say; a negated word counts -1. Plans are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Cues {
    /// The verb that is asked about, or a synonym, as a fact.
    pub own: f64,
    /// What was to happen did not.
    pub failed: f64,
    /// What there was is no more.
    pub ended: f64,
    /// Other successes.
    pub success: f64,
    /// Something is as before.
    pub unchanged: f64,
    /// Negations in clauses that name something of the claim.
    pub negations: f64,
    /// It says what is planned, expected or possible.
    pub planned: bool,
    /// It says that something was done.
    pub done: bool,
    /// It says that something was not.
    pub undone: bool,
    /// It names the verb that is asked about, or a synonym, in any form.
    pub names_own: bool,
    /// The verb asked about or a setback is a fact of it.
    pub event: bool,
}

impl Cues {
    /// What they come to, from -1, the claim does not hold, to 1, it does: a weighed sum, cut. The weights of a setback
    /// depend on what is asked for; they are round numbers, set by hand.
    pub fn polarity(&self, asks: Asks) -> f64 {
        let [failed, ended, success, unchanged, negations] = match asks {
            Asks::Change => [-0.8, -1.0, 0.4, -0.6, -0.7],
            Asks::End => [0.0, 1.0, 0.0, -0.6, -0.7],
            Asks::NoChange => [0.8, -1.0, -0.2, 0.6, 0.35],
        };
        let sum = self.own
            + failed * self.failed
            + ended * self.ended
            + success * self.success
            + unchanged * self.unchanged
            + negations * self.negations;
        sum.clamp(-1.0, 1.0)
    }
}

/// Reads the cues of a sentence.
///
/// A word is turned round by each negation that stands up to four words before it in its clause. In one clause with a
/// setback nothing is a success ("refused to sign").
pub(super) fn cues(sentence: &str, words: &[Word], claim: &Claim) -> Cues {
    let mut cues = Cues { planned: says_plan(words), ..Cues::default() };
    let mut start = 0;
    for clause in words.split_inclusive(is_break) {
        let places = start..start + clause.len();
        start = places.end;
        let fails = |at: usize| setback(words, at).is_some() && negated(words, at) > 0.0;
        let failing = places.clone().any(fails);
        if clause.iter().any(|word| claim.terms.contains_key(&word.stem)) {
            let negations = clause.iter().filter(|word| NEGATION_STEMS.contains(&word.stem));
            cues.negations += negations.count() as f64;
        }
        for at in places {
            read_word(&mut cues, sentence, words, at, failing, claim);
        }
    }
    cues
}

fn read_word(
    cues: &mut Cues,
    sentence: &str,
    words: &[Word],
    at: usize,
    failing: bool,
    claim: &Claim,
) {
    let word = &words[at];
    let sign = negated(words, at);
    let own = claim.own.stems.contains(&word.stem);
    // "They did not sign" is a fact in any form.
    let own_fact = own && (sign < 0.0 || is_fact(sentence, words, at));
    let setback = setback(words, at);
    cues.names_own |= own;
    if planned(words, at) {
        return;
    }
    cues.event |= setback.is_some() || own_fact;
    if let Some(setback) = setback.filter(|_| !(own && claim.asks == Asks::End)) {
        cues.undone = true;
        match setback {
            Setback::Failed => cues.failed += sign,
            Setback::Ended => cues.ended += sign,
        }
        return;
    }
    if UNCHANGED_STEMS.contains(&word.stem) {
        cues.unchanged += sign;
    }
    if own && claim.asks == Asks::NoChange {
        return;
    }
    let is_name = word.capital && at > 0;
    if own_fact && !is_name || in_pair(words, at, &claim.own) {
        if !failing || sign < 0.0 || claim.asks == Asks::End {
            cues.own += sign;
            cues.done |= sign > 0.0;
        }
    } else if SUCCESS_STEMS.contains(&word.stem) && is_fact(sentence, words, at) && !failing {
        cues.success += sign;
        cues.done = true;
    }
}

/// Whether the word stands in a form of what is or was: "signed", "signs", "is signing".
fn is_fact(sentence: &str, words: &[Word], at: usize) -> bool {
    const UNINFLECTED: [&str; 10] =
        ["beat", "cut", "hit", "let", "put", "quit", "read", "set", "shut", "spread"];
    let word = words[at].of(sentence).to_lowercase();
    let is = |word: &Word| ["is", "are", "was", "were", "been"].contains(&word.stem.as_str());
    word.ends_with("ed")
        || word.ends_with('s')
        || is_irregular(&word)
        || UNINFLECTED.contains(&word.as_str())
        || word.ends_with("ing") && words[at.saturating_sub(PROGRESS_REACH)..at].iter().any(is)
}

fn setback(words: &[Word], at: usize) -> Option<Setback> {
    let first = &words[at].stem;
    let with = |n: usize| {
        let second = words.get(at + n)?;
        SETBACK_PAIRS.get(&(first.clone(), second.stem.clone())).copied()
    };
    let split = || SPLIT_STEMS.contains(first).then(|| with(2)).flatten();
    with(1).or_else(split).or_else(|| SETBACKS.get(first).copied())
}

fn in_pair(words: &[Word], at: usize, own: &Synonyms) -> bool {
    !own.pairs.is_empty()
        && [1, 2]
            .into_iter()
            .filter_map(|n| words.get(at + n))
            .any(|second| own.pairs.contains(&(words[at].stem.clone(), second.stem.clone())))
}

fn is_break(word: &Word) -> bool {
    CLAUSE_BREAKS.contains(&word.stem.as_str())
}

/// -1.0 behind an odd number of negations, else 1.0.
fn negated(words: &[Word], at: usize) -> f64 {
    let negations = before(words, at, NEGATION_REACH).filter(|at| {
        let yet_to = words[*at].stem == "yet" && words[at + 1].stem == "to";
        yet_to || NEGATION_STEMS.contains(&words[*at].stem)
    });
    if negations.count() % 2 == 1 { -1.0 } else { 1.0 }
}

fn planned(words: &[Word], at: usize) -> bool {
    let plans = |at: usize| ["to", "if"].contains(&words[at].stem.as_str()) || is_plan(&words[at]);
    before(words, at, PLAN_REACH).any(plans)
}

/// Whether it is a word of plans; "May" is a month.
fn is_plan(word: &Word) -> bool {
    !word.capital && PLAN_STEMS.contains(&word.stem)
}

fn says_plan(words: &[Word]) -> bool {
    const BEFORE_TO: [&str; 7] = ["is", "are", "was", "were", "about", "readi", "set"];
    let to = |pair: &[Word]| pair[1].stem == "to" && BEFORE_TO.contains(&pair[0].stem.as_str());
    words.iter().any(is_plan) || words.windows(2).any(to)
}

/// The places just before `at` in its clause or up to an "and", nearest first.
fn before(words: &[Word], at: usize, reach: usize) -> impl Iterator<Item = usize> {
    let near = (at.saturating_sub(reach)..at).rev();
    near.take_while(|at| !is_break(&words[*at]) && words[*at].stem != "and")
}

#[cfg(test)]
mod tests {
    use super::super::{tests::question, words::words};
    use super::*;

    fn polarity(asked: &str, text: &str) -> f64 {
        let claim = Claim::read(&question(asked));
        cues(text, &words(text), &claim).polarity(claim.asks)
    }

    #[test]
    fn what_was_asked_for_and_its_synonyms_speak_for_it_and_setbacks_against() {
        let asked = "Will the council approve the plan?";
        for text in
            ["The council approved the plan.", "It voted in favour", "It gave the green light"]
        {
            assert!(polarity(asked, text) > 0.0, "{text}");
        }
        for text in [
            "The council rejected the plan.",
            "It has not approved the plan",
            "It didn't adopt it",
            "They refused to approve it",
            "They have yet to approve it",
            "It was put off",
            "The council remains undecided",
        ] {
            assert!(polarity(asked, text) < 0.0, "{text}");
        }
        assert_eq!(polarity(asked, "The sky is grey."), 0.0);
    }

    #[test]
    fn the_same_words_speak_otherwise_where_an_end_or_no_change_is_asked_for() {
        assert!(polarity("Will the ban be lifted?", "The ban was abolished.") > 0.0);
        assert!(polarity("Will the ban be lifted?", "The ban remains.") < 0.0);
        assert!(polarity("Will the ban remain in force?", "The ban remains.") > 0.0);
        assert!(polarity("Will the ban remain in force?", "The ban was abolished.") < 0.0);
        assert!(polarity("Will the ban remain in force?", "The attempt failed.") > 0.0);
    }

    #[test]
    fn a_negation_does_not_reach_into_the_next_clause() {
        assert!(polarity("Will they sign?", "There is no doubt, they signed it") > 0.0);
    }

    #[test]
    fn a_plan_is_no_fact() {
        let claim = Claim::read(&question("Will the bridge open?"));
        for text in ["It will open", "It is to open", "It may open", "They are about to open it"] {
            let cues = cues(text, &words(text), &claim);
            assert!(cues.planned && cues.own == 0.0, "{text}");
        }
        assert!(!cues("It opened in May", &words("It opened in May"), &claim).planned);
    }
}
