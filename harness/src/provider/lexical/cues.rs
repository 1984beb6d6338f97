//! Words that say that something happened, failed, stayed as it was, or is only planned or provisional.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use super::words::{Word, stem, stems};

/// How far before a word its negation or plan may stand, in words and marks.
const REACH: usize = 4;
/// Weight of a cue word that the claim itself uses.
const OF_THE_CLAIM: f64 = 1.0;
/// Weight of a failure that the claim does not name: what is postponed or rejected is seldom something else.
const FAILED: f64 = 0.9;
/// Weight of a success that the claim does not name: much else may have been opened or signed.
const SUCCEEDED: f64 = 0.5;
/// Share that a cue keeps when nothing of the claim is said in its clause.
const FAR: f64 = 0.3;

const SUCCESS: &str = "\
    accept achieve adopt admit agree appoint approve attain award back begin build certify \
    complete conclude confirm cross declare deliver elect endorse enter exceed finish grant hold \
    inaugurate install introduce join launch name open pass play publish ratify reach recover \
    release reopen restart restore resume return secure select settle sign start succeed surpass \
    survive unveil uphold visit win";
const FAILURE: &str = "\
    abandon abort annul avoid block cancel closed collapse concede deadlock decline defeat defer \
    delay deny dismiss fail forfeit halt lapse lose miss offline overturn postpone prevent refuse \
    reject repeal revoke scrap scuttle shelve short shut stall stop suspend unable unfinished \
    unsuccessful vain veto void wait withdraw withhold";
/// What says that nothing has changed. That is a failure of what was to happen.
const NO_CHANGE: &str = "\
    continue intact keep maintain persist remain retain stay still unaffected unaltered unbroken \
    unchanged uninterrupted untouched";
/// Failures of two words.
const FAILURE_PAIRS: [(&str, &str); 15] = [
    ("put", "off"),
    ("put", "back"),
    ("push", "back"),
    ("hand", "back"),
    ("call", "off"),
    ("remain", "off"),
    ("write", "off"),
    ("rule", "out"),
    ("pull", "out"),
    ("throw", "out"),
    ("turn", "away"),
    ("turn", "down"),
    ("break", "up"),
    ("fall", "through"),
    ("fall", "behind"),
];
const NEGATION: [&str; 11] = [
    "not", "no", "never", "none", "nobody", "neither", "nor", "without", "cannot", "hardly",
    "nothing",
];
const PLAN: &str = "\
    aim call confident consider could debate demand discuss due expect fear forecast goal hope \
    intend likely may might plan poll predict prepare promise propose schedule seek shall should \
    survey target think threaten urge want will would";
const CLAUSE_BREAKS: [&str; 9] = [",", ";", ":", "(", "—", "–", "but", "although", "while"];

static SIGNS: LazyLock<BTreeMap<String, f64>> = LazyLock::new(|| {
    let signs = [(SUCCESS, 1.0), (FAILURE, -1.0), (NO_CHANGE, -1.0)];
    signs
        .iter()
        .flat_map(|(list, sign)| listed(list).into_iter().map(|stem| (stem, *sign)))
        .collect()
});
static PAIRS: LazyLock<BTreeSet<(String, String)>> =
    LazyLock::new(|| FAILURE_PAIRS.iter().map(|(a, b)| (stem(a), stem(b))).collect());
static NEGATION_STEMS: LazyLock<Vec<String>> = LazyLock::new(|| stems(&NEGATION));
static NO_CHANGE_STEMS: LazyLock<Vec<String>> = LazyLock::new(|| listed(NO_CHANGE));
static PLAN_STEMS: LazyLock<Vec<String>> = LazyLock::new(|| listed(PLAN));

/// The stems of a list of words, sorted.
fn listed(list: &str) -> Vec<String> {
    stems(&list.split_whitespace().collect::<Vec<_>>())
}

/// What a sentence says of the thing it is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Polarity {
    /// From -1, it failed, to 1, it happened; 0 when the sentence says neither.
    pub value: f64,
    /// It is said to be planned, expected or possible.
    pub planned: bool,
}

