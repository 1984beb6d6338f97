use leptos::prelude::*;

use crate::{
    format,
    model::check::{Totals, Verdict},
};

/// What the signs mean and how many numbers carry each.
#[component]
pub fn Legend(totals: Totals) -> impl IntoView {
    view! {
        <dl class="legend">
            {Verdict::ALL
                .into_iter()
                .map(|v| {
                    view! {
                        <div>
                            <dt>
                                <span class="badge" data-tone=v.attribute()>
                                    <span class="sign" aria-hidden="true">{v.sign()}</span>
                                    <span class="word">{v.word()}</span>
                                </span>
                                " "
                                <b>{format::count(totals.get(v))}</b>
                            </dt>
                            <dd>{v.meaning()}</dd>
                        </div>
                    }
                })
                .collect_view()}
        </dl>
    }
}

/// Counted verdicts, those that need a look first, each with sign and word.
pub fn tally(totals: Totals) -> impl IntoView {
    const ORDER: [Verdict; 5] = [
        Verdict::Differs,
        Verdict::CannotBeChecked,
        Verdict::EqualAsPrinted,
        Verdict::Identical,
        Verdict::Withheld,
    ];
    ORDER
        .into_iter()
        .filter(|v| totals.get(*v) > 0)
        .map(|v| {
            view! {
                <span class="tally" data-tone=v.attribute()>
                    <span class="badge" data-tone=v.attribute()>
                        <span class="sign" aria-hidden="true">{v.sign()}</span>
                    </span>
                    " " {format::count(totals.get(v))} " " {v.word()}
                </span>
            }
        })
        .collect_view()
}
