use std::collections::BTreeMap;

use records::{Comparison, Figure, Results};
use serde_json::{Map, Value};

/// A column: heading, metric, decimals.
type Column = (&'static str, &'static str, usize);

/// What an answer is worth, what it costs and how long it takes.
const QUALITY: [Column; 12] = [
    ("n", "served", 0),
    ("q", "n_items", 0),
    ("cov", "coverage", 3),
    ("acc", "accuracy", 3),
    ("brier", "brier", 3),
    ("conf-wrong", "confident_wrong_rate", 3),
    ("ece", "ece", 3),
    ("sch-ok", "schema_ok_rate", 3),
    ("abst", "abstention_rate", 3),
    ("$/res", "cost_usd_per_row", 4),
    ("p50", "latency_p50_ms", 0),
    ("p95", "latency_p95_ms", 0),
];

/// How an answer rests on the documents, and how it repeats.
const EVIDENCE: [Column; 6] = [
    ("lift", "evidence_lift", 3),
    ("grounded", "citation_grounding_rate", 3),
    ("conf-recall", "conflict_recall", 3),
    ("conf-prec", "conflict_precision", 3),
    ("consistent", "self_consistency_rate", 3),
    ("cached", "cache_hit_rate", 3),
];

/// The figures of whole series, by model and arm and then by metric.
type Rows<'a> = BTreeMap<(&'a str, &'a str), BTreeMap<&'a str, &'a Figure>>;

fn rows(results: &Results) -> Rows<'_> {
    let mut rows = Rows::new();
    for f in results.figures.iter().filter(|f| f.slice.is_none()) {
        rows.entry((&f.model, &f.arm)).or_default().insert(&f.metric, f);
    }
    rows
}

fn number(figures: &BTreeMap<&str, &Figure>, (_, metric, decimals): Column) -> Option<String> {
    let value = figures.get(metric).and_then(|f| f.value)?;
    Some(format!("{value:.decimals$}"))
}

fn grid(results: &Results, columns: &[Column], missing: &str) -> Vec<Vec<String>> {
    let mut lines = vec![vec!["config".to_owned()]];
    lines[0].extend(columns.iter().map(|c| c.0.to_owned()));
    for ((model, arm), figures) in rows(results) {
        let mut line = vec![format!("{model}/{arm}")];
        let cell = |c: &Column| number(&figures, *c).unwrap_or_else(|| missing.to_owned());
        line.extend(columns.iter().map(cell));
        lines.push(line);
    }
    lines
}

/// The published tables as text: one row a series; a dash stands for a figure that is withheld. Below them the lifts,
/// each with what it is worth.
#[must_use]
pub fn text_table(results: &Results) -> String {
    let mut text = aligned(&grid(results, &QUALITY, "—"));
    text.push('\n');
    text.push_str(&aligned(&grid(results, &EVIDENCE, "—")));
    let lifts: Vec<String> = rows(results).values().filter_map(|f| lift_line(results, f)).collect();
    if !lifts.is_empty() {
        text.push_str(&format!("\n{}\n", lifts.join("\n")));
    }
    text
}

/// `model/arm: evidence lift 0.100 [0.020, 0.180] over control`, and whether it can be told from nothing.
fn lift_line(results: &Results, figures: &BTreeMap<&str, &Figure>) -> Option<String> {
    let lift = figures.get("evidence_lift")?;
    let value = lift.value?;
    let control = results.plan.control.as_deref()?;
    let bounds = lift.interval.as_ref().and_then(|i| Some((i.lower?, i.upper?)));
    let interval = bounds.map(|(l, u)| format!(" [{l:.3}, {u:.3}]")).unwrap_or_default();
    let of_lift = |c: &&Comparison| {
        let sides = [&c.a, &c.b];
        sides.iter().all(|s| s.model == lift.model)
            && sides.iter().any(|s| s.arm == lift.arm)
            && sides.iter().any(|s| s.arm == control)
    };
    let detectable = results.comparisons.iter().find(of_lift);
    let detectable = detectable.and_then(|c| c.minimum_detectable_effect);
    let worth = match detectable {
        Some(mde) if value.abs() < mde => {
            format!("; below the minimum detectable effect {mde:.3}: not a result")
        }
        Some(mde) => format!("; minimum detectable effect {mde:.3}"),
        None => String::new(),
    };
    let (model, arm) = (&lift.model, &lift.arm);
    Some(format!("{model}/{arm}: evidence lift {value:.3}{interval} over {control}{worth}"))
}

/// The published tables as Markdown.
#[must_use]
pub fn markdown_table(results: &Results) -> String {
    let one = |columns: &[Column]| {
        let lines = grid(results, columns, "—");
        let row = |line: &Vec<String>| {
            let cells: Vec<_> = line.iter().map(|c| c.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", "---|".repeat(lines[0].len()));
        let body: String = lines[1..].iter().map(row).collect();
        row(&lines[0]) + &rule + &body
    };
    format!("{}\n{}", one(&QUALITY), one(&EVIDENCE))
}

/// Every figure as a line of comma-separated values, unrounded; an empty field stands for what does not exist.
#[must_use]
pub fn csv_table(results: &Results) -> String {
    let mut text =
        "id,model,arm,slice,metric,value,lower,upper,level,n_rows,n_items,withheld\n".to_owned();
    for f in &results.figures {
        let number = |v: Option<f64>| v.map(|v| v.to_string()).unwrap_or_default();
        let interval = f.interval.as_ref();
        let fields = [
            f.id.clone(),
            f.model.clone(),
            f.arm.clone(),
            f.slice.clone().unwrap_or_default(),
            f.metric.clone(),
            number(f.value),
            number(interval.and_then(|i| i.lower)),
            number(interval.and_then(|i| i.upper)),
            number(interval.map(|i| i.level)),
            f.n_rows.to_string(),
            f.n_items.to_string(),
            f.withheld.clone().unwrap_or_default(),
        ];
        text.push_str(&fields.map(|field| csv_field(&field)).join(","));
        text.push('\n');
    }
    text
}

/// A field as RFC 4180 has it. One that a spreadsheet would take for a formula is set off with an apostrophe.
fn csv_field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '@', '\t', '\r'])
        || (text.starts_with('-') && text.parse::<f64>().is_err());
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// The published tables as one JSON object, unrounded: signature, and for each series its figures by column.
#[must_use]
pub fn json_table(results: &Results) -> Value {
    let row = |((model, arm), figures): ((&str, &str), BTreeMap<&str, &Figure>)| {
        let mut row = Map::new();
        row.insert("model".into(), model.into());
        row.insert("arm".into(), arm.into());
        for (_, metric, _) in QUALITY.iter().chain(&EVIDENCE) {
            let value = figures.get(metric).and_then(|f| f.value);
            row.insert((*metric).to_owned(), value.into());
        }
        Value::Object(row)
    };
    let rows: Vec<Value> = rows(results).into_iter().map(row).collect();
    serde_json::json!({"run": results.run_id, "signature": results.signature, "rows": rows})
}

fn aligned(lines: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|c| lines.iter().map(|l| l[c].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in lines {
        let cells: Vec<_> = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(i, (cell, w))| if i == 0 { format!("{cell:<w$}") } else { format!("{cell:>w$}") },
            )
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_csv_field_is_no_formula_and_keeps_its_text() {
        assert_eq!(csv_field("plain"), "plain");
        assert_eq!(csv_field("-0.25"), "-0.25");
        assert_eq!(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(csv_field("=1+1"), "'=1+1");
        assert_eq!(csv_field("-cmd"), "'-cmd");
    }
}