/// Reads the polarity of a sentence: the sum of its cues, cut to -1 to 1. `asked` holds the words of the question that
/// are no names: their forms by stem. A cue counts in full in a clause that holds one of the claim's `terms` besides it.
///
/// A cue is turned round by each negation that stands up to four words before it in its clause, and a success in
/// one clause with a failure ("refused to sign", "the opening was postponed") counts as that failure alone.
pub(super) fn polarity(
    sentence: &str,
    words: &[Word],
    asked: &BTreeMap<String, String>,
    terms: &BTreeMap<String, f64>,
) -> Polarity {
    let near = near_terms(words, terms);
    let failing = in_failing_clause(words);
    let (mut value, mut planned) = (0.0, false);
    for at in 0..words.len() {
        planned |= is_plan(words, at);
        let negation = negated(words, at);
        let form = asked.get(&words[at].stem);
        let listed =
            if failure(words, at) { Some(-1.0) } else { SIGNS.get(&words[at].stem).copied() };
        let weight = match (listed, form) {
            (Some(sign), Some(_)) => sign * OF_THE_CLAIM,
            (Some(sign), None) => sign * if sign < 0.0 { FAILED } else { SUCCEEDED },
            (None, Some(form)) if negation < 0.0 || inflected(words[at].of(sentence), form) => {
                OF_THE_CLAIM
            }
            _ => continue,
        };
        if weight > 0.0 && failing[at] {
            continue;
        }
        value += weight * negation * if near[at] { 1.0 } else { FAR };
    }
    Polarity { value: value.clamp(-1.0, 1.0), planned }
}

/// For each word, whether its clause holds a failure.
fn in_failing_clause(words: &[Word]) -> Vec<bool> {
    let mut start = 0;
    let clauses = words.split_inclusive(is_break);
    clauses
        .flat_map(|clause| {
            let end = start + clause.len();
            let failing = (start..end).any(|at| failure(words, at));
            start = end;
            vec![failing; clause.len()]
        })
        .collect()
}

fn is_break(word: &Word) -> bool {
    CLAUSE_BREAKS.contains(&word.stem.as_str())
}

/// For each word, whether its clause holds a term of the claim besides it.
fn near_terms(words: &[Word], terms: &BTreeMap<String, f64>) -> Vec<bool> {
    let clauses = words.split_inclusive(is_break);
    clauses
        .flat_map(|clause| {
            let is_term: Vec<bool> = clause.iter().map(|w| terms.contains_key(&w.stem)).collect();
            let n_terms = is_term.iter().filter(|term| **term).count();
            is_term.into_iter().map(move |term| n_terms > usize::from(term))
        })
        .collect()
}

/// Whether a word is the question's in another form, as "lowered" is for "lower". That tells its verb from its nouns,
/// which come back as they are or with an s.
fn inflected(word: &str, form: &str) -> bool {
    let word = word.to_lowercase();
    let bare = |word: &str| word.trim_end_matches("'s").trim_end_matches('s').to_owned();
    bare(&word) != bare(form)
}

/// -1.0 when a question asks for a failure or a negation, else 1.0.
pub(super) fn claim_direction(question: &[Word]) -> f64 {
    let failures = (0..question.len()).filter(|at| failure(question, *at));
    failures.map(|at| -negated(question, at)).fold(1.0, |product, sign| product * sign)
}

/// Whether a question asks that something stays as it is, or goes on or ends without something else.
pub(super) fn asks_for_no_change(question: &[Word]) -> bool {
    let says =
        |word: &Word| word.stem == "without" || NO_CHANGE_STEMS.binary_search(&word.stem).is_ok();
    question.iter().any(says)
}

fn failure(words: &[Word], at: usize) -> bool {
    let pair = words
        .get(at + 1)
        .is_some_and(|next| PAIRS.iter().any(|(a, b)| *a == words[at].stem && *b == next.stem));
    pair || SIGNS.get(&words[at].stem).is_some_and(|sign| *sign < 0.0)
}

