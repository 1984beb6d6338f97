//! The review on paper: `review-sheet.md` is printed or filled in with an editor, and read back into `review.jsonl`.

use std::fmt::Write as _;

use records::{Review, Verdict};

use super::{
    review::{Question, changes, row, verdict},
    time,
    verdicts::{Standing, standings},
    wiki::Site,
};

/// The boxes of an item, and the key of the terminal review that each stands for.
const BOXES: [(&str, &str); 4] = [
    ("other article, number:", "o"),
    ("conflict: the older revision contradicts article 1", "c"),
    ("accept", "a"),
    ("reject, because:", "r"),
];

/// The sheet of these items, with the boxes empty.
#[must_use]
pub fn write(questions: &[Question<'_>], site: &Site, dataset_id: &str) -> String {
    let mut text = format!(
        "# Review sheet of {dataset_id}\n\nFor each item: does the text that article 1 had at settlement decide the question as it settled, by its criteria?\nPut an x into the boxes that apply, and give a reason for a rejection. When another article holds the answer, give its\nnumber. Mark a conflict when the older revision states something else, and not when it merely says less.\n\nRead it back with `recount dataset markets sheet DIR --read review-sheet.md --reviewer NAME`.\n"
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
                "{}. {}, revision of {}, {} edits around settlement: <{}>",
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
        let Some(marked) = ["- [x]", "- [X]"].iter().find_map(|m| line.strip_prefix(m)) else {
            continue;
        };
        let marked = marked.trim();
        let found = BOXES.iter().find_map(|(label, key)| Some((*key, marked.strip_prefix(label)?)));
        let (Some(question), Some((key, rest))) = (current, found) else {
            if current.is_some() {
                problems.push(format!("line {number}: `{marked}` is none of the boxes"));
            }
            continue;
        };
        let id = question.item_id();
        let so_far = standings(&[log, &rows].concat()).remove(&id).unwrap_or_default();
        match verdict(question, &so_far, key, rest) {
            Ok((verdict, text)) => {
                if !says(known.get(&id), verdict, text.as_deref()) {
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

/// True when the log comes to this verdict already.
fn says(standing: Option<&Standing>, verdict: Verdict, text: Option<&str>) -> bool {
    use super::verdicts::Decision;
    let Some(standing) = standing else { return false };
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
    text.replace(['\n', '\r'], " ")
}
