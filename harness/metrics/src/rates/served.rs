//! Rates over served rows.

use records::{Better, Status};

use super::{Context, Rate, nothing, one_if};
use crate::series::Row;

pub(super) fn every_row(_: &Row<'_>, _: &Context) -> f64 {
    1.0
}

fn correct(row: &Row<'_>, _: &Context) -> f64 {
    one_if(row.scored.is_correct)
}

fn has_status<const STATUS: u8>(row: &Row<'_>, _: &Context) -> f64 {
    one_if(row.scored.status as u8 == STATUS)
}

fn confident(row: &Row<'_>, context: &Context) -> f64 {
    one_if(row.scored.confidence.is_some_and(|c| c >= context.confident_threshold))
}

fn predicted(row: &Row<'_>, _: &Context) -> f64 {
    one_if(row.scored.prediction.is_some())
}

fn squared_error(row: &Row<'_>, _: &Context) -> f64 {
    row.scored.prediction.map_or(0.0, |p| {
        let error = p.predicted - one_if(p.happened);
        error * error
    })
}

fn cited(row: &Row<'_>, _: &Context) -> f64 {
    f64::from(row.scored.cited)
}

fn cited_and_known(row: &Row<'_>, _: &Context) -> f64 {
    f64::from(row.scored.cited_and_known)
}

/// Why a row has no predicted probability.
pub(crate) fn no_prediction(row: &Row<'_>) -> Option<&'static str> {
    match (row.scored.prediction, row.scored.status) {
        (Some(_), _) => None,
        (None, Status::Answered) => Some("no_confidence"),
        (None, _) => Some("not_answered"),
    }
}

/// What most rates have in common.
pub(super) const SERVED: Rate = Rate {
    metric: "",
    better: Better::None,
    unit: "rate",
    undefined: "no_served_rows",
    numerator: correct,
    denominator: every_row,
    excluded: nothing,
};

/// Accuracy alone, for lifts and comparisons.
pub(crate) const ACCURACY: Rate = Rate { metric: "accuracy", better: Better::Higher, ..SERVED };

/// The rates of every series, in the order of the table.
pub(super) const RATES: [Rate; 10] = [
    ACCURACY,
    Rate {
        metric: "accuracy_when_answered",
        better: Better::Higher,
        undefined: "no_answered_rows",
        denominator: has_status::<{ Status::Answered as u8 }>,
        ..SERVED
    },
    Rate {
        metric: "abstention_rate",
        numerator: has_status::<{ Status::Abstained as u8 }>,
        ..SERVED
    },
    Rate {
        metric: "brier",
        better: Better::Lower,
        unit: "score",
        undefined: "no_predicted_rows",
        numerator: squared_error,
        denominator: predicted,
        excluded: no_prediction,
    },
    Rate {
        metric: "confident_wrong_rate",
        better: Better::Lower,
        undefined: "no_confident_rows",
        numerator: |row, _| one_if(!row.scored.is_correct),
        denominator: confident,
        ..SERVED
    },
    Rate {
        metric: "citation_grounding_rate",
        better: Better::Higher,
        undefined: "nothing_cited",
        numerator: cited_and_known,
        denominator: cited,
        ..SERVED
    },
    Rate {
        metric: "schema_ok_rate",
        better: Better::Higher,
        numerator: |row, _| one_if(row.scored.schema_ok),
        ..SERVED
    },
    Rate {
        metric: "repair_rate",
        better: Better::Lower,
        numerator: |row, _| one_if(row.scored.repaired),
        ..SERVED
    },
    Rate {
        metric: "hard_fail_rate",
        better: Better::Lower,
        numerator: has_status::<{ Status::HardFail as u8 }>,
        ..SERVED
    },
    Rate {
        metric: "refusal_rate",
        better: Better::Lower,
        numerator: has_status::<{ Status::Refused as u8 }>,
        ..SERVED
    },
];
