//! The parts of the page that no verdict waits for. The site builder puts their code into a file of its own, which is
//! fetched once there is a verdict to read.

use std::sync::Arc;

use leptos::{prelude::*, wasm_split::wasm_split};

use crate::{
    app::View,
    components::{opener::Opener, problem::problem_view},
    open_run::Open,
    pages,
    worker::protocol::Problem,
};

/// A part of the page that is drawn later.
#[derive(Clone)]
pub enum Part {
    /// That what is shown is not what was published, and what is being computed.
    Banner,
    /// What each arm shows the model.
    Arms,
    /// What stands below the main table.
    Sections,
    /// A view with its content.
    View(View),
}

/// What the first view offers as a file.
#[derive(Clone, Copy)]
pub enum Saved {
    /// The main table as CSV.
    Csv,
    /// The main table as JSON.
    Json,
    /// What was checked, and what came out.
    Receipt,
}

/// The code that draws and saves.
#[derive(Clone, Copy)]
pub struct Code {
    part: fn(Part, Arc<Open>) -> AnyView,
    opener: fn() -> AnyView,
    save: fn(Saved, &Open),
}

/// The code, once it is there, or why it could not be had.
pub type Arrival = RwSignal<Option<Result<Code, Problem>>>;

/// Everything reached from here and from nowhere else is what is fetched later.
#[wasm_split(later, wasm_split_path = ::leptos::wasm_split, fallible)]
fn load() -> Result<Code, Problem> {
    let opener = || view! { <Opener/> }.into_any();
    Ok(Code { part: pages::part, opener, save: pages::save })
}

/// Fetches the code, once.
pub fn fetch(arrival: Arrival) {
    if arrival.get_untracked().is_none() {
        leptos::task::spawn_local(async move { arrival.set(Some(load().await)) });
    }
}

/// Where a reader opens other results; nothing until its code is there.
pub fn opener() -> AnyView {
    let arrival = expect_context::<Arrival>();
    (move || arrival.get().and_then(Result::ok).map(|code| (code.opener)())).into_any()
}

/// A button that saves something; it can be pressed once its code is there.
pub fn save_button(
    id: Option<&'static str>,
    words: &'static str,
    saved: Saved,
    open: Arc<Open>,
) -> AnyView {
    let arrival = expect_context::<Arrival>();
    let code = move || arrival.get().and_then(Result::ok);
    let click = move |_| {
        if let Some(code) = code() {
            (code.save)(saved, &open);
        }
    };
    view! {
        <button type="button" id=id disabled=move || code().is_none() on:click=click>
            {words}
        </button>
    }
    .into_any()
}

/// A part, in its place as soon as its code is there; until then nothing.
pub fn part(part: Part, open: Arc<Open>) -> AnyView {
    let arrival = expect_context::<Arrival>();
    (move || match arrival.get() {
        Some(Ok(code)) => (code.part)(part.clone(), open.clone()),
        _ => ().into_any(),
    })
    .into_any()
}

/// As [`part`], but says that it is awaited, or why it does not come.
pub fn awaited_part(part: Part, open: Arc<Open>) -> AnyView {
    let arrival = expect_context::<Arrival>();
    (move || match arrival.get() {
        None => view! { <p class="progress" role="status">"fetching the rest of the page…"</p> }
            .into_any(),
        Some(Ok(code)) => (code.part)(part.clone(), open.clone()),
        Some(Err(problem)) => problem_view(&problem).into_any(),
    })
    .into_any()
}
