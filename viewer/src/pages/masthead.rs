use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    later::{Saved, save_button},
    model::{
        glance::{self, Piece},
        receipt::{BUTTON, MEANING, NOTE},
    },
    open_run::{Mode, Open},
    url_state::{Fragment, Query, figure_href},
};

/// First glance: which run, what was measured on what, and the verdict in one sentence.
#[component]
pub fn Masthead(open: Arc<Open>) -> impl IntoView {
    let run = open.report.run.as_ref();
    let date = glance::date(run);
    let origin = open.origin.clone();
    let state = glance::data_state(run).join(" ");
    let (tone, sentence) = open.sentence();
    view! {
        <header class="masthead">
            <p class="eyebrow">
                {date.map(|d| view! { <span>{d}</span> })}
                <span>"from " {origin}</span>
                <Runs open=open.clone()/>
            </p>
            <h1>{glance::title(&open.shown)}</h1>
            <p class="measured">{glance::measured(&open.shown, run)}</p>
            <p class="data-state">{state}</p>
            <p class="verdict" id="verdict-sentence" data-tone=tone role="status">
                {sentence
                    .into_iter()
                    .map(|piece| match piece {
                        Piece::Text(text) => text.into_any(),
                        Piece::Figure { id, text } => {
                            view! { <a href=figure_href(&id)>{text}</a> }.into_any()
                        }
                    })
                    .collect_view()}
            </p>
            <Receipt open=open.clone()/>
            <Warnings open/>
        </header>
    }
    .into_any()
}

/// Saves what was checked and what came out; only of a run as it was published and loaded.
#[component]
fn Receipt(open: Arc<Open>) -> impl IntoView {
    (open.mode == Mode::Published && open.report.published.is_some()).then(|| {
        view! {
            <p class="saves">
                {save_button(Some("receipt"), BUTTON, Saved::Receipt, open)}
                <span class="note">
                    {NOTE} " "
                    <a href=Fragment::section("method").to_hash()>{MEANING}</a>
                </span>
            </p>
        }
    })
}

/// What would make the verdict mean something else: files that are not the ones that were named, unreadable files.
#[component]
fn Warnings(open: Arc<Open>) -> impl IntoView {
    let mismatches: Vec<String> = open
        .report
        .files
        .iter()
        .flat_map(|f| {
            f.named_by.iter().filter(|(_, same)| !same).map(move |(by, _)| {
                format!("{} is not the file that {by} names: its SHA-256 is another one.", f.name)
            })
        })
        .collect();
    let problems: Vec<String> = open
        .report
        .problems
        .iter()
        .map(|p| {
            let remedy =
                p.remedy.as_ref().map(|r| format!(" What to do: {}.", crate::format::cut(r, 300)));
            format!("{}.{}", p.sentence(), remedy.unwrap_or_default())
        })
        .collect();
    let all: Vec<String> = mismatches.into_iter().chain(problems).collect();
    (!all.is_empty()).then(|| {
        view! {
            <ul class="warnings">
                {all.into_iter().map(|w| view! { <li>{w}</li> }).collect_view()}
            </ul>
        }
    })
}

/// The site's other runs.
#[component]
fn Runs(open: Arc<Open>) -> impl IntoView {
    let current = open.shown.run_id.clone();
    let others: Vec<_> =
        open.runs.iter().filter(|r| r.run_id != current).take(30).cloned().collect();
    (!others.is_empty()).then(|| {
        view! {
            <span>
                "other runs: "
                {others
                    .into_iter()
                    .enumerate()
                    .map(|(i, run)| {
                        let (id, title) = (run.run_id, run.title);
                        let href = Query::of_run(&id).to_search();
                        let comma = if i > 0 { ", " } else { "" };
                        view! {
                            {comma}
                            <a href=href title=crate::format::short(&title)>{crate::format::cut(&id, 40)}</a>
                        }
                    })
                    .collect_view()}
            </span>
        }
    })
}
