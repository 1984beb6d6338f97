//! Numbers under a reader's own settings, and verdicts on the publication after a reader's changes.

use std::borrow::Cow;

use metrics::MetricsError;
use records::{Computed, Plan, Record};

use super::{
    open::{Opened, Surroundings, checks},
    protocol::{Computation, Problem},
};
use crate::url_state::{Applied, Edits, Settings};

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
    let work = Work::new(opened, settings, edits, surroundings);
    let computed = metrics::compute(&work.records, &work.plan);
    work.concluded(computed, opened, surroundings)
}

/// What is computed from, with a reader's settings and changes.
pub struct Work<'a> {
    /// The records with the changes made.
    pub records: Vec<Record>,
    /// The plan with the settings.
    pub plan: Plan,
    settings: &'a Settings,
    edits: &'a Edits,
    applied: Applied,
    started: f64,
}

impl<'a> Work<'a> {
    /// Makes the changes.
    #[must_use]
    pub fn new(
        opened: &Opened,
        settings: &'a Settings,
        edits: &'a Edits,
        surroundings: &Surroundings<'_>,
    ) -> Self {
        (surroundings.progress)("computing".into());
        let started = (surroundings.now)();
        let (records, applied) = edits.applied(&opened.records);
        let by_item = match as_resampled(&records, settings) {
            Cow::Owned(records) => Some(records),
            Cow::Borrowed(_) => None,
        };
        let records = by_item.unwrap_or(records);
        let plan = settings.applied(&opened.plan());
        Self { records, plan, settings, edits, applied, started }
    }

    /// Compares what was computed, where it can be.
    ///
    /// # Errors
    /// Nothing was computed, and why.
    pub fn concluded(
        self,
        computed: Result<Computed, MetricsError>,
        opened: &Opened,
        surroundings: &Surroundings<'_>,
    ) -> Result<Computation, Problem> {
        let computed = computed.map_err(refused)?;
        // With a changed log the signature must not be that of the log as it was loaded.
        let inputs = if self.edits.is_empty() { opened.inputs() } else { Vec::new() };
        let results = metrics::results(opened.header(), inputs, computed, self.plan);
        let published = opened.published.as_ref().filter(|_| self.settings.is_published());
        let checks = published.map(|(_, value)| checks(value, Some(&results))).unwrap_or_default();
        Ok(Computation {
            checks,
            applied: self.applied,
            n_records: self.records.len() as u64,
            compute_ms: (surroundings.now)() - self.started,
            results: Some(results),
        })
    }
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
        Err(problem) => Err(refused(MetricsError::Plan(problem))),
    }
}

pub(super) fn refused(error: MetricsError) -> Problem {
    Problem::new(error.to_string(), "change the settings, or go back to the published ones")
}
