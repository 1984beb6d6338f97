//! Numbers under a reader's own settings, and verdicts on the publication after a reader's changes.

use std::borrow::Cow;

use records::{Plan, Record};

use super::{
    open::{Opened, Surroundings, checks},
    protocol::{Computation, Problem},
};
use crate::url_state::{Edits, Settings};

/// Computes with `settings` from the records with `edits` made. The publication is compared only where the settings
/// are its own: other settings give other numbers, and that says nothing about it.
///
/// # Errors
/// There are no records, or the settings are not allowed.
pub fn compute(
    opened: &Opened,
    settings: &Settings,
    edits: &Edits,
    surroundings: &Surroundings<'_>,
) -> Result<Computation, Problem> {
    (surroundings.progress)("computing".into());
    let started = (surroundings.now)();
    let (records, applied) = edits.applied(&opened.records);
    let records = as_resampled(&records, settings);
    let plan = settings.applied(&opened.plan());
    let computed = metrics::compute(&records, &plan).map_err(refused)?;
    // With a changed log the signature must not be that of the log as it was loaded.
    let inputs = if edits.is_empty() { opened.inputs() } else { Vec::new() };
    let results = metrics::results(opened.header(), inputs, computed, plan);
    let published = opened.published.as_ref().filter(|_| settings.is_published());
    let checks = published.map(|(_, value)| checks(value, Some(&results))).unwrap_or_default();
    Ok(Computation {
        checks,
        applied,
        n_records: records.len() as u64,
        compute_ms: (surroundings.now)() - started,
        results: Some(results),
    })
}

/// The records with the clusters that are to be resampled.
pub(super) fn as_resampled<'a>(records: &'a [Record], settings: &Settings) -> Cow<'a, [Record]> {
    if !settings.by_item {
        return Cow::Borrowed(records);
    }
    let alone = |r: &Record| Record { cluster_id: r.item_id.clone(), ..r.clone() };
    records.iter().map(alone).collect()
}

/// The plan of a reader's settings, when it is one that can be computed with.
pub(super) fn own_plan(opened: &Opened, settings: &Settings) -> Result<Plan, Problem> {
    let plan = settings.applied(&opened.plan());
    match plan.check() {
        Ok(()) => Ok(plan),
        Err(problem) => Err(refused(metrics::MetricsError::Plan(problem))),
    }
}

pub(super) fn refused(error: metrics::MetricsError) -> Problem {
    Problem::new(error.to_string(), "change the settings, or go back to the published ones")
}
