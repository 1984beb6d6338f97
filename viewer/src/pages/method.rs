use std::sync::Arc;

use leptos::prelude::*;

use super::{evidence::EvidenceState, head::ViewHead, provenance::Provenance};
use crate::{
    components::legend::Legend,
    desk::SharedDesk,
    format,
    model::{
        definitions::{Definition, definitions, parameters},
        evidence::DataSet,
        glance,
    },
    open_run::{Evidence, Open},
    url_state::encode,
};

/// The files' formats that the site publishes schemas of.
const SCHEMAS: [&str; 10] = [
    "results", "record", "run", "response", "item", "document", "bundle", "manifest", "cassette",
    "index",
];

/// What the numbers mean, under which choices, what the run rests on, and what nothing here can say.
#[component]
pub fn Method(open: Arc<Open>) -> impl IntoView {
    desk_fetches();
    let totals = open.checks.totals();
    let (known, unknown) = definitions(&open.shown);
    let parameters = parameters(&open.shown.plan);
    let state = glance::data_state(open.report.run.as_ref());
    view! {
        <ViewHead open=open.clone() title="Method"/>
        <section id="verdicts" aria-labelledby="verdicts-head">
            <h2 id="verdicts-head">"What a verdict says"</h2>
            <p>
                "Agreement means that a published number follows from the records that were loaded, by the definitions below, under the plan below. A question's page follows the chain further back: from documents to prompt, from completion to grade."
            </p>
            <p>
                "It does not say that the model named gave the completions. That is stated by whoever publishes the run and recorded in its cassettes; "
                <code>"recount verify"</code>
                " replays those, and nothing in a browser can prove them. It does not say either that the questions are good ones."
            </p>
            {open.compares().then(|| view! { <Legend totals/> })}
        </section>
        <section id="plan" aria-labelledby="plan-head">
            <h2 id="plan-head">"The plan"</h2>
            <p class="lead">"The choices in the definitions. They stand in results.json and are part of what is compared."</p>
            <dl class="facts">
                {parameters
                    .into_iter()
                    .map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> })
                    .collect_view()}
            </dl>
        </section>
        <section id="definitions" aria-labelledby="definitions-head">
            <h2 id="definitions-head">"Definitions"</h2>
            <p class="lead">
                {format!(
                    "Version {} of the metrics computes here; the publication names version {}.",
                    metrics::METRICS_VERSION,
                    open.shown.metrics_version
                )}
            </p>
            <dl class="definitions">{known.into_iter().map(definition_view).collect_view()}</dl>
            {(!unknown.is_empty()).then(|| view! {
                <p>"This build knows no definition of: " {format::list(&unknown)} "."</p>
            })}
        </section>
        <section id="data-set" aria-labelledby="data-set-head">
            <h2 id="data-set-head">"The data set"</h2>
            <ul class="notes">{state.into_iter().map(|s| view! { <li>{s}</li> }).collect_view()}</ul>
            <DataSetView/>
        </section>
        <EvidenceState/>
        <Provenance open=open.clone()/>
        <Downloads open/>
    }
    .into_any()
}

fn desk_fetches() {
    expect_context::<SharedDesk>().with_value(crate::desk::Desk::fetch_evidence);
}

fn definition_view(d: Definition) -> AnyView {
    let undefined =
        (!d.undefined.is_empty()).then(|| format!(" Does not exist when {}.", d.undefined));
    view! {
        <div>
            <dt>{d.label} " " <code>{format::cut(&d.name, 40)}</code></dt>
            <dd>{d.meaning} <span class="formula">{d.formula}</span> {undefined}</dd>
        </div>
    }
    .into_any()
}

/// What the data set's manifest says: signature, funnel, review, licence, counts.
#[component]
fn DataSetView() -> impl IntoView {
    let evidence = expect_context::<SharedDesk>().with_value(|d| d.evidence);
    view! {
        {move || match evidence.get() {
            Evidence::Ready(got) => match &got.data_set {
                Some(set) => data_set_view(set),
                None => view! { <p>"Its manifest.json is not there."</p> }.into_any(),
            },
            // The next section says what became of its files.
            Evidence::NotAsked | Evidence::Loading | Evidence::Failed(_) => ().into_any(),
        }}
    }
    .into_any()
}

