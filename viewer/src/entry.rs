//! What the two scripts beside the module call.

use std::panic;

use leptos::{
    prelude::*,
    wasm_split::{SplitLoaderError, wasm_split},
};
use wasm_bindgen::prelude::*;

use crate::{app::App, worker};

/// Mounts the page. `worker_url` is the address of the worker's script.
///
/// # Errors
/// When the page has no element for it.
#[wasm_bindgen]
pub fn start_page(worker_url: String) -> Result<(), JsValue> {
    panic::set_hook(Box::new(|info| report_panic(&info.to_string())));
    let place = document()
        .get_element_by_id("app")
        .and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok())
        .ok_or("the page has no element with the id app")?;
    mount_to(place, move || view! { <App worker_url/> }).forget();
    Ok(())
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

/// Says in the page that its program broke: without this a reader would see a page that no longer answers.
fn report_panic(message: &str) {
    let Some(document) = web_sys::window().and_then(|w| w.document()) else {
        return;
    };
    if let Some(body) = document.body() {
        // Both calls can only fail on names that are not allowed, and these are.
        let _ = body.set_attribute("data-state", "failed");
    }
    if let Some(place) = document.get_element_by_id("broken") {
        let _ = place.remove_attribute("hidden");
        place.set_text_content(Some(&format!(
            "This page has stopped because of an error in its own program. Reload it to start again. {}",
            crate::format::cut(message, 400)
        )));
    }
}
