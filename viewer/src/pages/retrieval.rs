use std::sync::Arc;

use leptos::prelude::*;

use super::head::ViewHead;
use crate::{
    address::Address,
    components::{figure::figure_link, save::sheet_buttons},
    format,
    model::{
        retrieval::{self, Kind, Row},
        table::value_text,
    },
    open_run::Open,
};

/// What arms that retrieve documents found, or what agents did.
#[component]
pub fn Retrieval(open: Arc<Open>) -> impl IntoView {
    let search = expect_context::<Address>().fragment.get_untracked().name() == "search";
    let (kind, title, size, lead) = if search {
        (
            Kind::Search,
            "Search",
            "budget",
            "What agents did before they answered, beside how often the answer was right. The budget is the number in the arm's name.",
        )
    } else {
        (
            Kind::Retrieval,
            "Retrieval",
            "documents",
            "How often a document that holds the answer was among the first found, beside how often the answer was right. The number of documents is the one in the arm's name.",
        )
    };
    let rows = retrieval::rows(&open.shown, kind);
    if rows.is_empty() {
        return view! {
            <ViewHead open title=title/>
            <p>"No arm of this run has such figures."</p>
        }
        .into_any();
    }
    let for_sheet = open.clone();
    view! {
        <ViewHead open=open.clone() title=title/>
        <p class="lead">{lead}</p>
        <div class="scroll" role="region" aria-label=title tabindex="0">
            <table class="results">
                <caption>{title} " by arm"</caption>
                <thead>
                    <tr>
                        <th scope="col">"series"</th>
                        <th scope="col">{size}</th>
                        {retrieval::columns(kind).into_iter().map(|c| view! { <th scope="col">{c}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>{rows.iter().map(|r| row_view(&open, r)).collect_view()}</tbody>
            </table>
        </div>
        {sheet_buttons(if search { "search" } else { "retrieval" }, move || retrieval::table(&for_sheet.shown, kind))}
    }
    .into_any()
}

fn row_view(open: &Open, row: &Row) -> AnyView {
    let cell = |cell: &Option<(String, Option<f64>)>| {
        let shown =
            cell.as_ref().and_then(|(id, _)| open.shown.figures.iter().find(|f| f.id == *id));
        match shown {
            Some(f) => view! { <td>{figure_link(open, &f.id, value_text(f))}</td> }.into_any(),
            None => view! { <td>{format::DASH}</td> }.into_any(),
        }
    };
    view! {
        <tr>
            <th scope="row">{row.label.clone()}</th>
            <td>{row.size.map_or_else(|| format::DASH.into(), |n| n.to_string())}</td>
            {row.cells.iter().map(cell).collect_view()}
        </tr>
    }
    .into_any()
}
