//! What a question asks: its terms, threshold, deadline and direction.

use std::{collections::BTreeMap, ops::Range};

use jiff::civil::Date;

use super::{
    Question,
    cues::claim_direction,
    dates::{Mention, mentions},
    quantities::{Quantity, quantities},
    words::{Word, sentences, words},
};

/// Weight of a term that only the criteria name; a term of the question weighs 1.
const CRITERIA_WEIGHT: f64 = 0.3;
/// Further words of criteria add nothing but time.
const MOST_CRITERIA_WORDS: usize = 400;

/// How a number must stand to the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparator {
    AtLeast,
    MoreThan,
    AtMost,
    LessThan,
}

/// A number that the claim is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Threshold {
    pub comparator: Comparator,
    /// The number and its unit.
    pub quantity: Quantity,
}

impl Threshold {
    /// Whether `value` meets it.
    pub fn met_by(&self, value: f64) -> bool {
        let threshold = self.quantity.value;
        match self.comparator {
            Comparator::AtLeast => value >= threshold,
            Comparator::MoreThan => value > threshold,
            Comparator::AtMost => value <= threshold,
            Comparator::LessThan => value < threshold,
        }
    }
}

/// What must hold for YES.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    /// Stems that a sentence about the claim shares, with their weights.
    pub terms: BTreeMap<String, f64>,
    /// The question's words but for names and numbers: their forms in small letters, by stem.
    pub asked: BTreeMap<String, String>,
    /// The number to reach or stay under, if there is one.
    pub threshold: Option<Threshold>,
    /// The last day on which it may happen, if one is named.
    pub deadline: Option<Date>,
    /// -1.0 when the question asks for something to fail ("Will the senate reject …"), else 1.0.
    pub direction: f64,
}

impl Claim {
    /// Reads the claim out of question and criteria. Criteria count only as far as they say what YES means.
    pub fn read(question: &Question<'_>) -> Self {
        let asked = words(question.text);
        let mut criteria = Vec::new();
        for sentence in sentences(question.criteria) {
            let said = words(sentence);
            let says = |label: &str| said.iter().any(|w| w.of(sentence) == label);
            if says("YES") || !says("NO") {
                criteria.extend(said);
            }
        }
        criteria.truncate(MOST_CRITERIA_WORDS);

        let asked_dates = mentions(&asked, None);
        let criteria_dates = mentions(&criteria, None);
        let mut terms = BTreeMap::new();
        add_terms(&mut terms, &criteria, &criteria_dates, CRITERIA_WEIGHT);
        add_terms(&mut terms, &asked, &asked_dates, 1.0);
        let common = asked.iter().filter(|w| terms.contains_key(&w.stem) && !w.capital);
        let forms = common.map(|w| (w.stem.clone(), w.of(question.text).to_lowercase()));
        Self {
            asked: forms.collect(),
            terms,
            threshold: threshold(&asked, &asked_dates)
                .or_else(|| threshold(&criteria, &criteria_dates)),
            deadline: deadline(&asked, &asked_dates)
                .or_else(|| deadline(&criteria, &criteria_dates)),
            direction: claim_direction(&asked),
        }
    }
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
        Some(Threshold { comparator, quantity })
    })
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

/// The latest date named; the day before it after the word "before".
fn deadline(words: &[Word], dates: &[Mention]) -> Option<Date> {
    let date = dates.iter().max_by_key(|date| date.last)?;
    let before = date.words.start.checked_sub(1).map_or("", |at| words[at].stem.as_str());
    if before == "befor" { date.first.yesterday().ok() } else { Some(date.last) }
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
    }

    #[test]
    fn before_a_day_ends_the_day_before() {
        for text in ["before 1 July 2026", "by 30 June 2026", "by the end of June 2026"] {
            assert_eq!(claim(text, "").deadline.unwrap().to_string(), "2026-06-30", "{text}");
        }
    }
}
