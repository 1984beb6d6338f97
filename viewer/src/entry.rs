//! What the two scripts beside the module call.

use std::{cell::RefCell, panic, rc::Rc};

use leptos::wasm_split::{SplitLoaderError, wasm_split};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Document, Element, HtmlElement};

use crate::{
    app, format,
    model::glance,
    open_run::Open,
    opening::{Event, Opening, Source},
    url_state::Query,
    worker::{self, protocol::Problem},
};

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
    // The table in the HTML is that of the site's newest run, as published.
    let published = query == Query { sort: query.sort.clone(), ..Query::default() };
    let waiting = Waiting::default();
    let for_events = waiting.clone();
    let watch = move |event: &Event| match event {
        // What the worker needs comes first.
        Event::Begun | Event::Failed(_) => spawn_local(mount(for_events.clone())),
        Event::Opened(open) if published && for_events.borrow().is_some() => say_verdict(open),
        _ => {}
    };
    let opening = Opening::start(&worker_url, source, watch);
    *waiting.borrow_mut() = Some((place, worker_url, opening));
    Ok(())
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
            report(&format!("{}; {remedy}.", problem.sentence()));
        }
    }
}

/// Everything reached from here, and not needed for a verdict, is what only the page fetches.
#[wasm_split(page, wasm_split_path = ::leptos::wasm_split, fallible)]
fn page() -> Result<fn(HtmlElement, String, Opening), Problem> {
    Ok(app::mount)
}

/// Says the verdict above the published table, before the page's own view takes its place.
fn say_verdict(open: &Open) {
    let (tone, sentence) = open.sentence();
    if let Some(place) = element("verdict-sentence") {
        place.set_text_content(Some(&glance::plain(&sentence)));
        // The name is a valid one, so this cannot fail.
        let _ = place.set_attribute("data-tone", tone);
    }
    if let Some(caption) = document().and_then(|d| d.query_selector("#published caption").ok()?) {
        caption.set_text_content(Some("Published numbers; the mark of each is on its way"));
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
