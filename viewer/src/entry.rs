//! What the two scripts beside the module call.

use std::{cell::RefCell, panic, rc::Rc};

use gloo::{
    events::{EventListener, EventListenerOptions},
    timers::callback::Timeout,
};
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Document, Element, HtmlElement};

use crate::{
    app, format,
    model::{files::Role, glance},
    open_run::Open,
    opening::{Event, Opening, Source},
    url_state::Query,
    worker::{self, protocol::Problem},
};

/// Milliseconds after which the page is mounted though a run is still on its way.
const PATIENCE: u32 = 1500;

/// A page that waits for its code: what it is mounted with.
type Waiting = Rc<RefCell<Option<(HtmlElement, String, Opening)>>>;

/// Opens the run that the address names, says the verdict, and mounts the page, whose code is fetched meanwhile.
/// `worker_url` is the address of the worker's script.
///
/// # Errors
/// When the page has no element for it.
#[wasm_bindgen]
pub fn start_page(worker_url: String) -> Result<(), JsValue> {
    panic::set_hook(Box::new(|info| report_panic(&info.to_string())));
    let place = element("app")
        .and_then(|e| e.dyn_into::<HtmlElement>().ok())
        .ok_or("the page has no element with the id app")?;
    let search = web_sys::window().and_then(|w| w.location().search().ok()).unwrap_or_default();
    let query = Query::parse(&search);
    let source = Source::of(&query);
    keep_dropped_files_from_replacing_the_page();
    // The table in the HTML is that of the site's newest run, as published; for any other it would be the wrong one.
    let foreign = source.is_foreign();
    if let Some(published) = element("published").filter(|_| foreign) {
        published.remove();
    }
    let as_published = query == Query { sort: query.sort.clone(), ..Query::default() };
    let waiting = Waiting::default();
    let for_events = waiting.clone();
    let watch = move |event: &Event| match event {
        // What the worker needs comes first.
        Event::Begun | Event::Failed(_) => spawn_local(mount(for_events.clone())),
        Event::Opened(open) if as_published && for_events.borrow().is_some() => say_verdict(open),
        _ => {}
    };
    let opening = Opening::start(&worker_url, source, watch);
    *waiting.borrow_mut() = Some((place, worker_url, opening));
    // Who waits is told for what, and can give it up.
    let patience = if foreign { 0 } else { PATIENCE };
    Timeout::new(patience, move || spawn_local(mount(waiting))).forget();
    Ok(())
}

/// A browser leaves a page to show a file that is dropped on it, unless it is told otherwise.
fn keep_dropped_files_from_replacing_the_page() {
    let Some(window) = web_sys::window() else { return };
    for event in ["dragover", "drop"] {
        let preventing = EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(&window, event, preventing, |event| {
            event.prevent_default();
        });
        listener.forget();
    }
}

/// Mounts the page, once.
async fn mount(waiting: Waiting) {
    match page().await {
        Ok(mount) => {
            let waiting = waiting.borrow_mut().take();
            if let Some((place, worker_url, opening)) = waiting {
                mount(place, worker_url, opening);
            }
        }
        Err(problem) => {
            let remedy = problem.remedy.as_deref().unwrap_or_default();
            report(&format!(
                "The numbers below stand as this page was delivered, and none of them has a mark: {}. To try again, {remedy}.",
                problem.sentence()
            ));
        }
    }
}

/// Everything reached from here, and not needed for a verdict, is what only the page fetches.
#[wasm_split(page, wasm_split_path = ::leptos::wasm_split, fallible)]
fn page() -> Result<fn(HtmlElement, String, Opening), Problem> {
    Ok(app::mount)
}

/// Says the verdict above the published table, before the page's own view takes its place; not above the table of
/// another publication, such as an older one that a browser has kept.
fn say_verdict(open: &Open) {
    let Some(place) = element("verdict-sentence") else { return };
    let results = open.report.files.iter().find(|f| f.name == Role::Results.file_name());
    if results.map(|f| f.entry.sha256.as_str()) != place.get_attribute("data-sha256").as_deref() {
        return;
    }
    let (tone, sentence) = open.sentence();
    place.set_text_content(Some(&glance::plain(&sentence)));
    // The name is a valid one, so this cannot fail.
    let _ = place.set_attribute("data-tone", tone);
    if let Some(caption) = document().and_then(|d| d.query_selector("#published caption").ok()?) {
        caption.set_text_content(Some("Published numbers, as this page was delivered"));
    }
}

/// Starts the worker's side.
///
/// # Errors
/// When this is not a worker, or its code cannot be fetched.
#[wasm_bindgen]
pub async fn start_worker() -> Result<(), JsValue> {
    Ok(serve().await?)
}

/// Everything reached from here and from nowhere else is what only the worker fetches.
#[wasm_split(worker, wasm_split_path = ::leptos::wasm_split, fallible)]
fn serve() -> Result<(), WorkerError> {
    worker::host::start().map_err(WorkerError)
}

/// Why a worker did not start, for the browser to report.
struct WorkerError(JsValue);

impl From<SplitLoaderError> for WorkerError {
    fn from(error: SplitLoaderError) -> Self {
        Self(error.to_string().into())
    }
}

impl From<WorkerError> for JsValue {
    fn from(WorkerError(value): WorkerError) -> Self {
        value
    }
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

fn element(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}

/// Says in the page that its program broke: without this a reader would see a page that no longer answers.
fn report_panic(message: &str) {
    let message = format::cut(message, 400);
    report(&format!(
        "This page has stopped because of an error in its own program. Reload it to start again. {message}"
    ));
}

fn report(message: &str) {
    if let Some(body) = document().and_then(|d| d.body()) {
        // Both calls can only fail on names that are not allowed, and these are.
        let _ = body.set_attribute("data-state", "failed");
    }
    if let Some(place) = element("broken") {
        let _ = place.remove_attribute("hidden");
        place.set_text_content(Some(message));
    }
}
