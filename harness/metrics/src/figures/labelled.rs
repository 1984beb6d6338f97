//! Figures against labels that records do not carry.

use records::Better;

use super::Sheet;

/// Conflicts that answers name can be counted, but a record has no labels to hold them against, so these are withheld
/// with that reason rather than shown as 0 or left out.
pub(super) fn add(sheet: &mut Sheet<'_>) {
    for metric in ["conflict_precision", "conflict_recall"] {
        let figure = sheet.blank(metric, "rate", Better::Higher);
        sheet.push_quality(figure, Err("not_labelled"));
    }
}
