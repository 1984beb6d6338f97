//! What a reviewer sees on the terminal.

use std::io::Write;

use records::Review;

use super::{
    articles::Text,
    review::Question,
    time,
    verdicts::{Decision, Standing, standings},
};
use crate::error::{Error, io_text};

/// Characters of the criteria and of the chosen document that a screen shows: with them, an item fits a terminal.
const MOST_CRITERIA: usize = 1000;
const MOST_TEXT: usize = 900;
/// Lines that are longer are hard to read.
const WIDEST: usize = 110;

/// Shows `text` without control characters and without marks that turn the direction of writing: what comes from outside
/// must neither steer the terminal nor read as something else than it is.
pub(super) fn show(out: &mut dyn Write, text: &str) -> Result<(), Error> {
    let text: String = text.chars().filter(|c| *c == '\n' || is_harmless(*c)).collect();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| Error::Input(format!("standard output: {}", io_text(&e))))
}

/// False for what steers a terminal or turns the direction of writing.
pub(super) fn is_harmless(c: char) -> bool {
    !(c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// The keys.
pub(super) const HELP: &str = "a accept · r REASON reject · o N article N holds the answer · c the older revision contradicts it
t N whole text · k whole criteria · d what changed since the older revision
u take back the last verdict · n next · b back · q quit\n";

/// The lines of `text`, broken between words where the terminal is too narrow, each behind `indent`.
fn wrapped(text: &str, indent: &str) -> String {
    let width = textwrap::termwidth().clamp(40, WIDEST);
    let options = textwrap::Options::new(width).initial_indent(indent).subsequent_indent(indent);
    textwrap::wrap(text, options).join("\n")
}

/// The beginning of `text`, at most `most` characters, with `more` where something is left out.
fn beginning(text: &str, most: usize, more: &str) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => {
            let end = text[..end].rfind(char::is_whitespace).unwrap_or(end);
            format!("{} … ({more})", &text[..end])
        }
    }
}

/// What stands where there is no item any more.
pub(super) fn behind_the_last(of: usize, done: usize) -> String {
    let open = match of - done {
        0 => "Every item is decided.".to_owned(),
        open => format!("{open} of {of} items are open; n goes to the first of them."),
    };
    format!("\n── {open} b goes back, u takes back the last verdict, q quits.\n")
}

/// The criteria in full.
pub(super) fn criteria(question: &Question<'_>) -> String {
    format!("\n{}\n\n", wrapped(&question.labelled.candidate.criteria, ""))
}

/// An item, what it is given to read and what was said of it.
pub(super) fn screen(
    question: &Question<'_>,
    standing: &Standing,
    at: usize,
    of: usize,
    done: usize,
) -> String {
    use std::fmt::Write as _;
    let candidate = &question.labelled.candidate;
    let chosen = question.chosen(standing);
    let mut text = format!(
        "\n── {} of {of} · {done} decided · {} · {} · {} · {}\n\n{}\n\n{}\n\nSettled {} as {}{}.\n\n",
        at + 1,
        question.item_id(),
        question.place.set,
        question.labelled.difficulty.name(),
        question.labelled.domain,
        wrapped(&candidate.question, ""),
        wrapped(&beginning(&candidate.criteria, MOST_CRITERIA, "k shows all"), ""),
        time::rfc3339(candidate.settled),
        if candidate.yes { "YES" } else { "NO" },
        if candidate.disputed { ", after a dispute" } else { "" },
    );
    for (i, article) in question.reading.articles.iter().enumerate() {
        let mark = if Some(article) == chosen { "→" } else { " " };
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{mark} {} {}\n    revision of {} · edits around settlement: {} · place in the search: {}",
            i + 1,
            article.title,
            time::rfc3339(article.at),
            article.edits,
            article.search_rank
        );
    }
    if let Some(chosen) = chosen {
        let _ = writeln!(
            text,
            "\n{}",
            wrapped(&beginning(&chosen.text, MOST_TEXT, "t shows all"), "  ")
        );
    }
    match &question.reading.older {
        Some(older) => {
            let _ = writeln!(
                text,
                "\nOlder revision of article 1: {} (d shows what changed)",
                time::rfc3339(older.at)
            );
        }
        None => text.push_str("\nNo older revision of article 1 that differs.\n"),
    }
    if standing.conflict.is_some() {
        text.push_str("Marked: the older revision contradicts the document.\n");
    }
    match &standing.decision {
        Some(Decision::Accepted) => text.push_str("Accepted.\n"),
        Some(Decision::Rejected(reason)) => {
            let _ = writeln!(text, "Rejected: {reason}");
        }
        None => {}
    }
    text.push('\n');
    text.push_str(HELP);
    text
}

/// A document in full: the one with this number, or else the chosen one.
pub(super) fn text_of(question: &Question<'_>, standing: &Standing, number: &str) -> String {
    let wanted = if number.trim().is_empty() {
        question.chosen(standing).map(|t| question.doc(t))
    } else {
        question.numbered(number)
    };
    let found = question.reading.articles.iter().find(|t| Some(question.doc(t)) == wanted);
    found.map_or_else(
        || format!("say which, after the t: 1 to {}\n", question.reading.articles.len()),
        |t| format!("\n{}\n\n{}\n\n", t.title, wrapped(&t.text, "")),
    )
}

/// Lines that only one of the two revisions has.
pub(super) fn changes(question: &Question<'_>) -> String {
    let (Some(older), Some(newer)) = (&question.reading.older, question.reading.articles.first())
    else {
        return "There is no older revision that differs.\n".to_owned();
    };
    let only = |a: &Text, b: &Text, mark: char| -> String {
        let other: Vec<&str> = b.text.lines().collect();
        a.text.lines().filter(|l| !other.contains(l)).map(|l| format!("{mark} {l}\n")).collect()
    };
    format!(
        "\nOnly in the revision of {}:\n{}\nOnly in the revision of {}:\n{}\n",
        time::rfc3339(older.at),
        only(older, newer, '-'),
        time::rfc3339(newer.at),
        only(newer, older, '+')
    )
}

/// What the log comes to.
pub(super) fn summary(questions: &[Question<'_>], log: &[Review]) -> String {
    let standings = standings(log);
    let decisions: Vec<_> =
        questions.iter().filter_map(|q| q.standing_in(&standings).decision).collect();
    let accepted = decisions.iter().filter(|d| **d == Decision::Accepted).count();
    let rejected = decisions.len() - accepted;
    format!(
        "\n{accepted} accepted, {rejected} rejected, {} open.\n",
        questions.len() - decisions.len()
    )
}
