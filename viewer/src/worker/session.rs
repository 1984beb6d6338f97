//! A run that is open, and every question that the page may ask about it.

use super::{
    compute, grid,
    open::{Opened, Surroundings, open},
    pair,
    protocol::{Answer, Ask, Problem, Request},
    question, spread,
    store::Store,
    turned,
};

/// What the worker keeps between requests.
#[derive(Default)]
pub struct Session {
    opened: Opened,
    store: Store,
}

impl Session {
    /// Does what `request` asks.
    ///
    /// # Errors
    /// When there is nothing to answer, and why.
    pub fn answer(
        &mut self,
        request: Request,
        buffers: Vec<Vec<u8>>,
        surroundings: &Surroundings<'_>,
    ) -> Result<Answer, Problem> {
        let Self { opened, store } = self;
        match request.ask {
            Ask::Open(files) => {
                // Nothing of another run must be left when this one cannot be opened.
                (*opened, *store) = (Opened::default(), Store::default());
                let (report, run) = open(&files, buffers, surroundings)?;
                *opened = run;
                Ok(Answer::Opened(Box::new(report)))
            }
            Ask::Attach(files) => {
                let attached = store.take(&files, buffers, opened, surroundings.progress)?;
                Ok(Answer::Attached(Box::new(attached)))
            }
            Ask::Compute { settings, edits } => {
                compute::compute(opened, &settings, &edits, surroundings)
                    .map(|c| Answer::Computed(Box::new(c)))
            }
            Ask::Grid(ask) => Ok(Answer::Grid(grid::grid(&opened.records, store, &ask))),
            Ask::Question { item_id } => {
                question::page(opened, store, &item_id).map(|page| Answer::Question(Box::new(page)))
            }
            Ask::Spread { series, settings } => {
                spread::spread(opened, &series, &settings).map(Answer::Spread)
            }
            Ask::Widths { series, settings } => {
                spread::widths(opened, &series, &settings).map(Answer::Widths)
            }
            Ask::Turned { a, b } => Ok(Answer::Turned(turned::turned(&opened.records, &a, &b))),
            Ask::BinRules { settings } => {
                turned::bin_rules(opened, &settings).map(Answer::BinRules)
            }
            Ask::Pair(files) => pair::pair(opened, &files, buffers, surroundings)
                .map(|c| Answer::Paired(Box::new(c))),
        }
    }
}
