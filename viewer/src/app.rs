//! The page as a whole: opens the run that the address names, and shows the view that it names.

use std::sync::Arc;

use gloo::events::{EventListener, EventListenerOptions};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::DragEvent;

use crate::{
    address::Address,
    components::{nav::Views, problem::problem_view},
    data,
    desk::{Desk, SharedDesk, State},
    later::{self, Arrival, Part},
    model::glance,
    open_run::{Mode, Open},
    opening::{Opening, Source},
    pages::overview::Overview,
    url_state::{Fragment, Query},
    worker::protocol::Problem,
};

/// What is put in the place of the content: changes in a view's own parameters do not make it anew.
#[derive(Clone, PartialEq)]
pub enum View {
    /// Everything about the run.
    Overview,
    /// One number.
    Figure(String),
    /// One question.
    Question(String),
    /// One of the other views, by its name in the address.
    Named(String),
}

impl View {
    fn of(fragment: &Fragment) -> Self {
        match fragment {
            Fragment::Figure(id) => Self::Figure(id.clone()),
            Fragment::Question(id) => Self::Question(id.clone()),
            Fragment::Section(name, _) if crate::components::nav::is_view(name) => {
                Self::Named(name.clone())
            }
            _ => Self::Overview,
        }
    }
}

/// Is the first view whole? Until then the published table stands in its place.
#[derive(Clone, Copy)]
pub struct FirstView(pub RwSignal<bool>);

/// Puts the page in its place, over what is being opened.
pub fn mount(place: web_sys::HtmlElement, worker_url: String, opening: Opening) {
    mount_to(place, move || view! { <App worker_url opening/> }).forget();
}

/// The page.
#[component]
pub fn App(worker_url: String, opening: Opening) -> impl IntoView {
    let address = Address::follow();
    provide_context(address);
    let desk = Desk::new(&worker_url);
    let state = desk.state;
    let query = address.query.get_untracked();
    let foreign = desk.foreign;
    desk.follow(opening, query);
    let desk = SharedDesk::new_local(desk);
    provide_context(desk);
    follow_settings(desk, address);
    listen(desk, address);
    let arrival = Arrival::new(None);
    provide_context(arrival);
    let drawn = RwSignal::new(false);
    provide_context(FirstView(drawn));
    Effect::new(move |_| {
        let state = state.get();
        if !matches!(state, State::Loading(_)) {
            later::fetch(arrival);
        }
        mark_body(&state, drawn.get(), arrival.get().is_some(), foreign.get());
    });
    let view = Memo::new(move |_| View::of(&address.fragment.get()));
    // Once for each place that the address names: whoever computes anew stays where he is.
    Effect::new(move |before: Option<Option<Fragment>>| {
        let fragment = address.fragment.get();
        let there =
            matches!(state.get(), State::Ready(_)) && drawn.get() && arrival.get().is_some();
        let before = before.flatten();
        if !there || before.as_ref() == Some(&fragment) {
            return before;
        }
        let to = fragment.clone();
        request_animation_frame(move || go_to(&to, FRAMES));
        Some(fragment)
    });
    view! {
        {move || match state.get() {
            State::Loading(step) => loading(step, desk),
            State::Failed(problem) => failed(&problem, foreign.get()),
            State::Ready(open) => view! {
                <Views open=open.clone()/>
                <main id="content" tabindex="-1" hidden=move || !drawn.get()>
                    {later::part(Part::Banner, open.clone())}
                    {move || content(view.get(), open.clone(), drawn)}
                </main>
            }
            .into_any(),
        }}
        // What is to be read comes first: while a run is being opened, nothing is put before it or moves it.
        {move || match state.get() {
            State::Loading(_) => None,
            State::Ready(_) => drawn.get().then(later::opener),
            State::Failed(_) => Some(later::opener()),
        }}
    }
}

/// What went wrong. It is the page's content, unless the published table still stands below it.
fn failed(problem: &Problem, foreign: bool) -> AnyView {
    let words = "This run could not be opened";
    if !foreign && published().is_some() {
        return view! {
            <section class="failed" aria-labelledby="failed-head">
                <h2 id="failed-head">{words}</h2>
                {problem_view(problem)}
            </section>
        }
        .into_any();
    }
    view! {
        <main class="failed" id="content" tabindex="-1">
            <h1>{words}</h1>
            {problem_view(problem)}
        </main>
    }
    .into_any()
}

fn loading(step: String, desk: SharedDesk) -> AnyView {
    view! {
        <p class="progress" role="status">
            <span>{step} "…"</span>
            <button type="button" id="cancel" on:click=move |_| desk.with_value(Desk::cancel)>
                "Cancel"
            </button>
        </p>
    }
    .into_any()
}

/// Whatever is not the overview of the run as published comes later: numbers under other settings must not stand there
/// before the banner that says so.
fn content(view: View, open: Arc<Open>, drawn: RwSignal<bool>) -> AnyView {
    if view == View::Overview && matches!(open.mode, Mode::Published | Mode::Values) {
        return view! { <Overview open/> }.into_any();
    }
    drawn.set(true);
    if open.mode == Mode::Values {
        view! { <p>"This view is there when the intervals are."</p> }.into_any()
    } else {
        later::awaited_part(Part::View(view), open)
    }
}

