//! What a question asks: its terms, threshold, deadline, shape and direction.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use jiff::civil::Date;

use super::{
    Question,
    criteria::Criteria,
    dates::{Mention, mentions},
    lexicon::{END_STEMS, NO_CHANGE_STEMS, Synonyms, is_known_verb, synonyms},
    quantities::{Quantity, is_number, quantities},
    words::{Word, words},
};

/// Weight of a term that only the criteria name; a term of the question weighs 1.
const CRITERIA_WEIGHT: f64 = 0.3;

/// How a number must stand to the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparator {
    AtLeast,
    MoreThan,
    AtMost,
    LessThan,
}

/// What of the numbers in a document is held against the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// A number as it stands.
    Level,
    /// One number less another: "at least 5,000 fewer than in May".
    Difference,
    /// Some numbers together: "wheat and rye combined".
    Sum,
}

/// A number that the claim is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Threshold {
    pub comparator: Comparator,
    /// The number and its unit.
    pub quantity: Quantity,
    pub measure: Measure,
}

impl Threshold {
    /// Whether `value` meets it.
    pub fn met_by(&self, value: f64) -> bool {
        let threshold = self.quantity.stated;
        match self.comparator {
            Comparator::AtLeast => value >= threshold,
            Comparator::MoreThan => value > threshold,
            Comparator::AtMost => value <= threshold,
            Comparator::LessThan => value < threshold,
        }
    }
}

/// How much of several things a claim asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Of one thing.
    One,
    /// "all four", "both", "each".
    All,
    /// "any", "at least two of the four".
    Some,
}

/// What kind of thing a claim asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// That something comes about: "Will they sign …".
    Change,
    /// That something fails or ends: "Will the senate reject …".
    End,
    /// That something stays as it is: "Will the ban remain …".
    NoChange,
}

/// What must hold for YES.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    /// Stems that a sentence about the claim shares, with their weights.
    pub terms: BTreeMap<String, f64>,
    /// Every stem of content of question and criteria.
    pub known: BTreeSet<String>,
    /// The verb that is asked about, with its synonyms.
    pub own: Synonyms,
    pub asks: Asks,
    /// The number to reach or stay under, if there is one; "at least one" is none, but a scope.
    pub threshold: Option<Threshold>,
    /// The last day on which it may happen, if one is named.
    pub deadline: Option<Date>,
    pub scope: Scope,
    pub criteria: Criteria,
}

impl Claim {
    /// Reads the claim out of question and criteria.
    pub fn read(question: &Question<'_>) -> Self {
        let asked = words(question.text);
        let criteria = Criteria::read(question.criteria);
        let condition = &criteria.condition;
        let asked_dates = mentions(&asked, None);
        let condition_dates = mentions(condition, None);
        let mut terms = BTreeMap::new();
        add_terms(&mut terms, condition, &condition_dates, CRITERIA_WEIGHT);
        add_terms(&mut terms, &asked, &asked_dates, 1.0);
        let (asks, verb) = asks(&asked);
        let threshold =
            threshold(&asked, &asked_dates).or_else(|| threshold(condition, &condition_dates));
        let one = |t: &Threshold| t.comparator == Comparator::AtLeast && t.quantity.stated <= 1.0;
        let at_least_one = threshold.as_ref().is_some_and(one);
        let known = terms.keys().chain(&criteria.decider).chain(&criteria.excluded);
        Self {
            known: known.chain(&criteria.admitted).cloned().collect(),
            own: verb.map(|verb| synonyms(&verb)).unwrap_or_default(),
            asks,
            threshold: threshold.filter(|_| !at_least_one),
            deadline: deadline(&asked, &asked_dates)
                .or_else(|| deadline(condition, &condition_dates)),
            scope: if at_least_one { Scope::Some } else { scope(&asked) },
            terms,
            criteria,
        }
    }
}

/// What kind of thing a question asks for, and the stem of its verb: the first word of its lists that is no name and
/// does not stand as a noun, or the first that asks for no change.
fn asks(words: &[Word]) -> (Asks, Option<String>) {
    let (mut asks, mut verb) = (Asks::Change, None);
    for at in 1..words.len() {
        let word = &words[at];
        if word.capital {
            continue;
        }
        let at_a_level = || words[at..].iter().take(6).any(|w| w.stem == "at");
        if NO_CHANGE_STEMS.contains(&word.stem) || word.stem == "leav" && at_a_level() {
            return (Asks::NoChange, verb.or(Some(word.stem.clone())));
        }
        if ["not", "never"].contains(&word.stem.as_str()) {
            asks = Asks::NoChange;
        }
        let noun = ["the", "a", "an", "of"].contains(&words[at - 1].stem.as_str());
        let ends = END_STEMS.contains(&word.stem);
        if verb.is_none() && !noun && (ends || is_known_verb(&word.stem)) {
            verb = Some(word.stem.clone());
            if ends {
                asks = Asks::End;
            }
        }
    }
    (asks, verb)
}

