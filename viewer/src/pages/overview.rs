use std::sync::Arc;

use leptos::prelude::*;

use super::{
    all_numbers::AllNumbers, calibration::Calibration, comparisons::Comparisons, lift::LiftSection,
    masthead::Masthead, provenance::Provenance,
};
use crate::{
    components::{legend::Legend, results_table::ResultsTable},
    later::{Part, awaited_part, part},
    open_run::Open,
};

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

/// What stands below the table.
pub fn sections(open: Arc<Open>) -> AnyView {
    view! {
        <Calibration open=open.clone()/>
        <LiftSection open=open.clone()/>
        <Comparisons open=open.clone()/>
        <AllNumbers open=open.clone()/>
        <Provenance open/>
    }
    .into_any()
}
