//! A question without its deadline: "by March 31", "before the end of Q2 2026", "in December" are where a series of
//! questions differs, and the series is one question.

/// Words that belong to a deadline when they touch one, and are ordinary words otherwise.
const JOINERS: [&str; 32] = [
    "by",
    "in",
    "on",
    "or",
    "before",
    "after",
    "until",
    "till",
    "through",
    "within",
    "during",
    "from",
    "since",
    "between",
    "and",
    "to",
    "the",
    "of",
    "end",
    "start",
    "beginning",
    "middle",
    "mid",
    "late",
    "early",
    "this",
    "next",
    "coming",
    "at",
    "et",
    "est",
    "utc",
];
/// Words that are a deadline together with "this", "next" or "end" before them.
const PERIODS: [&str; 5] = ["year", "month", "week", "quarter", "weekend"];
const MONTHS: [&str; 24] = [
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
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];
/// Words that carry no part of a question's meaning.
const STOPWORDS: [&str; 22] = [
    "will", "the", "a", "an", "be", "is", "are", "do", "does", "did", "has", "have", "of", "to",
    "as", "at", "with", "for", "or", "s", "there", "it",
];
/// Ways of writing the same name.
const SHORT_FORMS: [(&str, &str); 6] = [
    ("pm", "prime minister"),
    ("us", "united states"),
    ("uk", "united kingdom"),
    ("eu", "european union"),
    ("un", "united nations"),
    ("gov", "government"),
];

/// The words of `question`, lower case, without its deadline.
#[must_use]
pub fn strip(question: &str) -> Vec<String> {
    let words = tokens(question);
    let anchors: Vec<bool> = (0..words.len()).map(|at| is_anchor(&words, at)).collect();
    let mut dropped = anchors.clone();
    for at in (0..words.len()).filter(|at| anchors[*at]) {
        // A deadline takes along the joiners, days and clock times that touch it, on both sides.
        let mut left = at;
        while left > 0 && (anchors[left - 1] || belongs(&words, left - 1)) {
            left -= 1;
            dropped[left] = true;
        }
        let mut right = at + 1;
        while right < words.len() && (anchors[right] || follows(&words, right)) {
            dropped[right] = true;
            right += 1;
        }
    }
    words.into_iter().zip(dropped).filter(|(_, gone)| !gone).map(|(word, _)| word).collect()
}

