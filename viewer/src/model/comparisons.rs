use records::{Comparison, Family, Results, Series};
use serde_json::json;

use super::{reason, sheet::Sheet};
use crate::format;

/// Most rows that the page draws.
const MAX_ROWS: usize = 300;

/// How large a difference is beside what this many items could show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Smaller than the minimum detectable effect.
    NotAResult,
    /// At least as large.
    Detectable,
    /// Nobody knows: no item tells the two apart.
    Unknown,
    /// There is no difference to read.
    Withheld,
}

impl Reading {
    /// The words of the table.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::NotAResult => "not a result",
            Self::Detectable => "large enough to detect",
            Self::Unknown => "no item tells them apart",
            Self::Withheld => "withheld",
        }
    }
}

/// One comparison as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Id of the entry.
    pub id: String,
    /// First series.
    pub a: String,
    /// Second series.
    pub b: String,
    /// Common items.
    pub items: String,
    /// Right in both, only the first, only the second, neither; `None` when withheld.
    pub table: Option<[String; 4]>,
    /// Difference of accuracies, or a dash.
    pub difference: String,
    /// Its interval.
    pub interval: Option<String>,
    /// Exact p.
    pub p_value: String,
    /// Holm-adjusted p.
    pub p_holm: String,
    /// Minimum detectable effect.
    pub detectable: String,
    /// What may be read from it.
    pub reading: Reading,
    /// Why it is withheld.
    pub withheld: Option<String>,
}

/// The comparisons of one family and how many were left out for length.
#[must_use]
pub fn rows(results: &Results, family: Family) -> (Vec<Row>, usize) {
    let all = results.comparisons.iter().filter(|c| c.family == family);
    let total = all.clone().count();
    let rows: Vec<_> = all.take(MAX_ROWS).map(|c| row(results, c)).collect();
    let hidden = total - rows.len();
    (rows, hidden)
}

fn row(results: &Results, c: &Comparison) -> Row {
    let series =
        |s: &Series| format!("{} · {}", format::cut(&s.model, 40), format::cut(&s.arm, 30));
    let or_dash = |v: Option<f64>, f: fn(f64) -> String| v.map_or_else(|| format::DASH.into(), f);
    let cells = [c.both, c.only_a, c.only_b, c.neither];
    let complete = cells.iter().all(Option::is_some);
    Row {
        id: c.id.clone(),
        a: series(&c.a),
        b: series(&c.b),
        items: format::count(c.n_items),
        table: complete.then(|| cells.map(|n| format::count(n.unwrap_or(0)))),
        difference: or_dash(c.difference, format::signed),
        interval: c
            .interval
            .as_ref()
            .and_then(|i| Some((i.lower?, i.upper?)))
            .map(|(l, u)| format!("{} to {}", format::signed(l), format::signed(u))),
        p_value: or_dash(c.p_value, format::p_value),
        p_holm: or_dash(c.p_holm, format::p_value),
        detectable: or_dash(c.minimum_detectable_effect, format::decimals),
        reading: match (c.difference, c.is_result) {
            (None, _) => Reading::Withheld,
            (_, Some(true)) => Reading::Detectable,
            (_, Some(false)) => Reading::NotAResult,
            (_, None) => Reading::Unknown,
        },
        withheld: c.withheld.as_deref().map(|code| reason::withheld(code, &results.plan)),
    }
}

/// The comparisons of one family in full precision.
#[must_use]
pub fn table(results: &Results, family: Family) -> Sheet {
    let mut sheet = Sheet::new(&[
        "id",
        "a",
        "b",
        "items",
        "difference",
        "lower",
        "upper",
        "p",
        "p_holm",
        "minimum_detectable_effect",
        "is_result",
        "both",
        "only_a",
        "only_b",
        "neither",
        "withheld",
    ]);
    for c in results.comparisons.iter().filter(|c| c.family == family) {
        let ends = c.interval.as_ref().map(|i| (i.lower, i.upper)).unwrap_or_default();
        sheet.rows.push(vec![
            json!(c.id),
            json!(format!("{}/{}", c.a.model, c.a.arm)),
            json!(format!("{}/{}", c.b.model, c.b.arm)),
            json!(c.n_items),
            json!(c.difference),
            json!(ends.0),
            json!(ends.1),
            json!(c.p_value),
            json!(c.p_holm),
            json!(c.minimum_detectable_effect),
            json!(c.is_result),
            json!(c.both),
            json!(c.only_a),
            json!(c.only_b),
            json!(c.neither),
            json!(c.withheld),
        ]);
    }
    sheet
}

