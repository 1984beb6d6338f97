use std::{collections::BTreeMap, sync::Arc};

use leptos::prelude::*;
use records::Series;

use super::{evidence::EvidenceState, head::ViewHead, intervals::answered};
use crate::{
    address::Address,
    components::{save::sheet_buttons, settings_form::select},
    desk::SharedDesk,
    format,
    model::{
        evidence::{Grid, GridAsk, GridRow, Show, mark_words},
        sheet::Sheet,
        table::series,
    },
    open_run::{Evidence, Open},
    url_state::{Fragment, question_href},
    worker::protocol::{Ask, Finding, Problem},
};

/// The grid of questions by series, one mark for each row of the log; filtered and searched in the worker.
#[component]
pub fn Questions(open: Arc<Open>) -> impl IntoView {
    let desk = expect_context::<SharedDesk>();
    let address = expect_context::<Address>();
    let evidence = desk.with_value(|d| {
        d.fetch_evidence();
        d.evidence
    });
    let series = series(&open.shown);
    let all = std::iter::once((String::new(), "every series".to_owned()));
    let words = |s: &Series| format!("{} · {}", s.model, s.arm);
    let choices = all
        .chain(series.iter().enumerate().map(|(i, s)| ((i + 1).to_string(), words(s))))
        .collect();
    let of = |key: &str| address.fragment.get_untracked().parameter(key).to_owned();
    let (find, show, only) =
        (RwSignal::new(of("find")), RwSignal::new(of("show")), RwSignal::new(of("series")));
    let page = RwSignal::new(of("from").parse::<usize>().unwrap_or(0));
    let grid: RwSignal<Option<Result<Finding, Problem>>> = RwSignal::new(None);
    let outdated = RwSignal::new(true);
    // Before the first table, words say that it is awaited.
    let busy = move || (outdated.get() && grid.with(Option::is_some)).then_some("true");
    let latest = StoredValue::new(0_u32);
    Effect::new(move |before: Option<()>| {
        let (find, show, only, from) = (find.get(), show.get(), only.get(), page.get());
        if before.is_some() {
            let parameters = [
                ("find", find.clone()),
                ("show", show.clone()),
                ("series", only.clone()),
                ("from", if from > 0 { from.to_string() } else { String::new() }),
            ];
            let kept = parameters.into_iter().filter(|(_, v)| !v.is_empty());
            let kept: BTreeMap<_, _> = kept.map(|(k, v)| (k.to_owned(), v)).collect();
            address.narrow(Fragment::Section("questions".into(), kept));
        }
        // What is searched grows when the texts arrive.
        evidence.track();
        let series =
            only.parse::<usize>().ok().and_then(|i| series.get(i.checked_sub(1)?).cloned());
        let ask = Ask::Grid(GridAsk { find, show: Show::of(&show), series, offset: from });
        let number = latest.get_value() + 1;
        latest.set_value(number);
        outdated.set(true);
        desk.with_value(|d| {
            d.inquire(ask, move |reply| {
                // Replies to letters typed before are of no use any more.
                if latest.try_get_value() == Some(number) {
                    grid.set(Some(reply));
                    outdated.set(false);
                }
            });
        });
    });
    let typed = move |event| {
        find.set(event_target_value(&event));
        page.set(0);
    };
    let shows = Show::ALL.into_iter().map(|(_, key, words)| (key.into(), words.into())).collect();
    view! {
        <ViewHead open title="Questions"/>
        <section id="grid" aria-labelledby="grid-head">
            <h2 id="grid-head">"Question by question"</h2>
            <p class="lead">
                "One line a question, one column a series, one mark for each repeat. A question leads to its page: documents, prompt, raw completion, the grade made again, and every link of the chain between them."
            </p>
            <div class="choices" role="search">
                <label for="find">
                    <span>"search"</span>
                    <input id="find" type="search" autocomplete="off" prop:value=find on:input=typed/>
                </label>
                {select("show", "show", show, shows)}
                {select("only", "series", only, choices)}
            </div>
            // The field above stays out of this, since a reader may be typing in it.
            <div aria-busy=busy>
                {move || answered(grid.get(), |answer| match answer {
                    Finding::Grid(grid) => grid_view(grid, page, evidence),
                    _ => ().into_any(),
                })}
            </div>
        </section>
        <EvidenceState/>
    }
    .into_any()
}

