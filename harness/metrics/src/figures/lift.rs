//! What the evidence adds.

use records::{Better, Comparison, Family, Figure};

use super::Sheet;
use crate::{
    comparison::{self, pair},
    resampling::Resampling,
    series::SeriesRows,
};

/// The accuracy of a series minus that of the same model's control arm, on common items, and the comparison that goes
/// with it. No figure for the control itself; withheld where the model has no such arm.
pub(crate) fn lift(
    sheet: &mut Sheet<'_>,
    all: &[SeriesRows<'_>],
    resampling: &mut Resampling<'_>,
) -> Option<Comparison> {
    let (rows, plan) = (sheet.rows, sheet.plan);
    let mut figure: Figure = sheet.blank("evidence_lift", "rate", Better::Higher);
    let arm = plan.control.as_deref();
    if arm == Some(rows.series.arm.as_str()) {
        return None;
    }
    let control = all
        .iter()
        .find(|s| s.series.model == rows.series.model && Some(s.series.arm.as_str()) == arm);
    let Some(control) = control else {
        sheet.push_quality(figure, Err("no_forced_control"));
        return None;
    };
    let paired = pair(rows, control, plan, resampling);
    figure.control = Some(control.series.arm.clone());
    figure.n_rows = paired.n_rows;
    figure.n_items = paired.n_items;
    figure.n_clusters = paired.n_clusters;
    if paired.left_out > 0 {
        figure.excluded.insert("not_in_control".to_owned(), paired.left_out);
    }
    match &paired.outcome {
        Ok(outcome) => {
            figure.interval = Some(outcome.interval.clone());
            sheet.push(figure, Ok(outcome.difference));
        }
        Err(reason) => sheet.push(figure, Err(reason)),
    }
    Some(comparison::publish(&rows.series, &control.series, Family::Lift, &paired))
}
