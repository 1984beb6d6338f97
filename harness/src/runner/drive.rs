//! Works a grid off: several rows at a time, each written down as soon as it is known.

use std::{
    collections::{BTreeMap, VecDeque},
    pin::pin,
    rc::Rc,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use records::Status;
use serde::Serialize;

use super::{
    Cell, Outcome, Resolver, resolve,
    spending::{Spending, most_cost_usd},
};
use crate::{
    cassette::{Call, StopSign, Transport, input_tokens},
    error::Error,
    run_folder::RunFolder,
    terminal::note,
};

/// Rows in a row that were not served, after which a provider counts as out of reach.
const MOST_FAILURES: u32 = 10;

/// One model's part of a run.
pub struct Job<'a> {
    /// What cells are resolved with.
    pub resolver: Resolver<'a>,
    /// The rows to make, each with its attempt.
    pub cells: Vec<(Cell<'a>, u32)>,
    /// By arm.
    pub transports: BTreeMap<&'a str, Transport>,
    /// Rows under way at one time.
    pub concurrency: usize,
    /// Raised when the person asks to stop.
    pub stop: Rc<StopSign>,
}

/// What was done for one model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Rows added, by status.
    pub added: BTreeMap<&'static str, u64>,
    /// Calls made.
    pub calls: u64,
    /// What they cost at list price in US dollars; null when no price is known.
    pub cost_usd: Option<f64>,
}

impl Tally {
    /// Rows added.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.added.values().sum()
    }

    /// Rows added that have no valid answer.
    #[must_use]
    pub fn failed(&self) -> u64 {
        let fine = [Status::Answered.as_str(), Status::Abstained.as_str()];
        self.added.iter().filter(|(status, _)| !fine.contains(status)).map(|(_, n)| n).sum()
    }
}

/// Why a grid was not worked off to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The next row might cost more than is left.
    Cost,
    /// The person asked for it.
    Interrupted,
    /// Nothing is served any more.
    OutOfReach {
        /// What the last row says.
        words: String,
        /// The requests were rejected, rather than left without an answer.
        rejected: bool,
    },
}

/// How a job ended.
#[derive(Debug)]
pub struct Driven {
    /// What was done.
    pub tally: Tally,
    /// The version that the provider reported.
    pub version: Option<String>,
    /// Why it is not done.
    pub stop: Option<Stop>,
}

impl<'a> Job<'a> {
    /// The most that a row can cost now: nothing when its opening is recorded or no price is known.
    fn most_cost_usd(&self, cell: &Cell<'_>, attempt: u32) -> f64 {
        let model = self.resolver.model;
        let Some(price) = &model.price else { return 0.0 };
        self.fresh_tokens(cell, attempt)
            .map_or(0.0, |tokens| most_cost_usd(price, tokens, model.most_output_tokens()))
    }

    /// About how many tokens the opening of a row has; none when no call is needed for it.
    #[must_use]
    pub fn fresh_tokens(&self, cell: &Cell<'_>, attempt: u32) -> Option<u64> {
        let transport = self.transports.get(cell.arm.spec.name.as_str())?;
        if !transport.is_remote() {
            return None;
        }
        let (api, request) = (self.resolver.provider.api()?, self.resolver.opening(cell)?);
        let call = Call { api, request: &request, repeat: cell.repeat, attempt, number: 0 };
        transport.recorded(&call).is_none().then(|| input_tokens(&request))
    }

