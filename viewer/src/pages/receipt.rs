use crate::{
    components::save,
    model::receipt::{Checked, receipt},
    open_run::Open,
};

/// Saves what was checked and what came out.
pub fn save_receipt(open: &Open) {
    let Some(published) = &open.report.published else { return };
    let receipt = receipt(&Checked {
        published,
        recomputed: open.report.recomputed.as_ref(),
        checks: &open.checks,
        files: &open.report.files,
        n_records: open.n_records,
        origin: &open.origin,
        address: &leptos::prelude::window().location().href().unwrap_or_default(),
    });
    save::text("receipt.json", "application/json", &format!("{receipt:#}\n"));
}
