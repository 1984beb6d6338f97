//! What stands above the main table.

use std::sync::Arc;

use leptos::prelude::*;

use super::settings_form::select;
use crate::{
    address::Address,
    model::table::{CUTS, PARTS},
    open_run::Open,
    url_state::decode,
};

/// Which part of the data set is shown, and by what it can be cut.
#[component]
pub fn Choices(open: Arc<Open>) -> impl IntoView {
    let address = expect_context::<Address>();
    let slices = open.slices();
    let query = address.query.get_untracked();
    let cuts: Vec<String> = if open.report.recomputed.is_some() {
        open.report.cuts.iter().filter(|c| !open.shown.plan.slices.contains(c)).cloned().collect()
    } else {
        Vec::new()
    };
    if slices.is_empty() && cuts.is_empty() {
        return ().into_any();
    }
    let part = RwSignal::new(query.slice.clone().unwrap_or_default());
    let cut = RwSignal::new(String::new());
    Effect::new(move |_| {
        let part = part.get();
        address.set_query(|q| q.slice = (!part.is_empty()).then_some(part));
    });
    Effect::new(move |_| {
        let cut = cut.get();
        if !cut.is_empty() {
            address.set_query(|q| q.settings.cut = Some(cut));
        }
    });
    let whole = std::iter::once((String::new(), PARTS[1].to_owned()));
    let parts = whole.chain(slices.into_iter().map(|s| (s.clone(), decode(&s))));
    let none = std::iter::once((String::new(), CUTS[1].to_owned()));
    let cuts: Vec<_> = none.chain(cuts.into_iter().map(|c| (c.clone(), c))).collect();
    view! {
        <div class="choices">
            {select("part", PARTS[0], part, parts.collect())}
            {(cuts.len() > 1).then(|| select("cut", CUTS[0], cut, cuts))}
        </div>
    }
    .into_any()
}
