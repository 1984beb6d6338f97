use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    components::{figure::badge, problem::computing},
    desk::{Desk, SharedDesk},
    format,
    model::{
        check::Verdict,
        entry::{self, Entry, FieldRow},
        number::{NumberPage, citation, number_page},
    },
    open_run::{Mode, Open},
    url_state::Fragment,
};

/// The page of one published number.
#[component]
pub fn NumberView(open: Arc<Open>, id: String) -> impl IntoView {
    let back = view! {
        <p class="back"><a href=Fragment::section("results").to_hash()>"← All results"</a></p>
    };
    let Some(found) = entry::find(&open.shown, &id) else {
        // Settings of the reader's own can bring numbers along.
        let computes = expect_context::<SharedDesk>().with_value(Desk::computes);
        return view! {
            {back}
            {move || if computes.get() { computing() } else { unknown(&id) }}
        }
        .into_any();
    };
    let page = match found {
        Entry::Figure(f) => figure_view(&open, f).into_any(),
        Entry::Reliability(r) => heading("reliability diagram", &r.model, &r.arm).into_any(),
        Entry::Comparison(c) => view! {
            <h1>"comparison"</h1>
            <p class="of">
                {format::cut(&c.a.model, 60)} " · " {format::cut(&c.a.arm, 40)} " against "
                {format::cut(&c.b.model, 60)} " · " {format::cut(&c.b.arm, 40)}
            </p>
        }
        .into_any(),
        Entry::Rows(_) => view! { <h1>"row counts of the log"</h1> }.into_any(),
        Entry::Signature(_) => view! { <h1>"signature, plan and names"</h1> }.into_any(),
    };
    view! {
        <article class="number">
            {back}
            {page}
            <VerdictBlock open=open.clone() id=id.clone()/>
            <Fields open=open.clone() id/>
            <h2>"Signature"</h2>
            <p class="signature">{format::cut(&open.shown.signature, 500)}</p>
            {match found {
                Entry::Figure(f) => view! { <Citation open=open.clone() id=f.id.clone()/> }.into_any(),
                _ => ().into_any(),
            }}
        </article>
    }
    .into_any()
}

fn unknown(id: &str) -> AnyView {
    view! {
        <h1>"No such number"</h1>
        <p>
            "This run has no entry called " <code>{format::cut(id, 120)}</code>
            ". The link may come from another run, or from another version of this one."
        </p>
    }
    .into_any()
}

fn heading(what: &'static str, model: &str, arm: &str) -> impl IntoView + use<> {
    view! {
        <h1>{what}</h1>
        <p class="of">{format::cut(model, 60)} ", arm " {format::cut(arm, 40)}</p>
    }
}

fn figure_view(open: &Open, figure: &records::Figure) -> impl IntoView + use<> {
    let NumberPage {
        title,
        of,
        value,
        interval,
        withheld,
        meaning,
        direction,
        formula,
        filled,
        counts,
    } = number_page(&open.shown, figure, open.recomputed.as_deref());
    let whose = if open.recomputed.is_some() {
        "With the numbers that this page computed:"
    } else {
        "With the numbers as published, which were not checked:"
    };
    view! {
        <h1>{title}</h1>
        <p class="of">{of}</p>
        <p class="big">{value} " " {badge(open.verdict(&figure.id))}</p>
        {withheld.map(|w| view! { <p class="withheld-line">"Withheld: " {w} "."</p> })}
        <p class="interval">{interval}</p>
        <h2>"What it means"</h2>
        <p>{meaning} " " {direction}</p>
        <h2>"How it comes about"</h2>
        <p class="formula">{formula}</p>
        {(!filled.is_empty()).then(|| view! { <p class="note">{whose}</p> })}
        {(!filled.is_empty()).then(|| view! { <pre class="filled">{filled.join("\n")}</pre> })}
        <dl class="counts">
            {counts
                .into_iter()
                .map(|(what, n)| view! { <div><dt>{what}</dt><dd>{n}</dd></div> })
                .collect_view()}
        </dl>
    }
}

