use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::{address::Address, app::open_files, data, desk::SharedDesk, url_state::Query};

/// Where a reader opens other results: files from the disk, or an address.
#[component]
pub fn Opener() -> impl IntoView {
    let desk = expect_context::<SharedDesk>();
    let place = expect_context::<Address>();
    let address = RwSignal::new(String::new());
    let pick = move |event: web_sys::Event| {
        let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
        if let Some(files) = input.and_then(|i| i.files()) {
            let files = data::listed(&files);
            if !files.is_empty() {
                open_files(desk, place, files);
            }
        }
    };
    let go = move |_| {
        let url = address.get_untracked().trim().to_owned();
        if !url.is_empty() {
            let query = Query { results: Some(url), ..Query::default() };
            // A new address, so that it can be copied; the page starts anew with it. A failure leaves all as it is.
            let _ = window().location().set_search(&query.to_search());
        }
    };
    view! {
        <section class="opener" id="open" aria-labelledby="open-head">
            <h2 id="open-head">"Check other results"</h2>
            <p>
                "Drop the files of a run folder, or a zip of it, anywhere on this page, or choose them: results.json, records.jsonl, and run.json, SHA256SUMS and responses.jsonl where they are there; with the data set's manifest.json, items.jsonl, documents.jsonl and bundles.jsonl the question pages show documents as well. They are read in this browser and sent nowhere."
            </p>
            <div class="ways">
                <label>
                    <span>"Files"</span>
                    <input type="file" id="files" multiple on:change=pick/>
                </label>
                <label>
                    <span>"Address of a results.json"</span>
                    <input
                        type="url"
                        id="address"
                        placeholder="https://…/results.json"
                        autocomplete="off"
                        prop:value=address
                        on:input=move |e| address.set(event_target_value(&e))
                        on:keydown=move |e| if e.key() == "Enter" { go(()) }
                    />
                </label>
                <button type="button" on:click=move |_| go(())>"Open address"</button>
            </div>
        </section>
    }    .into_any()
}
