//! The review: a person goes through the items, one a screen, and says of each what stands in `review.jsonl`.

use std::{
    collections::BTreeMap,
    io::{BufRead, Write},
};

use records::{Review, Verdict, Versioned};

use super::{
    articles::Text,
    assemble::{doc_id, item_id},
    draw::{Labelled, Place},
    gather::Reading,
    time,
    verdicts::{Decision, Standing, standings},
};
use crate::error::{Error, io_text};

/// Lines of the chosen document that a screen shows.
const PREVIEW_LINES: usize = 6;

/// One item as a reviewer sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question<'a> {
    /// Its place.
    pub place: &'a Place,
    /// The candidate and its labels.
    pub labelled: &'a Labelled,
    /// The articles that it could be given.
    pub reading: &'a Reading,
}

impl Question<'_> {
    /// The item's id.
    #[must_use]
    pub fn item_id(&self) -> String {
        item_id(&self.place.candidate_id)
    }

    fn doc(&self, text: &Text) -> String {
        doc_id(&self.place.candidate_id, text)
    }

    /// The document that counts as the one with the answer: a reviewer's choice, or the first.
    fn chosen(&self, standing: &Standing) -> Option<&Text> {
        let wanted = standing.article.as_deref();
        let articles = &self.reading.articles;
        articles.iter().find(|t| Some(self.doc(t).as_str()) == wanted).or_else(|| articles.first())
    }

    /// The document with this number, from 1.
    #[must_use]
    pub fn numbered(&self, number: &str) -> Option<String> {
        let at = number.trim().parse::<usize>().ok()?.checked_sub(1)?;
        self.reading.articles.get(at).map(|t| self.doc(t))
    }

    /// The older revision as a document.
    #[must_use]
    pub fn older(&self) -> Option<String> {
        self.reading.older.as_ref().map(|t| self.doc(t))
    }
}

/// Where verdicts come from and go to.
pub struct Desk<'a> {
    /// Who reviews.
    pub reviewer: &'a str,
    /// What is typed.
    pub input: &'a mut dyn BufRead,
    /// What is shown.
    pub out: &'a mut dyn Write,
    /// Writes a verdict down, at once.
    pub write: &'a mut dyn FnMut(&Review) -> Result<(), Error>,
}