/// -1.0 behind an odd number of negations, else 1.0.
fn negated(words: &[Word], at: usize) -> f64 {
    let negations = clause_before(words, at).filter(|at| {
        let yet_to = words[*at].stem == "yet" && words[at + 1].stem == "to";
        yet_to || NEGATION_STEMS.binary_search(&words[*at].stem).is_ok()
    });
    if negations.count() % 2 == 1 { -1.0 } else { 1.0 }
}

fn is_plan(words: &[Word], at: usize) -> bool {
    const BEFORE_TO: [&str; 7] = ["is", "are", "was", "were", "about", "readi", "set"];
    let to = words.get(at + 1).is_some_and(|next| next.stem == "to");
    let listed = PLAN_STEMS.binary_search(&words[at].stem).is_ok();
    // "May" is a month.
    listed && !words[at].capital || to && BEFORE_TO.contains(&words[at].stem.as_str())
}

/// The places just before `at` in its clause, nearest first.
fn clause_before(words: &[Word], at: usize) -> impl Iterator<Item = usize> {
    let near = (at.saturating_sub(REACH)..at).rev();
    near.take_while(|at| !is_break(&words[*at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::lexical::words::words;

    /// Every word as a term, so that every clause is about the claim.
    fn everything(text: &str) -> BTreeMap<String, f64> {
        words(text).into_iter().map(|word| (word.stem, 1.0)).collect()
    }

    fn read(text: &str) -> Polarity {
        polarity(text, &words(text), &BTreeMap::new(), &everything(text))
    }

    #[test]
    fn success_failure_and_their_negations_are_told_apart() {
        for text in ["The plan was approved.", "It was not cancelled", "They never refused"] {
            assert!(read(text).value > 0.0, "{text}");
        }
        for text in [
            "The plan was rejected.",
            "They did not sign",
            "They didn't sign",
            "They refused to sign",
            "They have yet to sign",
            "It was put off",
        ] {
            assert!(read(text).value < 0.0, "{text}");
        }
        assert_eq!(read("The sky is grey.").value, 0.0);
    }

    #[test]
    fn a_negation_does_not_reach_into_the_next_clause() {
        assert!(read("There is no doubt, they signed").value > 0.0);
    }

    #[test]
    fn a_verb_of_the_question_is_known_by_its_form() {
        let asked = BTreeMap::from([("lower".to_owned(), "lower".to_owned())]);
        let read = |text: &str| polarity(text, &words(text), &asked, &everything(text)).value;
        assert!(read("Parliament lowered the age") > 0.0);
        assert!(read("Parliament did not lower the age") < 0.0);
        assert_eq!(read("The lower house sat"), 0.0);
    }

    #[test]
    fn a_cue_counts_less_where_nothing_of_the_claim_is_said() {
        let terms = BTreeMap::from([("bridg".to_owned(), 1.0)]);
        let read = |text: &str| polarity(text, &words(text), &BTreeMap::new(), &terms).value;
        assert!(read("The bridge was closed") < read("The bridge is red, a shop was closed"));
        assert!(read("The bridge is red, a shop was closed") < 0.0);
    }

    #[test]
    fn a_question_may_ask_that_nothing_changes() {
        let asks = |text: &str| asks_for_no_change(&words(text));
        assert!(asks("Will the ban remain in force?") && asks("Will May end without a strike?"));
        assert!(!asks("Will the ban be lifted?"));
    }

    #[test]
    fn a_plan_is_no_fact() {
        for text in ["It will open", "It is to open", "It may open", "They are about to open it"] {
            assert!(read(text).planned, "{text}");
        }
        assert!(!read("It opened in May").planned);
    }

    #[test]
    fn a_question_may_ask_for_a_failure() {
        let direction = |text: &str| claim_direction(&words(text));
        assert_eq!(direction("Will the senate reject the bill?"), -1.0);
        assert_eq!(direction("Will the senate not reject the bill?"), 1.0);
        assert_eq!(direction("Will the senate pass the bill?"), 1.0);
    }
}
