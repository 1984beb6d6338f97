use std::sync::Arc;

use leptos::prelude::*;
use records::Series;

use super::head::ViewHead;
use crate::{
    address::Address,
    chart::Painter,
    components::{
        chart_canvas::Plot,
        figure::figure_link,
        problem::{computing, problem_view},
        settings_form::{SettingsForm, select, still_chosen},
    },
    desk::SharedDesk,
    format,
    model::{
        forest::{forest, metrics_with_intervals},
        metric, spread,
        table::series,
    },
    open_run::Open,
    worker::protocol::{Ask, Finding, Problem},
};

/// Intervals of all series, what they rest on, and the reader's own settings.
#[component]
pub fn Intervals(open: Arc<Open>) -> impl IntoView {
    let metrics = metrics_with_intervals(&open.shown);
    let first = metrics.iter().find(|m| *m == "accuracy").or(metrics.first());
    let chosen = RwSignal::new(first.cloned().unwrap_or_default());
    let choices = metrics.iter().map(|m| (m.clone(), metric::label(m))).collect();
    let for_plot = open.clone();
    view! {
        <ViewHead open=open.clone() title="Intervals"/>
        <section id="intervals-own" aria-labelledby="own-head">
            <h2 id="own-head">"Your own settings"</h2>
            <p class="lead">
                "This run's numbers are recomputed from its records in your browser, so they can be computed differently as well. Whatever is changed here holds for every view, is said above it, stands in the address, and is taken back with one click. What is set here is never compared with what was published."
            </p>
            <SettingsForm open=open.clone()/>
        </section>
        <section id="forest" aria-labelledby="forest-head">
            <h2 id="forest-head">"All series"</h2>
            <div class="choices">{select("forest-metric", "metric", chosen, choices)}</div>
            {move || forest_view(&for_plot, &chosen.get())}
        </section>
        <Behind open/>
    }
    .into_any()
}

fn forest_view(open: &Open, metric: &str) -> AnyView {
    let forest = forest(&open.shown, metric);
    let links = forest.ids.iter().zip(&forest.spec.rows).map(|(id, row)| {
        let value = if forest.spec.differences {
            format::signed(row.point)
        } else {
            format::decimals(row.point)
        };
        view! { <li>{row.label.clone()} " " {figure_link(open, id, value)}</li> }
    });
    let links = links.collect_view();
    let painter = Painter::Whiskers(Arc::new(forest.spec));
    view! {
        <Plot painter sheet=forest.table caption="Values and intervals" name="intervals"/>
        <ul class="links">{links}</ul>
        {(forest.hidden > 0).then(|| view! {
            <p class="note">
                {format::plural(forest.hidden as u64, "series has", "series have")}
                " no value of this metric, or is beyond what is drawn; the reasons stand under Results."
            </p>
        })}
    }
    .into_any()
}

type Got = RwSignal<Option<Result<Finding, Problem>>>;

/// The bootstrap distribution of one series' accuracy, and how wide its interval is on fewer questions.
#[component]
fn Behind(open: Arc<Open>) -> impl IntoView {
    let desk = expect_context::<SharedDesk>();
    let settings = expect_context::<Address>().query.get_untracked().settings;
    let series = series(&open.shown);
    let first = series.iter().position(|s| s.arm != crate::model::table::BASELINE_ARM).unwrap_or(0);
    let chosen = RwSignal::new(first.to_string());
    let words = |s: &Series| format!("{} · {}", s.model, s.arm);
    let choices = series.iter().enumerate().map(|(i, s)| (i.to_string(), words(s))).collect();
    let (distribution, widths): (Got, Got) = (RwSignal::new(None), RwSignal::new(None));
    Effect::new(move |_| {
        let now = chosen.get();
        let at: usize = now.parse().unwrap_or(0);
        let Some(series) = series.get(at).cloned() else { return };
        distribution.set(None);
        widths.set(None);
        let (for_widths, own) = (series.clone(), settings.clone());
        let received = |place: Got| {
            let now = now.clone();
            move |reply| {
                if still_chosen(chosen, &now) {
                    place.set(Some(reply));
                }
            }
        };
        desk.with_value(|d| {
            let ask = Ask::Spread { series, settings: settings.clone() };
            d.inquire(ask, received(distribution));
            let ask = Ask::Widths { series: for_widths, settings: own };
            d.inquire(ask, received(widths));
        });
    });
    view! {
        <section id="behind" aria-labelledby="behind-head">
            <h2 id="behind-head">"Behind an interval"</h2>
            <p class="lead">
                "The interval of accuracy comes from resampling the questions: this is how accuracy falls over the resamples. It is computed anew from the records as loaded, by the same draws; its bracket is the percentile interval."
            </p>
            <div class="choices">{select("behind-series", "series", chosen, choices)}</div>
            {move || answered(distribution.get(), |answer| match answer {
                Finding::Spread(s) => {
                    let painter = Painter::Bars(Arc::new(spread::spread_spec(s)));
                    let sheet = spread::spread_table(s);
                    let note = format!(
                        "{} resampled; in {} of the resamples accuracy does not exist.",
                        format::plural(s.n_clusters, "cluster", "clusters"),
                        format::count(s.undefined)
                    );
                    view! {
                        <Plot painter sheet caption="Accuracy over the resamples" name="bootstrap"/>
                        <p class="note">{note}</p>
                    }
                    .into_any()
                }
                _ => ().into_any(),
            })}
        </section>
        <section id="widths" aria-labelledby="widths-head">
            <h2 id="widths-head">"How many questions does it take?"</h2>
            <p class="lead">
                "The mean width of that interval on parts of the questions drawn at random: 20 parts of each size, at most 1,000 resamples each. It is measured up to the number of questions that the run has, and says nothing beyond."
            </p>
            {move || answered(widths.get(), |answer| match answer {
                Finding::Widths(rows) => {
                    let painter = Painter::Curve(Arc::new(spread::widths_spec(rows)));
                    let sheet = spread::widths_table(rows);
                    view! { <Plot painter sheet caption="Mean width by number of questions" name="widths"/> }
                        .into_any()
                }
                _ => ().into_any(),
            })}
        </section>
    }
    .into_any()
}

/// What the worker answered, why it did not, or that it has not yet.
pub fn answered<T>(got: Option<Result<T, Problem>>, view: impl Fn(&T) -> AnyView) -> AnyView {
    match got {
        Some(Ok(answer)) => view(&answer),
        Some(Err(problem)) => problem_view(&problem).into_any(),
        None => computing(),
    }
}