fn grid_view(grid: &Grid, page: RwSignal<usize>, evidence: RwSignal<Evidence>) -> AnyView {
    let shown = grid.rows.len() as u64;
    let loading = matches!(evidence.get_untracked(), Evidence::Loading);
    let searched = match (grid.searched_texts, loading) {
        (true, _) => "",
        (false, true) => {
            " Texts are being fetched; until then only ids are searched and no labels are known."
        }
        (false, false) => " Only ids are searched: no texts are there.",
    };
    let said = format!(
        "{} of {} {}.{searched}",
        format::count(grid.matching),
        format::plural(grid.all, "question", "questions"),
        if grid.matching == 1 { "fits" } else { "fit" },
    );
    let (from, to) = (grid.offset, grid.offset + shown);
    let more = to < grid.matching;
    let sheet = grid_sheet(grid);
    let head = |s: &Series| {
        view! {
            <th scope="col">
                <span class="series">{format::cut(&s.model, 40)}</span>
                <span class="series">{format::cut(&s.arm, 30)}</span>
            </th>
        }
    };
    let step = shown.max(1) as usize;
    let back = (from as usize).saturating_sub(crate::worker::grid::PAGE);
    view! {
        <p role="status">{said}</p>
        <MarkLegend/>
        <div class="scroll" role="region" aria-label="Questions by series" tabindex="0">
            <table class="grid">
                <caption>"Questions by series"</caption>
                <thead>
                    <tr>
                        <th scope="col">"question"</th>
                        <th scope="col">"right is"</th>
                        {grid.series.iter().map(head).collect_view()}
                    </tr>
                </thead>
                <tbody>{grid.rows.iter().map(row_view).collect_view()}</tbody>
            </table>
        </div>
        {(grid.hidden_series > 0).then(|| view! {
            <p class="note">{format::count(grid.hidden_series)} " more series are not drawn; choose one above."</p>
        })}
        <p class="pages">
            {(from > 0).then(|| view! {
                <button type="button" on:click=move |_| page.set(back)>"← before"</button>
            })}
            {more.then(|| view! {
                <button type="button" on:click=move |_| page.set(from as usize + step)>"after →"</button>
            })}
            <span class="note">{format::count((from + 1).min(to))} " to " {format::count(to)}</span>
        </p>
        {sheet_buttons("questions", move || sheet.clone())}
    }
    .into_any()
}

fn row_view(row: &GridRow) -> AnyView {
    let marks = row.marks.iter().map(|marks| {
        let each = marks.chars().map(|m| {
            let (sign, words) = mark_words(m);
            view! {
                <span class="mark-sign" data-mark=m.to_string() title=words>
                    <span aria-hidden="true">{sign}</span>
                    <span class="hidden">{words} " "</span>
                </span>
            }
        });
        view! { <td>{each.collect_view()}</td> }
    });
    view! {
        <tr>
            <th scope="row">
                <a href=question_href(&row.item_id)>{format::cut(&row.item_id, 60)}</a>
                <span class="question">{row.question.clone()}</span>
            </th>
            <td>{row.target.clone()}</td>
            {marks.collect_view()}
        </tr>
    }
    .into_any()
}

/// What the marks mean.
#[component]
fn MarkLegend() -> impl IntoView {
    let each = "ynafruh".chars().map(|m| {
        let (sign, words) = mark_words(m);
        view! {
            <li><span class="mark-sign" data-mark=m.to_string() aria-hidden="true">{sign}</span> " " {words}</li>
        }
    });
    view! { <ul class="marks">{each.collect_view()}</ul> }.into_any()
}

fn grid_sheet(grid: &Grid) -> Sheet {
    let mut head = vec!["item_id".to_owned(), "question".to_owned(), "target".to_owned()];
    head.extend(grid.series.iter().map(|s| format!("{}/{}", s.model, s.arm)));
    let row = |r: &GridRow| {
        let words = |marks: &String| {
            let each: Vec<_> = marks.chars().map(|m| mark_words(m).1).collect();
            each.join("; ")
        };
        let own = [r.item_id.clone(), r.question.clone(), r.target.clone()];
        own.into_iter().chain(r.marks.iter().map(words)).map(Into::into).collect()
    };
    Sheet { head, rows: grid.rows.iter().map(row).collect() }
}
