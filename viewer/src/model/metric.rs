/// What a reader should know about a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Name in files.
    pub name: &'static str,
    /// Name in sentences and headings.
    pub label: &'static str,
    /// Name at the head of a narrow column.
    pub column: &'static str,
    /// What it measures, in plain words.
    pub meaning: &'static str,
    /// Its formula in words.
    pub formula: &'static str,
    /// What the numerator counts, when there is one.
    pub numerator: &'static str,
    /// What the denominator counts, when there is one.
    pub denominator: &'static str,
    /// When it does not exist.
    pub undefined: &'static str,
}

const fn metric(
    name: &'static str,
    [label, column]: [&'static str; 2],
    meaning: &'static str,
    formula: &'static str,
    [numerator, denominator]: [&'static str; 2],
    undefined: &'static str,
) -> Metric {
    Metric { name, label, column, meaning, formula, numerator, denominator, undefined }
}

/// Every metric that this build can explain, in the order in which a row's numbers are listed.
pub const METRICS: &[Metric] = &[
    metric(
        "attempted",
        ["rows attempted", "attempted"],
        "How many questions were put to the model in this arm, repeats included. When a row was written twice, the later one counts.",
        "number of distinct (item, repeat) pairs",
        ["rows", ""],
        "",
    ),
    metric(
        "served",
        ["rows served", "n"],
        "How many of the attempted rows brought back something that quality can be measured on. Timeouts, rate limits and faulty requests are left out, since they say nothing about the model.",
        "answered + abstained + hard failures + refusals",
        ["rows served", ""],
        "",
    ),
    metric(
        "n_items",
        ["distinct items served", "q"],
        "How many different questions were served. This, not the number of rows, is the sample size: repeats of a question are not new questions.",
        "number of distinct items among the served rows",
        ["items", ""],
        "",
    ),
    metric(
        "coverage",
        ["coverage", "coverage"],
        "The share of the attempted rows that were served.",
        "served / attempted",
        ["rows served", "rows attempted"],
        "nothing was attempted",
    ),
    metric(
        "accuracy",
        ["accuracy", "accuracy"],
        "The share of the served rows whose answer is right. An abstention, a refusal or a reply without a valid answer counts as not right.",
        "correct / served",
        ["rows with a right answer", "rows served"],
        "nothing was served",
    ),
    metric(
        "majority_accuracy",
        ["accuracy by majority", "majority"],
        "The share of the questions that are answered right in more than half of their repeats. Its interval is Wilson's, which keeps its width when every answer is right or wrong, where resampling has none to show. It counts questions, not rows.",
        "items right by majority of their repeats / items served",
        ["items right by majority", "items served"],
        "nothing was served",
    ),
    metric(
        "accuracy_when_answered",
        ["accuracy when answered", "when answered"],
        "The share of right answers among the rows in which the model gave an answer at all.",
        "correct / answered",
        ["rows with a right answer", "rows answered"],
        "the model never answered",
    ),
    metric(
        "brier",
        ["Brier score", "Brier"],
        "The mean squared distance between the stated probability and what happened; 0 is best. Always saying 50 % scores 0.25 on a yes-no question. A binary row without an answer counts as 50 %.",
        "mean of (p(YES) − outcome)² for binary questions; mean of (confidence − correct)² over answered rows otherwise",
        ["sum of the squared distances", "rows with a probability"],
        "no row states a probability; an answered row without one is left out and counted",
    ),
    metric(
        "confident_wrong_rate",
        ["confidently wrong", "confident-wrong"],
        "Among the rows in which the model states a confidence at or above the plan's threshold, the share that is not right, abstentions included.",
        "not correct / all, among rows with a stated confidence ≥ the threshold",
        ["rows that are not right", "rows with a high stated confidence"],
        "no row states so high a confidence",
    ),
    metric(
        "ece",
        ["expected calibration error", "ECE"],
        "How far stated probabilities lie from how often the thing happened, averaged over bins of rows with similar probability. 0 means that the bins match; the value depends on the bin rule, so compare it only under the same rule.",
        "Σ (rows in bin / rows) · |mean predicted − observed frequency|",
        ["", ""],
        "no row states a probability",
    ),
    metric(
        "mce",
        ["largest calibration gap", "MCE"],
        "The largest of the gaps between stated probability and observed frequency over the bins.",
        "max |mean predicted − observed frequency|",
        ["", ""],
        "no row states a probability",
    ),
    metric(
        "abstention_rate",
        ["abstentions", "abstains"],
        "The share of the served rows in which the model gives the abstain label instead of an answer.",
        "abstained / served",
        ["rows abstained", "rows served"],
        "nothing was served",
    ),
    metric(
        "evidence_lift",
        ["evidence lift", "lift"],
        "How much higher the accuracy is than in the control arm, on the items that both arms served. The control shows no evidence and forces an answer; against a control that may abstain, the difference would measure obedience instead of evidence.",
        "accuracy(arm) − accuracy(control), on common items",
        ["", ""],
        "there is no forced control arm",
    ),
    metric(
        "schema_ok_rate",
        ["valid at the first attempt", "valid"],
        "The share of the served rows whose first completion was a valid answer in the asked form, before any repair.",
        "first completion valid / served",
        ["rows valid at the first attempt", "rows served"],
        "nothing was served",
    ),
    metric(
        "repair_rate",
        ["repaired", "repaired"],
        "The share of the served rows that took a repair turn.",
        "rows with a repair turn / served",
        ["rows with a repair turn", "rows served"],
        "nothing was served",
    ),
    metric(
        "hard_fail_rate",
        ["hard failures", "hard fail"],
        "The share of the served rows without a valid answer even after the one repair turn. They count as not right.",
        "hard failures / served",
        ["hard failures", "rows served"],
        "nothing was served",
    ),
    metric(
        "refusal_rate",
        ["refusals", "refused"],
        "The share of the served rows that a safety classifier declined. They are never repaired and count as not right.",
        "refused / served",
        ["rows refused", "rows served"],
        "nothing was served",
    ),
    metric(
        "harness_fault_rate",
        ["harness faults", "faults"],
        "The share of the attempted rows in which the request itself was wrong. Any such row is a fault of the harness, not of the model.",
        "harness faults / attempted",
        ["harness faults", "rows attempted"],
        "nothing was attempted",
    ),
    metric(
        "self_consistency_rate",
        ["self-consistency", "consistent"],
        "The share of the items whose repeats all gave the same answer, right or wrong.",
        "items with one answer in all served repeats / items with at least two served repeats",
        ["items with one answer", "items with two repeats or more"],
        "no item has two served repeats",
    ),
    metric(
        "citation_grounding_rate",
        ["grounded citations", "grounded"],
        "The share of the cited document ids that are in the evidence that the model was shown. It does not say whether the document supports the answer.",
        "cited ids in the bundle / cited ids",
        ["cited ids in the bundle", "cited ids"],
        "nothing was cited",
    ),
    metric(
        "conflict_precision",
        ["conflict precision", "conflict prec."],
        "Of the pairs of documents that the model says conflict, the share that is labelled as conflicting.",
        "named pairs that are labelled / named pairs",
        ["named pairs that are labelled", "named pairs"],
        "no item is labelled, or no pair is named",
    ),
    metric(
        "conflict_recall",
        ["conflict recall", "conflict rec."],
        "Of the pairs of documents that are labelled as conflicting, the share that the model names.",
        "labelled pairs that are named / labelled pairs",
        ["labelled pairs that are named", "labelled pairs"],
        "no item is labelled",
    ),
    metric(
        "cost_usd_per_row",
        ["cost per row", "cost/row"],
        "Cost at list price for each served row.",
        "sum of costs / rows with a known price",
        ["US dollars", "rows with a known price"],
        "no price is known",
    ),
    metric(
        "cost_usd_total",
        ["cost in all", "cost"],
        "Cost at list price of all rows.",
        "sum of costs",
        ["US dollars", ""],
        "no price is known",
    ),
    metric(
        "latency_p50_ms",
        ["median latency", "p50"],
        "Half of the calls took no longer than this, as measured when they were recorded.",
        "50th percentile, interpolated (type 7)",
        ["", ""],
        "no latency was recorded",
    ),
    metric(
        "latency_p95_ms",
        ["latency, 95th percentile", "p95"],
        "Of the calls, 95 % took no longer than this, as measured when they were recorded.",
        "95th percentile, interpolated (type 7)",
        ["", ""],
        "no latency was recorded",
    ),
    metric(
        "input_tokens_total",
        ["tokens read", "tokens in"],
        "Tokens that the provider says it read, over all rows.",
        "sum of input tokens",
        ["tokens", ""],
        "no usage was reported",
    ),
    metric(
        "output_tokens_total",
        ["tokens written", "tokens out"],
        "Tokens that the provider says it wrote, over all rows.",
        "sum of output tokens",
        ["tokens", ""],
        "no usage was reported",
    ),
    metric(
        "cache_hit_rate",
        ["cache hits", "cache hits"],
        "The share of the served rows of which the provider says that it read part of the prompt from its cache.",
        "rows with cache reads / served",
        ["rows with cache reads", "rows served"],
        "no usage was reported",
    ),
    metric(
        "searches_mean",
        ["searches per row", "searches"],
        "Mean number of searches that the agent made.",
        "searches / served",
        ["searches", "rows served"],
        "not an agent arm",
    ),
    metric(
        "visits_mean",
        ["pages visited per row", "visits"],
        "Mean number of pages that the agent opened.",
        "visits / served",
        ["visits", "rows served"],
        "not an agent arm",
    ),
    metric(
        "bad_action_rate",
        ["rows with a bad action", "bad actions"],
        "The share of the served rows with at least one action that did not parse or was over budget.",
        "rows with a bad action / served",
        ["rows with a bad action", "rows served"],
        "not an agent arm",
    ),
];

/// Counts of rows by status.
const STATUS: &[Metric] = &[
    status("status_answered", "rows answered", "answered", "Rows with a valid answer other than the abstain label."),
    status("status_abstained", "rows abstained", "abstained", "Rows in which the model gave the abstain label."),
    status("status_hard_fail", "hard failures", "hard fail", "Rows without a valid answer even after the one repair turn. They count as not right."),
    status("status_refused", "rows refused", "refused", "Rows that a safety classifier declined. They count as not right."),
    status("status_unserved", "rows not served", "unserved", "Rows that brought nothing back: timeouts, rate limits and server errors after the last attempt. No quality figure counts them."),
    status("status_harness_fault", "harness faults", "faults", "Rows whose request itself was wrong. No quality figure counts them."),
];

const fn status(
    name: &'static str,
    label: &'static str,
    column: &'static str,
    meaning: &'static str,
) -> Metric {
    metric(name, [label, column], meaning, "number of rows with this status", ["rows", ""], "")
}

const ECE_UNIFORM: Metric = metric(
    "ece_uniform_k",
    ["calibration error, equal-width bins", "ECE, uniform"],
    "The expected calibration error under another bin rule, equal widths, for comparison: it shows how much the figure depends on the rule.",
    "Σ (rows in bin / rows) · |mean predicted − observed frequency|, bins of equal width",
    ["", ""],
    "no row states a probability",
);

const HIT: Metric = metric(
    "hit_at_k",
    ["hit rate in the first k", "hit@k"],
    "The share of the items for which a document that holds the answer is among the first k retrieved.",
    "items with a gold document in the first k / items with a gold document",
    ["items with a hit", "items with a gold document"],
    "no item has a gold document",
);

const MRR: Metric = metric(
    "mrr_at_k",
    ["mean reciprocal rank in the first k", "MRR@k"],
    "The mean of 1 / rank of the best gold document among the first k retrieved, 0 when there is none.",
    "sum of reciprocal ranks / items with a gold document",
    ["sum of reciprocal ranks", "items with a gold document"],
    "no item has a gold document",
);

/// What is known about the metric called `name` in a file.
#[must_use]
pub fn describe(name: &str) -> Option<&'static Metric> {
    METRICS.iter().chain(STATUS).find(|m| m.name == name).or_else(|| {
        let digits = |prefix| {
            name.strip_prefix(prefix)
                .is_some_and(|k: &str| !k.is_empty() && k.bytes().all(|b| b.is_ascii_digit()))
        };
        if digits("hit_at_") {
            Some(&HIT)
        } else if digits("mrr_at_") {
            Some(&MRR)
        } else if digits("ece_uniform_") {
            Some(&ECE_UNIFORM)
        } else {
            None
        }
    })
}

/// The metric's name in sentences: known ones in words, others as the file has them.
#[must_use]
pub fn label(name: &str) -> String {
    match describe(name) {
        Some(m) if m.name == name => m.label.to_owned(),
        Some(m) => {
            let k = name.rsplit('_').next().unwrap_or("k");
            match m.label.strip_suffix(" k") {
                Some(start) => format!("{start} {k}"),
                None => format!("{} ({k})", m.label),
            }
        }
        None => crate::format::cut(name, 40),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_once() {
        let mut names: Vec<_> = METRICS.iter().map(|m| m.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn cutoffs_are_part_of_the_name() {
        assert_eq!(describe("hit_at_10").map(|m| m.name), Some("hit_at_k"));
        assert!(describe("hit_at_").is_none());
        assert!(describe("hit_at_x").is_none());
        assert!(describe("nonsense").is_none());
    }

    #[test]
    fn labels_name_the_cutoff() {
        assert_eq!(label("accuracy"), "accuracy");
        assert_eq!(label("nonsense"), "nonsense");
        assert_eq!(label("mrr_at_10"), "mean reciprocal rank in the first 10");
    }
}
