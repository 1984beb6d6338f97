use std::{rc::Rc, sync::Arc};

use leptos::prelude::*;

use crate::{
    app::Open,
    chart::{canvas::Painter, describe_reliability},
    components::{chart_canvas::ChartCanvas, data_table::DataTable, figure::figure_link},
    model::calibration::{self, Choice, Rule},
};

/// Predicted against observed: the reliability diagram of the chosen series under the chosen bin rule.
#[component]
pub fn Calibration(open: Arc<Open>) -> impl IntoView {
    let rules = calibration::rules(&open.shown);
    let Some(first) = rules.first().cloned() else {
        return ().into_any();
    };
    let rule = RwSignal::new(0_usize);
    let first_chosen = calibration::choices(&open.shown, &first);
    let chosen: RwSignal<Vec<String>> =
        RwSignal::new(first_chosen.iter().filter(|c| c.first).map(|c| c.id.clone()).collect());
    let rules = Arc::new(rules);
    let current = {
        let rules = rules.clone();
        Memo::new(move |_| rules.get(rule.get()).cloned().unwrap_or_else(|| first.clone()))
    };
    let spec = {
        let open = open.clone();
        Memo::new(move |_| calibration::spec(&open.shown, &current.get(), &chosen.get()))
    };
    let painter = Signal::derive_local(move || Painter::Reliability(Rc::new(spec.get())));
    let summary = Signal::derive(move || describe_reliability(&spec.get()));
    let (for_choices, for_table) = (open.clone(), open);
    view! {
        <section id="calibration" aria-labelledby="calibration-head">
            <h2 id="calibration-head">"Calibration"</h2>
            <p class="lead">
                "How often did the thing happen when a model gave it a probability? Dots on the dashed diagonal are honest; below it the model is too sure that it happens. A dot is a bin of rows, its area their share; its bar is the Wilson interval of the observed frequency, which takes rows as independent."
            </p>
            <div class="plot-and-keys">
                <figure>
                    <ChartCanvas painter summary height=|w, _| w.min(460.0) * 0.96 rows=0_usize/>
                    <figcaption class="summary">{summary}</figcaption>
                </figure>
                <div class="keys">
                    <RuleChoice rules=rules.clone() rule chosen open=for_choices.clone()/>
                    <fieldset>
                        <legend>"Series"</legend>
                        {move || {
                            calibration::choices(&for_choices.shown, &current.get())
                                .into_iter()
                                .map(|c| choice_view(&for_choices, c, chosen))
                                .collect_view()
                        }}
                    </fieldset>
                </div>
            </div>
            {move || {
                let (head, rows) =
                    calibration::data_table(&for_table.shown, &current.get(), &chosen.get());
                view! { <DataTable caption="Bins of the reliability diagram" head rows/> }
            }}
        </section>
    }
    .into_any()
}

#[component]
fn RuleChoice(
    rules: Arc<Vec<Rule>>,
    rule: RwSignal<usize>,
    chosen: RwSignal<Vec<String>>,
    open: Arc<Open>,
) -> impl IntoView {
    let options = rules
        .iter()
        .enumerate()
        .map(|(i, r)| view! { <option value=i.to_string()>{r.label.clone()}</option> })
        .collect_view();
    let change = move |event| {
        let to = event_target_value(&event).parse().unwrap_or(0);
        // The same series under the other rule are other diagrams.
        let before = calibration::choices(&open.shown, &rules[rule.get_untracked()]);
        let kept: Vec<String> = before
            .into_iter()
            .filter(|c| chosen.get_untracked().contains(&c.id))
            .map(|c| c.label)
            .collect();
        let after = rules.get(to).map(|r| calibration::choices(&open.shown, r)).unwrap_or_default();
        rule.set(to);
        chosen.set(after.into_iter().filter(|c| kept.contains(&c.label)).map(|c| c.id).collect());
    };
    view! {
        <label class="rule">
            <span>"Bins"</span>
            <select on:change=change>{options}</select>
        </label>
    }
}

fn choice_view(open: &Open, c: Choice, chosen: RwSignal<Vec<String>>) -> impl IntoView + use<> {
    let (id, for_change) = (c.id.clone(), c.id.clone());
    let toggle = move |event| {
        let on = event_target_checked(&event);
        chosen.update(|list| {
            list.retain(|i| *i != for_change);
            if on {
                list.push(for_change.clone());
            }
        });
    };
    view! {
        <div class="choice">
            <label>
                <input
                    type="checkbox"
                    disabled=!c.drawable
                    prop:checked=move || chosen.get().contains(&id)
                    on:change=toggle
                />
                <span class="mark" data-slot=(c.slot % crate::chart::SLOTS).to_string() aria-hidden="true"></span>
                <span>{c.label}</span>
            </label>
            {figure_link(open, &c.id, c.ece)}
        </div>
    }
}
