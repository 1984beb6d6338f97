use std::collections::BTreeMap;

use records::{Review, Verdict};

/// What the review log comes to for one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// Accepted or rejected; None while it is open.
    pub decision: Option<Decision>,
    /// The document that a reviewer chose.
    pub article: Option<String>,
    /// The older revision that contradicts the chosen document.
    pub conflict: Option<String>,
}

/// Whether an item stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It does.
    Accepted,
    /// It does not, for this reason.
    Rejected(String),
}

/// Reads the log from the top: later verdicts count, and an undo takes back the last one on its item that stands.
#[must_use]
pub fn standings(rows: &[Review]) -> BTreeMap<String, Standing> {
    let mut stacks: BTreeMap<&str, Vec<&Review>> = BTreeMap::new();
    for row in rows {
        let stack = stacks.entry(row.item_id.as_str()).or_default();
        match row.verdict {
            Verdict::Undo => {
                stack.pop();
            }
            _ => stack.push(row),
        }
    }
    stacks.into_iter().map(|(id, stack)| (id.to_owned(), standing(&stack))).collect()
}

fn standing(stack: &[&Review]) -> Standing {
    let mut standing = Standing::default();
    for row in stack {
        match row.verdict {
            Verdict::Accept => standing.decision = Some(Decision::Accepted),
            Verdict::Reject => {
                let reason = row.reason.clone().unwrap_or_default();
                standing.decision = Some(Decision::Rejected(reason));
            }
            Verdict::Article => {
                standing.article.clone_from(&row.document);
                // What contradicted the former article says nothing about this one, and neither does a verdict on it.
                standing.conflict = None;
                standing.decision = None;
            }
            Verdict::Conflict => standing.conflict.clone_from(&row.document),
            Verdict::Undo => {}
        }
    }
    standing
}

#[cfg(test)]
pub mod tests {
    use records::Versioned;

    use super::*;

    /// A row of the log.
    pub fn row(item: &str, verdict: Verdict, text: Option<&str>) -> Review {
        Review {
            schema: Review::tag(),
            item_id: item.to_owned(),
            reviewer: "R".to_owned(),
            verdict,
            reason: text.filter(|_| verdict == Verdict::Reject).map(str::to_owned),
            document: text.filter(|_| verdict != Verdict::Reject).map(str::to_owned),
            at: "2026-01-01T00:00:00Z".to_owned(),
        }
    }

    #[test]
    fn later_verdicts_count_and_undo_takes_back_one() {
        let rows = vec![
            row("a", Verdict::Conflict, Some("a-w1")),
            row("a", Verdict::Accept, None),
            row("b", Verdict::Reject, Some("no")),
            row("b", Verdict::Accept, None),
            row("b", Verdict::Undo, None),
            row("c", Verdict::Undo, None),
        ];
        let found = standings(&rows);
        assert_eq!(found["a"].decision, Some(Decision::Accepted));
        assert_eq!(found["a"].conflict.as_deref(), Some("a-w1"));
        assert_eq!(found["b"].decision, Some(Decision::Rejected("no".into())));
        assert_eq!(found["c"], Standing::default());
    }

    #[test]
    fn another_article_opens_the_item_again() {
        let rows = [
            row("a", Verdict::Conflict, Some("old")),
            row("a", Verdict::Accept, None),
            row("a", Verdict::Article, Some("a-w2")),
        ];
        let found = &standings(&rows)["a"];
        assert_eq!((&found.decision, &found.conflict), (&None, &None));
        assert_eq!(found.article.as_deref(), Some("a-w2"));
    }
}
