//! What a search found and what it took: shown only for runs whose arms retrieve or act.

use records::{Figure, Results};
use serde_json::{Value, json};

use super::{metric, sheet::Sheet};
use crate::format;

/// Figures of arms that retrieve documents.
const RETRIEVAL: [&str; 8] = [
    "hit_at_1",
    "hit_at_3",
    "hit_at_5",
    "hit_at_10",
    "mrr_at_1",
    "mrr_at_3",
    "mrr_at_5",
    "mrr_at_10",
];
/// Figures of arms that act.
const SEARCH: [&str; 3] = ["searches_mean", "visits_mean", "bad_action_rate"];
/// Most rows.
const MAX_ROWS: usize = 200;

/// Which of the two views.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Documents found by a query.
    Retrieval,
    /// Actions of an agent.
    Search,
}

impl Kind {
    fn metrics(self) -> &'static [&'static str] {
        match self {
            Self::Retrieval => &RETRIEVAL,
            Self::Search => &SEARCH,
        }
    }

    /// The letter before the number in an arm's name: `k` documents, budget `b`.
    fn letter(self) -> char {
        match self {
            Self::Retrieval => 'k',
            Self::Search => 'b',
        }
    }
}

/// One arm.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Model, arm and slice.
    pub label: String,
    /// The number in the arm's name: documents shown, or actions allowed.
    pub size: Option<u32>,
    /// Accuracy first, then the view's own figures; id and value, `None` where there is no such figure.
    pub cells: Vec<Option<(String, Option<f64>)>>,
}

/// Names of the columns after model and size.
#[must_use]
pub fn columns(kind: Kind) -> Vec<String> {
    let named = |name: &&str| metric::label(name);
    std::iter::once("accuracy".to_owned()).chain(kind.metrics().iter().map(named)).collect()
}

/// The arms that have such figures, whole data set first, then its slices; empty when the run has none.
#[must_use]
pub fn rows(results: &Results, kind: Kind) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut seen: Vec<(&str, &str, Option<&str>)> = Vec::new();
    for f in results.figures.iter().filter(|f| kind.metrics().contains(&f.metric.as_str())) {
        let key = (f.model.as_str(), f.arm.as_str(), f.slice.as_deref());
        if rows.len() < MAX_ROWS && !seen.contains(&key) {
            seen.push(key);
            rows.push(row(results, f, kind));
        }
    }
    rows
}

fn row(results: &Results, of: &Figure, kind: Kind) -> Row {
    let cell = |name: &str| {
        let same = |f: &&Figure| {
            f.metric == name && f.model == of.model && f.arm == of.arm && f.slice == of.slice
        };
        results.figures.iter().find(same).map(|f| (f.id.clone(), f.value))
    };
    let slice = of.slice.as_deref().map(|s| format!(" · {}", format::cut(s, 40)));
    Row {
        label: format!(
            "{} · {}{}",
            format::cut(&of.model, 40),
            format::cut(&of.arm, 40),
            slice.unwrap_or_default()
        ),
        size: size(&of.arm, kind.letter()),
        cells: std::iter::once("accuracy")
            .chain(kind.metrics().iter().copied())
            .map(cell)
            .collect(),
    }
}

/// The number behind `_k` or `_b` in an arm's name.
fn size(arm: &str, letter: char) -> Option<u32> {
    arm.rsplit('_').find_map(|part| part.strip_prefix(letter)?.parse().ok())
}

/// The view as a table for export.
#[must_use]
pub fn table(results: &Results, kind: Kind) -> Sheet {
    let mut head = vec!["series".to_owned(), "size".to_owned()];
    head.extend(columns(kind));
    let value = |c: &Option<(String, Option<f64>)>| {
        c.as_ref().map_or(Value::Null, |(_, value)| json!(value))
    };
    let row = |r: &Row| {
        let own = [json!(r.label), json!(r.size)];
        own.into_iter().chain(r.cells.iter().map(value)).collect()
    };
    Sheet { head, rows: rows(results, kind).iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn a_run_without_such_arms_has_no_such_view() {
        assert!(rows(&example::results(), Kind::Retrieval).is_empty());
        assert!(rows(&example::results(), Kind::Search).is_empty());
    }

    #[test]
    fn an_arm_that_retrieves_is_one_row_with_its_size() {
        let mut results = example::results();
        for metric in ["accuracy", "hit_at_1", "hit_at_10"] {
            let figure = example::figure("alpha", "retrieval_bm25_k5", metric, Some((3.0, 4.0)));
            results.figures.push(figure);
        }
        let rows = rows(&results, Kind::Retrieval);
        assert_eq!((rows.len(), rows[0].size), (1, Some(5)));
        let there = rows[0].cells.iter().filter(|c| c.is_some()).count();
        assert_eq!(there, 3);
        let table = table(&results, Kind::Retrieval);
        assert_eq!(table.rows[0].len(), table.head.len());
        assert_eq!(size("search_b4", 'b'), Some(4));
        assert_eq!(size("a0", 'k'), None);
    }
}
