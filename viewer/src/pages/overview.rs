use std::sync::Arc;

use leptos::prelude::*;

use super::{
    all_numbers::AllNumbers, calibration::Calibration, comparisons::Comparisons, lift::LiftSection,
    masthead::Masthead, provenance::Provenance,
};
use crate::{
    components::{
        legend::Legend,
        results_table::ResultsTable,
        staged::{Between, Stages},
    },
    later::{Part, awaited_part, part},
    open_run::Open,
};

/// Sections that stand below the table, in order.
const SECTIONS: [fn(Arc<Open>) -> AnyView; 5] = [
    |open| view! { <Calibration open/> }.into_any(),
    |open| view! { <LiftSection open/> }.into_any(),
    |open| view! { <Comparisons open/> }.into_any(),
    |open| view! { <AllNumbers open/> }.into_any(),
    |open| view! { <Provenance open/> }.into_any(),
];

/// Everything about a run on one page.
#[component]
pub fn Overview(open: Arc<Open>) -> impl IntoView {
    let totals = open.checks.totals();
    let has_checks = open.compares();
    view! {
        <Masthead open=open.clone()/>
        <section id="results" aria-labelledby="results-head">
            <h2 id="results-head">"Results"</h2>
            <ResultsTable open=open.clone()/>
            {has_checks.then(|| view! { <Legend totals/> })}
            {part(Part::Arms, open.clone())}
        </section>
        {awaited_part(Part::Sections, open)}
    }
}

/// What stands below the table: one section after the other. Until the last of them is there, the page says that it is
/// busy.
pub fn sections(open: Arc<Open>) -> AnyView {
    let stages = Stages::apart(SECTIONS.len(), Between::Frames, || {});
    let sections = SECTIONS.into_iter().enumerate().map(|(at, section)| {
        let (open, due) = (open.clone(), stages.due(at));
        move || due.get().then(|| section(open.clone()))
    });
    let sections = sections.collect_view();
    view! { <div aria-busy=move || stages.busy().then_some("true")>{sections}</div> }.into_any()
}
