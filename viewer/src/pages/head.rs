use std::sync::Arc;

use leptos::prelude::*;

use crate::{model::glance, open_run::Open, url_state::Fragment};

/// The head of a view: its title, and which run it is about.
#[component]
pub fn ViewHead(open: Arc<Open>, title: &'static str) -> impl IntoView {
    view! {
        <header class="view-head">
            <p class="eyebrow">
                <a href=Fragment::section("results").to_hash()>{glance::title(&open.shown)}</a>
            </p>
            <h1>{title}</h1>
        </header>
    }
    .into_any()
}
