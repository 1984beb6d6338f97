//! When two short pieces of text are the same answer.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// English articles, which an answer may have or lack.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// `text` as spans are compared: Unicode NFKC and full case folding, then without punctuation, symbols and the
/// articles a, an and the, and with one space between words.
///
/// Punctuation is every character that is no letter, number, combining mark or white space. It vanishes rather than
/// parting words, as in the usual evaluation of SQuAD, but for two marks that a number would not be the same without:
/// a point between digits stays, so that 3.5 is not 35, and so does a sign before the first digit of a word. A text
/// of nothing but punctuation and articles keeps them, lest "The" be the same answer as "?".
#[must_use]
pub fn normalise_span(text: &str) -> String {
    let folded: String = caseless::default_case_fold_str(&text.nfkc().collect::<String>());
    let folded: Vec<char> = folded.nfkc().collect();
    let kept: String = (0..folded.len()).filter_map(|at| keep(&folded, at)).collect();
    let words: Vec<_> = kept.split_whitespace().filter(|w| !ARTICLES.contains(w)).collect();
    if words.is_empty() {
        let whole: String = folded.into_iter().collect();
        return whole.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    // A mark that stood behind punctuation may now stand behind a letter.
    words.join(" ").nfc().collect()
}

/// The character at `at` as it is kept, if it is.
fn keep(text: &[char], at: usize) -> Option<char> {
    let c = text[at];
    let digit = |at: usize| text.get(at).is_some_and(|c| c.is_numeric());
    let before = at.checked_sub(1).map(|at| text[at]);
    match c {
        '.' if digit(at + 1) && before.is_some_and(char::is_numeric) => Some('.'),
        // NFKC leaves the hyphen and the minus sign apart.
        '-' | '\u{2212}' if digit(at + 1) && before.is_none_or(char::is_whitespace) => Some('-'),
        _ if c.is_alphanumeric() || c.is_whitespace() || is_combining_mark(c) => Some(c),
        _ => None,
    }
}
