//! What agent arms did.

use records::Better;

use super::{Rate, one_if, served::SERVED};
use crate::series::Row;

/// True for a row of an agent arm.
pub(super) fn acts(row: &Row<'_>) -> bool {
    let r = row.record;
    r.searches.is_some() || r.visits.is_some() || r.bad_actions.is_some()
}

fn not_an_agent(row: &Row<'_>) -> Option<&'static str> {
    (!acts(row)).then_some("no_actions_recorded")
}

const ACTING: Rate = Rate {
    better: Better::Lower,
    undefined: "no_actions_recorded",
    denominator: |row, _| one_if(acts(row)),
    excluded: not_an_agent,
    ..SERVED
};

pub(super) const RATES: [Rate; 3] = [
    Rate {
        metric: "searches_mean",
        unit: "searches",
        numerator: |row, _| f64::from(row.record.searches.unwrap_or(0)),
        ..ACTING
    },
    Rate {
        metric: "visits_mean",
        unit: "visits",
        numerator: |row, _| f64::from(row.record.visits.unwrap_or(0)),
        ..ACTING
    },
    Rate {
        metric: "bad_action_rate",
        numerator: |row, _| one_if(row.record.bad_actions.is_some_and(|n| n > 0)),
        ..ACTING
    },
];
