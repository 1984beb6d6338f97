use std::sync::Arc;

use leptos::prelude::*;

use super::{
    figure::{breakable, cell_view},
    legend::tally,
    problem::computing,
};
use crate::{
    address::Address,
    desk::{Desk, SharedDesk},
    format,
    later::{Part, part},
    model::table::{Column, Group, Order, Row, ordered_table},
    open_run::Open,
    url_state::decode,
};

/// The published table: series by metrics, baselines first, verdicts of each row at its end. A reader may sort it and
/// choose a part of the data set; both stand in the address.
#[component]
pub fn ResultsTable(open: Arc<Open>) -> impl IntoView {
    let address = expect_context::<Address>();
    let order = Memo::new(move |_| {
        let query = address.query.get();
        Order { slice: query.slice, sort: query.sort }
    });
    let computes = expect_context::<SharedDesk>().with_value(Desk::computes);
    let for_table = open.clone();
    view! {
        <p class="note">
            "One row is one arm of one model: n rows of q distinct questions. Every number is a link to its own page; the bar below it is its interval. A column's head sorts."
        </p>
        {part(Part::Choices, open.clone())}
        {move || table_view(&for_table, &order.get(), address, computes)}
        {part(Part::Saves, open)}
    }
    .into_any()
}

fn table_view(open: &Arc<Open>, order: &Order, address: Address, computes: Memo<bool>) -> AnyView {
    let table = ordered_table(&open.shown, order);
    let columns = &table.columns;
    let width = columns.len() + 2;
    let hidden = table.hidden_rows;
    let caption = match &order.slice {
        Some(slice) => {
            format!("Results by model and arm, {} alone", format::cut(&decode(slice), 60))
        }
        None => "Results by model and arm".to_owned(),
    };
    // The part may come with settings of the reader's own.
    if columns.is_empty() && computes.get() {
        return computing();
    }
    if columns.is_empty() {
        return view! { <p class="note">"There is no figure for this part of the data set."</p> }
            .into_any();
    }
    view! {
        <div class="scroll" role="region" aria-label="Results table" tabindex="0">
            <table class="results">
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"arm"</th>
                        {columns.iter().map(|c| head(c, order, address)).collect_view()}
                        <th scope="col">"verdicts"</th>
                    </tr>
                </thead>
                {table.groups.iter().map(|g| group_view(open, g, columns, width)).collect_view()}
            </table>
        </div>
        <p class="note">{scales(columns)} " Accuracy's bar is resampled; \"accuracy by majority\" under Every number carries the Wilson interval, which keeps its width at 0 and 1."</p>
        {(hidden > 0).then(|| view! {
            <p class="note">{format::count(hidden as u64)} " more rows are in results.json."</p>
        })}
    }
    .into_any()
}

/// A column's head: it sorts from the largest down, then from the smallest up, then not at all.
fn head(column: &Column, order: &Order, address: Address) -> AnyView {
    let sorted = order.sort.as_ref().filter(|(metric, _)| *metric == column.metric);
    let (sort, sign) = match sorted {
        Some((_, true)) => (Some("descending"), " ↓"),
        Some((_, false)) => (Some("ascending"), " ↑"),
        None => (None, ""),
    };
    let next = match sorted {
        None => Some((column.metric.clone(), true)),
        Some((metric, true)) => Some((metric.clone(), false)),
        Some((_, false)) => None,
    };
    let click = move |_| {
        let next = next.clone();
        address.set_query(|q| q.sort = next);
    };
    view! {
        <th scope="col" aria-sort=sort>
            <button type="button" class="sort" title=column.label.clone() on:click=click>
                {column.head.clone()} {sign}
            </button>
        </th>
    }
    .into_any()
}

fn group_view(open: &Arc<Open>, group: &Group, columns: &[Column], width: usize) -> AnyView {
    view! {
        <tbody>
            <tr class="group">
                <th scope="rowgroup" colspan=width><span>{group.title.clone()}</span></th>
            </tr>
            {group.rows.iter().map(|r| row_view(open, r, columns)).collect_view()}
        </tbody>
    }
    .into_any()
}

fn row_view(open: &Arc<Open>, row: &Row, columns: &[Column]) -> AnyView {
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
            <td class="tallies">{open.compares().then(|| tally(totals))}</td>
        </tr>
    }
    .into_any()
}

/// What the ends of the bars stand for.
fn scales(columns: &[Column]) -> String {
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    for c in columns {
        if let Some((low, high)) = c.domain {
            let range =
                format!("{} to {}", format::short_decimals(low), format::short_decimals(high));
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
