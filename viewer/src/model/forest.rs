//! One metric over all series, with its intervals.

use records::{Figure, Results};
use serde_json::json;

use super::{metric, sheet::Sheet, table::BASELINE_ARM};
use crate::{
    chart::{Whisker, WhiskerSpec},
    format,
};

/// Most rows of the plot.
const MAX_ROWS: usize = 80;

/// Metrics that carry an interval in at least one series, in the order of the file.
#[must_use]
pub fn metrics_with_intervals(results: &Results) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for f in &results.figures {
        let drawn = f.interval.as_ref().is_some_and(|i| i.lower.is_some());
        if drawn && names.len() < 60 && !names.contains(&f.metric) {
            names.push(f.metric.clone());
        }
    }
    names
}

/// A forest plot: its rows' figures, and the plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    /// Ids of the figures, row by row.
    pub ids: Vec<String>,
    /// The plot.
    pub spec: WhiskerSpec,
    /// Its numbers.
    pub table: Sheet,
    /// Figures without a value or beyond what is drawn.
    pub hidden: usize,
}

/// `metric` of every series of the whole data set.
#[must_use]
pub fn forest(results: &Results, metric: &str) -> Forest {
    let all = || results.figures.iter().filter(|f| f.metric == metric && f.slice.is_none());
    let drawn: Vec<&Figure> = all().filter(|f| f.value.is_some()).take(MAX_ROWS).collect();
    let mut models: Vec<&str> = Vec::new();
    let mut table = Sheet::new(&["series", "questions", "value", "lower", "upper", "method"]);
    let mut rows = Vec::new();
    for f in &drawn {
        let Some(point) = f.value else { continue };
        if !models.contains(&f.model.as_str()) {
            models.push(&f.model);
        }
        let label = series_label(f);
        let ends = f.interval.as_ref().map(|i| (i.lower, i.upper));
        let (lower, upper) = ends.unwrap_or_default();
        table.rows.push(vec![
            json!(label),
            json!(f.n_items),
            json!(point),
            json!(lower),
            json!(upper),
            json!(f.interval.as_ref().map(|i| &i.method)),
        ]);
        let slot = models.iter().position(|m| *m == f.model).unwrap_or(0);
        rows.push(Whisker { label, point, lower, upper, detectable: None, slot });
    }
    let axis = metric::label(metric);
    let spec = if metric == "evidence_lift" {
        WhiskerSpec::around_zero(rows, axis)
    } else {
        WhiskerSpec::from_zero(rows, axis)
    };
    Forest {
        hidden: all().count() - drawn.len(),
        ids: drawn.iter().map(|f| f.id.clone()).collect(),
        spec,
        table,
    }
}

fn series_label(f: &Figure) -> String {
    if f.arm == BASELINE_ARM {
        format::cut(&f.model, 40)
    } else {
        format!("{} · {}", format::cut(&f.model, 40), format::cut(&f.arm, 30))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn every_series_with_a_value_is_a_row() {
        let results = example::results();
        let forest = forest(&results, "accuracy");
        let labels: Vec<_> = forest.spec.rows.iter().map(|r| r.label.as_str()).collect();
        assert_eq!(labels, ["alpha · a0", "alpha · closed_book_forced", "always_no"]);
        assert_eq!(forest.hidden, 1, "beta is below the floor");
        assert_eq!(forest.ids.len(), forest.table.rows.len());
        assert!(!forest.spec.differences);
    }

    #[test]
    fn a_difference_is_drawn_around_zero() {
        let forest = forest(&example::results(), "evidence_lift");
        assert!(forest.spec.differences && forest.spec.domain.0 < 0.0);
    }

    #[test]
    fn only_metrics_with_an_interval_are_offered() {
        assert_eq!(
            metrics_with_intervals(&example::results()),
            ["accuracy", "ece", "latency_p50_ms", "evidence_lift"]
        );
    }
}