#[component]
fn VerdictBlock(open: Arc<Open>, id: String) -> impl IntoView {
    let Some(verdict) = open.verdict(&id) else {
        return view! {
            <h2>"Verdict"</h2>
            <p data-figure=id data-verdict="own">
                "None: this number is computed with your own settings, and nothing was published with those."
            </p>
        }
        .into_any();
    };
    let differences: Vec<_> = open
        .checks
        .get(&id)
        .map(|c| {
            c.differences.iter().take(20).map(crate::model::check::Difference::sentence).collect()
        })
        .unwrap_or_default();
    let reason = match open.checks.get(&id) {
        Some(check) => check.reason.clone(),
        None if open.report.published.is_none() => Some("nothing published was loaded".into()),
        None => None,
    };
    view! {
        <h2>"Verdict"</h2>
        <p class="verdict-line" data-figure=id data-verdict=verdict.attribute()>
            {badge(Some(verdict))}
            {(verdict == Verdict::Identical).then(|| view! { <span>" identical"</span> })}
            ": " {verdict.meaning()} "."
            {reason.map(|r| view! { <span class="why">" " {sentence_case(&format::cut(&r, 400))} "."</span> })}
        </p>
        <ul class="differences">
            {differences.into_iter().map(|d| view! { <li>{d}</li> }).collect_view()}
        </ul>
    }
    .into_any()
}

fn sentence_case(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().collect::<String>() + chars.as_str())
}

/// Every field of the entry, published beside recomputed, to the last digit.
#[component]
fn Fields(open: Arc<Open>, id: String) -> impl IntoView {
    let report = &open.report;
    let published = report.published.as_ref().and_then(|r| entry::find(r, &id));
    let recomputed = open.recomputed.as_ref().and_then(|r| entry::find(r, &id));
    let (rows, left_out) = entry::fields(published, recomputed);
    view! {
        <h2>"Published and recomputed"</h2>
        <div class="scroll" role="region" aria-label="Published and recomputed, field by field" tabindex="0">
            <table class="fields">
                <caption>"Every field in full precision"</caption>
                <thead>
                    <tr>
                        <th scope="col">"field"</th>
                        <th scope="col">"published"</th>
                        <th scope="col">"recomputed here"</th>
                        <th scope="col">"same"</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(field_view).collect_view()}</tbody>
            </table>
        </div>
        {(left_out > 0).then(|| view! {
            <p class="note">{format::count(left_out as u64)} " more fields are in results.json."</p>
        })}
    }
}

fn field_view(row: FieldRow) -> impl IntoView {
    let (tone, same) = match (&row.published, &row.recomputed) {
        (Some(_), Some(_)) if row.same() => ("identical", "✓ yes"),
        (Some(_), Some(_)) => ("differs", "≠ no"),
        _ => ("unchecked", "? one side"),
    };
    let text = |v: Option<String>| v.unwrap_or_else(|| "not there".into());
    view! {
        <tr>
            <th scope="row">{row.path}</th>
            <td>{text(row.published)}</td>
            <td>{text(row.recomputed)}</td>
            <td><span class="badge" data-tone=tone>{same}</span></td>
        </tr>
    }
}

/// A line for a paper, and a button that copies it.
#[component]
fn Citation(open: Arc<Open>, id: String) -> impl IntoView {
    let done = RwSignal::new("");
    let verdict = if matches!(open.mode, Mode::Own(_)) {
        "under a reader's own settings, not as published".to_owned()
    } else if open.report.published.is_some() {
        let word = open.checks.verdict(&id).word();
        let value =
            open.checks.get(&id).and_then(|c| c.differences.iter().find(|d| d.path == "value"));
        value.map_or_else(
            || word.to_owned(),
            |d| format!("{word}, recomputed value {}", format::json(&d.recomputed)),
        )
    } else {
        "nothing published to compare with".to_owned()
    };
    let address = window().location().href().unwrap_or_default();
    let text = match entry::find(&open.shown, &id) {
        Some(Entry::Figure(f)) => citation(&open.shown, f, &verdict, &address),
        _ => String::new(),
    };
    let copied = text.clone();
    let copy = move |_| {
        let promise = window().navigator().clipboard().write_text(&copied);
        leptos::task::spawn_local(async move {
            let outcome = wasm_bindgen_futures::JsFuture::from(promise).await;
            done.set(if outcome.is_ok() {
                "copied"
            } else {
                "copying is not allowed here: select the text instead"
            });
            gloo::timers::future::TimeoutFuture::new(4000).await;
            done.set("");
        });
    };
    view! {
        <h2>"Citation"</h2>
        <p class="citation">{text}</p>
        <p>
            <button type="button" on:click=copy>"Copy citation"</button>
            " "
            <span role="status">{done}</span>
        </p>
    }
}
