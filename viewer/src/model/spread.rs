//! The distribution behind an interval, and how wide it would be on fewer questions.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::sheet::Sheet;
use crate::chart::{Bars, BarsSpec, CurvePoint, CurveSpec};

/// The values of a figure over the resamples, counted in classes of equal width.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Spread {
    /// Left end of the first class.
    pub low: f64,
    /// Width of a class.
    pub width: f64,
    /// Resamples in each class.
    pub counts: Vec<u64>,
    /// The figure itself.
    pub point: f64,
    /// Lower end of the percentile interval of these values; null when there is none.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
    /// Its level.
    pub level: f64,
    /// Clusters that were resampled.
    pub n_clusters: u64,
    /// Resamples in which the figure does not exist.
    pub undefined: u64,
}

/// The width of an interval on a number of questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WidthRow {
    /// Number of questions.
    pub n_items: u32,
    /// Mean width over the subsamples; null when none has an interval.
    pub mean_width: Option<f64>,
    /// Subsamples that the mean is over.
    pub n_subsamples: u32,
}

/// The plot of a distribution.
#[must_use]
pub fn spread_spec(spread: &Spread) -> BarsSpec {
    let bars = spread.counts.iter().zip(0_u32..).map(|(count, i)| Bars {
        from: spread.low + spread.width * f64::from(i),
        to: spread.low + spread.width * f64::from(i + 1),
        count: *count,
    });
    BarsSpec {
        bars: bars.collect(),
        point: spread.point,
        ends: spread.lower.zip(spread.upper),
        axis: "accuracy over the resamples".into(),
    }
}

/// A distribution as a table.
#[must_use]
pub fn spread_table(spread: &Spread) -> Sheet {
    let mut sheet = Sheet::new(&["from", "to", "resamples"]);
    let row = |b: &Bars| vec![json!(b.from), json!(b.to), json!(b.count)];
    sheet.rows.extend(spread_spec(spread).bars.iter().map(row));
    sheet
}

/// The plot of widths.
#[must_use]
pub fn widths_spec(rows: &[WidthRow]) -> CurveSpec {
    let points =
        rows.iter().filter_map(|r| Some(CurvePoint { x: f64::from(r.n_items), y: r.mean_width? }));
    CurveSpec {
        points: points.collect(),
        x_axis: "questions".into(),
        y_axis: "mean width of the interval".into(),
    }
}

/// Widths as a table.
#[must_use]
pub fn widths_table(rows: &[WidthRow]) -> Sheet {
    let mut sheet = Sheet::new(&["questions", "mean width", "subsamples"]);
    let row = |r: &WidthRow| vec![json!(r.n_items), json!(r.mean_width), json!(r.n_subsamples)];
    sheet.rows.extend(rows.iter().map(row));
    sheet
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn classes_lie_side_by_side_and_keep_their_counts() {
        let spread = Spread { low: 0.2, width: 0.1, counts: vec![3, 0, 7], ..Spread::default() };
        let spec = spread_spec(&spread);
        assert_eq!(spec.bars.iter().map(|b| b.count).sum::<u64>(), 10);
        assert!((spec.bars[1].from - spec.bars[0].to).abs() < 1e-12);
        assert_eq!(spread_table(&spread).rows.len(), 3);
    }

    #[test]
    fn a_size_without_an_interval_is_in_the_table_and_not_in_the_plot() {
        let row = |n_items, mean_width| WidthRow { n_items, mean_width, n_subsamples: 20 };
        let rows = [row(10, None), row(20, Some(0.4))];
        assert_eq!(widths_spec(&rows).points.len(), 1);
        assert_eq!(widths_table(&rows).rows[0][1], Value::Null);
    }
}
