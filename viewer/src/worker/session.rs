//! A run that is open, and every question that the page may ask about it.

use metrics::Task;

use super::{
    compute, grid,
    open::{Opened, Surroundings, open, takes_long},
    pair,
    protocol::{Answer, Ask, Files, Finding, Problem, Report, pack, unpack},
    question, spread,
    store::Store,
    turned,
};
use crate::url_state::Settings;

/// What the worker keeps between requests.
#[derive(Default)]
pub struct Session {
    opened: Opened,
    store: Store,
    /// What this worker draws for another.
    task: Option<Task>,
}

impl Session {
    /// Opens a run.
    ///
    /// # Errors
    /// When there is nothing to show, and why.
    pub fn open(
        &mut self,
        files: &Files,
        buffers: Vec<Vec<u8>>,
        surroundings: &Surroundings<'_>,
    ) -> Result<Answer, Problem> {
        // Nothing of another run must be left when this one cannot be opened.
        *self = Self::default();
        let (report, opened) = open(files, buffers, surroundings)?;
        Ok(self.keep(report, opened))
    }

    /// Keeps a run that was read; whatever was open before is forgotten.
    pub fn keep(&mut self, report: Report, opened: Opened) -> Answer {
        *self = Self { opened, ..Self::default() };
        Answer::Opened(Box::new(report))
    }

    /// True where the numbers take long enough under `settings` to share the work out.
    #[must_use]
    pub fn takes_long(&self, settings: &Settings) -> bool {
        takes_long(self.opened.records.len(), &settings.applied(&self.opened.plan()))
    }

    /// The open run.
    #[must_use]
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// Answers what is asked about the open run. No verdict waits for this code, so that it is fetched when the first
    /// question comes.
    ///
    /// # Errors
    /// When there is nothing to answer, and why.
    pub fn inquire(
        &mut self,
        ask: Ask,
        buffers: Vec<Vec<u8>>,
        surroundings: &Surroundings<'_>,
    ) -> Result<Answer, Problem> {
        let Self { opened, store, task } = self;
        match ask {
            Ask::Open(files) => self.open(&files, buffers, surroundings),
            Ask::Attach(files) => {
                let attached = store.take(&files, buffers, opened, surroundings.progress)?;
                Ok(Finding::Attached(Box::new(attached)).packed())
            }
            Ask::Compute { settings, edits } => {
                compute::compute(opened, &settings, &edits, surroundings)
                    .map(|c| Answer::Computed(Box::new(c)))
            }
            Ask::Grid(ask) => Ok(Finding::Grid(grid::grid(&opened.records, store, &ask)).packed()),
            Ask::Question { item_id } => question::page(opened, store, &item_id)
                .map(|page| Finding::Question(Box::new(page)).packed()),
            Ask::Spread { series, settings } => spread::spread(opened, &series, &settings)
                .map(|spread| Finding::Spread(spread).packed()),
            Ask::Widths { series, settings } => spread::widths(opened, &series, &settings)
                .map(|widths| Finding::Widths(widths).packed()),
            Ask::Turned { a, b } => {
                Ok(Finding::Turned(turned::turned(&opened.records, &a, &b)).packed())
            }
            Ask::BinRules { settings } => {
                turned::bin_rules(opened, &settings).map(|rules| Finding::BinRules(rules).packed())
            }
            Ask::Draw { start, end } => {
                if let Some(bytes) = buffers.first() {
                    *task = unpack(bytes);
                }
                let part = task.as_ref().and_then(|task| pack(&task.run(start..end)));
                let unreadable = || Problem::new("a task cannot be read", "reload the page");
                part.map(Answer::Drawn).ok_or_else(unreadable)
            }
            Ask::Pair(files) => pair::pair(opened, &files, buffers, surroundings)
                .map(|c| Answer::Paired(Box::new(c))),
        }
    }
}
