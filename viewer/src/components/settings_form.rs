use std::sync::Arc;

use leptos::{ev::SubmitEvent, prelude::*};
use records::{BinStrategy, IntervalMethod};

use crate::{
    address::Address,
    model::calibration::RULES,
    open_run::Open,
    url_state::{Settings, method_word, strategy_word},
};

/// The reader's own settings, filled in with those in force.
#[component]
pub fn SettingsForm(open: Arc<Open>) -> impl IntoView {
    let address = expect_context::<Address>();
    let plan = &open.shown.plan;
    let own = address.query.get_untracked().settings;
    let text = |value: String| RwSignal::new(value);
    let seed = text(plan.seed.to_string());
    let resamples = text(plan.n_resamples.to_string());
    let level = text(plan.confidence_level.to_string());
    let method = text(method_word(plan.interval_method).to_owned());
    let bins = text(plan.n_bins.to_string());
    let strategy = text(strategy_word(plan.bin_strategy).to_owned());
    let control = text(plan.control.clone().unwrap_or_default());
    let threshold = text(plan.confident_threshold.to_string());
    let by_item = RwSignal::new(own.by_item);
    let base = open.report.published.as_ref().or(open.report.recomputed.as_ref());
    let published = base.map(|r| r.plan.clone());
    let apply = move |event: SubmitEvent| {
        event.prevent_default();
        let Some(p) = &published else { return };
        // Only what is not as published goes into the address.
        let mut next =
            Settings { cut: own.cut.clone(), by_item: by_item.get(), ..Settings::default() };
        next.seed = unless(&seed, p.seed);
        next.n_resamples = unless(&resamples, p.n_resamples);
        next.confidence_level = unless(&level, p.confidence_level);
        next.n_bins = unless(&bins, p.n_bins);
        next.confident_threshold = unless(&threshold, p.confident_threshold);
        let methods = [IntervalMethod::Percentile, IntervalMethod::Bca];
        next.interval_method = methods
            .into_iter()
            .find(|m| method_word(*m) == method.get() && *m != p.interval_method);
        next.bin_strategy = RULES
            .into_iter()
            .find(|s: &BinStrategy| strategy_word(*s) == strategy.get() && *s != p.bin_strategy);
        let arm = control.get();
        next.control = (!arm.is_empty() && Some(&arm) != p.control.as_ref()).then_some(arm);
        address.set_query(|q| q.settings = next);
    };
    let arms = open.report.arms.clone();
    let choices = |list: &[&str]| list.iter().map(|w| ((*w).to_owned(), (*w).to_owned())).collect();
    view! {
        <form class="settings" id="settings" on:submit=apply>
            {input("set-seed", "seed", "numeric", seed)}
            {input("set-resamples", "resamples", "numeric", resamples)}
            {input("set-level", "level", "decimal", level)}
            {select("set-method", "interval", method, choices(&["percentile", "bca"]))}
            {input("set-bins", "bins", "numeric", bins)}
            {select("set-strategy", "binning", strategy, choices(&["quantile", "uniform", "quantile_split"]))}
            {select("set-control", "control arm", control, arms.into_iter().map(|a| (a.clone(), a)).collect())}
            {input("set-threshold", "confident from", "decimal", threshold)}
            {open.report.grouped.then(|| view! {
                <label class="check">
                    <input
                        type="checkbox"
                        prop:checked=by_item
                        on:change=move |e| by_item.set(event_target_checked(&e))
                    />
                    <span>"resample questions one by one"</span>
                </label>
            })}
            <button type="submit">"Compute with these"</button>
        </form>
    }
    .into_any()
}

/// The number in a field, unless it is the published one or no number at all.
fn unless<T: std::str::FromStr + PartialEq>(field: &RwSignal<String>, published: T) -> Option<T> {
    field.get().trim().parse().ok().filter(|v| *v != published)
}

fn input(
    id: &'static str,
    label: &'static str,
    mode: &'static str,
    value: RwSignal<String>,
) -> AnyView {
    view! {
        <label for=id>
            <span>{label}</span>
            <input
                id=id
                type="text"
                inputmode=mode
                autocomplete="off"
                prop:value=value
                on:input=move |e| value.set(event_target_value(&e))
            />
        </label>
    }
    .into_any()
}

/// Is an answer about `value` still wanted? Not once another is chosen, nor once the list is gone.
pub fn still_chosen(chosen: RwSignal<String>, value: &str) -> bool {
    chosen.try_get_untracked().as_deref() == Some(value)
}

/// A labelled list of choices, value and words; what is chosen is in `value`.
pub fn select(
    id: &'static str,
    label: &'static str,
    value: RwSignal<String>,
    choices: Vec<(String, String)>,
) -> AnyView {
    let option = |(key, words): (String, String)| {
        let chosen = key == value.get_untracked();
        view! { <option value=key selected=chosen>{crate::format::cut(&words, 60)}</option> }
    };
    view! {
        <label for=id>
            <span>{label}</span>
            <select id=id on:change=move |e| value.set(event_target_value(&e))>
                {choices.into_iter().map(option).collect_view()}
            </select>
        </label>
    }
    .into_any()
}