fn data_set_view(set: &DataSet) -> AnyView {
    let yes = |b: bool| if b { "yes" } else { "no" };
    let facts = [
        ("name", set.dataset_id.clone()),
        ("title", set.title.clone()),
        ("made up", yes(set.constructed).to_owned()),
        ("reviewed by a person", yes(set.reviewed).to_owned()),
        ("frozen", format::day(&set.created_at)),
        ("written by", set.generator.clone()),
        ("licence", set.licence.clone()),
        ("signature", set.signature.clone()),
    ];
    let fact = |(name, value): (&'static str, String)| {
        view! { <div><dt>{name}</dt><dd>{format::cut(&value, 500)}</dd></div> }
    };
    let counted = |list: &[(String, u64)]| {
        list.iter()
            .map(|(name, n)| view! { <div><dt>{format::cut(name, 60)}</dt><dd>{format::count(*n)}</dd></div> })
            .collect_view()
    };
    let funnel = if set.funnel.is_empty() {
        view! { <p class="note">"The manifest lists no stages of selection."</p> }.into_any()
    } else {
        view! { <dl class="counts">{counted(&set.funnel)}</dl> }.into_any()
    };
    view! {
        <dl class="facts">{facts.into_iter().map(fact).collect_view()}</dl>
        <h3>"Funnel: candidates left after each stage"</h3>
        {funnel}
        {base_rates(&set.base_rates)}
        <details class="data">
            <summary>"Questions by property"</summary>
            <dl class="counts">{counted(&set.counts)}</dl>
        </details>
    }
    .into_any()
}

/// How the pools settled that the questions were drawn from: a drawn set is balanced, and its pools are not.
fn base_rates(rates: &[(String, u64, u64)]) -> Option<AnyView> {
    let rate = |(pool, yes, of): &(String, u64, u64)| {
        let words = format!("{} of {} settled YES", format::count(*yes), format::count(*of));
        view! { <div><dt>{format::cut(pool, 60)}</dt><dd>{words}</dd></div> }
    };
    (!rates.is_empty()).then(|| {
        view! {
            <h3>"Base rates of the pools, before outcomes were balanced"</h3>
            <dl class="facts">{rates.iter().map(rate).collect_view()}</dl>
        }
        .into_any()
    })
}

/// Files to take away, and how to check them without this site.
#[component]
fn Downloads(open: Arc<Open>) -> impl IntoView {
    let current = &open.shown.run_id;
    let entry = open.runs.iter().find(|r| r.run_id == *current).cloned();
    let files = entry.map(|entry| {
        let path = entry.path.trim_end_matches('/').to_owned();
        let link = move |(name, file): (&String, &records::FileEntry)| {
            let href = format!("{path}/{}", encode(name));
            view! {
                <li>
                    <a href=href download>{format::cut(name, 60)}</a> ", " {format::bytes(file.bytes)}
                    ", SHA-256 " <code>{format::digest(&file.sha256)}</code>
                </li>
            }
        };
        entry.files.iter().map(link).collect_view()
    });
    view! {
        <section id="downloads" aria-labelledby="downloads-head">
            <h2 id="downloads-head">"Take it away"</h2>
            {files.map(|files| view! { <ul class="files">{files}</ul> })}
            <h3>"Audit this without the site"</h3>
            <p>
                "Put the files above into one folder, and "
                <code>"sha256sum --check SHA256SUMS"</code>
                " says whether they are the ones that were published. With a checkout of the project, "
                <code>"cargo run --release -p harness -- verify results/RUN"</code>
                " makes every row again from data set, prompt and recording and computes every number from the rows. This page works from a disk as well: save the site's folder, serve it with any static server, and cut the network."
            </p>
            <h3>"Formats"</h3>
            <p>"JSON Schemas of every file: "
                {SCHEMAS
                    .into_iter()
                    .enumerate()
                    .map(|(i, name)| {
                        let comma = if i > 0 { ", " } else { "" };
                        view! { {comma} <a href=format!("schema/v1/recount.{name}.json")>{name}</a> }
                    })
                    .collect_view()}
                "."
            </p>
            <h3>"Licences"</h3>
            <p>
                "The program of this page is under the MIT licence. The data set's licence stands above as its manifest gives it; a run's files carry what their publisher says."
            </p>
        </section>
    }
    .into_any()
}
