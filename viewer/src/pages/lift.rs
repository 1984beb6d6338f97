use std::{rc::Rc, sync::Arc};

use leptos::prelude::*;

use crate::{
    app::Open,
    chart::{AXIS_HEIGHT, ROW_HEIGHT, canvas::Painter, describe_whiskers},
    components::{chart_canvas::ChartCanvas, data_table::DataTable, figure::figure_link},
    format,
    model::lift,
};

/// What the evidence adds to accuracy, arm by arm, against the named control.
#[component]
pub fn LiftSection(open: Arc<Open>) -> impl IntoView {
    let Some(lift) = lift::lift(&open.shown) else {
        return ().into_any();
    };
    let summary = describe_whiskers(&lift.spec);
    let n_rows = lift.spec.rows.len();
    let links: Vec<_> = lift
        .ids
        .iter()
        .zip(&lift.spec.rows)
        .map(|(id, row)| {
            let label = row.label.clone();
            view! { <li>{label} " " {figure_link(&open, id, format::signed(row.point))}</li> }
        })
        .collect();
    let withheld: Vec<_> = lift
        .withheld
        .iter()
        .map(|w| {
            view! {
                <li>
                    {w.label.clone()} " " {figure_link(&open, &w.id, format::DASH.into())} " "
                    <span class="reason">{w.reason.clone()}</span>
                </li>
            }
        })
        .collect();
    let control = if lift.controls.is_empty() {
        "the plan names no control arm".to_owned()
    } else {
        format!("the control is {}", format::list(&lift.controls))
    };
    let spec = Rc::new(lift.spec);
    let painter = Signal::derive_local(move || Painter::Whiskers(spec.clone()));
    let (head, rows) = lift.table;
    view! {
        <section id="lift" aria-labelledby="lift-head">
            <h2 id="lift-head">"Evidence lift"</h2>
            <p class="lead">
                "How much does an arm's accuracy exceed that of its control on the questions that both served? Here "
                {control}
                ". The line is the paired interval; the band is what this many questions cannot show: a difference inside it is not a result, whatever its sign."
            </p>
            {(n_rows > 0).then(|| view! {
                <figure>
                    <ChartCanvas
                        painter
                        summary=summary.clone()
                        height=|_, rows| {
                            ROW_HEIGHT * f64::from(u32::try_from(rows).unwrap_or(60)) + AXIS_HEIGHT
                        }
                        rows=n_rows
                    />
                    <figcaption class="summary">{summary.clone()}</figcaption>
                </figure>
            })}
            <ul class="links">{links} {withheld}</ul>
            <DataTable caption="Evidence lift by arm" head rows/>
        </section>
    }
    .into_any()
}
