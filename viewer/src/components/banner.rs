use std::sync::Arc;

use leptos::prelude::*;

use super::problem::problem_view;
use crate::{
    address::Address,
    desk::{Desk, SharedDesk},
    format,
    model::{check::Checks, what_if::Effect},
    open_run::{Mode, Open},
    url_state::{Applied, Edit, Edits, figure_href},
};

/// Most numbers and changes that a banner names.
const MAX_NAMED: usize = 12;

/// Says that what is shown is not what was published, and leads back with one click; says what is being computed, and
/// why it could not be.
#[component]
pub fn Banner(open: Arc<Open>) -> impl IntoView {
    let desk = expect_context::<SharedDesk>();
    let address = expect_context::<Address>();
    let (busy, refused) = desk.with_value(|d| (d.busy, d.refused));
    let back = move |_| address.set_query(|q| *q = q.as_published());
    let body = match &open.mode {
        Mode::Published | Mode::Values => ().into_any(),
        Mode::Own(settings) => {
            let plan = open.report.published.as_ref().or(open.report.recomputed.as_ref());
            let said = plan.map(|r| settings.differences(&r.plan)).unwrap_or_default();
            let said = if said.is_empty() {
                "the published ones, set anew".into()
            } else {
                said.join("; ")
            };
            let changed = !address.query.get_untracked().edits.is_empty();
            view! {
                <p>
                    <b>"Your own settings. "</b> {said} ". "
                    "The numbers of this run are computed here with them: none is the published one, and none is compared with it."
                    {changed.then_some(" The records are changed as well.")}
                </p>
            }
            .into_any()
        }
        Mode::WhatIf(edits, applied) => what_if(&open, edits, *applied, address),
    };
    let shown = !matches!(open.mode, Mode::Published | Mode::Values);
    let opening = open.mode == Mode::Values;
    view! {
        {move || busy.get().map(|step| view! {
            <p class="progress" role="status">
                <span>{step} "…"</span>
                {opening.then(|| view! {
                    <button type="button" id="cancel" on:click=move |_| desk.with_value(Desk::cancel)>
                        "Cancel"
                    </button>
                })}
            </p>
        })}
        {move || refused.get().map(|problem| view! {
            <section class="banner" aria-label="Settings that cannot be computed with">
                {problem_view(&problem)}
                <p>"Shown are the published settings."</p>
                <button type="button" on:click=back>"Back to the published settings"</button>
            </section>
        })}
        {shown.then(|| view! {
            <section class="banner" id="banner" aria-label="Not as published">
                {body}
                <button type="button" id="as-published" on:click=back>"Back to what was published"</button>
            </section>
        })}
    }
    .into_any()
}

fn what_if(open: &Open, edits: &Edits, applied: Applied, address: Address) -> AnyView {
    let before = Checks::new(open.report.checks.clone());
    let lost = open.effects.len() as u64;
    let all = before.totals().agree() + before.totals().withheld;
    let idle = (applied.idle > 0).then(|| {
        format!(
            "; {} met no row that it could change",
            format::plural(applied.idle, "change", "changes")
        )
    });
    let remove = |edit: Edit| {
        let words = edit.words();
        let undo = move |_| {
            let edit = edit.clone();
            address.set_query(|q| q.edits.toggle(edit));
        };
        view! { <li>{words} " " <button type="button" on:click=undo>"take back"</button></li> }
    };
    view! {
        <p>
            <b>"What if? "</b>
            {format!(
                "The records are changed by you: {} left out, {} turned round{}. ",
                format::plural(applied.dropped, "row", "rows"),
                format::plural(applied.flipped, "answer", "answers"),
                idle.unwrap_or_default()
            )}
            <b id="what-if-lost">{format::count(lost)}</b>
            {format!(" of the {} entries that agreed with the records as loaded no longer do.", format::count(all))}
        </p>
        {effects_view(open)}
        <details>
            <summary>"The changes"</summary>
            <ul>{edits.iter().cloned().map(remove).collect_view()}</ul>
        </details>
    }
    .into_any()
}

/// The entries that the changes reach, the most telling first; those that were merely counted anew are only counted.
fn effects_view(open: &Open) -> AnyView {
    let mut list: Vec<(&String, &Effect)> = open.effects.iter().collect();
    list.sort_by(|a, b| a.1.order(b.1));
    let (telling, rest): (Vec<_>, Vec<_>) =
        list.into_iter().partition(|(_, e)| !matches!(e, Effect::Recounted));
    let (other, moved): (Vec<_>, Vec<_>) =
        telling.into_iter().partition(|(_, e)| matches!(e, Effect::SaysOther(_)));
    let named = |class: &'static str, title: &'static str, list: &[(&String, &Effect)]| {
        let more = list.len().saturating_sub(MAX_NAMED);
        let each = list.iter().take(MAX_NAMED).map(|(id, effect)| {
            let words = match effect {
                Effect::SaysOther(words) => (*words).to_owned(),
                Effect::Moved { from, to, .. } => format!("{from} → {to}"),
                Effect::Recounted => String::new(),
            };
            view! { <li><a href=figure_href(id)>{format::cut(id, 80)}</a> " " {words}</li> }
        });
        (!list.is_empty()).then(|| view! {
            <p class="effects"><b>{format::count(list.len() as u64)}</b> {title}</p>
            <ul class=class>
                {each.collect_view()}
                {(more > 0).then(|| view! { <li>"and " {format::count(more as u64)} " more"</li> })}
            </ul>
        })
    };
    view! {
        {named("links says-other", " now say something else:", &other)}
        {named("links moved", " are printed otherwise; first those that moved most, by their own interval:", &moved)}
        {(!rest.is_empty()).then(|| view! {
            <p class="effects" id="recounted">
                <b>{format::count(rest.len() as u64)}</b>
                " merely have other rows behind them: counts and sums, and numbers that are printed as before."
            </p>
        })}
    }
    .into_any()
}
