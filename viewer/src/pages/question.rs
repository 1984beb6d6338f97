use std::sync::Arc;

use leptos::prelude::*;

use super::{evidence::EvidenceState, intervals::answered};
use crate::{
    address::Address,
    desk::SharedDesk,
    format,
    model::evidence::{Link, LinkState, QuestionPage, RowPage, ShownDocument, mark_words},
    open_run::{Evidence, Open},
    url_state::{Edit, Fragment, question_href},
    worker::protocol::{Ask, Finding},
};

/// One question: documents, and for each row prompt, completion, grade and chain.
#[component]
pub fn QuestionView(open: Arc<Open>, id: String) -> impl IntoView {
    let desk = expect_context::<SharedDesk>();
    let evidence = desk.with_value(|d| {
        d.fetch_evidence();
        d.evidence
    });
    let got = RwSignal::new(None);
    Effect::new(move |_| {
        // Before the files are there, or known not to come, an answer could only say that they are missing.
        if evidence.with(|e| matches!(e, Evidence::NotAsked | Evidence::Loading)) {
            return;
        }
        let ask = Ask::Question { item_id: id.clone() };
        desk.with_value(|d| d.inquire(ask, move |reply| got.set(Some(reply))));
    });
    let changed = open.mode != crate::open_run::Mode::Published;
    view! {
        <article class="question">
            <p class="back"><a href=Fragment::section("questions").to_hash()>"← All questions"</a></p>
            {changed.then(|| view! {
                <p class="note">"The rows below are those of the log as it was loaded, without your changes."</p>
            })}
            {move || answered(got.get(), |answer| match answer {
                Finding::Question(page) => page_view(page),
                _ => ().into_any(),
            })}
        </article>
        <EvidenceState/>
    }
    .into_any()
}

fn page_view(page: &QuestionPage) -> AnyView {
    let address = expect_context::<Address>();
    let step = |id: &Option<String>, words: &'static str| {
        id.as_ref().map(|id| view! { <a href=question_href(id)>{words}</a> })
    };
    let drop_item = Edit::DropItem(page.item_id.clone());
    view! {
        <p class="steps">{step(&page.previous, "← previous")} " " {step(&page.next, "next →")}</p>
        <h1>{format::cut(&page.item_id, 80)}</h1>
        {if page.question.is_empty() {
            view! { <p class="note">"Its text is not there: the data set's items.jsonl was not loaded."</p> }.into_any()
        } else {
            view! {
                <p class="asked">{page.question.clone()}</p>
                <p class="criteria">{page.criteria.clone()}</p>
            }
            .into_any()
        }}
        <p>"Right is " <b>{page.target.clone()}</b> ". " {edit_button(address, drop_item, "Leave this question out")}</p>
        <dl class="facts">{page.facts.iter().map(fact_view).collect_view()}</dl>
        <h2>"Documents"</h2>
        {page.documents.is_empty().then(|| view! {
            <p class="note">"No documents are there for this question: bundles.jsonl was not loaded, or does not have it."</p>
        })}
        {page.documents.iter().map(document_view).collect_view()}
        <ul class="chain">{page.links.iter().map(link_view).collect_view()}</ul>
        <h2>"Rows"</h2>
        {page.rows.iter().map(|r| row_view(r, address)).collect_view()}
        {(page.hidden_rows > 0).then(|| view! {
            <p class="note">{format::count(page.hidden_rows)} " more rows are in records.jsonl."</p>
        })}
    }
    .into_any()
}

fn fact_view((name, value): &(String, String)) -> AnyView {
    view! { <div><dt>{name.clone()}</dt><dd>{value.clone()}</dd></div> }.into_any()
}

/// Makes a change to the records, or takes it back; what follows from it is shown at once.
fn edit_button(address: Address, edit: Edit, words: &'static str) -> AnyView {
    let (for_press, for_words) = (edit.clone(), edit);
    let made = Memo::new(move |_| address.query.with(|q| q.edits.contains(&for_words)));
    let click = move |_| {
        let edit = for_press.clone();
        address.set_query(|q| q.edits.toggle(edit));
    };
    view! {
        <button type="button" class="edit" aria-pressed=move || made.get().to_string() on:click=click>
            {move || if made.get() { "Take back: " } else { "What if? " }} {words}
        </button>
    }
    .into_any()
}

fn document_view(d: &ShownDocument) -> AnyView {
    let conflicts = (!d.conflicts_with.is_empty()).then(|| {
        let with =
            format::list(&d.conflicts_with.iter().map(|c| format::cut(c, 60)).collect::<Vec<_>>());
        view! { <p class="planted">"≠ Labelled as conflicting with " {with} "."</p> }
    });
    let date = format::day(&d.as_of);
    let by = if d.publisher.is_empty() { date } else { format!("{date}, {}", d.publisher) };
    view! {
        <details class="document" open>
            <summary>
                <b>{format::cut(&d.doc_id, 60)}</b> " " {d.title.clone()}
                <span class="kind">{d.role.clone()} {d.gold.then_some(", labelled as holding the answer")}</span>
            </summary>
            <p class="note">{by}</p>
            {(!d.terms.is_empty()).then(|| view! { <p class="note" dir="auto">{d.terms.clone()}</p> })}
            {conflicts}
            {if d.text.is_empty() {
                view! { <p class="note">"Its text is not there."</p> }.into_any()
            } else {
                view! { <p class="source-text" dir="auto">{d.text.clone()}</p> }.into_any()
            }}
        </details>
    }
    .into_any()
}

fn link_view(link: &Link) -> AnyView {
    let (tone, sign, words) = match link.state {
        LinkState::Holds => ("identical", "✓", "holds"),
        LinkState::Breaks => ("differs", "≠", "breaks"),
        LinkState::Unknown => ("unchecked", "?", "not followed"),
    };
    view! {
        <li data-link=words>
            <span class="badge" data-tone=tone>
                <span class="sign" aria-hidden="true">{sign}</span> <span class="word">{words}</span>
            </span>
            " " <b>{link.what.clone()}</b> ": " {link.why.clone()}
        </li>
    }
    .into_any()
}

fn row_view(row: &RowPage, address: Address) -> AnyView {
    let (sign, words) = mark_words(row.mark);
    let breaks = row.links.iter().any(|l| l.state == LinkState::Breaks);
    let text = |title: &'static str, text: &Option<String>| {
        text.clone().map(|text| {
            view! {
                <details>
                    <summary>{title}</summary>
                    <pre class="raw" dir="auto" tabindex="0">{text}</pre>
                </details>
            }
        })
    };
    view! {
        <section class="log-row">
            <h3>
                <span class="mark-sign" data-mark=row.mark.to_string() aria-hidden="true">{sign}</span>
                " " {row.key.words()} ": " {words}
                {breaks.then(|| view! { <span class="badge" data-tone="differs">" ≠ a link breaks"</span> })}
            </h3>
            {row.superseded.then(|| view! {
                <p class="note">"Superseded: a later row of the same model, arm, repeat and question counts instead."</p>
            })}
            <dl class="facts">{row.facts.iter().map(fact_view).collect_view()}</dl>
            <ul class="chain">{row.links.iter().map(link_view).collect_view()}</ul>
            {text("The prompt, filled in here", &row.prompt)}
            {text("The raw completion", &row.completion)}
            {(!row.superseded).then(|| view! {
                <p class="edits">
                    {edit_button(address, Edit::Drop(row.key.clone()), "Leave this row out")}
                    {row.can_flip.then(|| edit_button(address, Edit::Flip(row.key.clone()), "Turn this answer round"))}
                </p>
            })}
        </section>
    }
    .into_any()
}