fn add_terms(terms: &mut BTreeMap<String, f64>, words: &[Word], dates: &[Mention], weight: f64) {
    let mut dates = dates.iter().peekable();
    for (at, word) in words.iter().enumerate() {
        while dates.next_if(|date| date.words.end <= at).is_some() {}
        let in_date = dates.peek().is_some_and(|date| date.words.contains(&at));
        let number = word.stem.starts_with(|c: char| c.is_ascii_digit());
        if word.has_content() && !in_date && !number {
            terms.insert(word.stem.clone(), weight);
        }
    }
}

/// The first number with a comparator.
fn threshold(words: &[Word], dates: &[Mention]) -> Option<Threshold> {
    let dates: Vec<Range<usize>> = dates.iter().map(|date| date.words.clone()).collect();
    quantities(words, &dates).into_iter().find_map(|quantity| {
        let comparator = comparator(words, &quantity)?;
        let mut quantity = quantity;
        // "two of the four stands" counts stands.
        if quantity.units.is_empty() && words.get(quantity.end).is_some_and(|w| w.stem == "of") {
            let whole = &words[quantity.end..words.len().min(quantity.end + 4)];
            let whole = quantities(whole, &[]).into_iter().next();
            quantity.units = whole.map(|whole| whole.units).unwrap_or_default();
        }
        Some(Threshold { comparator, measure: measure(words, &quantity), quantity })
    })
}

fn measure(words: &[Word], quantity: &Quantity) -> Measure {
    let (before, after) = (&words[..quantity.at], &words[quantity.end..]);
    let names =
        |words: &[Word], any: &[&str]| words.iter().position(|w| any.contains(&w.stem.as_str()));
    let more = [
        "more", "fewer", "less", "lower", "higher", "abov", "below", "greater", "larger", "smaller",
    ];
    // "5 or more" sets a threshold; "5 more … than" measures a difference, and so does "grow by 5".
    let more = names(after, &more).filter(|at| *at == 0 || after[at - 1].stem != "or");
    let change = [
        "grow", "rise", "increas", "fall", "drop", "declin", "cut", "shrink", "climb", "lower",
        "rais", "reduc",
    ];
    let by = names(&before[before.len().saturating_sub(4)..], &["by"]).is_some();
    if more.is_some_and(|at| names(&after[at..], &["than"]).is_some())
        || by && names(before, &change).is_some()
    {
        Measure::Difference
    } else if names(words, &["combin", "togeth", "total", "sum", "altogeth", "joint"]).is_some() {
        Measure::Sum
    } else {
        Measure::Level
    }
}

/// What the question asks of several things.
fn scope(words: &[Word]) -> Scope {
    let says = |any: &[&str]| words.iter().any(|w| any.contains(&w.stem.as_str()));
    // "two of the four", "two of its four"
    let of_several = (1..words.len()).any(|at| {
        words[at].stem == "of"
            && is_number(&words[at - 1])
            && words[at + 1..].iter().take(3).any(is_number)
    });
    if of_several {
        Scope::Some
    } else if says(&["all", "both", "each", "everi", "entir", "whole"]) {
        Scope::All
    } else if says(&["ani", "either", "one"]) {
        Scope::Some
    } else {
        Scope::One
    }
}

fn comparator(words: &[Word], quantity: &Quantity) -> Option<Comparator> {
    use Comparator::{AtLeast, AtMost, LessThan, MoreThan};
    let stem_at = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |w| &w.stem);
    // A currency sign stands between the comparator and its number.
    let sign = ["$", "€", "£"].contains(&stem_at(quantity.at.checked_sub(1)));
    let before = |n: usize| stem_at(quantity.at.checked_sub(n + usize::from(sign)));
    match (before(3), before(2), before(1)) {
        ("no" | "not", "more" | "greater" | "higher", "than") => return Some(AtMost),
        ("no" | "not", "fewer" | "less" | "lower", "than") => return Some(AtLeast),
        (_, "more" | "greater" | "higher", "than") => return Some(MoreThan),
        (_, "fewer" | "less" | "lower", "than") => return Some(LessThan),
        (_, "at", "most") | (_, "up", "to") | (_, "not", "exceed") => return Some(AtMost),
        (_, "at", "least") | (_, _, "reach" | "hit") | (_, "minimum", "of") => {
            return Some(AtLeast);
        }
        (_, _, "over" | "abov" | "exceed" | "top" | "surpass") => return Some(MoreThan),
        (_, _, "below" | "under") => return Some(LessThan),
        _ => {}
    }
    let after = quantity.end..words.len().min(quantity.end + 4);
    after.clone().find_map(|at| match (stem_at(Some(at)), stem_at(Some(at + 1))) {
        ("or", "more" | "abov" | "higher" | "greater") => Some(AtLeast),
        ("or", "fewer" | "less" | "below" | "lower") => Some(AtMost),
        _ => None,
    })
}

