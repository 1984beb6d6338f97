use std::sync::Arc;

use leptos::prelude::*;
use records::Family;

use crate::{
    components::{figure::figure_link, save::sheet_buttons},
    format,
    model::comparisons::{self, MatrixCell, Reading, Row},
    open_run::Open,
    url_state::section_anchor,
};

/// Pairs of series on their common items.
#[component]
pub fn Comparisons(open: Arc<Open>) -> impl IntoView {
    if open.shown.comparisons.is_empty() {
        return ().into_any();
    }
    view! {
        <section id="comparisons" aria-labelledby="comparisons-head">
            <h2 id="comparisons-head">"Comparisons"</h2>
            <p class="lead">
                "Two series on the questions that both served. A series answers a question right when more than half of its repeats do; only the questions that one of the two answers right can tell them apart. p is exact (McNemar, two-sided), and adjusted after Holm within its table. A difference smaller than the minimum detectable effect (5\u{a0}% level, 80\u{a0}% power) is marked as not a result."
            </p>
            {matrix_view(&open)}
            <FamilyTable open=open.clone() family=Family::Plan title="The plan's pairs"/>
            <FamilyTable open family=Family::Lift title="Each arm against its control"/>
        </section>
    }
    .into_any()
}

#[component]
fn FamilyTable(open: Arc<Open>, family: Family, title: &'static str) -> impl IntoView {
    let (rows, hidden) = comparisons::rows(&open.shown, family);
    if rows.is_empty() {
        return ().into_any();
    }
    let name = if family == Family::Plan { "comparisons" } else { "lift-comparisons" };
    view! {
        <div class="scroll" role="region" aria-label=title tabindex="0">
            <table class="comparisons">
                <caption>{title}</caption>
                <thead>
                    <tr>
                        <th scope="col">"pair (A, B)"</th>
                        <th scope="col">"difference A − B"</th>
                        <th scope="col">"reading"</th>
                        <th scope="col"><abbr title="minimum detectable effect">"MDE"</abbr></th>
                        <th scope="col">"exact p"</th>
                        <th scope="col">"Holm p"</th>
                        <th scope="col">"items"</th>
                        <th scope="col">"both right"</th>
                        <th scope="col">"only A"</th>
                        <th scope="col">"only B"</th>
                        <th scope="col">"neither"</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(|r| row_view(&open, r)).collect_view()}</tbody>
            </table>
        </div>
        {(hidden > 0).then(|| view! {
            <p class="note">{format::count(hidden as u64)} " more pairs are in results.json."</p>
        })}
        {sheet_buttons(name, move || comparisons::table(&open.shown, family))}
    }
    .into_any()
}

/// Differences of all planned pairs at a glance.
fn matrix_view(open: &Open) -> AnyView {
    let Some(matrix) = comparisons::matrix(&open.shown) else { return ().into_any() };
    let head = |(model, arm): &(String, String)| {
        view! { <span class="series">{model.clone()}</span> <span class="series">{arm.clone()}</span> }
    };
    let row = |(i, cells): (usize, &Vec<Option<MatrixCell>>)| {
        let cells = cells.iter().enumerate().map(|(j, cell)| match cell {
            Some(cell) => {
                let class = if cell.result { "result" } else { "not-a-result" };
                view! { <td class=class>{figure_link(open, &cell.id, cell.text.clone())}</td> }
                    .into_any()
            }
            None if i == j => view! { <td class="self">"·"</td> }.into_any(),
            None => view! { <td>{format::DASH}</td> }.into_any(),
        });
        view! { <tr><th scope="row">{head(&matrix.heads[i])}</th>{cells.collect_view()}</tr> }
    };
    view! {
        <div class="scroll" role="region" aria-label="Matrix of differences" tabindex="0">
            <table class="comparisons matrix">
                <caption>
                    "Difference of accuracies, row minus column. What is smaller than its minimum detectable effect is in italics: not a result."
                </caption>
                <thead>
                    <tr>
                        <td></td>
                        {matrix.heads.iter().map(|h| view! { <th scope="col">{head(h)}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>{matrix.rows.iter().enumerate().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row_view(open: &Open, row: Row) -> impl IntoView + use<> {
    let reading_class = match row.reading {
        Reading::NotAResult => "reading not-a-result",
        _ => "reading",
    };
    let dash = || [(); 4].map(|()| format::DASH.to_owned());
    let why = row.withheld.map(|w| view! { <span class="reason">{w}</span> });
    view! {
        <tr id=section_anchor(&row.id)>
            <th scope="row"><span class="series">{row.a}</span> <span class="series">{row.b}</span></th>
            <td>
                {figure_link(open, &row.id, row.difference)}
                {row.interval.map(|i| view! { <span class="ends">{i}</span> })}
            </td>
            <td class=reading_class>{row.reading.words()} {why}</td>
            <td>{row.detectable}</td>
            <td>{row.p_value}</td>
            <td>{row.p_holm}</td>
            <td>{row.items}</td>
            {row.table.unwrap_or_else(dash).into_iter().map(|n| view! { <td>{n}</td> }).collect_view()}
        </tr>
    }
}
