//! The run that is open, as the page shows it.

use std::{collections::BTreeMap, sync::Arc};

use records::{IndexEntry, Results};

use crate::{
    model::{
        check::{Checks, Verdict},
        evidence::Attached,
        glance::{self, Piece, Recount},
        table::slices,
        what_if::{Effect, effects},
    },
    url_state::{Applied, Edits, Settings},
    worker::protocol::{Computation, Problem, Report},
};

/// Under which settings and changes the numbers on the page are.
#[derive(Debug, Clone, PartialEq)]
pub enum Mode {
    /// As published: every number is compared.
    Published,
    /// As published, but only values have been compared; their intervals are being computed.
    Values,
    /// The reader's own settings: nothing is compared.
    Own(Settings),
    /// The published settings over changed records: the publication is compared with what follows from those.
    WhatIf(Edits, Applied),
}

/// Everything that is known about the open run.
#[derive(Clone)]
pub struct Open {
    /// What the worker found in the run as it was loaded.
    pub report: Arc<Report>,
    /// The verdicts; none under the reader's own settings.
    pub checks: Checks,
    /// What is shown: the publication, or what was computed instead of it.
    pub shown: Arc<Results>,
    /// What follows from the records under this mode.
    pub recomputed: Option<Arc<Results>>,
    /// Records that entered it.
    pub n_records: u64,
    /// Time that it took, in milliseconds.
    pub compute_ms: f64,
    /// Under which settings and changes.
    pub mode: Mode,
    /// What the reader's changes do to the entries that differ because of them.
    pub effects: Arc<BTreeMap<String, Effect>>,
    /// Where the files come from.
    pub origin: String,
    /// The site's runs.
    pub runs: Arc<Vec<IndexEntry>>,
}

impl Open {
    /// The run as it was loaded.
    ///
    /// # Errors
    /// It has neither a publication nor anything computed.
    pub fn loaded(
        report: Report,
        origin: String,
        runs: Arc<Vec<IndexEntry>>,
    ) -> Result<Self, Problem> {
        let shown = report.published.clone().or_else(|| report.recomputed.clone());
        let shown =
            shown.ok_or_else(|| Problem::new("there is nothing to show", "open other files"))?;
        Ok(Self {
            checks: Checks::new(report.checks.clone()),
            shown: Arc::new(shown),
            recomputed: report.recomputed.clone().map(Arc::new),
            n_records: report.n_records,
            compute_ms: report.compute_ms,
            mode: if report.awaits_intervals { Mode::Values } else { Mode::Published },
            effects: Arc::default(),
            report: Arc::new(report),
            origin,
            runs,
        })
    }

    /// The same run under other settings or with changed records.
    #[must_use]
    pub fn under(&self, settings: &Settings, edits: &Edits, computation: Computation) -> Self {
        let Some(results) = computation.results.map(Arc::new) else { return self.clone() };
        let own = !settings.is_published() || self.report.published.is_none();
        let checks = Checks::new(computation.checks);
        let effects = if own {
            BTreeMap::new()
        } else {
            // What differs from the records as they were loaded does not differ because of the changes.
            let lost = checks.with(Verdict::Differs).map(|c| c.id.as_str());
            effects(&self.shown, &results, lost.filter(|id| self.checks.verdict(id).agrees()))
        };
        Self {
            checks,
            effects: Arc::new(effects),
            shown: if own { results.clone() } else { self.shown.clone() },
            recomputed: Some(results),
            n_records: computation.n_records,
            compute_ms: computation.compute_ms,
            mode: if settings.is_published() {
                Mode::WhatIf(edits.clone(), computation.applied)
            } else {
                Mode::Own(settings.clone())
            },
            ..self.clone()
        }
    }

    /// The verdict on an entry; `None` under the reader's own settings, where nothing is compared, and while only values
    /// are there.
    #[must_use]
    pub fn verdict(&self, id: &str) -> Option<Verdict> {
        let whole = !matches!(self.mode, Mode::Own(_) | Mode::Values);
        whole.then(|| self.checks.verdict(id))
    }

    /// True when there are verdicts to count.
    #[must_use]
    pub fn compares(&self) -> bool {
        self.report.published.is_some() && !matches!(self.mode, Mode::Own(_) | Mode::Values)
    }

    /// The verdict on the whole run in one or a few sentences, and their tone as `data-tone`.
    #[must_use]
    pub fn sentence(&self) -> (&'static str, Vec<Piece>) {
        let totals = self.checks.totals();
        let Some(published) = self.report.published.as_ref().filter(|_| self.compares()) else {
            let (checks, shown) = (&self.checks, &self.shown);
            let sentence = match &self.mode {
                Mode::Own(_) => {
                    glance::own_settings_sentence(shown, self.n_records, self.compute_ms)
                }
                Mode::Values => glance::values_sentence(checks, self.n_records, self.compute_ms),
                _ => glance::records_only_sentence(shown, self.n_records, self.compute_ms),
            };
            return (if totals.differs > 0 { "differs" } else { "unchecked" }, sentence);
        };
        let tone = if totals.differs > 0 {
            "differs"
        } else if totals.cannot_be_checked > 0 || self.recomputed.is_none() {
            "unchecked"
        } else {
            "identical"
        };
        let recount = Recount {
            published,
            checks: &self.checks,
            n_records: self.recomputed.is_some().then_some(self.n_records),
            compute_ms: self.compute_ms,
        };
        let sentence = match &self.mode {
            Mode::WhatIf(..) => {
                glance::what_if_sentence(&self.checks, self.n_records, self.compute_ms)
            }
            _ => glance::verdict_sentence(recount),
        };
        (tone, sentence)
    }

    /// The parts of the data set that have figures.
    #[must_use]
    pub fn slices(&self) -> Vec<String> {
        slices(&self.shown)
    }
}

/// What is known about the data set and the completions.
#[derive(Clone)]
pub enum Evidence {
    /// Nobody has asked for it.
    NotAsked,
    /// It is being fetched.
    Loading,
    /// It is there, or what there is of it.
    Ready(Arc<Attached>),
    /// It could not be had.
    Failed(Problem),
}
