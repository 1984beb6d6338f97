use leptos::prelude::*;

use crate::{
    format,
    model::{
        BAR_BOX, bar_shape,
        check::Verdict,
        table::{Bar, Cell},
        what_if::Effect,
    },
    open_run::Open,
    url_state::figure_href,
};

/// The sign of a verdict and its word, which stands beside it wherever the verdict is not the usual one. Under the
/// reader's own settings there is none.
pub fn badge(verdict: Option<Verdict>) -> AnyView {
    let Some(verdict) = verdict else { return ().into_any() };
    if verdict == Verdict::Identical {
        // There are hundreds of them, so each is one element.
        return view! {
            <span class="badge" data-tone=verdict.attribute() role="img" aria-label=verdict.word()>
                {verdict.sign()}
            </span>
        }
        .into_any();
    }
    view! {
        <span class="badge" data-tone=verdict.attribute()>
            <span class="sign" aria-hidden="true">{verdict.sign()}</span>
            <span class="word">{verdict.word()}</span>
        </span>
    }
    .into_any()
}

/// The value of `data-verdict`.
#[must_use]
pub fn attribute(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("own", Verdict::attribute)
}

/// A number as a link to its own page, with its verdict; where a reader's changes reach it, with what they do to it.
pub fn figure_link(open: &Open, id: &str, text: String) -> AnyView {
    let verdict = open.verdict(id);
    let (kind, now) = match open.effects.get(id) {
        Some(Effect::Recounted) => (Some("recounted"), None),
        // Elsewhere the number is written otherwise, with its sign turned for one, and the new one would not fit.
        Some(Effect::Moved { from, to, .. }) if *from == text => (Some("moved"), Some(to.clone())),
        _ => (None, None),
    };
    // A withheld number's sign is the dash that stands for it; one dash is enough.
    let dash = verdict == Some(Verdict::Withheld) && text == format::DASH;
    let text = (!dash).then_some(text);
    view! {
        <a
            class="figure"
            href=figure_href(id)
            data-figure=id.to_owned()
            data-verdict=attribute(verdict)
            data-effect=kind
        >
            {text.map(|t| view! { <span class="value">{t}</span> })}
            {now.map(|n| view! { <span class="now">" → " {n}</span> })}
            {badge(verdict)}
        </a>
    }
    .into_any()
}

/// A cell of the main table: the number, its interval as a bar, and why there is none.
pub fn cell_view(open: &Open, cell: &Cell, has_bars: bool) -> AnyView {
    let (hint, title) = (cell.interval.clone(), cell.interval.clone());
    view! {
        <td title=title>
            {figure_link(open, &cell.id, cell.text.clone())}
            {cell.withheld.clone().map(|reason| view! { <span class="reason">{reason}</span> })}
            {match cell.bar {
                Some(bar) => bar_view(bar).into_any(),
                None if has_bars && cell.withheld.is_none() => {
                    view! { <span class="bar-space"></span> }.into_any()
                }
                None => ().into_any(),
            }}
            {hint.map(|text| view! { <span class="hidden">{text}</span> })}
        </td>
    }
    .into_any()
}

/// A name that may break after each underscore, for narrow columns.
pub fn breakable(name: &str) -> impl IntoView + use<> {
    name.split_inclusive('_').map(|part| view! { {part.to_owned()} <wbr/> }).collect_view()
}

fn bar_view(bar: Bar) -> impl IntoView {
    let (span, zero, point) = bar_shape(bar);
    view! {
        <svg class="bar" viewBox=BAR_BOX aria-hidden="true">
            {zero.map(|d| view! { <path class="zero" d=d></path> })}
            <path d=span></path>
            <circle cx=point></circle>
        </svg>
    }
}
