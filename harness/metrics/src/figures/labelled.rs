//! Figures against labels that nobody has given.

use records::Better;

use super::Sheet;
use crate::rates::has_conflict_labels;

/// Conflicts that answers name can be counted, but without labels there is nothing to hold them against, so these are
/// withheld with that reason rather than shown as 0 or left out. Where there are labels they stand among the rates.
pub(super) fn add(sheet: &mut Sheet<'_>) {
    if has_conflict_labels(&sheet.rows.served) {
        return;
    }
    for metric in ["conflict_precision", "conflict_recall"] {
        let figure = sheet.blank(metric, "rate", Better::Higher);
        sheet.push_quality(figure, Err("not_labelled"));
    }
}
