//! Time, tokens and money.

use records::{Better, Usage};

use super::Sheet;
use crate::stats::quantile_type7;

pub(super) fn add(sheet: &mut Sheet<'_>) {
    latency(sheet);
    tokens(sheet);
    cost(sheet);
}

fn latency(sheet: &mut Sheet<'_>) {
    let served = &sheet.rows.served.rows;
    let latencies: Vec<f64> = served.iter().filter_map(|r| r.scored.latency_ms).collect();
    let missing = (served.len() - latencies.len()) as u64;
    for (metric, p) in [("latency_p50_ms", 0.5), ("latency_p95_ms", 0.95)] {
        let mut figure = sheet.blank(metric, "ms", Better::Lower);
        if missing > 0 {
            figure.excluded.insert("no_latency".to_owned(), missing);
        }
        sheet.push_quality(figure, quantile_type7(&latencies, p).ok_or("no_latency"));
    }
}

/// Totals over served rows; one row without a report would make a total too small, so it is withheld.
fn tokens(sheet: &mut Sheet<'_>) {
    let usages: Option<Vec<Usage>> =
        sheet.rows.served.rows.iter().map(|r| r.scored.usage).collect();
    // An empty list of rows has used nothing, but nothing was reported either.
    let usages = usages.filter(|u| !u.is_empty()).ok_or("no_usage");
    let total = |of: fn(&Usage) -> u64| {
        usages.as_ref().map(|u| u.iter().map(|u| u128::from(of(u))).sum::<u128>() as f64)
    };
    let (input, output) = (total(|u| u.input_tokens), total(|u| u.output_tokens));
    let cached = total(|u| u64::from(u.cache_read_tokens > 0));
    for (metric, value) in [("input_tokens_total", input), ("output_tokens_total", output)] {
        let figure = sheet.blank(metric, "tokens", Better::None);
        sheet.push(figure, value.map_err(|reason| *reason));
    }
    let mut figure = sheet.blank("cache_hit_rate", "rate", Better::None);
    let n_rows = sheet.rows.n_served() as f64;
    (figure.numerator, figure.denominator) = (cached.ok(), Some(n_rows));
    sheet.push_quality(figure, cached.map(|hits| hits / n_rows).map_err(|reason| *reason));
}

fn cost(sheet: &mut Sheet<'_>) {
    let served = &sheet.rows.served;
    let priced = !served.rows.is_empty() && served.rows.iter().all(|r| r.scored.cost_usd.is_some());
    let by_cluster = served.sums(|row| row.scored.cost_usd.unwrap_or(0.0));
    let total = by_cluster.iter().fold(0.0, |total, sum| total + sum);
    let n_rows = sheet.rows.n_served() as f64;
    let mut per_row = sheet.blank("cost_usd_per_row", "usd", Better::Lower);
    (per_row.numerator, per_row.denominator) = (Some(total), Some(n_rows));
    let all = sheet.blank("cost_usd_total", "usd", Better::Lower);
    let value = |x: f64| if priced { Ok(x) } else { Err("no_price") };
    sheet.push_quality(per_row, value(total / n_rows));
    sheet.push(all, value(total));
}
