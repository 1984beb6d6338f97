//! The review: a person goes through the items, one a screen, and says of each what stands in `review.jsonl`.

use std::{
    collections::BTreeMap,
    io::{BufRead, Write},
};

use records::{Review, Verdict, Versioned};

use super::{
    articles::Text,
    assemble::{doc_id, item_id, standing_now},
    draw::{Labelled, Place},
    gather::Reading,
    review_view::{self as view, show},
    time,
    verdicts::{Standing, standings},
};
use crate::error::{Error, io_text};

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

    pub(super) fn doc(&self, text: &Text) -> String {
        doc_id(&self.place.candidate_id, text)
    }

    /// What the log says of the item as it is now.
    #[must_use]
    pub fn standing(&self, log: &[Review]) -> Standing {
        self.standing_in(&standings(log))
    }

    /// What these standings say of the item as it is now.
    pub(super) fn standing_in(&self, standings: &BTreeMap<String, Standing>) -> Standing {
        let standing = standings.get(&self.item_id()).cloned().unwrap_or_default();
        standing_now(standing, self.reading)
    }

    /// True when the log has a verdict on the item that stands.
    fn has_verdict(&self, log: &[Review]) -> bool {
        standings(log).remove(&self.item_id()).is_some_and(|s| s != Standing::default())
    }

    /// The document that counts as the one with the answer: a reviewer's choice, or the first.
    pub(super) fn chosen(&self, standing: &Standing) -> Option<&Text> {
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

/// Goes through the items from the first open one until the reviewer quits or the input ends. Every verdict is written
/// down before the next screen, so that quitting at any moment loses nothing. Behind the last item the reviewer can still
/// go back or take back what was said last.
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
    // Whose verdict `u` takes back: the last one given, until the reviewer turns to another item.
    let mut last = None;
    loop {
        let done = questions.len() - open(questions, &log).len();
        let current = questions.get(at).map(|question| (question, question.standing(&log)));
        match &current {
            _ if !fresh => {}
            Some((question, standing)) => {
                show(desk.out, &view::screen(question, standing, at, questions.len(), done))?;
            }
            None => show(desk.out, &view::behind_the_last(questions.len(), done))?,
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
        match (key, &current) {
            ("q", _) => break,
            ("n" | "", Some(_)) => (at, fresh, last) = (at + 1, true, None),
            ("n" | "", None) => {
                (at, fresh, last) = (next_open(questions, &log, 0).unwrap_or(0), true, None);
            }
            ("b", _) => (at, fresh, last) = (at.saturating_sub(1), true, None),
            ("?", _) => show(desk.out, view::HELP)?,
            ("u", _) => {
                let place = last.unwrap_or(at);
                let said = questions.get(place).filter(|q| q.has_verdict(&log));
                let Some(question) = said else {
                    show(
                        desk.out,
                        "nothing was said of this item that could be taken back; b goes to the one before\n",
                    )?;
                    continue;
                };
                let row = row(question, desk.reviewer, Verdict::Undo, None);
                (desk.write)(&row)?;
                log.push(row);
                (at, fresh, last) = (place, true, None);
            }
            (_, None) => show(desk.out, "this is behind the last item; b goes back, q quits\n")?,
            ("t", Some((question, standing))) => {
                show(desk.out, &view::text_of(question, standing, rest))?;
            }
            ("k", Some((question, _))) => show(desk.out, &view::criteria(question))?,
            ("d", Some((question, _))) => show(desk.out, &view::changes(question))?,
            (_, Some((question, standing))) => match verdict(question, standing, key, rest) {
                Err(complaint) => show(desk.out, &format!("{complaint}\n"))?,
                Ok((verdict, text)) => {
                    let row = row(question, desk.reviewer, verdict, text);
                    (desk.write)(&row)?;
                    log.push(row);
                    (fresh, last) = (true, Some(at));
                    if matches!(verdict, Verdict::Accept | Verdict::Reject) {
                        at = next_open(questions, &log, at).unwrap_or(questions.len());
                    }
                }
            },
        }
    }
    show(desk.out, &view::summary(questions, &log))
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
        "a" => Ok((Verdict::Accept, question.chosen(standing).map(|t| question.doc(t)))),
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
    let standings = standings(log);
    let is_open = |q: &&Question<'_>| q.standing_in(&standings).decision.is_none();
    questions.iter().filter(is_open).map(Question::item_id).collect()
}

/// The next open item from `from` on, or else from the beginning.
fn next_open(questions: &[Question<'_>], log: &[Review], from: usize) -> Option<usize> {
    let open = open(questions, log);
    let is_open = |at: &usize| open.contains(&questions[*at].item_id());
    (from..questions.len()).find(is_open).or_else(|| (0..from).find(is_open))
}
