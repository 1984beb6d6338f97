use metrics::grading::{Graded, grade};
use records::{Document, ErrorInfo, Evidence, Item, Record, Request, Status, Usage, sha256_hex};

use super::{
    Cell,
    exchange::{NoCompletion, Read, read, wait},
    logprob::answer_logprob,
    row::{Place, blank_row},
};
use crate::{
    cassette::{Call, Shelf, Transport},
    dataset::Dataset,
    error::Error,
    models::ModelConfig,
    prompt,
    provider::{Api, Provider},
};

/// A call is tried this often before it counts as unserved.
const ATTEMPTS: u32 = 3;

/// What a cell is resolved with.
#[derive(Clone, Copy)]
pub struct Resolver<'a> {
    /// The run's name.
    pub run_id: &'a str,
    /// The data set.
    pub dataset: &'a Dataset,
    /// The model.
    pub model: &'a ModelConfig,
    /// Where its completions come from.
    pub provider: Provider,
}

/// A graded row and what came with it.
#[derive(Debug)]
pub struct Outcome {
    /// The row.
    pub record: Record,
    /// Every raw completion of the row, the first one first.
    pub completions: Vec<String>,
    /// The version that the provider reported.
    pub version: Option<String>,
    /// Of the calls that were made now: their number, and the tokens that they reported.
    pub fresh: Fresh,
    /// The newest attempt whose exchanges the row rests on. Below the row's own attempt, nothing new was learnt.
    pub newest_attempt: u32,
    /// Where in its cassette each of the row's exchanges stands.
    pub exchanges: Vec<Shelf>,
}

/// Calls that were made now, rather than found in a cassette.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fresh {
    /// Their number.
    pub calls: u64,
    /// The tokens that they reported.
    pub usage: Usage,
}

/// Sums over the calls of one row.
#[derive(Default)]
struct Totals {
    usage: Option<Usage>,
    latency_ms: f64,
    started_at: Option<String>,
    version: Option<String>,
    answer_logprob: Option<f64>,
    fresh: Fresh,
    newest_attempt: u32,
    exchanges: Vec<Shelf>,
}

impl Totals {
    /// Adds what one call reported.
    fn add(&mut self, usage: Option<Usage>, fresh: bool) {
        let Some(usage) = usage else { return };
        *self.usage.get_or_insert_default() += usage;
        if fresh {
            self.fresh.usage += usage;
        }
    }
}

/// What a cell came to before it is a row.
struct Answer {
    prompt_sha256: Option<String>,
    completions: Vec<String>,
    repairs: u32,
    graded: Option<Graded>,
    failed: Option<NoCompletion>,
}

impl Resolver<'_> {
    /// The documents that a cell shows, in prompt order.
    #[must_use]
    pub fn shown(&self, cell: &Cell<'_>) -> Vec<&Document> {
        let bundle = || self.dataset.shown(&cell.item.item_id);
        match cell.arm.spec.evidence {
            Evidence::None => Vec::new(),
            Evidence::Bundle => bundle(),
            Evidence::Gold => {
                let gold = |d: &&Document| cell.item.gold_docs.contains(&d.doc_id);
                bundle().into_iter().filter(gold).collect()
            }
        }
    }

    /// The request that opens a cell; none for a reader that is part of the harness.
    #[must_use]
    pub fn opening(&self, cell: &Cell<'_>) -> Option<Request> {
        let Provider::Api(api) = self.provider else { return None };
        let conversation = prompt::opening(cell.item, &self.shown(cell), cell.arm);
        Some(api.request(self.model, &conversation, self.seed(cell)))
    }

    fn seed(&self, cell: &Cell<'_>) -> Option<u64> {
        let of_repeat = self.model.seed?.wrapping_add(u64::from(cell.repeat));
        if !self.model.seed_per_item {
            return Some(of_repeat);
        }
        // Some servers take 32 bits with a sign, so 31 of the digest's are used.
        let digest = sha256_hex(format!("{of_repeat}/{}", cell.item.item_id).as_bytes());
        u64::from_str_radix(&digest[..8], 16).ok().map(|seed| seed >> 1)
    }
}

/// Resolves one cell: prompt, call, grade, at most one repair turn.
///
/// # Errors
/// A cassette miss, or an exchange that could not be written down. What a provider does wrong is a row, not an error.
pub async fn resolve(
    resolver: &Resolver<'_>,
    cell: Cell<'_>,
    attempt: u32,
    transport: &Transport,
) -> Result<Outcome, Error> {
    let shown = resolver.shown(&cell);
    let grade = |text: &str| {
        let ids: Vec<String> = shown.iter().map(|d| d.doc_id.clone()).collect();
        grade(text, cell.item, &ids, cell.arm.spec.may_abstain)
    };
    let mut totals = Totals::default();
    let answer = match resolver.provider {
        Provider::Embedded(reader) => {
            totals.version = Some(reader.version.to_owned());
            let text = (reader.answer)(cell.item, &shown, cell.arm.spec.may_abstain);
            let graded = Some(grade(&text));
            // It reads item and documents, not a prompt: there is none to have a digest.
            Answer {
                prompt_sha256: None,
                completions: vec![text],
                repairs: 0,
                graded,
                failed: None,
            }
        }
        Provider::Api(api) => {
            let talk = Talk { api, resolver, cell, attempt, transport };
            talk.converse(&shown, grade, &mut totals).await?
        }
    };
    let place = Place {
        run_id: resolver.run_id,
        dataset_id: &resolver.dataset.manifest.dataset_id,
        model: &resolver.model.name,
        arm: &cell.arm.spec.name,
        repeat: cell.repeat,
        attempt,
    };
    Ok(outcome(place, resolver, cell, answer, totals))
}

