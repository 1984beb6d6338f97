//! Words that say that something happened, failed, or is only planned.

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

const SUCCESS: [&str; 56] = [
    "accept",
    "achieve",
    "adopt",
    "admit",
    "agree",
    "appoint",
    "approve",
    "attain",
    "award",
    "back",
    "begin",
    "build",
    "complete",
    "conclude",
    "confirm",
    "cross",
    "declare",
    "deliver",
    "elect",
    "endorse",
    "enter",
    "exceed",
    "finish",
    "grant",
    "hold",
    "inaugurate",
    "install",
    "introduce",
    "join",
    "launch",
    "name",
    "open",
    "pass",
    "play",
    "publish",
    "ratify",
    "reach",
    "recover",
    "release",
    "reopen",
    "restart",
    "restore",
    "resume",
    "return",
    "secure",
    "select",
    "settle",
    "sign",
    "start",
    "succeed",
    "surpass",
    "survive",
    "unveil",
    "uphold",
    "win",
    "visit",
];
const FAILURE: [&str; 45] = [
    "abandon",
    "abort",
    "annul",
    "avoid",
    "block",
    "cancel",
    "collapse",
    "deadlock",
    "defeat",
    "defer",
    "delay",
    "deny",
    "dismiss",
    "fail",
    "forfeit",
    "halt",
    "lapse",
    "lose",
    "miss",
    "offline",
    "overturn",
    "postpone",
    "prevent",
    "refuse",
    "reject",
    "repeal",
    "revoke",
    "scrap",
    "scuttle",
    "shelve",
    "short",
    "shut",
    "stall",
    "stop",
    "suspend",
    "unable",
    "unfinished",
    "unsuccessful",
    "vain",
    "veto",
    "void",
    "wait",
    "withdraw",
    "withhold",
    "closed",
];
/// Failures of two words.
const FAILURE_PAIRS: [(&str, &str); 7] = [
    ("put", "off"),
    ("call", "off"),
    ("remain", "off"),
    ("rule", "out"),
    ("pull", "out"),
    ("fall", "through"),
    ("fall", "behind"),
];
const NEGATION: [&str; 11] = [
    "not", "no", "never", "none", "nobody", "neither", "nor", "without", "cannot", "hardly",
    "nothing",
];
const PLAN: [&str; 34] = [
    "aim",
    "confident",
    "could",
    "due",
    "expect",
    "fear",
    "forecast",
    "goal",
    "hope",
    "intend",
    "likely",
    "may",
    "might",
    "plan",
    "predict",
    "prepare",
    "promise",
    "propose",
    "schedule",
    "seek",
    "shall",
    "should",
    "target",
    "threaten",
    "want",
    "will",
    "would",
    "poll",
    "consider",
    "debate",
    "discuss",
    "demand",
    "call",
    "urge",
];
const CLAUSE_BREAKS: [&str; 9] = [",", ";", ":", "(", "—", "–", "but", "although", "while"];

static SIGNS: LazyLock<BTreeMap<String, f64>> = LazyLock::new(|| {
    let successes = SUCCESS.iter().map(|word| (stem(word), 1.0));
    successes.chain(FAILURE.iter().map(|word| (stem(word), -1.0))).collect()
});
static PAIRS: LazyLock<BTreeSet<(String, String)>> =
    LazyLock::new(|| FAILURE_PAIRS.iter().map(|(a, b)| (stem(a), stem(b))).collect());
static NEGATION_STEMS: LazyLock<Vec<String>> = LazyLock::new(|| stems(&NEGATION));
static PLAN_STEMS: LazyLock<Vec<String>> = LazyLock::new(|| stems(&PLAN));

/// What a sentence says of the thing it is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Polarity {
    /// From -1, it failed, to 1, it happened; 0 when the sentence says neither.
    pub value: f64,
    /// It is said to be planned, expected or possible.
    pub planned: bool,
}

/// Reads the polarity of a sentence: the sum of its cues, cut to -1 to 1. `asked` holds the words of the question that
/// are no names: their forms by stem.
///
/// A cue is turned round by each negation that stands up to four words before it in its clause, and a success behind
/// a failure ("refused to sign") counts as that failure alone.
pub(super) fn polarity(
    sentence: &str,
    words: &[Word],
    asked: &BTreeMap<String, String>,
) -> Polarity {
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
        if weight > 0.0 && clause_before(words, at).any(|at| failure(words, at)) {
            continue;
        }
        value += weight * negation;
    }
    Polarity { value: value.clamp(-1.0, 1.0), planned }
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
    near.take_while(|at| !CLAUSE_BREAKS.contains(&words[*at].stem.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::lexical::words::words;

    fn read(text: &str) -> Polarity {
        polarity(text, &words(text), &BTreeMap::new())
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
        let read = |text: &str| polarity(text, &words(text), &asked).value;
        assert!(read("Parliament lowered the age") > 0.0);
        assert!(read("Parliament did not lower the age") < 0.0);
        assert_eq!(read("The lower house sat"), 0.0);
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