/// Most series on a side of the matrix.
const MAX_SIDE: usize = 12;

/// The planned differences as a matrix, row minus column; `None` when fewer than three series are compared, which a
/// list shows better.
#[must_use]
pub fn matrix(results: &Results) -> Option<Matrix> {
    let planned = || results.comparisons.iter().filter(|c| c.family == Family::Plan);
    let mut series: Vec<&Series> = Vec::new();
    for s in planned().flat_map(|c| [&c.a, &c.b]) {
        if series.len() < MAX_SIDE && !series.contains(&s) {
            series.push(s);
        }
    }
    let cell = |row: &Series, column: &Series| {
        let direct = planned().find(|c| c.a == *row && c.b == *column);
        let turned = || planned().find(|c| c.a == *column && c.b == *row);
        let (found, sign) = direct.map(|c| (c, 1.0)).or_else(|| turned().map(|c| (c, -1.0)))?;
        let text =
            found.difference.map_or_else(|| format::DASH.into(), |d| format::signed(d * sign));
        Some(MatrixCell { id: found.id.clone(), text, result: found.is_result == Some(true) })
    };
    let rows = series.iter().map(|r| series.iter().map(|c| cell(r, c)).collect()).collect();
    (series.len() > 2).then(|| Matrix {
        heads: series
            .iter()
            .map(|s| (format::cut(&s.model, 40), format::cut(&s.arm, 30)))
            .collect(),
        rows,
    })
}

/// Differences of every pair of series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// Model and arm of each row and column.
    pub heads: Vec<(String, String)>,
    /// Row minus column; `None` where the two were not compared.
    pub rows: Vec<Vec<Option<MatrixCell>>>,
}

/// One difference of the matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixCell {
    /// Id of the comparison.
    pub id: String,
    /// The difference.
    pub text: String,
    /// Is it at least as large as the minimum detectable effect?
    pub result: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn a_matrix_turns_the_sign_with_the_pair() {
        let mut results = example::results();
        assert_eq!(matrix(&results), None);
        let one = results.comparisons[0].clone();
        let series = |arm: &str| Series { model: "alpha".into(), arm: arm.into() };
        for (a, b) in [("x", "y"), ("y", "z")] {
            results.comparisons.push(Comparison {
                id: format!("{a}~{b}"),
                family: Family::Plan,
                a: series(a),
                b: series(b),
                ..one.clone()
            });
        }
        let matrix = matrix(&results).unwrap();
        let text = |r: usize, c: usize| matrix.rows[r][c].as_ref().map(|m| m.text.as_str());
        assert_eq!((text(0, 1), text(1, 0)), (Some("+0.200"), Some("\u{2212}0.200")));
        assert_eq!((text(0, 0), text(0, 2)), (None, None));
    }

    #[test]
    fn the_export_is_as_wide_as_its_head() {
        let sheet = table(&example::results(), Family::Lift);
        assert_eq!(sheet.rows[0].len(), sheet.head.len());
    }

    #[test]
    fn a_difference_below_what_could_be_shown_is_not_a_result() {
        let (rows, hidden) = rows(&example::results(), Family::Lift);
        assert_eq!(hidden, 0);
        assert_eq!(rows[0].reading, Reading::NotAResult);
        assert_eq!(rows[0].difference, "+0.200");
        assert_eq!(rows[0].table.as_ref().unwrap()[1], "15");
        assert!(super::rows(&example::results(), Family::Plan).0.is_empty());
    }

    #[test]
    fn a_withheld_comparison_has_dashes_and_a_reason() {
        let mut results = example::results();
        let c = &mut results.comparisons[0];
        (c.difference, c.p_value, c.p_holm, c.both) = (None, None, None, None);
        (c.is_result, c.withheld) = (None, Some("below_floor".into()));
        let row = &rows(&results, Family::Lift).0[0];
        assert_eq!((row.reading, row.p_value.as_str()), (Reading::Withheld, format::DASH));
        assert_eq!(row.withheld.as_deref(), Some("fewer than 20 items"));
        assert_eq!(row.table, None);
    }
}