/// The row of a cell.
fn outcome(
    place: Place<'_>,
    resolver: &Resolver<'_>,
    cell: Cell<'_>,
    answer: Answer,
    totals: Totals,
) -> Outcome {
    let Answer { prompt_sha256, completions, repairs, graded, failed } = answer;
    let mut record = blank_row(place, cell.item);
    record.prompt_sha256 = prompt_sha256;
    if cell.arm.spec.evidence != Evidence::None {
        let bundle = resolver.dataset.bundles.get(&cell.item.item_id);
        record.bundle_sha256 = bundle.map(|b| b.sha256.clone());
        record.conflict_labels = cell.item.conflicts.clone();
    }
    record.schema_ok = repairs == 0 && graded.as_ref().is_some_and(|g| g.problem.is_none());
    record.repairs = repairs;
    record.usage = totals.usage;
    record.cost_usd = match (&resolver.model.price, &totals.usage) {
        (Some(price), Some(usage)) => Some(price.cost_usd(usage)),
        _ => None,
    };
    record.latency_ms = totals.started_at.is_some().then_some(totals.latency_ms);
    record.started_at = totals.started_at;
    record.response_sha256 = completions.last().map(|t| sha256_hex(t.as_bytes()));
    if let Some(graded) = graded {
        put_grade(&mut record, graded);
        record.answer_logprob = record.answer.as_ref().and(totals.answer_logprob);
    }
    if let Some(none) = failed {
        record.status = none.status;
        record.correct = none.status.is_served().then_some(false);
        record.error = none.error;
    }
    Outcome {
        record,
        completions,
        version: totals.version,
        fresh: totals.fresh,
        newest_attempt: totals.newest_attempt,
        exchanges: totals.exchanges,
    }
}

fn put_grade(record: &mut Record, graded: Graded) {
    record.status = graded.status;
    record.correct = Some(graded.correct);
    record.score_source = graded.score_source.map(str::to_owned);
    record.answer = graded.answer;
    record.confidence = graded.confidence;
    record.sources = graded.sources;
    record.sources_unknown = graded.sources_unknown;
    record.conflicts = graded.conflicts;
    record.error = graded.problem.map(|message| ErrorInfo {
        kind: "invalid_answer".to_owned(),
        http_status: None,
        message,
    });
}

/// A conversation with a model about one cell.
struct Talk<'a> {
    api: &'static dyn Api,
    resolver: &'a Resolver<'a>,
    cell: Cell<'a>,
    attempt: u32,
    transport: &'a Transport,
}

impl Talk<'_> {
    /// The opening, and one repair turn when what came back cannot be used.
    async fn converse(
        &self,
        shown: &[&Document],
        grade: impl Fn(&str) -> Graded,
        totals: &mut Totals,
    ) -> Result<Answer, Error> {
        let item: &Item = self.cell.item;
        let mut conversation = prompt::opening(item, shown, self.cell.arm);
        let prompt_sha256 = Some(sha256_hex(prompt_text(&conversation).as_bytes()));
        let mut answer = Answer {
            prompt_sha256,
            completions: Vec::new(),
            repairs: 0,
            graded: None,
            failed: None,
        };
        loop {
            let seed = self.resolver.seed(&self.cell);
            let request = self.api.request(self.resolver.model, &conversation, seed);
            let text = match self.complete(&request, totals).await? {
                Ok(text) => text,
                Err(none) => {
                    answer.failed = Some(none);
                    return Ok(answer);
                }
            };
            let graded = grade(&text);
            answer.completions.push(text.clone());
            match &graded.problem {
                Some(problem) if answer.repairs == 0 => {
                    answer.repairs = 1;
                    conversation.extend(prompt::repair(&text, problem));
                }
                _ => {
                    answer.graded = Some(graded);
                    return Ok(answer);
                }
            }
        }
    }

    /// One completion, over at most [`ATTEMPTS`] calls.
    async fn complete(
        &self,
        request: &Request,
        totals: &mut Totals,
    ) -> Result<Result<String, NoCompletion>, Error> {
        let mut error = None;
        for number in 0..ATTEMPTS {
            let call = Call {
                api: self.api,
                request,
                repeat: self.cell.repeat,
                attempt: self.attempt,
                number,
            };
            let exchanged = self.transport.call(call).await?;
            let interaction = exchanged.interaction;
            totals.latency_ms += interaction.latency_ms;
            totals.started_at.get_or_insert_with(|| interaction.recorded_at.clone());
            totals.exchanges.push((interaction.request_key.clone(), interaction.repeat));
            totals.newest_attempt = totals.newest_attempt.max(interaction.attempt.unwrap_or(1));
            totals.fresh.calls += u64::from(exchanged.fresh);
            match read(self.api, &interaction) {
                Read::Completion { text, usage, version, logprobs } => {
                    totals.add(usage, exchanged.fresh);
                    totals.version = version.or(totals.version.take());
                    totals.answer_logprob = answer_logprob(&text, &logprobs);
                    return Ok(Ok(text));
                }
                Read::Final(none) => {
                    totals.add(none.usage, exchanged.fresh);
                    return Ok(Err(none));
                }
                Read::TryAgain(info, asked, usage) => {
                    totals.add(usage, exchanged.fresh);
                    error = Some(info);
                    if number + 1 < ATTEMPTS {
                        let pause = wait(number + 1, asked, fastrand::f64());
                        self.transport.pause(pause).await?;
                    }
                }
            }
        }
        Ok(Err(NoCompletion::because(Status::Unserved, error)))
    }
}

/// The text whose digest a record carries: every message of the opening, joined by newlines.
fn prompt_text(conversation: &[prompt::Message]) -> String {
    conversation.iter().map(|m| m.text.as_str()).collect::<Vec<_>>().join("\n")
}
