use std::sync::Arc;

use leptos::prelude::*;

use super::{
    figure::{breakable, cell_view},
    legend::tally,
};
use crate::{
    app::Open,
    format,
    model::table::{Column, Group, Row},
};

/// The published table: series by metrics, baselines first, verdicts of each row at its end.
#[component]
pub fn ResultsTable(open: Arc<Open>) -> impl IntoView {
    let columns = &open.table.columns;
    let width = columns.len() + 2;
    let hidden = open.table.hidden_rows;
    view! {
        <p class="note">
            "One row is one arm of one model: n rows of q distinct questions. Every number is a link to its own page; the bar below it is its interval."
        </p>
        <div class="scroll" role="region" aria-label="Results table" tabindex="0">
            <table class="results">
                <caption>"Published results by model and arm"</caption>
                <thead>
                    <tr>
                        <th scope="col">"arm"</th>
                        {columns.iter().map(head).collect_view()}
                        <th scope="col">"verdicts"</th>
                    </tr>
                </thead>
                {open.table.groups.iter().map(|g| group_view(&open, g, width)).collect_view()}
            </table>
        </div>
        <p class="note">{scales(columns)} " Accuracy's bar is resampled; \"accuracy by majority\" under Every number carries the Wilson interval, which keeps its width at 0 and 1."</p>
        {(hidden > 0).then(|| view! {
            <p class="note">{format::count(hidden as u64)} " more rows are in results.json."</p>
        })}
    }
}

fn head(column: &Column) -> impl IntoView + use<> {
    view! {
        <th scope="col">
            <abbr title=column.label.clone()>{column.head.clone()}</abbr>
        </th>
    }
}

fn group_view(open: &Arc<Open>, group: &Group, width: usize) -> impl IntoView + use<> {
    view! {
        <tbody>
            <tr class="group">
                <th scope="rowgroup" colspan=width><span>{group.title.clone()}</span></th>
            </tr>
            {group.rows.iter().map(|r| row_view(open, r)).collect_view()}
        </tbody>
    }
}

fn row_view(open: &Arc<Open>, row: &Row) -> impl IntoView + use<> {
    let columns = &open.table.columns;
    let totals = open.checks.count(row.entries.iter().map(String::as_str));
    view! {
        <tr>
            <th scope="row">{breakable(&row.head)}</th>
            {row.cells
                .iter()
                .zip(columns)
                .map(|(cell, column)| match cell {
                    Some(cell) => cell_view(open, cell, column.domain.is_some()).into_any(),
                    None => view! { <td></td> }.into_any(),
                })
                .collect_view()}
            <td class="tallies">{tally(totals)}</td>
        </tr>
    }
}

/// What the ends of the bars stand for.
fn scales(columns: &[Column]) -> String {
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    for c in columns {
        if let Some((low, high)) = c.domain {
            let short = |v: f64| {
                let text = format::decimals(v);
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            };
            let range = format!("{} to {}", short(low), short(high));
            match parts.iter_mut().find(|(r, _)| *r == range) {
                Some((_, names)) => names.push(c.head.clone()),
                None => parts.push((range, vec![c.head.clone()])),
            }
        }
    }
    let each: Vec<_> =
        parts.iter().map(|(range, names)| format!("{range} for {}", format::list(names))).collect();
    if each.is_empty() { String::new() } else { format!("Bars run from {}.", each.join("; ")) }
}
