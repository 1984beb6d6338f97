//! Numbers that a text states, with their units.

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use super::words::{Word, stem};

/// How many words after a number may name its unit, as in "11 stranded grey whales".
const UNIT_WORDS: usize = 3;
/// A bound ("more than 40") lies beyond its number by this share, so that it compares as it should with 40 itself.
const BEYOND: f64 = 1e-9;

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

static NUMBER_WORDS: LazyLock<BTreeMap<String, f64>> = LazyLock::new(|| {
    let small = SMALL.iter().zip(0_u8..).map(|(word, n)| (stem(word), f64::from(n)));
    let tens = TENS.iter().zip(2_u8..).map(|(word, n)| (stem(word), f64::from(n) * 10.0));
    small.chain(tens).chain([("dozen".to_owned(), 12.0)]).collect()
});

/// What a number is to the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// How much there is.
    Level,
    /// More of the same: "another 40 tonnes".
    Addition,
    /// What a level is measured against or differs by: "from 40", "a target of 40", "by 40", "40 short".
    Aside,
}

/// A number of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    /// Its value, finite; a little beyond what is stated where it is a bound ("more than 40").
    pub value: f64,
    /// The number as stated.
    pub stated: f64,
    /// Stems that may be its unit, nearest first; "percent" for a percent sign.
    pub units: Vec<String>,
    /// What it is to the sentence.
    pub role: Role,
    /// Place of its first word.
    pub at: usize,
    /// Place after its last word, the scale ("million") included and the unit not.
    pub end: usize,
}

impl Quantity {
    /// Whether both count the same thing: they share a unit, or neither has one.
    pub fn comparable(&self, other: &Self) -> bool {
        self.units.iter().any(|unit| other.units.contains(unit))
            || self.units.is_empty() && other.units.is_empty()
    }
}

