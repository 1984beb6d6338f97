use records::{Computed, Input, Inputs, Plan, Results, Versioned, canonical_json, sha256_hex};

use crate::{METRICS_VERSION, distinct::order, ids::encode, stats::method_name};

/// The file whose digest stands in the signature.
const LOG_FILE: &str = "records.jsonl";

/// Hex digits of a digest that the signature shows.
const DIGEST_DIGITS: usize = 16;

/// What a results file says about itself besides numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The run.
    pub run_id: String,
    /// The data set.
    pub dataset_id: String,
    /// A line for people.
    pub title: String,
}

/// Everything published about a run: `computed`, what it was computed from, and one line that identifies both.
#[must_use]
pub fn results(header: Header, files: Vec<Input>, computed: Computed, plan: Plan) -> Results {
    let by_name = order(files.len(), &|a, b| files[a].name.cmp(&files[b].name));
    let files: Vec<Input> = by_name.into_iter().map(|at| files[at].clone()).collect();
    Results {
        schema: Results::tag(),
        metrics_version: METRICS_VERSION,
        run_id: header.run_id,
        dataset_id: header.dataset_id,
        title: header.title,
        signature: signature(&files, &plan),
        plan,
        inputs: Inputs { files, rows: computed.rows },
        figures: computed.figures,
        reliability: computed.reliability,
        comparisons: computed.comparisons,
    }
}

/// Records digest, method, seed, resamples, level, control, a digest of the whole plan and the metrics version in one
/// line; `none` stands for a log or a control that is not there.
fn signature(files: &[Input], plan: &Plan) -> String {
    let digest = files.iter().find(|f| f.name == LOG_FILE).map(|f| f.entry.sha256.as_str());
    let digest = head(digest.unwrap_or("none"));
    // A plan always has a JSON form.
    let whole_plan = serde_json::to_value(plan).unwrap_or_default();
    let whole_plan = head(&sha256_hex(canonical_json(&whole_plan).as_bytes()));
    let control = plan.control.as_deref().map_or("none".to_owned(), encode);
    let method = method_name(plan.interval_method);
    format!(
        "{}|records:{digest}|{method}|seed:{}|b:{}|level:{}|control:{control}|plan:{whole_plan}|metrics:{METRICS_VERSION}",
        Results::tag(),
        plan.seed,
        plan.n_resamples,
        plan.confidence_level,
    )
}

fn head(digest: &str) -> String {
    digest.chars().take(DIGEST_DIGITS).collect()
}
