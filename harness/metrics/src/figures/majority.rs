//! Accuracy by item instead of by row.

use bootstrap::divide;
use records::{Better, Interval};

use super::Sheet;
use crate::stats::wilson;

/// Name of the interval method and its version.
const METHOD: &str = "wilson/1";

/// Items that are right in more than half of their served repeats. The Wilson interval counts items, not rows, and
/// does not collapse at 0 and 1 as a percentile interval does.
pub(super) fn add(sheet: &mut Sheet<'_>) {
    let right = sheet.rows.served.majority().into_iter().filter(|right| *right).count() as u64;
    let (items, level) = (sheet.rows.n_items, sheet.plan.confidence_level);
    let mut figure = sheet.blank("majority_accuracy", "rate", Better::Higher);
    (figure.numerator, figure.denominator) = (Some(right as f64), Some(items as f64));
    figure.interval = wilson(right, items, level).map(|(lower, upper)| Interval {
        lower: Some(lower),
        upper: Some(upper),
        level,
        method: METHOD.to_owned(),
        n_resamples: None,
        undefined_resamples: None,
        withheld: None,
    });
    sheet.push_quality(figure, divide(right as f64, items as f64).ok_or("no_served_rows"));
}
