//! Saving what the page shows as files; nothing leaves the browser.

use std::sync::Arc;

use gloo::file::{Blob, ObjectUrl};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::model::sheet::Sheet;

/// What the buttons that save a table say.
pub const CSV: &str = "Table as CSV";
/// The second of them.
pub const JSON: &str = "as JSON";

/// Offers `content` as a file called `name`.
pub fn text(name: &str, kind: &str, content: &str) {
    let url = ObjectUrl::from(Blob::new_with_options(content, Some(kind)));
    link(name, &url);
    // The browser has read the address by the time that a click returns; letting it go frees the text.
    drop(url);
}

/// Offers what is at `url` as a file called `name`.
pub fn link(name: &str, url: &str) {
    let Ok(anchor) = document().create_element("a") else { return };
    if anchor
        .set_attribute("href", url)
        .and_then(|()| anchor.set_attribute("download", name))
        .is_ok()
        && let Some(anchor) = anchor.dyn_ref::<web_sys::HtmlElement>()
    {
        anchor.click();
    }
}

/// Offers a table as CSV.
pub fn csv(name: &str, sheet: &Sheet) {
    text(&format!("{name}.csv"), "text/csv", &sheet.csv());
}

/// Offers a table as JSON.
pub fn json(name: &str, sheet: &Sheet) {
    text(&format!("{name}.json"), "application/json", &sheet.json());
}

/// Buttons that save a table as CSV and as JSON.
pub fn sheet_buttons(
    name: &'static str,
    sheet: impl Fn() -> Sheet + Send + Sync + 'static,
) -> AnyView {
    let sheet = Arc::new(sheet);
    let for_json = sheet.clone();
    view! {
        <p class="saves">
            <button type="button" on:click=move |_| csv(name, &sheet())>{CSV}</button>
            <button type="button" on:click=move |_| json(name, &for_json())>{JSON}</button>
        </p>
    }
    .into_any()
}
