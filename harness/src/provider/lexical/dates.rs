//! Dates that a text names, as spans of days.

use std::{ops::Range, sync::LazyLock};

use jiff::{ToSpan, civil::Date};

use super::words::{Word, stem};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

static MONTH_STEMS: LazyLock<Vec<String>> =
    LazyLock::new(|| MONTHS.iter().map(|month| stem(month)).collect());
static WEEKDAY_STEMS: LazyLock<Vec<String>> =
    LazyLock::new(|| WEEKDAYS.iter().map(|day| stem(day)).collect());

/// A date in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mention {
    /// The first day that may be meant.
    pub first: Date,
    /// The last.
    pub last: Date,
    /// The words that say it.
    pub words: Range<usize>,
}

/// The dates in `words`. A day or month without a year is the one nearest to `reference`; without a reference it is
/// no date, and neither is a weekday.
pub(super) fn mentions(words: &[Word], reference: Option<Date>) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mention = absolute(words, at, reference).or_else(|| relative(words, at, reference?));
        at = mention.as_ref().map_or(at + 1, |m| m.words.end);
        found.extend(mention);
    }
    found
}

fn absolute(words: &[Word], at: usize, reference: Option<Date>) -> Option<Mention> {
    let stem_at = |at: usize| words.get(at).map_or("", |w| w.stem.as_str());
    let made = |first: Date, last: Date, end: usize| Some(Mention { first, last, words: at..end });
    if let Some(year) = year(stem_at(at)) {
        if stem_at(at + 1) == "-" && stem_at(at + 3) == "-" {
            let (month, day) = (stem_at(at + 2).parse().ok()?, stem_at(at + 4).parse().ok()?);
            let date = Date::new(year, month, day).ok()?;
            return made(date, date, at + 5);
        }
        return made(Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?, at + 1);
    }
    // "5 June" or "June 5", each with or without a year, and "June" alone.
    let (month, day, mut end) = match (day(stem_at(at)), month(words, at)) {
        (Some(day), _) => (month(words, at + 1)?, Some(day), at + 2),
        (None, Some(month)) => match day(stem_at(at + 1)) {
            Some(day) => (month, Some(day), at + 2),
            None => (month, None, at + 1),
        },
        _ => return None,
    };
    let comma = usize::from(stem_at(end) == ",");
    let named = year(stem_at(end + comma));
    if named.is_some() {
        end += comma + 1;
    }
    let first = |year: i16| Date::new(year, month, day.unwrap_or(1)).ok();
    let first = match (named, reference) {
        (Some(year), _) => first(year)?,
        (None, Some(reference)) => {
            let distance = |date: &Date| (days(*date) - days(reference)).abs();
            let years = [reference.year() - 1, reference.year(), reference.year() + 1];
            years.into_iter().filter_map(first).min_by_key(distance)?
        }
        (None, None) => return None,
    };
    made(first, if day.is_some() { first } else { first.last_of_month() }, end)
}

fn relative(words: &[Word], at: usize, reference: Date) -> Option<Mention> {
    let next = words.get(at + 1).map_or("", |w| w.stem.as_str());
    let shifted = |days: i32| reference.checked_add(days.days()).ok();
    let whole_year = |year: i16| Some((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?));
    let (days, length) = match words[at].stem.as_str() {
        "today" => ((reference, reference), 1),
        "yesterday" => ((shifted(-1)?, shifted(-1)?), 1),
        "tomorrow" => ((shifted(1)?, shifted(1)?), 1),
        "next" if next == "year" => (whole_year(reference.year().checked_add(1)?)?, 2),
        "last" if next == "year" => (whole_year(reference.year().checked_sub(1)?)?, 2),
        "next" | "come" => {
            let day = shifted(7 - days_since(next, reference)?)?;
            ((day, day), 2)
        }
        // The one just past: news says what has been on a weekday more often than what will be.
        day => {
            let back = days_since(day, reference)?;
            // "Monday, 8 June" is said by its day of the month.
            let dated = usize::from(next == ",");
            if absolute(words, at + 1 + dated, Some(reference)).is_some() {
                return None;
            }
            ((shifted(-back)?, shifted(-back)?), 1)
        }
    };
    Some(Mention { first: days.0, last: days.1, words: at..at + length })
}

