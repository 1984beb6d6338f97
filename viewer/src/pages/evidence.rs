use leptos::prelude::*;

use super::provenance::file_view;
use crate::{components::problem::problem_view, desk::SharedDesk, format, open_run::Evidence};

/// What is known about the files behind the questions: whether they are there, and are those that others name.
#[component]
pub fn EvidenceState() -> impl IntoView {
    let evidence = expect_context::<SharedDesk>().with_value(|d| d.evidence);
    view! {
        <section id="evidence" aria-labelledby="evidence-head">
            <h2 id="evidence-head">"Where this comes from"</h2>
            {move || match evidence.get() {
                Evidence::NotAsked => ().into_any(),
                Evidence::Loading => {
                    view! { <p class="progress" role="status">"fetching data set and completions…"</p> }
                        .into_any()
                }
                Evidence::Failed(problem) => problem_view(&problem).into_any(),
                Evidence::Ready(got) => {
                    let counted = format!(
                        "{}, {} and {} were read.",
                        format::plural(got.n_items, "question", "questions"),
                        format::plural(got.n_documents, "document", "documents"),
                        format::plural(got.n_responses, "completion", "completions")
                    );
                    let fits = match got.signature_fits {
                        Some(true) => "The data set is the one that run.json names.",
                        Some(false) => "The data set is NOT the one that run.json names: its signature is another one.",
                        None => "Whether it is the data set that the run used cannot be said: manifest.json or run.json is not there.",
                    };
                    let holds = match got.signature_holds {
                        Some(true) => " Its signature is the digest of the files that its manifest lists.",
                        Some(false) => " Its signature is NOT the digest of the files that its manifest lists.",
                        None => "",
                    };
                    view! {
                        <p id="evidence-counts">{counted} " " {fits} {holds}</p>
                        {got.problems.iter().map(|p| problem_view(p).into_any()).collect_view()}
                        <ul class="files">{got.files.iter().map(file_view).collect_view()}</ul>
                        <ul class="notes">
                            {got.notes.iter().map(|n| view! { <li>{format::cut(n, 800)}</li> }).collect_view()}
                        </ul>
                    }
                    .into_any()
                }
            }}
        </section>
    }
    .into_any()
}
