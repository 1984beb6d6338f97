//! The views: each puts parts together over what is known about the open run.

mod all_numbers;
mod arms;
mod calibration;
mod comparisons;
mod evidence;
mod head;
mod intervals;
mod lift;
mod masthead;
mod method;
mod number;
pub mod overview;
mod provenance;
mod question;
mod questions;
mod receipt;
mod retrieval;
mod runs;

use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    app::View,
    components::{self, save},
    later::{Part, Saved},
    model::{check::Verdict, table::figures_sheet},
    open_run::Open,
};

/// Draws one of the parts that no verdict waits for.
pub fn part(part: Part, open: Arc<Open>) -> AnyView {
    match part {
        Part::Banner => view! { <components::banner::Banner open/> }.into_any(),
        Part::Arms => view! { <arms::Arms open/> }.into_any(),
        Part::Sections => overview::sections(open),
        Part::View(view) => self::view(view, open),
    }
}

/// Saves something of the first view.
pub fn save(saved: Saved, open: &Open) {
    let word = |verdict: Option<Verdict>| verdict.map_or("not compared", Verdict::attribute);
    let sheet = || figures_sheet(&open.shown, |id| word(open.verdict(id)));
    match saved {
        Saved::Csv => save::csv("figures", &sheet()),
        Saved::Json => save::json("figures", &sheet()),
        Saved::Receipt => receipt::save_receipt(open),
    }
}

fn view(view: View, open: Arc<Open>) -> AnyView {
    match view {
        View::Overview => view! { <overview::Overview open/> }.into_any(),
        View::Figure(id) => view! { <number::NumberView open id/> }.into_any(),
        View::Question(id) => view! { <question::QuestionView open id/> }.into_any(),
        View::Named(name) => match name.as_str() {
            "intervals" => view! { <intervals::Intervals open/> }.into_any(),
            "questions" => view! { <questions::Questions open/> }.into_any(),
            "method" => view! { <method::Method open/> }.into_any(),
            "runs" => view! { <runs::Runs open/> }.into_any(),
            _ => view! { <retrieval::Retrieval open/> }.into_any(),
        },
    }
}
