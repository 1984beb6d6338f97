use std::collections::BTreeMap;

use records::{Figure, Results};

/// Columns of the terminal table: heading, metric, decimals.
const COLUMNS: [(&str, &str, usize); 13] = [
    ("n", "served", 0),
    ("q", "n_items", 0),
    ("cov", "coverage", 3),
    ("acc", "accuracy", 3),
    ("brier", "brier", 3),
    ("conf-wrong", "confident_wrong_rate", 3),
    ("ece", "ece", 3),
    ("sch-ok", "schema_ok_rate", 3),
    ("abst", "abstention_rate", 3),
    ("lift", "evidence_lift", 3),
    ("$/res", "cost_usd_per_row", 4),
    ("p50", "latency_p50_ms", 0),
    ("p95", "latency_p95_ms", 0),
];

/// The published table as text, one row a series; a dash stands for a figure that is withheld.
#[must_use]
pub fn text_table(results: &Results) -> String {
    let mut rows: BTreeMap<(&str, &str), BTreeMap<&str, &Figure>> = BTreeMap::new();
    for f in results.figures.iter().filter(|f| f.slice.is_none()) {
        rows.entry((&f.model, &f.arm)).or_default().insert(&f.metric, f);
    }
    let mut lines = vec![{
        let mut line = vec!["model".to_owned(), "arm".to_owned()];
        line.extend(COLUMNS.iter().map(|c| c.0.to_owned()));
        line
    }];
    for ((model, arm), figures) in rows {
        let mut line = vec![model.to_owned(), arm.to_owned()];
        for (_, metric, decimals) in COLUMNS {
            let value = figures.get(metric).and_then(|f| f.value);
            line.push(value.map_or_else(|| "—".to_owned(), |v| format!("{v:.decimals$}")));
        }
        lines.push(line);
    }
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|c| lines.iter().map(|l| l[c].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in &lines {
        let cells: Vec<_> = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(i, (cell, w))| if i < 2 { format!("{cell:<w$}") } else { format!("{cell:>w$}") })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