/// The numbers of `words`, but for those in `dates`, which must be in order.
pub(super) fn quantities(words: &[Word], dates: &[Range<usize>]) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut dates = dates.iter().peekable();
    let mut at = 0;
    while at < words.len() {
        if let Some(date) = dates.next_if(|date| date.start <= at) {
            at = at.max(date.end);
            continue;
        }
        match quantity(words, at) {
            Some(quantity) => {
                at = quantity.end;
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    found
}

/// Whether a number stands there, in digits or letters.
pub(super) fn is_number(word: &Word) -> bool {
    number(&word.stem).is_some()
}

fn quantity(words: &[Word], at: usize) -> Option<Quantity> {
    let stem_at = |at: usize| words.get(at).map_or("", |w| w.stem.as_str());
    let mut value = number(stem_at(at))?;
    let mut end = at + 1;
    if (20.0..100.0).contains(&value)
        && stem_at(end) == "-"
        && let Some(ones) = NUMBER_WORDS.get(stem_at(end + 1)).filter(|n| **n < 10.0)
    {
        value += ones;
        end += 2;
    }
    while let Some(scale) = scale(stem_at(end)) {
        value *= scale;
        end += 1;
    }
    let units = units(words, at, end);
    let (role, beyond) = role(words, at, end);
    let stated = value;
    value *= 1.0 + beyond;
    value.is_finite().then_some(Quantity { value, stated, units, role, at, end })
}

fn number(stem: &str) -> Option<f64> {
    if !stem.starts_with(|c: char| c.is_ascii_digit()) {
        return NUMBER_WORDS.get(stem).copied();
    }
    stem.replace(',', "").parse().ok().filter(|n: &f64| n.is_finite())
}

fn scale(stem: &str) -> Option<f64> {
    match stem {
        "dozen" => Some(12.0),
        "hundr" | "hundred" => Some(1e2),
        "thousand" => Some(1e3),
        "million" | "m" => Some(1e6),
        "billion" | "bn" => Some(1e9),
        _ => None,
    }
}

fn units(words: &[Word], at: usize, end: usize) -> Vec<String> {
    let before = at.checked_sub(1).map_or("", |before| words[before].stem.as_str());
    if ["$", "€", "£"].contains(&before) {
        return vec![before.to_owned()];
    }
    let hyphen = usize::from(words.get(end).is_some_and(|w| w.stem == "-"));
    let after = &words[(end + hyphen).min(words.len())..];
    let stem_at = |at: usize| after.get(at).map_or("", |w| w.stem.as_str());
    if stem_at(0) == "%" || stem_at(0) == "percent" || stem_at(0) == "per" && stem_at(1) == "cent" {
        return vec!["percent".to_owned()];
    }
    let named = after.iter().take(UNIT_WORDS).take_while(|w| w.has_content());
    named.filter(|w| number(&w.stem).is_none()).map(|w| w.stem.clone()).collect()
}

/// The role of the number in `at..end`, and by which share its value lies beyond it.
fn role(words: &[Word], at: usize, end: usize) -> (Role, f64) {
    let back = |n: usize| at.checked_sub(n).map_or("", |at| words[at].stem.as_str());
    let near = &words[at.saturating_sub(4)..at];
    let goal = |w: &Word| {
        ["goal", "target", "threshold", "quota", "requir", "need"].contains(&w.stem.as_str())
    };
    let changes = |w: &Word| {
        ["rise", "fall", "grow", "increas", "drop", "declin", "shrink", "cut", "lower", "rais"]
            .contains(&w.stem.as_str())
    };
    let after = &words[end..words.len().min(end + 3)];
    if near.iter().any(goal) || after.iter().any(|w| w.stem == "short") {
        return (Role::Aside, 0.0);
    }
    match (back(2), back(1)) {
        ("more" | "greater" | "higher", "than") | (_, "over" | "abov") => (Role::Level, BEYOND),
        ("fewer" | "less" | "lower", "than") => (Role::Level, -BEYOND),
        (_, "near" | "almost" | "under" | "below") => (Role::Level, -BEYOND),
        (_, "by") if near.iter().any(changes) => (Role::Aside, 0.0),
        (_, "than" | "from" | "against" | "after" | "instead")
        | ("compar", "with" | "to")
        | ("instead", "of") => (Role::Aside, 0.0),
        (_, "anoth" | "further" | "addit" | "plus") => (Role::Addition, 0.0),
        _ => (Role::Level, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::lexical::words::words;

    fn read(text: &str) -> Vec<(f64, String, Role)> {
        let found = quantities(&words(text), &[]);
        found.into_iter().map(|q| (q.value.round(), q.units.join(" "), q.role)).collect()
    }

    #[test]
    fn value_unit_and_role_are_read() {
        use Role::{Addition, Aside, Level};
        for (text, expected) in [
            ("41,300 tonnes of barley", (41_300.0, "tonn", Level)),
            ("2.5 million crowns", (2_500_000.0, "crown", Level)),
            ("twenty-two members", (22.0, "member", Level)),
            ("62 per cent", (62.0, "percent", Level)),
            ("$40", (40.0, "$", Level)),
            ("11 stranded whales", (11.0, "strand whale", Level)),
            ("another 415 kilograms", (415.0, "kilogram", Addition)),
            ("rose by 3 %", (3.0, "percent", Aside)),
            ("signed by 33 towns", (33.0, "town", Level)),
            ("a goal of 80 crowns", (80.0, "crown", Aside)),
            ("6,500 crowns short", (6_500.0, "crown short", Aside)),
        ] {
            let (value, unit, role) = expected;
            assert_eq!(read(text), [(value, unit.to_owned(), role)], "{text}");
        }
    }

    #[test]
    fn a_bound_lies_beyond_its_number() {
        let value = |text: &str| quantities(&words(text), &[])[0].value;
        assert!(value("more than 40 towns") > 40.0);
        assert!(value("nearly 40 towns") < 40.0);
    }

    #[test]
    fn what_is_no_finite_number_is_none() {
        assert!(read("1e999 9x 1.2.3").is_empty());
        let long = format!("{} million tonnes", "9".repeat(400));
        assert!(read(&long).is_empty());
    }
}
