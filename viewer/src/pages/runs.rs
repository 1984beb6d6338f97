use std::sync::Arc;

use leptos::prelude::*;
use records::{Family, IndexEntry};

use super::{head::ViewHead, intervals::answered};
use crate::{
    address::Address,
    components::{
        save::sheet_buttons,
        settings_form::{select, still_chosen},
    },
    data,
    desk::SharedDesk,
    format,
    model::comparisons::{self, Reading, Row},
    open_run::Open,
    url_state::{Fragment, Query},
    worker::protocol::{Answer, Ask, Computation},
};

/// Most runs that are listed.
const MAX_RUNS: usize = 200;

/// The site's runs, and the open one compared with another on the questions that both have.
#[component]
pub fn Runs(open: Arc<Open>) -> impl IntoView {
    let current = open.shown.run_id.clone();
    let others: Vec<IndexEntry> =
        open.runs.iter().filter(|r| r.run_id != current).take(MAX_RUNS).cloned().collect();
    let rows = open.runs.iter().take(MAX_RUNS).map(|r| run_view(r, r.run_id == current));
    let rows = rows.collect_view();
    view! {
        <ViewHead open=open.clone() title="Runs"/>
        <section id="site-runs" aria-labelledby="site-runs-head">
            <h2 id="site-runs-head">"Published on this site"</h2>
            <div class="scroll" role="region" aria-label="Runs" tabindex="0">
                <table class="results">
                    <caption>"Runs, the newest first"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"run"</th>
                            <th scope="col">"date"</th>
                            <th scope="col">"data set"</th>
                            <th scope="col">"accuracies"</th>
                            <th scope="col">"bytes"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
        {(!others.is_empty()).then(|| view! { <Pairing others/> })}
    }
    .into_any()
}

fn run_view(run: &IndexEntry, current: bool) -> AnyView {
    let bytes: u64 = run.files.values().map(|f| f.bytes).sum();
    let values = || run.headline.values().copied().filter(|v| v.is_finite());
    let accuracies = if run.headline.is_empty() {
        format::DASH.to_owned()
    } else {
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        format!(
            "{} of them, {}",
            format::count(run.headline.len() as u64),
            format::range(low, high)
        )
    };
    let data_set = run.dataset_signature.split('|').next().unwrap_or_default();
    view! {
        <tr>
            <th scope="row">
                <a href=Query::of_run(&run.run_id).to_search()>{format::cut(&run.run_id, 60)}</a>
                {current.then_some(" (open)")}
                <span class="question">{format::short(&run.title)}</span>
            </th>
            <td>{run.date.as_deref().map_or_else(|| format::DASH.into(), format::day)}</td>
            <td>{format::cut(data_set, 60)}</td>
            <td>{accuracies}</td>
            <td>{format::bytes(bytes)}</td>
        </tr>
    }
    .into_any()
}

/// The open run against another.
#[component]
fn Pairing(others: Vec<IndexEntry>) -> impl IntoView {
    let desk = expect_context::<SharedDesk>();
    let address = expect_context::<Address>();
    let with = address.fragment.get_untracked().parameter("with").to_owned();
    let chosen = RwSignal::new(with);
    let got = RwSignal::new(None);
    let none = std::iter::once((String::new(), "choose a run".to_owned()));
    let choices = none.chain(others.iter().map(|r| (r.run_id.clone(), r.run_id.clone()))).collect();
    Effect::new(move |before: Option<()>| {
        let run_id = chosen.get();
        if before.is_some() {
            let kept = [("with".to_owned(), run_id.clone())];
            let kept = kept.into_iter().filter(|(_, v)| !v.is_empty()).collect();
            address.narrow(Fragment::Section("runs".into(), kept));
        }
        got.set(None);
        let Some(entry) = others.iter().find(|r| r.run_id == run_id).cloned() else { return };
        let desk = desk.get_value();
        leptos::task::spawn_local(async move {
            let url = format!("{}/results.json", entry.path.trim_end_matches('/'));
            let fetched = data::fetch_run(&url).await;
            if !still_chosen(chosen, &run_id) {
                return;
            }
            match fetched {
                Ok(mut loaded) => {
                    loaded.files.expected = entry.files;
                    desk.ask(Ask::Pair(loaded.files), &loaded.buffers, move |reply| {
                        if still_chosen(chosen, &run_id) {
                            got.set(Some(reply));
                        }
                    });
                }
                Err(problem) => got.set(Some(Err(problem))),
            }
        });
    });
    view! {
        <section id="pair" aria-labelledby="pair-head">
            <h2 id="pair-head">"Compare with another run"</h2>
            <p class="lead">
                "Every model and arm that both runs have, on the questions that both served: A is the open run, B the other. Computed here from both logs with the open run's plan; nobody has published these numbers."
            </p>
            <div class="choices">{select("pair-with", "the other run", chosen, choices)}</div>
            {move || (!chosen.get().is_empty()).then(|| answered(got.get(), |answer| match answer {
                Answer::Paired(c) => paired_view(c),
                _ => ().into_any(),
            }))}
        </section>
    }
    .into_any()
}

fn paired_view(computation: &Computation) -> AnyView {
    let Some(results) = computation.results.clone() else { return ().into_any() };
    let (rows, hidden) = comparisons::rows(&results, Family::Plan);
    view! {
        <div class="scroll" role="region" aria-label="Two runs compared" tabindex="0">
            <table class="comparisons">
                <caption>"Two runs on their common questions"</caption>
                <thead>
                    <tr>
                        <th scope="col">"pair (A, B)"</th>
                        <th scope="col">"difference A − B"</th>
                        <th scope="col">"interval"</th>
                        <th scope="col">"reading"</th>
                        <th scope="col">"exact p"</th>
                        <th scope="col">"Holm p"</th>
                        <th scope="col">"items"</th>
                        <th scope="col">"only A"</th>
                        <th scope="col">"only B"</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(pair_row).collect_view()}</tbody>
            </table>
        </div>
        {(hidden > 0).then(|| view! { <p class="note">{format::count(hidden as u64)} " more pairs are not drawn."</p> })}
        {sheet_buttons("two-runs", move || comparisons::table(&results, Family::Plan))}
    }
    .into_any()
}

fn pair_row(row: Row) -> AnyView {
    let class = if row.reading == Reading::NotAResult { "not-a-result" } else { "" };
    let dash = || format::DASH.to_owned();
    let [_, only_a, only_b, _] = row.table.unwrap_or_else(|| [dash(), dash(), dash(), dash()]);
    view! {
        <tr>
            <th scope="row"><span class="series">{row.a}</span> <span class="series">{row.b}</span></th>
            <td>{row.difference}</td>
            <td>{row.interval.unwrap_or_else(dash)}</td>
            <td class=class>{row.reading.words()} {row.withheld.map(|w| view! { <span class="reason">{w}</span> })}</td>
            <td>{row.p_value}</td>
            <td>{row.p_holm}</td>
            <td>{row.items}</td>
            <td>{only_a}</td>
            <td>{only_b}</td>
        </tr>
    }
    .into_any()
}