/// How many days ago the weekday was, 0 to 6.
fn days_since(weekday: &str, reference: Date) -> Option<i32> {
    let place = WEEKDAY_STEMS.iter().position(|day| day == weekday)?;
    let place = i32::try_from(place).ok()?;
    Some((i32::from(reference.weekday().to_monday_zero_offset()) - place).rem_euclid(7))
}

/// A year: four digits from 1900 to 2100.
fn year(stem: &str) -> Option<i16> {
    let year = stem.parse().ok().filter(|_| stem.len() == 4)?;
    (1900..=2100).contains(&year).then_some(year)
}

/// A day of a month, as "5" or "5th".
fn day(stem: &str) -> Option<i8> {
    let digits = stem.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let suffix = &stem[digits.len()..];
    let day = digits.parse().ok().filter(|_| ["", "st", "nd", "rd", "th"].contains(&suffix))?;
    (1..=31).contains(&day).then_some(day)
}

/// The month named at `at`, by a capital letter; May and March only where a date can stand.
fn month(words: &[Word], at: usize) -> Option<i8> {
    const BEFORE_A_MONTH: [&str; 16] = [
        "and", "befor", "between", "by", "dure", "earli", "end", "for", "from", "in", "late",
        "mid", "of", "sinc", "until", "to",
    ];
    let word = words.get(at).filter(|word| word.capital)?;
    let place = MONTH_STEMS.iter().position(|month| *month == word.stem)?;
    if [2, 4].contains(&place) {
        let digit = |word: &Word| word.stem.starts_with(|c: char| c.is_ascii_digit());
        let before = at.checked_sub(1).map(|before| &words[before]);
        let dated = words.get(at + 1).is_some_and(digit)
            || before.is_some_and(|w| digit(w) || BEFORE_A_MONTH.contains(&w.stem.as_str()));
        if !dated {
            return None;
        }
    }
    i8::try_from(place + 1).ok()
}

/// Whether a word is the name of a month.
pub(super) fn is_month(word: &Word) -> bool {
    MONTH_STEMS.contains(&word.stem)
}

/// Days since the year 0, as if no year had a leap day: enough to find the nearest of three dates a year apart.
fn days(date: Date) -> i32 {
    i32::from(date.year()) * 365 + i32::from(date.day_of_year())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::lexical::words::words;

    fn spans(text: &str, reference: Option<&str>) -> Vec<String> {
        let reference = reference.map(|r| r.parse().unwrap());
        mentions(&words(text), reference)
            .into_iter()
            .map(|m| format!("{}..{}", m.first, m.last))
            .collect()
    }

    #[test]
    fn a_date_in_any_usual_form_is_found() {
        let fifth = "2026-06-05..2026-06-05";
        for text in ["on 5 June 2026", "June 5, 2026", "5th June 2026", "since 2026-06-05."] {
            assert_eq!(spans(text, None), [fifth], "{text}");
        }
        assert_eq!(spans("in May 2026", None), ["2026-05-01..2026-05-31"]);
        assert_eq!(spans("in 2026", None), ["2026-01-01..2026-12-31"]);
        assert!(spans("It may march on 40 June", None).is_empty());
    }

    #[test]
    fn what_lacks_a_year_is_nearest_to_the_day_of_writing() {
        assert_eq!(spans("on 3 January", Some("2026-12-20")), ["2027-01-03..2027-01-03"]);
        assert_eq!(spans("by December", Some("2026-01-20")), ["2025-12-01..2025-12-31"]);
        assert_eq!(spans("on Monday", Some("2026-01-20")), ["2026-01-19..2026-01-19"]);
        assert!(spans("on 3 January, a Monday", None).is_empty());
    }

    #[test]
    fn the_ends_of_the_calendar_are_no_fault() {
        for reference in ["-009999-01-01", "9999-12-31"] {
            spans("next year, last year, yesterday, tomorrow, Monday, 30 June", Some(reference));
        }
    }
}
