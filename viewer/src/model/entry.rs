use records::{Comparison, Figure, Reliability, Results};
use serde_json::{Value, json};

use crate::format;

/// Most fields of one entry that the page lists.
const MAX_FIELDS: usize = 300;

/// An entry of a results file: what one verdict is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Entry<'a> {
    /// One number with its interval and counts.
    Figure(&'a Figure),
    /// A reliability diagram.
    Reliability(&'a Reliability),
    /// A comparison of two series.
    Comparison(&'a Comparison),
    /// The counts of the log's rows.
    Rows(&'a records::RowCounts),
    /// Signature, plan, names and versions.
    Signature(&'a Results),
}

/// Id of the entry that holds the log's row counts.
pub const ROWS_ID: &str = "inputs.rows";
/// Id of the entry that holds signature, plan, names and versions.
pub const SIGNATURE_ID: &str = "signature";

impl Entry<'_> {
    /// The entry as its JSON.
    #[must_use]
    pub fn json(self) -> Value {
        let json = match self {
            Self::Figure(f) => serde_json::to_value(f),
            Self::Reliability(r) => serde_json::to_value(r),
            Self::Comparison(c) => serde_json::to_value(c),
            Self::Rows(r) => serde_json::to_value(r),
            Self::Signature(r) => serde_json::to_value(&r.plan).map(|plan| {
                json!({
                    "signature": r.signature, "schema": r.schema,
                    "metrics_version": r.metrics_version, "run_id": r.run_id,
                    "dataset_id": r.dataset_id, "title": r.title, "plan": plan,
                })
            }),
        };
        json.unwrap_or(Value::Null)
    }
}

/// The entry called `id`, the first one if there are several.
#[must_use]
pub fn find<'a>(results: &'a Results, id: &str) -> Option<Entry<'a>> {
    if id == ROWS_ID {
        return Some(Entry::Rows(&results.inputs.rows));
    }
    if id == SIGNATURE_ID {
        return Some(Entry::Signature(results));
    }
    let figure = || results.figures.iter().find(|f| f.id == id).map(Entry::Figure);
    let diagram = || results.reliability.iter().find(|r| r.id == id).map(Entry::Reliability);
    let comparison = || results.comparisons.iter().find(|c| c.id == id).map(Entry::Comparison);
    figure().or_else(diagram).or_else(comparison)
}

/// One field of an entry, published beside recomputed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldRow {
    /// Path of the field.
    pub path: String,
    /// As published, in full precision; `None` when it is not there.
    pub published: Option<String>,
    /// As recomputed; `None` when it is not there.
    pub recomputed: Option<String>,
}

impl FieldRow {
    /// True when both are there and the same to the last digit.
    #[must_use]
    pub fn same(&self) -> bool {
        self.published.is_some() && self.published == self.recomputed
    }
}

/// Every field of an entry in full precision, published beside recomputed, the unequal ones first, and how many were left out for length.
#[must_use]
pub fn fields(
    published: Option<Entry<'_>>,
    recomputed: Option<Entry<'_>>,
) -> (Vec<FieldRow>, usize) {
    let flat = |entry: Option<Entry<'_>>| {
        let mut out = Vec::new();
        if let Some(entry) = entry {
            flatten("", &entry.json(), &mut out);
        }
        out
    };
    let (left, right) = (flat(published), flat(recomputed));
    let mut rows: Vec<FieldRow> = Vec::new();
    let find = |list: &[(String, String)], path: &str| {
        list.iter().find(|(p, _)| p == path).map(|(_, v)| v.clone())
    };
    for (path, value) in &left {
        rows.push(FieldRow {
            path: path.clone(),
            published: Some(value.clone()),
            recomputed: find(&right, path),
        });
    }
    for (path, value) in right {
        if !left.iter().any(|(p, _)| *p == path) {
            rows.push(FieldRow { path, published: None, recomputed: Some(value) });
        }
    }
    rows.sort_by_key(|r| (r.same(), place(&r.path)));
    let left_out = rows.len().saturating_sub(MAX_FIELDS);
    rows.truncate(MAX_FIELDS);
    (rows, left_out)
}

/// Where a field stands in the list: first what was measured, then what it rests on, last what merely names it.
fn place(path: &str) -> usize {
    const NAMES: [&str; 13] = [
        "id", "metric", "model", "arm", "slice", "control", "unit", "better", "family", "a.", "b.",
        "schema", "title",
    ];
    const FIRST: [&str; 4] = ["value", "difference", "ece", "signature"];
    if FIRST.contains(&path) {
        0
    } else if path.starts_with("interval") {
        1
    } else if NAMES.iter().any(|n| path == *n || (n.ends_with('.') && path.starts_with(n))) {
        3
    } else {
        2
    }
}

fn flatten(path: &str, value: &Value, out: &mut Vec<(String, String)>) {
    if out.len() > 4 * MAX_FIELDS {
        return;
    }
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, inner) in map {
                let key = format::cut(key, 60);
                let path = if path.is_empty() { key } else { format!("{path}.{key}") };
                flatten(&path, inner, out);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (i, inner) in list.iter().enumerate() {
                flatten(&format!("{path}[{i}]"), inner, out);
            }
        }
        leaf => out.push((path.to_owned(), format::json(leaf))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn every_kind_of_entry_is_found_by_its_id() {
        let results = example::results();
        assert!(matches!(find(&results, "alpha/a0/accuracy"), Some(Entry::Figure(_))));
        assert!(matches!(
            find(&results, "alpha/a0/reliability_quantile_5"),
            Some(Entry::Reliability(_))
        ));
        assert!(matches!(
            find(&results, "alpha/a0~alpha/closed_book_forced"),
            Some(Entry::Comparison(_))
        ));
        assert!(matches!(find(&results, ROWS_ID), Some(Entry::Rows(_))));
        assert!(matches!(find(&results, SIGNATURE_ID), Some(Entry::Signature(_))));
        assert_eq!(find(&results, "nothing"), None);
    }

    #[test]
    fn a_changed_digit_shows_in_its_field_alone() {
        let results = example::results();
        let mut changed = results.figures[2].clone();
        changed.value = changed.value.map(|v| v + f64::EPSILON);
        let (rows, _) =
            fields(Some(Entry::Figure(&results.figures[2])), Some(Entry::Figure(&changed)));
        let other: Vec<_> = rows.iter().filter(|r| !r.same()).map(|r| r.path.as_str()).collect();
        assert_eq!(other, ["value"]);
    }

    #[test]
    fn a_missing_side_is_not_called_the_same() {
        let results = example::results();
        let (rows, _) = fields(Some(Entry::Figure(&results.figures[2])), None);
        assert!(rows.iter().all(|r| !r.same() && r.recomputed.is_none()));
    }
}