/// The words that tell a question from another: without deadline and stopwords, short forms spelt out, each once, sorted.
#[must_use]
pub fn key(question: &str) -> Vec<String> {
    let mut words: Vec<String> = strip(question)
        .iter()
        .filter(|w| !STOPWORDS.contains(&w.as_str()))
        .flat_map(|w| {
            let long = SHORT_FORMS.iter().find(|(short, _)| short == w).map(|(_, long)| *long);
            long.unwrap_or(w).split(' ').map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    words.sort();
    words.dedup();
    words
}

fn tokens(text: &str) -> Vec<String> {
    // "U.S." is one word, and so is "Trump's" without its ending.
    let text = text.replace("U.S.", "US").replace("U.K.", "UK").replace(['\'', '’'], " ");
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn is_anchor(words: &[String], at: usize) -> bool {
    let word = words[at].as_str();
    let before = at.checked_sub(1).map(|b| words[b].as_str());
    let after = words.get(at + 1).map(String::as_str);
    if is_year(word) || is_quarter(word) {
        return true;
    }
    if word == "may" || word == "march" || word == "mar" {
        // Also a verb, a walk and a name: a month only beside a date or behind a preposition.
        return after.is_some_and(|a| is_day(a) || is_year(a))
            || before.is_some_and(|b| {
                is_day(b)
                    || ["by", "in", "before", "until", "of", "end", "late", "early", "mid"]
                        .contains(&b)
            });
    }
    if MONTHS.contains(&word) {
        return true;
    }
    PERIODS.contains(&word) && before.is_some_and(|b| ["this", "next", "coming"].contains(&b))
        || PERIODS.contains(&word)
            && before == Some("the")
            && at.checked_sub(3).is_some_and(|b| words[b] == "end" && words[b + 1] == "of")
        || PERIODS.contains(&word) && before == Some("of") && at >= 2 && words[at - 2] == "end"
}

/// True for a word that belongs to the deadline on its right.
fn belongs(words: &[String], at: usize) -> bool {
    let word = words[at].as_str();
    let date = is_day(word) && words.get(at + 1).is_some_and(|next| touches(next));
    JOINERS.contains(&word) || date || is_clock(words, at)
}

/// True for a word that belongs to the deadline on its left.
fn follows(words: &[String], at: usize) -> bool {
    let word = words[at].as_str();
    let clock = is_day(word) || is_clock(words, at);
    let joins_on = ["and", "to", "through", "or"].contains(&word)
        && words.get(at + 1).is_some_and(|next| is_day(next) || MONTHS.contains(&next.as_str()));
    clock || joins_on || ["et", "est", "utc"].contains(&word)
}

/// True for a part of a time of day: "11", "59" and "pm" of "11:59 PM".
fn is_clock(words: &[String], at: usize) -> bool {
    let is_half = |word: &String| word == "am" || word == "pm";
    let is_number = |word: &String| word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    let nth = |from: usize| words.get(from);
    if is_half(&words[at]) {
        return at.checked_sub(1).and_then(nth).is_some_and(is_number);
    }
    is_number(&words[at])
        && (nth(at + 1).is_some_and(is_half)
            || nth(at + 1).is_some_and(is_number) && nth(at + 2).is_some_and(is_half))
}

fn touches(next: &str) -> bool {
    MONTHS.contains(&next) || next == "of" || is_day(next) || is_year(next)
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse().is_ok_and(|year: u32| (2015..=2049).contains(&year))
}

fn is_quarter(word: &str) -> bool {
    ["q1", "q2", "q3", "q4"].contains(&word)
}

fn is_day(word: &str) -> bool {
    let digits = word
        .strip_suffix("st")
        .or_else(|| word.strip_suffix("nd"))
        .or_else(|| word.strip_suffix("rd"))
        .or_else(|| word.strip_suffix("th"))
        .unwrap_or(word);
    digits.len() <= 2 && digits.parse().is_ok_and(|day: u32| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_ways_of_saying_when_are_one_question() {
        let plain = "will israel strike iran";
        for question in [
            "Will Israel strike Iran?",
            "Will Israel strike Iran by March 31?",
            "Will Israel strike Iran by March 31, 2026?",
            "Will Israel strike Iran by end of April?",
            "Will Israel strike Iran in November?",
            "Will Israel strike Iran in May?",
            "Will Israel strike Iran before June 1st?",
            "Will Israel strike Iran on or before 30 June 2026?",
            "Will Israel strike Iran by 2026-06-30?",
            "Will Israel strike Iran this year?",
            "Will Israel strike Iran before the end of the year?",
            "Will Israel strike Iran in Q2 2026?",
            "Will Israel strike Iran between March 1 and March 31?",
            "Will Israel strike Iran by December 31, 11:59 PM ET?",
            "Will Israel strike Iran by Dec 31?",
            "Will Israel strike Iran in Nov or Dec?",
            "Will Israel strike Iran between Nov 30 and Dec 5?",
            "Will Israel strike Iran by 31 Dec 2026?",
            "Will Israel strike Iran by 11:59 PM ET on December 31?",
            "Will Israel strike Iran from Nov 5 to 12?",
        ] {
            assert_eq!(strip(question).join(" "), plain, "{question}");
        }
    }

    #[test]
    fn words_that_only_look_like_dates_stay() {
        for question in [
            "will theresa may resign",
            "will 20 senators vote for it",
            "will the march on washington take place",
            "will they come to terms and end the war",
            "will the top 10 list name her",
        ] {
            assert_eq!(strip(question).join(" "), question, "{question}");
        }
        assert_eq!(
            strip("Will the bill pass in 2026 with 60 votes?").join(" "),
            "will the bill pass with 60 votes"
        );
    }

    #[test]
    fn two_versions_of_a_question_share_their_words() {
        assert_eq!(
            key("Japan prime minister Ishiba out by July?"),
            key("Will Ishiba be out as Japan's PM in August?")
        );
        assert_eq!(key("Will the US leave?"), key("Will the United States leave in 2026?"));
        assert_eq!(strip(""), Vec::<String>::new());
    }
}
