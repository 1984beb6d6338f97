use std::sync::Arc;

use leptos::prelude::*;
use records::Series;

use super::intervals::answered;
use crate::{
    chart::Painter,
    components::{
        chart_canvas::Plot,
        figure::figure_link,
        settings_form::{select, still_chosen},
    },
    desk::SharedDesk,
    format,
    model::{evidence::Turned, lift},
    open_run::Open,
    url_state::question_href,
    worker::protocol::{Ask, Finding},
};

/// What the evidence adds to accuracy, arm by arm, against the named control.
#[component]
pub fn LiftSection(open: Arc<Open>) -> impl IntoView {
    let Some(lift) = lift::lift(&open.shown) else {
        return ().into_any();
    };
    let n_rows = lift.spec.rows.len();
    let links: Vec<_> = lift
        .ids
        .iter()
        .zip(&lift.spec.rows)
        .map(|(id, row)| {
            let label = row.label.clone();
            view! { <li>{label} " " {figure_link(&open, id, format::signed(row.point))}</li> }
        })
        .collect();
    let withheld: Vec<_> = lift
        .withheld
        .iter()
        .map(|w| {
            view! {
                <li>
                    {w.label.clone()} " " {figure_link(&open, &w.id, format::DASH.into())} " "
                    <span class="reason">{w.reason.clone()}</span>
                </li>
            }
        })
        .collect();
    let control = if lift.controls.is_empty() {
        "the plan names no control arm".to_owned()
    } else {
        format!("the control is {}", format::list(&lift.controls))
    };
    let (painter, sheet) = (Painter::Whiskers(Arc::new(lift.spec)), lift.table);
    let checked = open.report.recomputed.is_some();
    let pairs = lift.pairs;
    view! {
        <section id="lift" aria-labelledby="lift-head">
            <h2 id="lift-head">"Evidence lift"</h2>
            <p class="lead">
                "How much does an arm's accuracy exceed that of its control on the questions that both served? Here "
                {control}
                ". The line is the paired interval; the band is what this many questions cannot show: a difference inside it is not a result, whatever its sign."
            </p>
            {(n_rows > 0).then(|| view! {
                <Plot painter sheet caption="Evidence lift by arm" name="evidence-lift"/>
            })}
            <ul class="links">{links} {withheld}</ul>
            {(checked && !pairs.is_empty()).then(|| view! { <TurnedItems pairs/> })}
        </section>
    }
    .into_any()
}

/// Most questions that a list names.
const MAX_NAMED: usize = 200;

/// Which questions an arm's documents turned right, and which wrong.
#[component]
fn TurnedItems(pairs: Vec<[Series; 2]>) -> impl IntoView {
    let desk = expect_context::<SharedDesk>();
    let chosen = RwSignal::new("0".to_owned());
    let answer = RwSignal::new(None);
    let choices = pairs.iter().enumerate().map(|(i, [a, b])| {
        let words = format!("{} · {} against {}", a.model, a.arm, b.arm);
        (i.to_string(), words)
    });
    let choices = choices.collect();
    Effect::new(move |_| {
        let now = chosen.get();
        let at: usize = now.parse().unwrap_or(0);
        let Some([a, b]) = pairs.get(at).cloned() else { return };
        answer.set(None);
        desk.with_value(|d| {
            d.inquire(Ask::Turned { a, b }, move |reply| {
                if still_chosen(chosen, &now) {
                    answer.set(Some(reply));
                }
            });
        });
    });
    view! {
        <h3>"Which questions"</h3>
        <div class="choices">{select("turned-pair", "arm and control", chosen, choices)}</div>
        {move || answered(answer.get(), |answer| match answer {
            Finding::Turned(turned) => turned_view(turned),
            _ => ().into_any(),
        })}
    }
    .into_any()
}

fn turned_view(turned: &Turned) -> AnyView {
    let list = |ids: &[String]| {
        let links = ids.iter().take(MAX_NAMED).map(|id| {
            view! { <li><a href=question_href(id)>{format::cut(id, 40)}</a></li> }
        });
        let more = ids.len().saturating_sub(MAX_NAMED);
        view! {
            <ul class="ids">
                {links.collect_view()}
                {(more > 0).then(|| view! { <li>"and " {format::count(more as u64)} " more"</li> })}
            </ul>
        }
    };
    view! {
        <p>
            {format!(
                "Of {} in common, by majority of their repeats and from the records as loaded: {} right with the arm and not with the control, {} the other way round.",
                format::plural(turned.common, "question", "questions"),
                format::count(turned.right.len() as u64),
                format::count(turned.wrong.len() as u64)
            )}
        </p>
        <div class="two">
            <div><h4>"Turned right"</h4>{list(&turned.right)}</div>
            <div><h4>"Turned wrong"</h4>{list(&turned.wrong)}</div>
        </div>
    }
    .into_any()
}
