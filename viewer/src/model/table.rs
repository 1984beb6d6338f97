use records::{Figure, Results};

use super::{metric, reason};
use crate::format;

/// The arm under which baselines stand.
pub const BASELINE_ARM: &str = "baseline";
/// Most rows that the page draws; a hostile file may hold millions.
pub const MAX_ROWS: usize = 200;

/// Metrics of the main table, in order; those that no series has are left out. The rest is listed under each series.
const COLUMNS: [&str; 15] = [
    "served",
    "n_items",
    "coverage",
    "accuracy",
    "brier",
    "confident_wrong_rate",
    "ece",
    "abstention_rate",
    "evidence_lift",
    "schema_ok_rate",
    "hit_at_1",
    "hit_at_10",
    "mrr_at_10",
    "searches_mean",
    "bad_action_rate",
];

/// The published table: series by metrics, baselines first.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// One per metric that at least one series has.
    pub columns: Vec<Column>,
    /// Series of one model, or all baselines.
    pub groups: Vec<Group>,
    /// Series beyond [`MAX_ROWS`], which are not drawn.
    pub hidden_rows: usize,
}

/// One metric of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name of the metric in files.
    pub metric: String,
    /// What stands at its head.
    pub head: String,
    /// What the head stands for.
    pub label: String,
    /// The values at the ends of its interval bars; `None` when it has no bars.
    pub domain: Option<(f64, f64)>,
}

/// Rows under one heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Name of the model, or "baselines".
    pub title: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One series.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Name of the model.
    pub model: String,
    /// Name of the arm.
    pub arm: String,
    /// What stands at its head: the arm, or the baseline's name.
    pub head: String,
    /// One per column; `None` when the series has no such figure.
    pub cells: Vec<Option<Cell>>,
    /// Every entry of the file that belongs to the series, including those outside the table.
    pub entries: Vec<String>,
}

/// One number of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Id of the figure.
    pub id: String,
    /// The number, or a dash.
    pub text: String,
    /// Its interval in words, e.g. `95 % interval 0.520 to 0.710`.
    pub interval: Option<String>,
    /// Its interval as a bar.
    pub bar: Option<Bar>,
    /// Why there is a dash.
    pub withheld: Option<String>,
}

/// An interval as fractions of its column's domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Lower end, 0 to 1.
    pub lower: f64,
    /// The value, 0 to 1.
    pub point: f64,
    /// Upper end, 0 to 1.
    pub upper: f64,
    /// Where zero lies, when it lies inside.
    pub zero: Option<f64>,
}

/// The table of a publication.
#[must_use]
pub fn results_table(results: &Results) -> Table {
    let whole: Vec<&Figure> = results.figures.iter().filter(|f| f.slice.is_none()).collect();
    let columns = columns(&whole);
    let mut series: Vec<(&str, &str)> = Vec::new();
    for f in &whole {
        if series.len() <= MAX_ROWS && !series.contains(&(&f.model, &f.arm)) {
            series.push((&f.model, &f.arm));
        }
    }
    let total = count_series(&whole);
    series.truncate(MAX_ROWS);
    let hidden_rows = total - series.len();
    series.sort_by_key(|(_, arm)| *arm != BASELINE_ARM);
    let mut groups: Vec<Group> = Vec::new();
    for (model, arm) in series {
        let baseline = arm == BASELINE_ARM;
        let title = if baseline { "baselines".to_owned() } else { format::cut(model, 60) };
        let row = row(results, &whole, model, arm, &columns);
        match groups.iter_mut().find(|g| g.title == title) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { title, rows: vec![row] }),
        }
    }
    Table { columns, groups, hidden_rows }
}

fn count_series(figures: &[&Figure]) -> usize {
    let all: std::collections::BTreeSet<_> = figures.iter().map(|f| (&f.model, &f.arm)).collect();
    all.len()
}

fn columns(figures: &[&Figure]) -> Vec<Column> {
    let mut columns = Vec::new();
    for name in COLUMNS {
        let of_metric: Vec<_> = figures.iter().filter(|f| f.metric == name).copied().collect();
        if of_metric.is_empty() {
            continue;
        }
        let known = metric::describe(name);
        columns.push(Column {
            metric: name.into(),
            head: match known {
                Some(m) if m.name == name => m.column.into(),
                _ => name.replace("_at_", "@").replace("mrr", "MRR"),
            },
            label: metric::label(name),
            domain: domain(name, &of_metric),
        });
    }
    columns
}

/// The values at the ends of a column's bars: 0 to 1 for rates, 0 to the next tenth for scores that are small, and
/// as far on both sides of zero for differences.
fn domain(name: &str, figures: &[&Figure]) -> Option<(f64, f64)> {
    let ends = figures.iter().filter_map(|f| f.interval.as_ref()).flat_map(|i| [i.lower, i.upper]);
    let largest = ends
        .flatten()
        .map(f64::abs)
        .fold(None, |m: Option<f64>, v| Some(m.map_or(v, |m| if v > m { v } else { m })))?;
    let tenth = ((largest * 10.0).ceil() / 10.0).clamp(0.1, 1.0);
    match name {
        "evidence_lift" => Some((-tenth, tenth)),
        "brier" | "ece" | "mce" => Some((0.0, tenth)),
        "searches_mean" => None,
        _ => Some((0.0, 1.0)),
    }
}

