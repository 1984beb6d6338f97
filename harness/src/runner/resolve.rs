use metrics::grading::{Graded, grade};
use records::{Document, ErrorInfo, Evidence, Record, Status, Usage, sha256_hex};

use super::{
    Cell,
    exchange::{NoCompletion, Read, read, wait},
    row::{Place, blank_row},
};
use crate::{
    cassette::Transport, dataset::Dataset, error::Error, models::ModelConfig, prompt, provider::Api,
};

/// A call is tried this often before it counts as unserved.
const ATTEMPTS: u32 = 3;

/// What a cell is resolved with.
pub struct Resolver<'a> {
    /// The run's name.
    pub run_id: &'a str,
    /// The data set.
    pub dataset: &'a Dataset,
    /// The model.
    pub model: &'a ModelConfig,
    /// Its API.
    pub api: &'a dyn Api,
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
}

/// Sums over the calls of one row.
#[derive(Default)]
struct Totals {
    usage: Option<Usage>,
    latency_ms: f64,
    started_at: Option<String>,
    version: Option<String>,
}

impl Totals {
    /// Adds what one call reported, which may be any number.
    fn add(&mut self, usage: Option<Usage>) {
        let Some(u) = usage else { return };
        let sum = self.usage.get_or_insert_default();
        for (total, n) in [
            (&mut sum.input_tokens, u.input_tokens),
            (&mut sum.output_tokens, u.output_tokens),
            (&mut sum.cache_read_tokens, u.cache_read_tokens),
            (&mut sum.cache_write_tokens, u.cache_write_tokens),
        ] {
            *total = total.saturating_add(n);
        }
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
    transport: &mut Transport,
) -> Result<Outcome, Error> {
    let Resolver { dataset, model, api, .. } = resolver;
    let shown: Vec<&Document> = match cell.arm.spec.evidence {
        Evidence::None => Vec::new(),
        Evidence::Bundle => dataset.shown(&cell.item.item_id),
    };
    let shown_ids: Vec<String> = shown.iter().map(|d| d.doc_id.clone()).collect();
    let seed = model.seed.map(|s| s.wrapping_add(u64::from(cell.repeat)));
    let mut conversation = prompt::opening(cell.item, &shown, cell.arm);
    let prompt_sha256 = sha256_hex(prompt_text(&conversation).as_bytes());
    let mut totals = Totals::default();
    let mut completions = Vec::new();
    let mut repairs = 0;
    let (graded, failed) = loop {
        let request = api.request(model, &conversation, seed);
        let text = match complete(*api, &request, cell.repeat, transport, &mut totals).await? {
            Ok(text) => text,
            Err(none) => break (None, Some(none)),
        };
        let graded = grade(&text, cell.item, &shown_ids, cell.arm.spec.may_abstain);
        completions.push(text.clone());
        match &graded.problem {
            Some(problem) if repairs == 0 => {
                repairs = 1;
                conversation.extend(prompt::repair(&text, problem));
            }
            _ => break (Some(graded), None),
        }
    };
    let mut record = blank_row(
        Place {
            run_id: resolver.run_id,
            dataset_id: &dataset.manifest.dataset_id,
            model: &model.name,
            arm: &cell.arm.spec.name,
            repeat: cell.repeat,
            attempt,
        },
        cell.item,
    );
    record.prompt_sha256 = Some(prompt_sha256);
    record.bundle_sha256 = match cell.arm.spec.evidence {
        Evidence::None => None,
        Evidence::Bundle => dataset.bundles.get(&cell.item.item_id).map(|b| b.sha256.clone()),
    };
    record.schema_ok = repairs == 0 && graded.as_ref().is_some_and(|g| g.problem.is_none());
    record.repairs = repairs;
    record.usage = totals.usage;
    record.cost_usd = match (&model.price, &totals.usage) {
        (Some(price), Some(usage)) => Some(price.cost_usd(usage)),
        _ => None,
    };
    record.latency_ms = totals.started_at.is_some().then_some(totals.latency_ms);
    record.started_at = totals.started_at;
    record.response_sha256 = completions.last().map(|t| sha256_hex(t.as_bytes()));
    if let Some(graded) = graded {
        put_grade(&mut record, graded);
    }
    if let Some(none) = failed {
        record.status = none.status;
        record.correct = none.status.is_served().then_some(false);
        record.error = none.error;
    }
    Ok(Outcome { record, completions, version: totals.version })
}

/// The text whose digest a record carries: every message of the opening, joined by newlines.
fn prompt_text(conversation: &[prompt::Message]) -> String {
    conversation.iter().map(|m| m.text.as_str()).collect::<Vec<_>>().join("\n")
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

/// One completion, over at most [`ATTEMPTS`] calls.
async fn complete(
    api: &dyn Api,
    request: &records::Request,
    repeat: u32,
    transport: &mut Transport,
    totals: &mut Totals,
) -> Result<Result<String, NoCompletion>, Error> {
    let mut error = None;
    for attempt in 1..=ATTEMPTS {
        let interaction = transport.call(api.name(), request, repeat).await?;
        totals.latency_ms += interaction.latency_ms;
        totals.started_at.get_or_insert_with(|| interaction.recorded_at.clone());
        match read(api, &interaction) {
            Read::Completion { text, usage, version, .. } => {
                totals.add(usage);
                totals.version = version.or(totals.version.take());
                return Ok(Ok(text));
            }
            Read::Final(none) => {
                totals.add(none.usage);
                return Ok(Err(none));
            }
            Read::TryAgain(info, asked) => {
                error = Some(info);
                if attempt < ATTEMPTS && transport.is_remote() {
                    tokio::time::sleep(wait(attempt, asked, fastrand::f64())).await;
                }
            }
        }
    }
    Ok(Err(NoCompletion::because(Status::Unserved, error)))
}
