use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    address::Address,
    chart::{Painter, SLOTS, shape},
    components::{
        chart_canvas::Plot, data_table::sheet_table, figure::figure_link, problem::problem_view,
        save::sheet_buttons,
    },
    desk::SharedDesk,
    model::calibration::{self, Choice, Rule},
    open_run::Open,
    url_state::Fragment,
    worker::protocol::{Ask, Finding},
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
    let painter = Signal::derive(move || Painter::Reliability(Arc::new(spec.get())));
    let (for_choices, for_table) = (open.clone(), open.clone());
    let sheet = Signal::derive(move || {
        calibration::data_table(&for_table.shown, &current.get(), &chosen.get())
    });
    let checked = open.report.recomputed.is_some();
    view! {
        <section id="calibration" aria-labelledby="calibration-head">
            <h2 id="calibration-head">"Calibration"</h2>
            <p class="lead">
                "How often did the thing happen when a model gave it a probability? Dots on the dashed diagonal are honest; below it the model is too sure that it happens. A dot is a bin of rows, its area their share; its bar is the Wilson interval of the observed frequency, which takes rows as independent."
            </p>
            <div class="plot-and-keys">
                <Plot painter sheet caption="Bins of the reliability diagram" name="reliability"/>
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
            {checked.then(|| view! { <ThreeRules n_bins=open.shown.plan.n_bins/> })}
        </section>
    }
    .into_any()
}

/// The calibration error of each series under all three bin rules: how much it depends on the rule.
#[component]
fn ThreeRules(n_bins: u32) -> impl IntoView {
    let desk = expect_context::<SharedDesk>();
    let settings = expect_context::<Address>().query.get_untracked().settings;
    let answer = RwSignal::new(None);
    let ask = move |_| {
        if answer.get_untracked().is_none() {
            let ask = Ask::BinRules { settings: settings.clone() };
            desk.with_value(|d| d.inquire(ask, move |reply| answer.set(Some(reply))));
        }
    };
    view! {
        <details class="data" on:toggle=ask>
            <summary>"The calibration error under three bin rules, side by side"</summary>
            <p class="note">
                "Computed here from the records as loaded; only the plan's own rule is published with an interval. Another number of bins is set under "
                <a href=Fragment::section("intervals").to_hash()>"Intervals"</a> "."
            </p>
            {move || match answer.get() {
                Some(Ok(Finding::BinRules(rows))) => {
                    let sheet = calibration::rules_table(&rows, n_bins);
                    view! {
                        {sheet_table("Calibration error by bin rule", &sheet)}
                        {sheet_buttons("ece-by-rule", move || sheet.clone())}
                    }
                    .into_any()
                }
                Some(Err(problem)) => problem_view(&problem).into_any(),
                _ => view! { <p role="status">"computing…"</p> }.into_any(),
            }}
        </details>
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
                <span
                    class="mark"
                    data-colour=(c.slot % SLOTS).to_string()
                    data-shape=shape(c.slot).to_string()
                    aria-hidden="true"
                ></span>
                <span>{c.label}</span>
            </label>
            {figure_link(open, &c.id, c.ece)}
        </div>
    }
}
