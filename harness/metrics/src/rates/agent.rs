//! What agent arms did.

use records::Better;

use super::{Rate, one_if, served::SERVED};
use crate::{scored::Actions, series::Row};

/// True for a row of an agent arm.
pub(super) fn acts(row: &Row<'_>) -> bool {
    row.scored.actions.is_some()
}

fn not_an_agent(row: &Row<'_>) -> Option<&'static str> {
    (!acts(row)).then_some("no_actions_recorded")
}

fn sum_of(row: &Row<'_>, term: fn(&Actions) -> f64) -> f64 {
    row.scored.actions.as_ref().map_or(0.0, term)
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
        numerator: |row, _| sum_of(row, |actions| f64::from(actions.searches)),
        ..ACTING
    },
    Rate {
        metric: "visits_mean",
        unit: "visits",
        numerator: |row, _| sum_of(row, |actions| f64::from(actions.visits)),
        ..ACTING
    },
    Rate {
        metric: "bad_action_rate",
        numerator: |row, _| sum_of(row, |actions| one_if(actions.any_bad)),
        ..ACTING
    },
];
