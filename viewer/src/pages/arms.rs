use std::sync::Arc;

use leptos::prelude::*;

use crate::{format, open_run::Open};

/// What each arm shows the model, from `run.json`.
#[component]
pub fn Arms(open: Arc<Open>) -> impl IntoView {
    let arms = open.report.run.as_ref().map(|r| r.arms.clone()).unwrap_or_default();
    (!arms.is_empty()).then(|| {
        view! {
            <dl class="arms">
                {arms
                    .into_iter()
                    .take(60)
                    .map(|arm| {
                        let evidence = match arm.evidence {
                            records::Evidence::None => "no documents",
                            records::Evidence::Bundle => "the item's documents",
                            records::Evidence::Gold => "the documents that hold the answer",
                        };
                        let abstain =
                            if arm.may_abstain { "may abstain" } else { "must answer" };
                        let description = format::cut(arm.description.trim_end_matches('.'), 300);
                        let colon = if description.is_empty() { "" } else { ". " };
                        view! {
                            <div>
                                <dt>{format::cut(&arm.name, 40)}</dt>
                                <dd>{description} {colon} "Shown: " {evidence} "; " {abstain} "."</dd>
                            </div>
                        }
                    })
                    .collect_view()}
            </dl>
        }
    })
}
