use std::collections::BTreeMap;

use records::{Review, Verdict};

/// What the review log comes to for one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// Accepted or rejected; None while it is open.
    pub decision: Option<Decision>,
    /// The document that counted as evidence when the item was accepted.
    pub accepted: Option<String>,
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

impl Standing {
    /// The standing of the item as it is now, with `evidence` and with this older revision.
    ///
    /// Other settings can give an item another document, or another older revision. Who accepted it or marked a conflict
    /// has not seen that, so the item is open again.
    #[must_use]
    pub fn of(mut self, evidence: Option<&str>, older: Option<&str>) -> Self {
        let conflict_is_there = self.conflict.is_none() || self.conflict.as_deref() == older;
        let seen = self.accepted.is_some() && self.accepted.as_deref() == evidence;
        if self.decision == Some(Decision::Accepted) && !(seen && conflict_is_there) {
            self.decision = None;
        }
        if !conflict_is_there {
            self.conflict = None;
        }
        self
    }
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
            Verdict::Accept => {
                standing.decision = Some(Decision::Accepted);
                standing.accepted.clone_from(&row.document);
            }
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
    fn what_nobody_has_seen_is_not_accepted() {
        let rows =
            [row("a", Verdict::Conflict, Some("a-w1")), row("a", Verdict::Accept, Some("a-w2"))];
        let standing = |evidence, older| standings(&rows)["a"].clone().of(evidence, older);
        let same = standing(Some("a-w2"), Some("a-w1"));
        assert_eq!(same, standings(&rows)["a"]);
        assert_eq!(standing(Some("a-w3"), Some("a-w1")).decision, None, "other evidence");
        let other = standing(Some("a-w2"), Some("a-w0"));
        assert_eq!((other.decision, other.conflict), (None, None), "another older revision");
        let unsaid = standings(&[row("a", Verdict::Accept, None)])["a"].clone();
        assert_eq!(unsaid.of(Some("a-w2"), None).decision, None, "it does not say what was seen");
        let no = standings(&[row("a", Verdict::Reject, Some("no"))])["a"].clone();
        assert_eq!(no.of(Some("a-w9"), None).decision, Some(Decision::Rejected("no".into())));
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