fn row(results: &Results, whole: &[&Figure], model: &str, arm: &str, columns: &[Column]) -> Row {
    let own: Vec<_> = whole.iter().filter(|f| f.model == model && f.arm == arm).copied().collect();
    let cells = columns
        .iter()
        .map(|c| own.iter().find(|f| f.metric == c.metric).map(|f| cell(f, c.domain, results)))
        .collect();
    Row {
        model: model.into(),
        arm: arm.into(),
        head: format::cut(if arm == BASELINE_ARM { model } else { arm }, 60),
        cells,
        entries: entries(results, model, arm),
    }
}

/// Every entry of the file that belongs to a series: figures of the whole set and of slices, and diagrams.
fn entries(results: &Results, model: &str, arm: &str) -> Vec<String> {
    let figures = results.figures.iter().filter(|f| f.model == model && f.arm == arm);
    let diagrams = results.reliability.iter().filter(|r| r.model == model && r.arm == arm);
    figures.map(|f| f.id.clone()).chain(diagrams.map(|r| r.id.clone())).collect()
}

/// One figure as a cell.
#[must_use]
pub fn cell(figure: &Figure, domain: Option<(f64, f64)>, results: &Results) -> Cell {
    let text = value_text(figure);
    let ends = figure.interval.as_ref().and_then(|i| Some((i.lower?, i.upper?, i.level)));
    let interval = match (&figure.interval, ends) {
        (_, Some((lower, upper, level))) if figure.value.is_some() => {
            Some(format!("{} interval {}", format::percent(level), format::range(lower, upper)))
        }
        (Some(i), None) => i
            .withheld
            .as_deref()
            .map(|code| format!("interval withheld: {}", reason::withheld(code, &results.plan))),
        _ => None,
    };
    let bar =
        figure.value.zip(ends).zip(domain).map(|((value, (lower, upper, _)), (low, high))| {
            let place = |v: f64| ((v - low) / (high - low)).clamp(0.0, 1.0);
            let zero = (low < 0.0 && high > 0.0).then(|| place(0.0));
            Bar { lower: place(lower), point: place(value), upper: place(upper), zero }
        });
    Cell {
        id: figure.id.clone(),
        text,
        interval,
        bar,
        withheld: figure.withheld.as_deref().map(|code| reason::withheld(code, &results.plan)),
    }
}

/// A figure's value as text: a dash when there is none, with a sign when it is a difference.
#[must_use]
pub fn value_text(figure: &Figure) -> String {
    match figure.value {
        None => format::DASH.into(),
        Some(v) if figure.metric == "evidence_lift" => format::signed(v),
        Some(v) => format::in_unit(v, &figure.unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn baselines_come_first_and_models_keep_their_order() {
        let table = results_table(&example::results());
        let titles: Vec<_> = table.groups.iter().map(|g| g.title.as_str()).collect();
        assert_eq!(titles, ["baselines", "alpha", "beta"]);
        assert_eq!(table.groups[0].rows[0].head, "always_no");
        assert_eq!(table.groups[1].rows[0].head, "a0");
    }

    #[test]
    fn a_withheld_cell_keeps_its_place_with_a_dash_and_the_reason() {
        let table = results_table(&example::results());
        let at = table.columns.iter().position(|c| c.metric == "accuracy").unwrap();
        let row = &table.groups[2].rows[0];
        let cell = row.cells[at].as_ref().unwrap();
        assert_eq!(cell.text, format::DASH);
        assert_eq!(cell.withheld.as_deref(), Some("fewer than 20 items"));
        assert_eq!(cell.bar, None);
    }

    #[test]
    fn bars_lie_inside_their_column() {
        let table = results_table(&example::results());
        let bars = table.groups.iter().flat_map(|g| &g.rows).flat_map(|r| &r.cells);
        let bars: Vec<_> = bars.flatten().filter_map(|c| c.bar).collect();
        assert!(!bars.is_empty());
        for bar in bars {
            assert!(0.0 <= bar.lower && bar.lower <= bar.point);
            assert!(bar.point <= bar.upper && bar.upper <= 1.0);
        }
    }

    #[test]
    fn the_lift_column_is_centred_on_zero() {
        let table = results_table(&example::results());
        let lift = table.columns.iter().find(|c| c.metric == "evidence_lift").unwrap();
        let (low, high) = lift.domain.unwrap();
        assert_eq!(low.to_bits(), (-high).to_bits());
    }

    #[test]
    fn a_file_with_too_many_series_is_cut_and_the_rest_counted() {
        let mut results = example::results();
        let one = results.figures[0].clone();
        for i in 0..MAX_ROWS + 50 {
            results.figures.push(Figure {
                model: format!("m{i}"),
                id: format!("m{i}"),
                ..one.clone()
            });
        }
        let table = results_table(&results);
        let drawn: usize = table.groups.iter().map(|g| g.rows.len()).sum();
        assert_eq!(drawn, MAX_ROWS);
        assert_eq!(table.hidden_rows, 54);
    }
}
