//! Words and sentences of a text.

use std::{collections::BTreeMap, sync::LazyLock};

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// Longer words are taken as they stand: no English word is as long, and stemming is for English words.
const LONGEST_STEMMED: usize = 32;

/// Forms that no stemmer leads back to their verb.
const IRREGULAR: [(&str, &str); 64] = [
    ("beaten", "beat"),
    ("became", "become"),
    ("began", "begin"),
    ("begun", "begin"),
    ("bought", "buy"),
    ("broke", "break"),
    ("broken", "break"),
    ("built", "build"),
    ("came", "come"),
    ("caught", "catch"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("fallen", "fall"),
    ("fell", "fall"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("forbidden", "forbid"),
    ("found", "find"),
    ("gave", "give"),
    ("given", "give"),
    ("gone", "go"),
    ("got", "get"),
    ("gotten", "get"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("held", "hold"),
    ("kept", "keep"),
    ("laid", "lay"),
    ("left", "leave"),
    ("lost", "lose"),
    ("made", "make"),
    ("met", "meet"),
    ("overtaken", "overtake"),
    ("overtook", "overtake"),
    ("paid", "pay"),
    ("ran", "run"),
    ("rang", "ring"),
    ("risen", "rise"),
    ("rose", "rise"),
    ("said", "say"),
    ("sat", "sit"),
    ("sent", "send"),
    ("shown", "show"),
    ("sold", "sell"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("stood", "stand"),
    ("struck", "strike"),
    ("sunk", "sink"),
    ("taken", "take"),
    ("thought", "think"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("upheld", "uphold"),
    ("went", "go"),
    ("withdrawn", "withdraw"),
    ("withdrew", "withdraw"),
    ("won", "win"),
    ("written", "write"),
    ("wrote", "write"),
];

/// Words that carry no subject, and those that only say how a question resolves.
const STOP: &str = "\
    a about according after again all also an and any are as at be been before being but by can \
    date did do does during each end fewer for from had has have he her his how if in into is \
    it its least less many may more most much no nor not of off on or otherwise over question \
    resolve resolves she so some such than that the their them then there these they this those \
    to under until up was were what when where which who will with would yes";

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));
static VERBS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| IRREGULAR.into());
static STOP_STEMS: LazyLock<Vec<String>> =
    LazyLock::new(|| stems(&STOP.split(' ').collect::<Vec<_>>()));

/// A word or a mark of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// Where it begins, in bytes of its sentence.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The stem in small letters; a mark is its own stem, and a contracted "not" is "not".
    pub stem: String,
    /// Begins with a capital letter.
    pub capital: bool,
}

impl Word {
    /// The word as it stands in `sentence`.
    pub fn of<'a>(&self, sentence: &'a str) -> &'a str {
        &sentence[self.start..self.end]
    }

    /// Whether it is a word, as opposed to a mark.
    pub fn is_word(&self) -> bool {
        self.stem.starts_with(char::is_alphanumeric)
    }

    /// Whether it says something about a subject.
    pub fn has_content(&self) -> bool {
        self.is_word() && STOP_STEMS.binary_search(&self.stem).is_err()
    }
}

/// Whether the small-lettered `word` is a past form that no stemmer leads back to its verb.
pub(super) fn is_irregular(word: &str) -> bool {
    VERBS.contains_key(word)
}

/// The stem of one word.
pub(super) fn stem(word: &str) -> String {
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    if lower.ends_with("n't") {
        return "not".to_owned();
    }
    let base = VERBS.get(lower.as_str()).copied().unwrap_or(&lower);
    let english = base.bytes().all(|b| b.is_ascii_alphabetic() || b == b'\'');
    if english && base.len() <= LONGEST_STEMMED { STEMMER.stem(base).into_owned() } else { lower }
}

/// The stems of `words`, sorted.
pub(super) fn stems(words: &[&str]) -> Vec<String> {
    let mut stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
    stems.sort();
    stems.dedup();
    stems
}

/// The words and marks of `text`, by the word boundaries of Unicode.
pub(super) fn words(text: &str) -> Vec<Word> {
    text.split_word_bound_indices()
        .filter(|(_, part)| !part.chars().all(char::is_whitespace))
        .map(|(start, part)| Word {
            start,
            end: start + part.len(),
            stem: stem(part),
            capital: part.starts_with(char::is_uppercase),
        })
        .collect()
}

/// The sentences of `text`, trimmed, none of them empty.
///
/// A sentence ends at a line end, or at `.`, `!`, `?` or `…` before white space, except at the point of an initial or
/// a short title such as "Dr." or "St.". The sentence boundaries of Unicode break there, and the search for them takes
/// time quadratic in the length of some texts.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut word_start) = (0, 0);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = at + c.len_utf8();
        let before_space = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match c {
            '\n' | '\r' => true,
            '.' => before_space && !is_title(&text[word_start..at]),
            '!' | '?' | '…' => before_space,
            _ => false,
        };
        if ends {
            found.push(text[start..after].trim());
            start = after;
        }
        if c.is_whitespace() {
            word_start = after;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// An initial ("J") or a short title ("Mrs"): up to three letters, of which the first is the only capital.
fn is_title(word: &str) -> bool {
    const TITLES: [&str; 9] = ["Capt", "Dr", "Gen", "Mr", "Mrs", "Ms", "No", "Prof", "St"];
    let mut letters = word.chars();
    let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    initial || TITLES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        let text = "Dr. Olm paid 3.5 crowns. Why? J. Tesk knows\nNobody else… does";
        let expected =
            ["Dr. Olm paid 3.5 crowns.", "Why?", "J. Tesk knows", "Nobody else…", "does"];
        assert_eq!(sentences(text), expected);
        assert!(sentences(" \n ").is_empty());
    }

    #[test]
    fn forms_of_one_verb_share_a_stem() {
        for (a, b) in [("won", "winning"), ("fell", "falls"), ("approved", "approve")] {
            assert_eq!(stem(a), stem(b));
        }
        assert_eq!(stem("didn\u{2019}t"), "not");
    }

    #[test]
    fn a_number_is_one_word_and_stop_words_have_no_content() {
        let found = words("at least 40,000 tonnes, 3.5%");
        let stems: Vec<_> = found.iter().map(|w| w.stem.as_str()).collect();
        assert_eq!(stems, ["at", "least", "40,000", "tonn", ",", "3.5", "%"]);
        let content = found.iter().filter(|w| w.has_content()).count();
        assert_eq!(content, 3);
    }
}