/// The latest date that something may happen by, in or on; the day before it after the word "before".
fn deadline(words: &[Word], dates: &[Mention]) -> Option<Date> {
    let before = |date: &Mention, n: usize| {
        date.words.start.checked_sub(n).map_or("", |at| words[at].stem.as_str())
    };
    let bounds = ["by", "befor", "dure", "in", "on", "than", "through", "until", "till"];
    let bounding = |date: &&Mention| bounds.contains(&before(date, 1)) || before(date, 2) == "end";
    let date = dates.iter().filter(bounding).max_by_key(|date| date.last)?;
    if before(date, 1) == "befor" && before(date, 2) != "or" {
        date.first.yesterday().ok()
    } else {
        Some(date.last)
    }
}

#[cfg(test)]
mod tests {
    use records::Kind;

    use super::*;

    fn claim(text: &str, criteria: &str) -> Claim {
        Claim::read(&Question {
            text,
            criteria,
            kind: Kind::Binary,
            choices: &[],
            abstain_label: "UNRESOLVABLE",
        })
    }

    #[test]
    fn threshold_deadline_and_terms_are_read() {
        let read = claim(
            "Will the barley harvest reach at least 40,000 tonnes by 30 June 2026?",
            "YES if the ministry says so. NO if the wheat is counted.",
        );
        let threshold = read.threshold.unwrap();
        assert_eq!(threshold.comparator, Comparator::AtLeast);
        assert!(threshold.met_by(40_000.0) && !threshold.met_by(39_999.0));
        assert_eq!(read.deadline.unwrap().to_string(), "2026-06-30");
        assert_eq!(read.terms["barley"], 1.0);
        assert_eq!(read.terms["ministri"], CRITERIA_WEIGHT);
        assert!(!read.terms.contains_key("wheat") && !read.terms.contains_key("june"));
    }

    #[test]
    fn every_comparator_is_told_from_the_others() {
        use Comparator::{AtLeast, AtMost, LessThan, MoreThan};
        for (text, expected) in [
            ("more than 5 towns", MoreThan),
            ("over $5", MoreThan),
            ("no more than 5 towns", AtMost),
            ("5 towns or fewer", AtMost),
            ("fewer than 5 towns", LessThan),
            ("below 5 percent", LessThan),
            ("no fewer than 5 towns", AtLeast),
            ("5 or more towns", AtLeast),
        ] {
            assert_eq!(claim(text, "").threshold.unwrap().comparator, expected, "{text}");
        }
        assert_eq!(claim("Will 5 towns sign?", "").threshold, None);
        assert_eq!(claim("Will at least one town sign?", "").threshold, None);
    }

    #[test]
    fn measure_and_scope_are_read() {
        let measure = |text: &str| claim(text, "").threshold.unwrap().measure;
        assert_eq!(measure("at least 40 fewer boats than in May"), Measure::Difference);
        assert_eq!(measure("at least 40 boats and ships combined"), Measure::Sum);
        assert_eq!(measure("Will exports grow by at least 5 percent?"), Measure::Difference);
        assert_eq!(measure("40 or more boats"), Measure::Level);
        let scope = |text: &str| claim(text, "").scope;
        assert_eq!(scope("Will all four towns sign?"), Scope::All);
        assert_eq!(scope("Will at least two of the four towns sign?"), Scope::Some);
        assert_eq!(scope("Will any town sign?"), Scope::Some);
        assert_eq!(scope("Will at least one town sign?"), Scope::Some);
        assert_eq!(scope("Will the mayor of Quill sign?"), Scope::One);
    }

    #[test]
    fn what_is_asked_for_is_a_change_an_end_or_no_change() {
        for (text, asked, verb) in [
            ("Will the towns of Quill sign the pact?", Asks::Change, Some("sign")),
            ("Will the senate reject the bill?", Asks::End, Some("reject")),
            ("Will the ban remain in force?", Asks::NoChange, Some("remain")),
            ("Will the bank leave its rate at 2 per cent?", Asks::NoChange, Some("leav")),
            ("Will it rain?", Asks::Change, None),
        ] {
            assert_eq!(asks(&words(text)), (asked, verb.map(str::to_owned)), "{text}");
        }
    }

    #[test]
    fn before_a_day_ends_the_day_before() {
        for text in ["before 1 July 2026", "by 30 June 2026", "by the end of June 2026"] {
            assert_eq!(claim(text, "").deadline.unwrap().to_string(), "2026-06-30", "{text}");
        }
    }
}
