use std::{sync::Arc, time::Duration};

use leptos::prelude::*;

use super::{
    all_numbers::AllNumbers, calibration::Calibration, comparisons::Comparisons, lift::LiftSection,
    masthead::Masthead, provenance::Provenance,
};
use crate::{
    components::{legend::Legend, results_table::ResultsTable},
    format,
    open_run::Open,
};

/// Sections that are drawn after verdict and table, in order.
const LATER: [fn(Arc<Open>) -> AnyView; 5] = [
    |open| view! { <Calibration open/> }.into_any(),
    |open| view! { <LiftSection open/> }.into_any(),
    |open| view! { <Comparisons open/> }.into_any(),
    |open| view! { <AllNumbers open/> }.into_any(),
    |open| view! { <Provenance open/> }.into_any(),
];

/// Everything about a run on one page: verdict and table at once, then one section after the other, so that no single
/// task keeps the reader from scrolling. Until the last of them is there, the page says that it is busy.
#[component]
pub fn Overview(open: Arc<Open>) -> impl IntoView {
    let totals = open.checks.totals();
    let has_checks = open.compares();
    let drawn = RwSignal::new(0_usize);
    draw_next(drawn);
    let later = LATER.into_iter().enumerate().map(|(at, section)| {
        let (open, due) = (open.clone(), Memo::new(move |_| drawn.get() > at));
        move || due.get().then(|| section(open.clone()))
    });
    let later = later.collect_view();
    view! {
        <div aria-busy=move || (drawn.get() < LATER.len()).then_some("true")>
            <Masthead open=open.clone()/>
            <section id="results" aria-labelledby="results-head">
                <h2 id="results-head">"Results"</h2>
                <ResultsTable open=open.clone()/>
                {has_checks.then(|| view! { <Legend totals/> })}
                <Arms open/>
            </section>
            {later}
        </div>
    }
}

/// Draws the next section once the last one has been painted.
fn draw_next(drawn: RwSignal<usize>) {
    request_animation_frame(move || {
        set_timeout(
            move || {
                // Nothing is left to draw when the reader has gone elsewhere meanwhile.
                let count = drawn.try_update(|n| {
                    *n += 1;
                    *n
                });
                if count.is_some_and(|n| n < LATER.len()) {
                    draw_next(drawn);
                }
            },
            Duration::ZERO,
        );
    });
}

/// What each arm shows the model, from `run.json`.
#[component]
fn Arms(open: Arc<Open>) -> impl IntoView {
    let arms = open.report.run.as_ref().map(|r| r.arms.clone()).unwrap_or_default();
    (!arms.is_empty()).then(|| {
        view! {
            <dl class="arms">
                {arms
                    .into_iter()
                    .take(60)
                    .map(|arm| {
                        let evidence = match arm.evidence {
                            records::Evidence::None => "no documents",
                            records::Evidence::Bundle => "the item's documents",
                            records::Evidence::Gold => "the documents that hold the answer",
                        };
                        let abstain =
                            if arm.may_abstain { "may abstain" } else { "must answer" };
                        let description = format::cut(arm.description.trim_end_matches('.'), 300);
                        let colon = if description.is_empty() { "" } else { ". " };
                        view! {
                            <div>
                                <dt>{format::cut(&arm.name, 40)}</dt>
                                <dd>{description} {colon} "Shown: " {evidence} "; " {abstain} "."</dd>
                            </div>
                        }
                    })
                    .collect_view()}
            </dl>
        }
    })
}
