//! Conflicts that answers name, against those that a person found.

use records::Better;

use super::{Rate, served::SERVED};
use crate::{scored::Conflicts, series::Row};

/// True for a row whose item somebody has labelled, be it with no conflict at all.
pub(super) fn is_labelled(row: &Row<'_>) -> bool {
    row.scored.conflicts.is_some()
}

fn not_labelled(row: &Row<'_>) -> Option<&'static str> {
    (!is_labelled(row)).then_some("not_labelled")
}

fn number_of(row: &Row<'_>, pairs: fn(&Conflicts) -> u32) -> f64 {
    row.scored.conflicts.as_ref().map_or(0.0, |conflicts| f64::from(pairs(conflicts)))
}

const LABELLED: Rate = Rate {
    better: Better::Higher,
    numerator: |row, _| number_of(row, |pairs| pairs.both),
    excluded: not_labelled,
    ..SERVED
};

/// Precision and recall over all pairs of all labelled rows together, so that a row with many pairs counts for more.
pub(super) const RATES: [Rate; 2] = [
    Rate {
        metric: "conflict_precision",
        undefined: "no_conflict_named",
        denominator: |row, _| number_of(row, |pairs| pairs.named),
        ..LABELLED
    },
    Rate {
        metric: "conflict_recall",
        undefined: "no_conflict_labelled",
        denominator: |row, _| number_of(row, |pairs| pairs.labelled),
        ..LABELLED
    },
];
