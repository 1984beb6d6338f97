use std::sync::Arc;

use leptos::{html::Ul, prelude::*};

use crate::{
    address::Address,
    model::retrieval::{self, Kind},
    open_run::Open,
    url_state::Fragment,
};

/// Sections of the overview: name in the address and words.
const SECTIONS: [(&str, &str); 4] = [
    ("results", "Results"),
    ("calibration", "Calibration"),
    ("lift", "Evidence lift"),
    ("comparisons", "Comparisons"),
];
/// Views of their own.
const VIEWS: [(&str, &str); 6] = [
    ("intervals", "Intervals"),
    ("retrieval", "Retrieval"),
    ("search", "Search"),
    ("questions", "Questions"),
    ("method", "Method"),
    ("runs", "Runs"),
];

/// True for a view that takes the place of the overview.
#[must_use]
pub fn is_view(name: &str) -> bool {
    VIEWS.iter().any(|(view, _)| *view == name)
}

/// Links to every view of the open run; those that it has nothing for are left out.
#[component]
pub fn Views(open: Arc<Open>) -> impl IntoView {
    let address = expect_context::<Address>();
    let shown = &open.shown;
    let there = |name: &str| match name {
        "calibration" => !shown.reliability.is_empty(),
        "lift" => shown.figures.iter().any(|f| f.metric == "evidence_lift"),
        "comparisons" => !shown.comparisons.is_empty(),
        "retrieval" => !retrieval::rows(shown, Kind::Retrieval).is_empty(),
        "search" => !retrieval::rows(shown, Kind::Search).is_empty(),
        "intervals" | "questions" => open.report.recomputed.is_some(),
        "runs" => !open.runs.is_empty(),
        _ => true,
    };
    let links: Vec<_> = SECTIONS.into_iter().chain(VIEWS).filter(|(name, _)| there(name)).collect();
    let link = |(name, words): (&'static str, &'static str)| {
        let current = move || {
            let fragment = address.fragment.get();
            let here = match &fragment {
                Fragment::Top => "results",
                Fragment::Question(_) => "questions",
                other => other.name(),
            };
            (here == name).then_some("page")
        };
        view! {
            <li><a href=Fragment::section(name).to_hash() aria-current=current>{words}</a></li>
        }
    };
    let list = NodeRef::<Ul>::new();
    Effect::new(move |_| {
        address.fragment.track();
        if let Some(list) = list.get() {
            // The mark has to be there first.
            request_animation_frame(move || show_current(&list));
        }
    });
    view! {
        <nav class="views" aria-label="Views">
            <ul node_ref=list>{links.into_iter().map(link).collect_view()}</ul>
        </nav>
    }
    .into_any()
}

/// Moves the list sideways, where it is wider than the screen, so that the current entry is in its middle.
fn show_current(list: &web_sys::HtmlUListElement) {
    let Ok(Some(current)) = list.query_selector("[aria-current]") else { return };
    let (entry, frame) = (current.get_bounding_client_rect(), list.get_bounding_client_rect());
    let middle = |r: &web_sys::DomRect| r.left() + r.width() / 2.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole pixels of a screen")]
    list.set_scroll_left(list.scroll_left() + (middle(&entry) - middle(&frame)) as i32);
}