    /// Works the job off. Rows are appended in the order in which they come to be known, which in a replay is that of
    /// the grid. `seen` is told the tally and the arm after each row.
    ///
    /// # Errors
    /// A cassette miss, or something could not be written. Rows that were written before stay, and what was under way has
    /// been waited for.
    pub async fn drive(
        &self,
        log: &mut RunFolder,
        spending: &mut Spending,
        mut seen: impl FnMut(&Tally, &str),
    ) -> Result<Driven, Error> {
        let mut driven = Driven { tally: Tally::default(), version: None, stop: None };
        driven.tally.cost_usd = self.resolver.model.price.as_ref().map(|_| 0.0);
        let mut waiting: VecDeque<(Cell<'a>, u32)> = self.cells.iter().copied().collect();
        let mut running = FuturesUnordered::new();
        let mut failures = 0;
        let mut failed = None;
        let mut interrupt = pin!(tokio::signal::ctrl_c());
        loop {
            while driven.stop.is_none()
                && failed.is_none()
                && running.len() < self.concurrency
                && let Some((cell, attempt)) = waiting.front().copied()
            {
                let reserved = self.most_cost_usd(&cell, attempt);
                if !spending.reserve(reserved) {
                    driven.stop = Some(Stop::Cost);
                    break;
                }
                waiting.pop_front();
                running.push(async move {
                    let name = cell.arm.spec.name.as_str();
                    let outcome = match self.transports.get(name) {
                        Some(transport) => resolve(&self.resolver, cell, attempt, transport).await,
                        None => Err(Error::Usage(format!("the arm \"{name}\" was not opened"))),
                    };
                    (cell, reserved, outcome)
                });
            }
            let (cell, reserved, outcome) = tokio::select! {
                next = running.next() => match next {
                    Some(done) => done,
                    None => return failed.map_or(Ok(driven), Err),
                },
                asked = &mut interrupt => {
                    asked.map_err(|e| Error::Input(format!("no signals: {e}")))?;
                    if driven.stop == Some(Stop::Interrupted) {
                        return failed.map_or(Ok(driven), Err);
                    }
                    // What is under way is paid for: it is waited for, unless the person asks again.
                    driven.stop = Some(Stop::Interrupted);
                    self.stop.raise();
                    note(&format!(
                        "stopping: {} rows are under way and are waited for; Ctrl-C again drops them",
                        running.len()
                    ));
                    interrupt.set(tokio::signal::ctrl_c());
                    continue;
                }
            };
            let outcome = match outcome {
                Ok(outcome) => outcome,
                // It was between two calls when the person asked to stop.
                Err(Error::Interrupted(_)) => continue,
                Err(error) => {
                    self.give_up(&mut failed, error, running.len());
                    continue;
                }
            };
            if let Some(error) = self.transports.values().find_map(Transport::full) {
                self.give_up(&mut failed, error, running.len());
            }
            let cost = self.cost_usd(&outcome);
            spending.settle(reserved, cost.unwrap_or(0.0));
            let tally = &mut driven.tally;
            tally.calls += outcome.fresh.calls;
            tally.cost_usd = tally.cost_usd.zip(cost).map(|(sum, cost)| sum + cost);
            driven.version = outcome.version.clone().or(driven.version.take());
            let status = outcome.record.status;
            let replayed = outcome.fresh.calls == 0;
            if replayed && outcome.newest_attempt < outcome.record.attempt && !status.is_served() {
                // Nothing was recorded since the row before: it stands.
                continue;
            }
            if let Err(error) = log.append(&outcome.record, &outcome.completions) {
                self.give_up(&mut failed, error, running.len());
                continue;
            }
            *tally.added.entry(status.as_str()).or_insert(0) += 1;
            seen(tally, &cell.arm.spec.name);
            if status == Status::Unserved && replayed {
                waiting.push_front((cell, outcome.record.attempt + 1));
            }
            failures = if status.is_served() || replayed { 0 } else { failures + 1 };
            if failures >= MOST_FAILURES && driven.stop.is_none() {
                let rejected = status == Status::HarnessFault;
                driven.stop = Some(Stop::OutOfReach { words: last_words(&outcome), rejected });
            }
        }
    }

    /// Nothing more is begun after the first error. What is under way is paid for: it is waited for, and written down
    /// where that is still possible.
    fn give_up(&self, failed: &mut Option<Error>, error: Error, under_way: usize) {
        if failed.is_some() {
            return;
        }
        self.stop.raise();
        if under_way > 0 && self.transports.values().any(Transport::is_remote) {
            note(&format!("stopping: {error}; {under_way} rows are under way and are waited for"));
        }
        *failed = Some(error);
    }

    /// What the calls that were made for a row cost.
    fn cost_usd(&self, outcome: &Outcome) -> Option<f64> {
        let price = self.resolver.model.price.as_ref()?;
        Some(price.cost_usd(&outcome.fresh.usage))
    }
}

/// What the last of many failed rows says of the cause.
fn last_words(outcome: &Outcome) -> String {
    let error = outcome.record.error.as_ref();
    error.map_or_else(
        || "no reason was given".to_owned(),
        |e| match e.http_status {
            Some(status) => format!("HTTP {status}: {}", e.message),
            None => e.message.clone(),
        },
    )
}