/// Computes anew when settings or changes in the address do.
fn follow_settings(desk: SharedDesk, address: Address) {
    let computed = Memo::new(move |_| {
        let query = address.query.get();
        Query { settings: query.settings, edits: query.edits, ..Query::default() }
    });
    Effect::new(move |before: Option<Query>| {
        let now = computed.get();
        if before.is_some_and(|before| before != now) {
            desk.with_value(|d| d.apply(&now));
        }
        now
    });
}

fn listen(desk: SharedDesk, address: Address) {
    let preventing = EventListenerOptions::enable_prevent_default();
    if let Some(skip) = document().get_element_by_id("skip") {
        EventListener::new_with_options(&skip, "click", preventing, |event| {
            event.prevent_default();
            focus_content();
        })
        .forget();
    }
    EventListener::new(&window(), "drop", move |event| {
        let files = event.dyn_ref::<DragEvent>().map(data::dropped_files).unwrap_or_default();
        if !files.is_empty() {
            open_files(desk, address, files);
        }
    })
    .forget();
}

/// Opens files from the reader's disk; settings and changes in the address were meant for another run.
pub fn open_files(desk: SharedDesk, address: Address, files: Vec<web_sys::File>) {
    address.set_query(|query| *query = Query::default());
    desk.with_value(|d| d.open(Source::Files(files), Query::default()));
}

/// Tells style sheets and tests where the page stands, names the run in the window's title, and takes the unchecked table
/// away once the checked one is there. It stays when its run could not be opened: what it says is still what was
/// published.
fn mark_body(state: &State, drawn: bool, complete: bool, foreign: bool) {
    if let Some(body) = document().body() {
        // The name is a valid one, so this cannot fail.
        let whole = !matches!(state, State::Ready(open) if open.mode == Mode::Values);
        let whole = whole && (drawn || !matches!(state, State::Ready(_)));
        let name = if complete && whole { state.name() } else { "loading" };
        let _ = body.set_attribute("data-state", name);
    }
    if let State::Ready(open) = state {
        document().set_title(&format!("{} · Recount", glance::title(&open.shown)));
    }
    if let (State::Failed(_), Some(sentence)) = (state, published_sentence()) {
        sentence
            .set_text_content(Some("Not checked: the numbers below stand as they were published."));
        // The name is a valid one, so this cannot fail.
        let _ = sentence.set_attribute("data-tone", "unchecked");
    }
    let replaced = matches!(state, State::Ready(_)) && drawn;
    if let Some(published) = published().filter(|_| foreign || replaced) {
        let focused = published.contains(document().active_element().as_deref());
        published.remove();
        if focused && replaced {
            // Where it was is no more; the place on the screen stays.
            let options = web_sys::FocusOptions::new();
            options.set_prevent_scroll(true);
            let main = document().get_element_by_id("content");
            if let Some(main) = main.and_then(|m| m.dyn_into::<web_sys::HtmlElement>().ok()) {
                // A failure leaves the focus at the top.
                let _ = main.focus_with_options(&options);
            }
        }
    }
    if let Some(skip) = document().get_element_by_id("skip").filter(|_| published().is_none()) {
        // The name is a valid one, so this cannot fail.
        let _ = skip.set_attribute("href", "#content");
    }
}

/// The table that is in the page from the start.
fn published() -> Option<web_sys::Element> {
    document().get_element_by_id("published")
}

/// What is said above it.
fn published_sentence() -> Option<web_sys::Element> {
    published()?.query_selector("#verdict-sentence").ok()?
}

/// Moves keyboard and screen reader to the content.
fn focus_content() {
    if let Some(main) = document().get_element_by_id("content").or_else(published)
        && let Ok(main) = main.dyn_into::<web_sys::HtmlElement>()
    {
        // A failure leaves the focus where it was.
        let _ = main.focus();
    }
}

/// Frames within which a section is drawn.
const FRAMES: u32 = 60;

/// Brings what the address names into view, once it has been drawn.
fn go_to(fragment: &Fragment, frames: u32) {
    match fragment {
        Fragment::Top => {}
        Fragment::Section(name, parameters) => {
            // Whoever narrows a view down is in the middle of it, and what was published has been replaced.
            if parameters.is_empty() && name != "published" {
                // What stands below the sections has its place when they are there.
                let awaited = name == "open" && being_drawn();
                match document().get_element_by_id(name).filter(|_| !awaited) {
                    Some(section) => section.scroll_into_view(),
                    None if frames > 0 && being_drawn() => {
                        let fragment = fragment.clone();
                        request_animation_frame(move || go_to(&fragment, frames - 1));
                    }
                    None => window().scroll_to_with_x_and_y(0.0, 0.0),
                }
            }
        }
        Fragment::Figure(_) | Fragment::Question(_) => {
            focus_content();
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
    }
}

/// Are sections of the overview still to come?
fn being_drawn() -> bool {
    matches!(document().query_selector("[aria-busy=true]"), Ok(Some(_)))
}
