//! Conflicts that answers name, against those that a person found.

use std::collections::BTreeSet;

use records::{Better, Conflict};

use super::{Rate, served::SERVED};
use crate::series::Row;

/// True for a row whose item somebody has labelled, be it with no conflict at all.
pub(super) fn is_labelled(row: &Row<'_>) -> bool {
    row.record.conflict_labels.is_some()
}

fn in_order([a, b]: &Conflict) -> (&str, &str) {
    if a <= b { (a, b) } else { (b, a) }
}

/// Distinct pairs, whichever way round they were written.
fn pairs(conflicts: &[Conflict]) -> BTreeSet<(&str, &str)> {
    conflicts.iter().map(in_order).collect()
}

fn named<'a>(row: &'a Row<'_>) -> BTreeSet<(&'a str, &'a str)> {
    pairs(&row.record.conflicts)
}

fn labels<'a>(row: &'a Row<'_>) -> BTreeSet<(&'a str, &'a str)> {
    pairs(row.record.conflict_labels.as_deref().unwrap_or_default())
}

fn not_labelled(row: &Row<'_>) -> Option<&'static str> {
    (!is_labelled(row)).then_some("not_labelled")
}

const LABELLED: Rate = Rate {
    better: Better::Higher,
    numerator: |row, _| named(row).intersection(&labels(row)).count() as f64,
    excluded: not_labelled,
    ..SERVED
};

/// Precision and recall over all pairs of all labelled rows together, so that a row with many pairs counts for more.
pub(super) const RATES: [Rate; 2] = [
    Rate {
        metric: "conflict_precision",
        undefined: "no_conflict_named",
        denominator: |row, _| if is_labelled(row) { named(row).len() as f64 } else { 0.0 },
        ..LABELLED
    },
    Rate {
        metric: "conflict_recall",
        undefined: "no_conflict_labelled",
        denominator: |row, _| labels(row).len() as f64,
        ..LABELLED
    },
];
