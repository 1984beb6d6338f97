use records::{Figure, Results, Series};
use serde_json::json;

use super::{metric, reason, sheet::Sheet};
use crate::format;

/// The arm under which baselines stand.
pub const BASELINE_ARM: &str = "baseline";
/// Most rows that the page draws; a hostile file may hold millions.
pub const MAX_ROWS: usize = 200;
/// What a row of the table is.
pub const ROWS: &str = "One row is one arm of one model: n rows of q distinct questions.";
/// What the choice of a part of the data set is called, and the choice that is made at first.
pub const PARTS: [&str; 2] = ["part of the data set", "the whole data set"];
/// The same of the field by which the data set is cut.
pub const CUTS: [&str; 2] = ["cut it by (computed here)", "as published"];
/// Most slices that a reader is offered.
const MAX_SLICES: usize = 200;

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

/// Which part of the data set a table shows, and in which order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Order {
    /// The slice; `None` for the whole data set.
    pub slice: Option<String>,
    /// Metric to sort by, and whether from the largest down.
    pub sort: Option<(String, bool)>,
}

/// The table of a publication.
#[must_use]
pub fn results_table(results: &Results) -> Table {
    ordered_table(results, &Order::default())
}

/// The series of a publication, in the order of its table.
#[must_use]
pub fn series(results: &Results) -> Vec<Series> {
    let rows = results_table(results).groups.into_iter().flat_map(|g| g.rows);
    rows.map(|r| Series { model: r.model, arm: r.arm }).collect()
}

/// The table of a part of the data set, or sorted by a metric: then all series stand in one group, those without a value
/// last.
#[must_use]
pub fn ordered_table(results: &Results, order: &Order) -> Table {
    let of_slice = |f: &&Figure| f.slice == order.slice;
    let whole: Vec<&Figure> = results.figures.iter().filter(of_slice).collect();
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
    let (mut series, others): (Vec<_>, Vec<_>) =
        series.into_iter().partition(|(_, arm)| *arm == BASELINE_ARM);
    series.extend(others);
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
    if let Some((metric, down)) = &order.sort {
        groups = sorted(groups, &whole, metric, *down);
    }
    Table { columns, groups, hidden_rows }
}

fn sorted(groups: Vec<Group>, figures: &[&Figure], metric: &str, down: bool) -> Vec<Group> {
    let mut rows: Vec<(Option<f64>, usize, Row)> = Vec::new();
    for group in groups {
        for mut row in group.rows {
            let own = |f: &&&Figure| f.metric == metric && f.model == row.model && f.arm == row.arm;
            let value = figures.iter().find(own).and_then(|f| f.value);
            if row.arm != BASELINE_ARM {
                row.head = format!("{} · {}", format::cut(&row.model, 60), row.head);
            }
            rows.push((value, rows.len(), row));
        }
    }
    rows.sort_unstable_by(|(a, i, _), (b, j, _)| {
        let by_value = match (a, b) {
            (Some(a), Some(b)) if down => b.total_cmp(a),
            (Some(a), Some(b)) => a.total_cmp(b),
            // No value stands last, whatever the direction.
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        by_value.then(i.cmp(j))
    });
    let rows: Vec<Row> = rows.into_iter().map(|(_, _, row)| row).collect();
    let title = format!("by {}", metric::label(metric));
    if rows.is_empty() { Vec::new() } else { vec![Group { title, rows }] }
}

/// The slices that a publication has, in the order of the file.
#[must_use]
pub fn slices(results: &Results) -> Vec<String> {
    let mut slices: Vec<String> = Vec::new();
    for slice in results.figures.iter().filter_map(|f| f.slice.as_ref()) {
        if slices.len() < MAX_SLICES && slices.last() != Some(slice) && !slices.contains(slice) {
            slices.push(slice.clone());
        }
    }
    slices
}

/// Every figure in full precision, one a row, with its verdict.
#[must_use]
pub fn figures_sheet(results: &Results, verdict: impl Fn(&str) -> &'static str) -> Sheet {
    let mut sheet = Sheet::new(&[
        "id",
        "metric",
        "model",
        "arm",
        "slice",
        "value",
        "lower",
        "upper",
        "level",
        "method",
        "numerator",
        "denominator",
        "n_rows",
        "n_items",
        "n_clusters",
        "unit",
        "withheld",
        "verdict",
    ]);
    for f in &results.figures {
        let i = f.interval.as_ref();
        sheet.rows.push(vec![
            json!(f.id),
            json!(f.metric),
            json!(f.model),
            json!(f.arm),
            json!(f.slice),
            json!(f.value),
            json!(i.and_then(|i| i.lower)),
            json!(i.and_then(|i| i.upper)),
            json!(i.map(|i| i.level)),
            json!(i.map(|i| &i.method)),
            json!(f.numerator),
            json!(f.denominator),
            json!(f.n_rows),
            json!(f.n_items),
            json!(f.n_clusters),
            json!(f.unit),
            json!(f.withheld),
            json!(verdict(&f.id)),
        ]);
    }
    sheet
}

fn count_series(figures: &[&Figure]) -> usize {
    let mut all: Vec<_> = figures.iter().map(|f| (&f.model, &f.arm)).collect();
    all.sort_unstable();
    all.dedup();
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
mod tests;
