use std::sync::Arc;

use leptos::prelude::*;
use records::Figure;

use crate::{
    components::{figure::figure_link, legend::tally},
    format,
    model::{
        entry, glance, metric,
        table::{self, BASELINE_ARM},
    },
    open_run::Open,
};

/// Most figures that one series lists.
const MAX_FIGURES: usize = 400;

/// Every number of the file, series by series; a series is drawn when it is unfolded.
#[component]
pub fn AllNumbers(open: Arc<Open>) -> impl IntoView {
    let series: Vec<_> = table::results_table(&open.shown)
        .groups
        .iter()
        .flat_map(|g| &g.rows)
        .map(|r| (r.model.clone(), r.arm.clone(), r.entries.clone()))
        .collect();
    let other = [entry::ROWS_ID, entry::SIGNATURE_ID];
    let others = open.clone();
    view! {
        <section id="numbers" aria-labelledby="numbers-head">
            <h2 id="numbers-head">"Every number"</h2>
            <p class="lead">
                "All that results.json publishes. A published number is one entry of it: a figure with its interval and counts, a diagram with its bins, a comparison with its table. The log's row counts and the signature count as one each."
            </p>
            {series
                .into_iter()
                .map(|(model, arm, entries)| {
                    view! { <Series open=open.clone() model arm entries/> }
                })
                .collect_view()}
            {others.compares().then(|| view! {
                <ul class="links">
                    {other
                        .into_iter()
                        .map(|id| view! { <li>{figure_link(&others, id, words(id).into())}</li> })
                        .collect_view()}
                </ul>
            })}
        </section>
    }
}

fn words(id: &str) -> &'static str {
    if id == entry::ROWS_ID { "row counts of the log" } else { "signature, plan and names" }
}

#[component]
fn Series(open: Arc<Open>, model: String, arm: String, entries: Vec<String>) -> impl IntoView {
    let unfolded = RwSignal::new(false);
    let title = if arm == BASELINE_ARM {
        format!("baseline {}", format::cut(&model, 60))
    } else {
        format!("{} · {}", format::cut(&model, 60), format::cut(&arm, 40))
    };
    let summary =
        open.compares().then(|| tally(open.checks.count(entries.iter().map(String::as_str))));
    view! {
        <details class="series-numbers" on:toggle=move |_| unfolded.set(true)>
            <summary>{title} " " <span class="tallies">{summary}</span></summary>
            {move || {
                unfolded
                    .get()
                    .then(|| {
                        let of_series: Vec<&Figure> = open
                            .shown
                            .figures
                            .iter()
                            .filter(|f| f.model == model && f.arm == arm)
                            .collect();
                        let hidden = of_series.len().saturating_sub(MAX_FIGURES);
                        let rows = of_series.into_iter().take(MAX_FIGURES).map(|f| row(&open, f));
                        view! {
                            <dl class="numbers">{rows.collect_view()}</dl>
                            {(hidden > 0).then(|| view! { <p class="note">{hidden} " more are in results.json."</p> })}
                        }
                    })
            }}
        </details>
    }
}

fn row(open: &Open, figure: &Figure) -> impl IntoView + use<> {
    let cell = table::cell(figure, None, &open.shown);
    let slice = figure.slice.as_deref().map(|s| format!(", {}", format::cut(s, 40)));
    view! {
        <div>
            <dt title=glance::figure_name(figure)>{metric::label(&figure.metric)} {slice}</dt>
            <dd>
                {figure_link(open, &figure.id, cell.text)}
                {cell.withheld.map(|w| view! { <span class="reason">{w}</span> })}
                {cell.interval.map(|i| view! { <span class="ends">{i}</span> })}
            </dd>
        </div>
    }
}
