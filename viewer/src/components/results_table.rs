use std::sync::Arc;

use leptos::prelude::*;

use super::{
    figure::{breakable, cell_view},
    legend::tally,
    problem::computing,
    save::{CSV, JSON},
    staged::{Between, Stages},
    table_tools::Choices,
};
use crate::{
    address::Address,
    app::FirstView,
    desk::{Desk, SharedDesk},
    format,
    later::{Saved, save_button},
    model::table::{Column, Group, Order, ROWS, Row, Table, ordered_table},
    open_run::Open,
    url_state::decode,
};

/// Rows that are drawn in one task.
const ROWS_A_STAGE: usize = 4;

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
    let FirstView(drawn) = expect_context();
    let table = move || {
        let order = order.get();
        let table = ordered_table(&for_table.shown, &order);
        if table.columns.is_empty() {
            drawn.set(true);
            // The part may come with settings of the reader's own.
            return if computes.get() { computing() } else { nothing() };
        }
        table_view(&for_table, table, &order, address, drawn)
    };
    view! {
        <p class="note">
            {ROWS} " Every number is a link to its own page; the bar below it is its interval. A column's head sorts."
        </p>
        <Choices open=open.clone()/>
        {table}
        <p class="saves">
            {save_button(None, CSV, Saved::Csv, open.clone())}
            {save_button(None, JSON, Saved::Json, open)}
        </p>
    }
    .into_any()
}

fn nothing() -> AnyView {
    view! { <p class="note">"There is no figure for this part of the data set."</p> }.into_any()
}

/// The first time some rows after the others, behind the published table; later, when a reader sorts it, at once.
fn table_view(
    open: &Arc<Open>,
    table: Table,
    order: &Order,
    address: Address,
    drawn: RwSignal<bool>,
) -> AnyView {
    let columns: Arc<[Column]> = table.columns.into();
    let hidden = table.hidden_rows;
    let caption = match &order.slice {
        Some(slice) => {
            format!("Results by model and arm, {} alone", format::cut(&decode(slice), 60))
        }
        None => "Results by model and arm".to_owned(),
    };
    let stages_of = |group: &Group| group.rows.len().div_ceil(ROWS_A_STAGE);
    let count = table.groups.iter().map(stages_of).sum();
    let stages = if drawn.get_untracked() {
        Stages::together()
    } else {
        Stages::apart(count, Between::Tasks, move || drawn.set(true))
    };
    let mut first = 0;
    let groups = table.groups.into_iter().map(|group| {
        let at = first;
        first += stages_of(&group);
        group_view(open, group, &columns, stages, at)
    });
    let groups = groups.collect_view();
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
                {groups}
            </table>
        </div>
        <p class="note">{scales(&columns)} " Accuracy's bar is resampled; \"accuracy by majority\" under Every number carries the Wilson interval, which keeps its width at 0 and 1."</p>
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

/// A model's rows; `first` is the stage that its first ones belong to.
fn group_view(
    open: &Arc<Open>,
    group: Group,
    columns: &Arc<[Column]>,
    stages: Stages,
    first: usize,
) -> AnyView {
    let rows = group.rows.chunks(ROWS_A_STAGE).enumerate().map(|(at, rows)| {
        let (open, columns, rows) = (open.clone(), columns.clone(), rows.to_vec());
        let due = stages.due(first + at);
        move || due.get().then(|| rows.iter().map(|r| row_view(&open, r, &columns)).collect_view())
    });
    view! {
        <tbody>
            <tr class="group">
                <th scope="rowgroup" colspan=columns.len() + 2><span>{group.title}</span></th>
            </tr>
            {rows.collect_view()}
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
