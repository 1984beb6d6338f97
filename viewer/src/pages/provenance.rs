use std::sync::Arc;

use leptos::prelude::*;
use records::Run;

use crate::{format, open_run::Open, worker::protocol::FileReport};

/// What the numbers rest on: files and their digests, the signature, versions, notes.
#[component]
pub fn Provenance(open: Arc<Open>) -> impl IntoView {
    let report = &open.report;
    let files: Vec<_> = report.files.iter().map(file_view).collect();
    let notes = report.notes.clone();
    let run_notes: Vec<_> = report.run.iter().flat_map(|r| r.notes.clone()).take(20).collect();
    let models = report.run.as_ref().map(models_view);
    let harness = report.run.as_ref().map(harness);
    let rows = &open.shown.inputs.rows;
    let log = format!(
        "{} in the log, {} of them replaced by a later row of the same question; {} scored.",
        format::plural(rows.written, "row", "rows"),
        format::count(rows.superseded),
        format::count(rows.scored)
    );
    let times = format!(
        "Reading and hashing took {}, recomputing and comparing {}.",
        format::elapsed(report.read_ms),
        format::elapsed(report.compute_ms)
    );
    view! {
        <section id="provenance" aria-labelledby="provenance-head">
            <h2 id="provenance-head">"What this rests on"</h2>
            <p class="signature"><span class="hidden">"Signature: "</span>{format::cut(&open.shown.signature, 500)}</p>
            <p>{log} " " {times} " The published row counts are a number like any other and are checked too."</p>
            <ul class="files">{files}</ul>
            {(!notes.is_empty() || !run_notes.is_empty()).then(|| view! {
                <ul class="notes">
                    {notes.into_iter().map(|n| view! { <li>{format::cut(&n, 800)}</li> }).collect_view()}
                    {run_notes.into_iter().map(|n| view! { <li>"run.json: " {format::cut(&n, 600)}</li> }).collect_view()}
                </ul>
            })}
            {harness.map(|h| view! { <p>{h}</p> })}
            {models}
        </section>
    }
}

/// One file, and whether its digest is the one that others name.
pub fn file_view(file: &FileReport) -> impl IntoView + use<> {
    let named =
        if file.named_by.is_empty() {
            "no other file names a digest for it".to_owned()
        } else {
            let each: Vec<_> =
                file.named_by
                    .iter()
                    .map(|(by, same)| {
                        if *same { format!("as {by} says") } else { format!("NOT what {by} says") }
                    })
                    .collect();
            format::list(&each)
        };
    view! {
        <li>
            <b>{format::cut(&file.name, 60)}</b> ", " {format::bytes(file.entry.bytes)} ", SHA-256 "
            <code title=file.entry.sha256.clone()>{format::digest(&file.entry.sha256)}</code> ": " {named}
        </li>
    }
}

fn harness(run: &Run) -> String {
    let commit = run.commit.as_deref().map(|c| format!(", commit {}", format::digest(c)));
    let dirty = match run.dirty {
        Some(true) => ", with uncommitted changes",
        _ => "",
    };
    format!(
        "Written by harness version {}{}{dirty}. Data set: {}.",
        format::cut(&run.harness_version, 40),
        commit.unwrap_or_default(),
        format::cut(&run.dataset_signature, 300)
    )
}

fn models_view(run: &Run) -> impl IntoView + use<> {
    let rows = run
        .models
        .iter()
        .take(60)
        .map(|m| {
            let version = m.version.as_deref().map(|v| format!(", version {}", format::cut(v, 80)));
            let notes = m.notes.trim();
            view! {
                <div>
                    <dt>{format::cut(&m.name, 60)}</dt>
                    <dd>
                        "provider " {format::cut(&m.provider, 40)} {version}
                        {(!notes.is_empty()).then(|| format!(". {}", format::cut(notes, 500)))}
                    </dd>
                </div>
            }
        })
        .collect_view();
    view! { <dl class="arms">{rows}</dl> }
}