/// Goes through the items from the first open one until all are decided, the reviewer quits, or the input ends. Every
/// verdict is written down before the next screen, so that quitting at any moment loses nothing.
///
/// # Errors
/// A verdict cannot be written, or the terminal is gone.
pub fn review(
    questions: &[Question<'_>],
    mut log: Vec<Review>,
    desk: &mut Desk<'_>,
) -> Result<(), Error> {
    let mut at = next_open(questions, &log, 0).unwrap_or(questions.len());
    let mut fresh = true;
    while let Some(question) = questions.get(at) {
        let standing = standings(&log).remove(&question.item_id()).unwrap_or_default();
        if fresh {
            let done = questions.len() - open(questions, &log).len();
            show(desk.out, &screen(question, &standing, at, questions.len(), done))?;
        }
        fresh = false;
        show(desk.out, "> ")?;
        let mut line = String::new();
        let read = desk.input.read_line(&mut line);
        if read.map_err(|e| Error::Input(format!("standard input: {}", io_text(&e))))? == 0 {
            break;
        }
        let line = line.trim();
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match key {
            "q" => break,
            "n" | "" => (at, fresh) = ((at + 1).min(questions.len()), true),
            "b" => (at, fresh) = (at.saturating_sub(1), true),
            "t" => show(desk.out, &text_of(question, &standing, rest))?,
            "d" => show(desk.out, &changes(question))?,
            "?" => show(desk.out, HELP)?,
            _ => match verdict(question, &standing, key, rest) {
                Err(complaint) => show(desk.out, &format!("{complaint}\n"))?,
                Ok((verdict, text)) => {
                    let row = row(question, desk.reviewer, verdict, text);
                    (desk.write)(&row)?;
                    log.push(row);
                    fresh = true;
                    if matches!(verdict, Verdict::Accept | Verdict::Reject) {
                        at = next_open(questions, &log, at).unwrap_or(questions.len());
                    }
                }
            },
        }
    }
    show(desk.out, &summary(questions, &log))
}

/// What a line means, with its reason or document; or what is wrong with it.
pub(super) fn verdict(
    question: &Question<'_>,
    standing: &Standing,
    key: &str,
    rest: &str,
) -> Result<(Verdict, Option<String>), String> {
    let rest = rest.trim();
    match key {
        "a" => Ok((Verdict::Accept, None)),
        "r" if rest.is_empty() => {
            Err("say why, after the r: r the documents do not decide it".to_owned())
        }
        "r" => Ok((Verdict::Reject, Some(rest.to_owned()))),
        "o" => question.numbered(rest).map(|doc| (Verdict::Article, Some(doc))).ok_or_else(|| {
            format!("say which, after the o: 1 to {}", question.reading.articles.len())
        }),
        "c" => {
            let chosen = question.chosen(standing);
            let first = question.reading.articles.first();
            if chosen != first {
                return Err("the older revision belongs to article 1; run `recount dataset markets bundle` to fetch that of your choice".to_owned());
            }
            question.older().map(|doc| (Verdict::Conflict, Some(doc))).ok_or_else(|| {
                "there is no older revision that differs, so nothing can conflict".to_owned()
            })
        }
        "u" => Ok((Verdict::Undo, None)),
        _ => Err(format!("\"{key}\" is no key here; ? lists them")),
    }
}

/// A row of the log.
pub(super) fn row(
    question: &Question<'_>,
    reviewer: &str,
    verdict: Verdict,
    text: Option<String>,
) -> Review {
    let (reason, document) = match verdict {
        Verdict::Reject => (text, None),
        _ => (None, text),
    };
    Review {
        schema: Review::tag(),
        item_id: question.item_id(),
        reviewer: reviewer.to_owned(),
        verdict,
        reason,
        document,
        at: time::rfc3339(jiff::Timestamp::now().as_second()),
    }
}

/// Ids of the items that nobody has decided.
#[must_use]
pub fn open(questions: &[Question<'_>], log: &[Review]) -> Vec<String> {
    let standings: BTreeMap<_, _> = standings(log);
    let decided = |id: &String| standings.get(id).is_some_and(|s| s.decision.is_some());
    questions.iter().map(Question::item_id).filter(|id| !decided(id)).collect()
}

/// The next open item from `from` on, or else from the beginning.
fn next_open(questions: &[Question<'_>], log: &[Review], from: usize) -> Option<usize> {
    let open = open(questions, log);
    let is_open = |at: &usize| open.contains(&questions[*at].item_id());
    (from..questions.len()).find(is_open).or_else(|| (0..from).find(is_open))
}

/// Shows `text` without control characters: what comes from outside must not steer the terminal.
fn show(out: &mut dyn Write, text: &str) -> Result<(), Error> {
    let text: String = text.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| Error::Input(format!("standard output: {}", io_text(&e))))
}

const HELP: &str = "a accept · r REASON reject · o N another article holds the answer · c the older revision contradicts it
t N whole text · d what changed since the older revision · u undo · n next · b back · q quit\n";

fn screen(
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
        candidate.question,
        candidate.criteria,
        time::rfc3339(candidate.settled),
        if candidate.yes { "YES" } else { "NO" },
        if candidate.disputed { ", after a dispute" } else { "" },
    );
    for (i, article) in question.reading.articles.iter().enumerate() {
        let mark = if Some(article) == chosen { "→" } else { " " };
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{mark} {} {} · revision of {} · {} edits around settlement · search put it {}",
            i + 1,
            article.title,
            time::rfc3339(article.at),
            article.edits,
            article.search_rank
        );
    }
    if let Some(chosen) = chosen {
        text.push('\n');
        for line in chosen.text.lines().take(PREVIEW_LINES) {
            let _ = writeln!(text, "  {line}");
        }
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

fn text_of(question: &Question<'_>, standing: &Standing, number: &str) -> String {
    let wanted = if number.trim().is_empty() {
        question.chosen(standing).map(|t| question.doc(t))
    } else {
        question.numbered(number)
    };
    let found = question.reading.articles.iter().find(|t| Some(question.doc(t)) == wanted);
    found.map_or_else(
        || format!("say which, after the t: 1 to {}\n", question.reading.articles.len()),
        |t| format!("\n{}\n\n{}\n\n", t.title, t.text),
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

fn summary(questions: &[Question<'_>], log: &[Review]) -> String {
    let standings = standings(log);
    let of = |wanted: fn(&Decision) -> bool| {
        let decision = |q: &Question<'_>| standings.get(&q.item_id())?.decision.clone();
        questions.iter().filter_map(decision).filter(wanted).count()
    };
    let accepted = of(|d| *d == Decision::Accepted);
    let rejected = of(|d| matches!(d, Decision::Rejected(_)));
    format!(
        "\n{accepted} accepted, {rejected} rejected, {} open.\n",
        questions.len() - accepted - rejected
    )
}
