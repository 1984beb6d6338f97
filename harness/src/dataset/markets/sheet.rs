//! The review on paper: `review-sheet.md` is printed or filled in with an editor, and read back into `review.jsonl`.

use std::fmt::Write as _;

use records::{Review, Verdict};

use super::{
    review::{Question, row, verdict},
    review_view::{changes, is_harmless},
    time,
    verdicts::{Decision, Standing, standings},
    wiki::Site,
};

/// The boxes of an item, and the key of the terminal review that each stands for.
const BOXES: [(&str, &str); 4] = [
    ("other article, number:", "o"),
    ("conflict: the older revision contradicts article 1", "c"),
    ("accept", "a"),
    ("reject, because:", "r"),
];

/// The sheet of these items, with the boxes empty. What the log says of an item already stands beside it.
#[must_use]
pub fn write(questions: &[Question<'_>], site: &Site, dataset_id: &str, log: &[Review]) -> String {
    let known = standings(log);
    let mut text = format!(
        "# Review sheet of {dataset_id}\n\nFor each item: does the text that article 1 had at settlement decide the question as it settled, by its criteria?\nPut an x into the boxes that apply, and give a reason for a rejection. When another article holds the answer, give its\nnumber. Mark a conflict when the older revision states something else, and not when it merely says less. Write a reason on\none line.\n\nRead it back with `recount dataset markets sheet DIR --read review-sheet.md --reviewer NAME`.\n"
    );
    for question in questions {
        let candidate = &question.labelled.candidate;
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "\n---\n\n## {}\n\n**{}**\n\n{}\n\nSettled {} as **{}**{} · {} · {} · {}\n\n",
            question.item_id(),
            inert(&candidate.question),
            quoted(&candidate.criteria),
            time::rfc3339(candidate.settled),
            if candidate.yes { "YES" } else { "NO" },
            if candidate.disputed { ", after a dispute" } else { "" },
            question.place.set,
            question.labelled.difficulty.name(),
            question.labelled.domain,
        );
        for (i, article) in question.reading.articles.iter().enumerate() {
            let _ = writeln!(
                text,
                "{}. {}, revision of {}, edits around settlement: {}: <{}>",
                i + 1,
                inert(&article.title),
                time::rfc3339(article.at),
                article.edits,
                site.permalink(&article.title, article.revid)
            );
        }
        if let Some(first) = question.reading.articles.first() {
            let _ = write!(text, "\n{}\n", quoted(&first.text));
        }
        if question.reading.older.is_some() {
            let _ = write!(
                text,
                "\nSince the older revision:\n\n{}\n",
                quoted(changes(question).trim())
            );
        }
        match question.standing_in(&known).decision {
            Some(Decision::Accepted) => text.push_str("\nAccepted already.\n"),
            Some(Decision::Rejected(reason)) => {
                let _ = write!(text, "\nRejected already: {}\n", inert(&reason));
            }
            None => {}
        }
        text.push('\n');
        for (label, _) in BOXES {
            let _ = writeln!(text, "- [ ] {label} ");
        }
    }
    text
}

/// What a filled sheet says, as rows for the log, in the order of the sheet; or what is wrong with it, line by line.
/// What the log says already is not said again, so that a sheet can be read twice.
///
/// # Errors
/// The lines that cannot be understood, each with its number.
pub fn read(
    sheet: &str,
    questions: &[Question<'_>],
    log: &[Review],
    reviewer: &str,
) -> Result<Vec<Review>, Vec<String>> {
    let known = standings(log);
    let (mut rows, mut problems): (Vec<Review>, Vec<String>) = (Vec::new(), Vec::new());
    let mut current: Option<&Question<'_>> = None;
    for (number, line) in sheet.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end())) {
        if let Some(id) = line.strip_prefix("## ") {
            current = questions.iter().find(|q| q.item_id() == id.trim());
            if current.is_none() {
                problems.push(format!(
                    "line {number}: {id} is not in the draw any more; make a new sheet"
                ));
            }
            continue;
        }
        let Some(marked) = marked(line) else {
            problems.extend(unclear(line).map(|text| format!("line {number}: {text}")));
            continue;
        };
        let found = BOXES.iter().find_map(|(label, key)| Some((*key, marked.strip_prefix(label)?)));
        let (Some(question), Some((key, rest))) = (current, found) else {
            if current.is_some() {
                problems.push(format!("line {number}: `{marked}` is none of the boxes"));
            }
            continue;
        };
        let id = question.item_id();
        let so_far = question.standing(&[log, &rows].concat());
        match verdict(question, &so_far, key, rest) {
            Ok((verdict, text)) => {
                if !says(&question.standing_in(&known), verdict, text.as_deref()) {
                    rows.push(row(question, reviewer, verdict, text));
                }
            }
            Err(complaint) => problems.push(format!("line {number}, {id}: {complaint}")),
        }
    }
    for question in questions {
        let decisions = rows.iter().filter(|r| {
            r.item_id == question.item_id()
                && matches!(r.verdict, Verdict::Accept | Verdict::Reject)
        });
        if decisions.count() > 1 {
            problems.push(format!("{}: is accepted and rejected", question.item_id()));
        }
    }
    if problems.is_empty() { Ok(rows) } else { Err(problems) }
}

/// True when the sheet has a mark in any box, so that somebody's work would be lost with it.
#[must_use]
pub fn is_filled(sheet: &str) -> bool {
    sheet.lines().any(|line| marked(line).is_some() || unclear(line).is_some())
}

/// What stands behind a box with an x in it.
fn marked(line: &str) -> Option<&str> {
    let inside = box_of(line)?;
    inside.0.eq_ignore_ascii_case("x").then_some(inside.1)
}

/// What is wrong with a line that somebody seems to have written into a box.
fn unclear(line: &str) -> Option<String> {
    let (inside, rest) = box_of(line)?;
    if !inside.is_empty() {
        return Some(format!("`[{inside}]` is neither an empty box nor one with an x"));
    }
    let written = BOXES.iter().find_map(|(label, _)| rest.strip_prefix(label))?.trim();
    (!written.is_empty()).then(|| format!("`{written}` stands beside a box without an x"))
}

/// What stands in the box of a line, and what behind it; None for a line without a box. An editor may have changed the
/// spaces and the bullet.
fn box_of(line: &str) -> Option<(&str, &str)> {
    let item = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start();
    let (inside, rest) = item.strip_prefix('[')?.split_once(']')?;
    Some((inside.trim(), rest.trim()))
}

/// True when the log comes to this verdict already.
fn says(standing: &Standing, verdict: Verdict, text: Option<&str>) -> bool {
    match verdict {
        Verdict::Accept => standing.decision == Some(Decision::Accepted),
        Verdict::Reject => {
            standing.decision == Some(Decision::Rejected(text.unwrap_or_default().to_owned()))
        }
        Verdict::Article => standing.article.as_deref() == text,
        Verdict::Conflict => standing.conflict.as_deref() == text,
        Verdict::Undo => false,
    }
}

/// Text from outside as a quotation, so that nothing of it reads as a heading or a box of the sheet.
fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {}", inert(line))).collect::<Vec<_>>().join("\n")
}

fn inert(text: &str) -> String {
    text.replace(['\n', '\r'], " ").chars().filter(|c| is_harmless(*c)).collect()
}
