use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    components::save,
    model::receipt::{Checked, receipt},
    open_run::{Mode, Open},
    url_state::Fragment,
};

/// Saves what was checked and what came out; only of a run as it was published and loaded.
#[component]
pub fn Receipt(open: Arc<Open>) -> impl IntoView {
    if open.mode != Mode::Published || open.report.published.is_none() {
        return ().into_any();
    }
    let click = move |_| {
        let Some(published) = &open.report.published else { return };
        let receipt = receipt(&Checked {
            published,
            recomputed: open.report.recomputed.as_ref(),
            checks: &open.checks,
            files: &open.report.files,
            n_records: open.n_records,
            origin: &open.origin,
            address: &window().location().href().unwrap_or_default(),
        });
        save::text("receipt.json", "application/json", &format!("{receipt:#}\n"));
    };
    view! {
        <p class="saves">
            <button type="button" id="receipt" on:click=click>"Receipt"</button>
            <span class="note">
                "a small file with the digests of what was loaded and every verdict. "
                <a href=Fragment::section("method").to_hash()>"What a verdict does and does not say"</a>
            </span>
        </p>
    }
    .into_any()
}
