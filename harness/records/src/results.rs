use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FileEntry, Versioned, read::FieldProblem};

/// How predicted probabilities are grouped for calibration figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BinStrategy {
    /// Equal counts, equal probabilities never split.
    Quantile,
    /// Equal widths, the last bin closed on both sides.
    Uniform,
    /// Equal counts, equal probabilities split by (item_id, repeat).
    QuantileSplit,
}

/// How the ends of an interval are found from a figure's replicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Quantiles of the replicates.
    #[default]
    Percentile,
    /// Quantiles of the replicates, corrected for bias and for a spread that changes with the value.
    Bca,
}

impl IntervalMethod {
    fn is_percentile(&self) -> bool {
        *self == Self::Percentile
    }
}

/// One row of the published table: a model in an arm.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Series {
    /// Name of the model.
    pub model: String,
    /// Name of the arm.
    pub arm: String,
}

/// Every choice that a figure depends on besides the records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Seed of the resampling.
    pub seed: u64,
    /// Number of resamples, B.
    pub n_resamples: u32,
    /// Level of every interval, strictly between 0 and 1.
    pub confidence_level: f64,
    /// Below this many distinct items, quality figures are withheld.
    pub min_items: u32,
    /// From this stated confidence on, a row counts as confident.
    pub confident_threshold: f64,
    /// Number of bins.
    pub n_bins: u32,
    /// How bins are formed.
    pub bin_strategy: BinStrategy,
    /// Name of the arm that evidence lift is measured against; null when there is none.
    pub control: Option<String>,
    /// Field of a record that names the unit of resampling.
    pub cluster_field: String,
    /// Pairs of series to compare.
    pub comparisons: Vec<[Series; 2]>,
    /// Fields by which the figures are repeated for parts of the data set.
    #[serde(default)]
    pub slices: Vec<String>,
    /// How intervals are found from replicates; percentile when the field is not there.
    #[serde(default, skip_serializing_if = "IntervalMethod::is_percentile")]
    pub interval_method: IntervalMethod,
}

/// Fields of a record that a plan can slice by, besides `tags.NAME`.
const SLICE_FIELDS: [&str; 3] = ["set", "split", "model"];

/// Prefix of a slice by tag.
const SLICE_TAG: &str = "tags.";

impl Plan {
    /// Checks every parameter that a file from outside could have set to nonsense.
    ///
    /// # Errors
    /// The first field whose value is not allowed.
    pub fn check(&self) -> Result<(), FieldProblem> {
        let wrong = |field: &str, problem: String, remedy: &str| {
            Err(FieldProblem::new(format!("plan.{field}"), problem, remedy.to_owned()))
        };
        if !(self.confidence_level > 0.0 && self.confidence_level < 1.0) {
            return wrong(
                "confidence_level",
                format!("is {}", self.confidence_level),
                "write a number strictly between 0 and 1, such as 0.95",
            );
        }
        if !(0.0..=1.0).contains(&self.confident_threshold) {
            return wrong(
                "confident_threshold",
                format!("is {}", self.confident_threshold),
                "write a number from 0 to 1, such as 0.9",
            );
        }
        if !(1..=1_000_000).contains(&self.n_resamples) {
            return wrong(
                "n_resamples",
                format!("is {}", self.n_resamples),
                "write a number from 1 to 1000000, such as 10000",
            );
        }
        if !(1..=1000).contains(&self.n_bins) {
            return wrong(
                "n_bins",
                format!("is {}", self.n_bins),
                "write a number from 1 to 1000, such as 5",
            );
        }
        if self.cluster_field != "cluster_id" {
            return wrong(
                "cluster_field",
                format!("is \"{}\"", self.cluster_field),
                "this build resamples by \"cluster_id\" only",
            );
        }
        for (i, slice) in self.slices.iter().enumerate() {
            let is_tag = slice.strip_prefix(SLICE_TAG).is_some_and(|name| !name.is_empty());
            if !is_tag && !SLICE_FIELDS.contains(&slice.as_str()) {
                return wrong(
                    "slices",
                    format!("names \"{slice}\""),
                    "name set, split, model, or tags.NAME",
                );
            }
            if self.slices[..i].contains(slice) {
                return wrong("slices", format!("names \"{slice}\" twice"), "name each field once");
            }
        }
        Ok(())
    }
}

/// What the rows of a log add up to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RowCounts {
    /// Lines of the log.
    pub written: u64,
    /// Lines that a later line of the same key replaced.
    pub superseded: u64,
    /// Rows that quality is measured on.
    pub scored: u64,
    /// Rows that count, by status.
    pub by_status: BTreeMap<String, u64>,
}

/// One file that the results rest on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// Path: a bare name for a file of the run, else below `data/` or `cassettes/`.
    pub name: String,
    /// Its digest, size and lines.
    #[serde(flatten)]
    pub entry: FileEntry,
}

/// What went in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// Every file, in order of name.
    pub files: Vec<Input>,
    /// The rows of the log.
    pub rows: RowCounts,
}

/// Lower and upper end of an interval and how they were found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// Lower end; null when withheld.
    pub lower: Option<f64>,
    /// Upper end; null when withheld.
    pub upper: Option<f64>,
    /// Confidence level, e.g. 0.95.
    pub level: f64,
    /// Method and its version, e.g. `percentile-cluster-bootstrap/1`.
    pub method: String,
    /// Number of resamples; null for methods without resampling.
    pub n_resamples: Option<u32>,
    /// Replicates in which the figure does not exist; null for methods without resampling.
    pub undefined_resamples: Option<u32>,
    /// Why there are no ends, e.g. `unstable`; null when there are.
    pub withheld: Option<String>,
}

/// Which direction of a figure is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
    /// Neither.
    None,
}

/// One published number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// Stable and URL-safe: `model/arm/metric`, with `@slice` for a part of the data set.
    pub id: String,
    /// Name of the metric.
    pub metric: String,
    /// Name of the model.
    pub model: String,
    /// Name of the arm.
    pub arm: String,
    /// Part of the data set; null for all of it.
    pub slice: Option<String>,
    /// For evidence lift, the arm that it is measured against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// The value; null when withheld.
    pub value: Option<f64>,
    /// Its interval; null when the metric has none.
    pub interval: Option<Interval>,
    /// Sum over the rows that count; null where the metric is no ratio.
    pub numerator: Option<f64>,
    /// Number of rows, or whatever the metric divides by; null where it is no ratio.
    pub denominator: Option<f64>,
    /// Served rows of the series.
    pub n_rows: u64,
    /// Distinct items among them: the sample size.
    pub n_items: u64,
    /// Distinct clusters among them.
    pub n_clusters: u64,
    /// Rows or items left out, by reason.
    pub excluded: BTreeMap<String, u64>,
    /// Why there is no value; null when there is one.
    pub withheld: Option<String>,
    /// rate, rows, items, ms, usd, tokens, …
    pub unit: String,
    /// Which direction is good.
    pub better: Better,
}

/// One group of rows with similar predicted probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReliabilityBin {
    /// Smallest predicted probability in the bin (quantile), or the bin's lower edge (uniform).
    pub lower_edge: f64,
    /// Largest predicted probability in the bin (quantile), or the bin's upper edge (uniform).
    pub upper_edge: f64,
    /// Rows.
    pub count: u64,
    /// Mean predicted probability.
    pub mean_predicted: f64,
    /// Share of the rows in which the event happened.
    pub observed_frequency: f64,
    /// Wilson interval of that share, lower end.
    pub lower: f64,
    /// Wilson interval of that share, upper end.
    pub upper: f64,
}

/// The reliability diagram of one series under one bin rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reliability {
    /// `model/arm/reliability_STRATEGY_K`.
    pub id: String,
    /// Name of the model.
    pub model: String,
    /// Name of the arm.
    pub arm: String,
    /// Part of the data set; null for all of it.
    pub slice: Option<String>,
    /// How bins are formed.
    pub strategy: BinStrategy,
    /// Number of bins asked for; empty ones are not listed.
    pub n_bins: u32,
    /// Rows in all bins together.
    pub n_rows: u64,
    /// Expected calibration error under this rule; null when withheld.
    pub ece: Option<f64>,
    /// The bins that hold rows, in order.
    pub bins: Vec<ReliabilityBin>,
    /// Why there are no bins; null when there are.
    pub withheld: Option<String>,
}

/// Which table a comparison belongs to; p-values are adjusted within it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// An arm against the same model's control.
    Lift,
    /// Two series of the plan's list.
    Plan,
}

/// Two series on their common items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// `modelA/armA~modelB/armB`.
    pub id: String,
    /// Which table.
    pub family: Family,
    /// The first series.
    pub a: Series,
    /// The second series.
    pub b: Series,
    /// Common items; the rest of the fields is about these.
    pub n_items: u64,
    /// Distinct clusters of the common items.
    pub n_clusters: u64,
    /// Items that both answer right by majority of their repeats.
    pub both: Option<u64>,
    /// Items that only the first answers right.
    pub only_a: Option<u64>,
    /// Items that only the second answers right.
    pub only_b: Option<u64>,
    /// Items that neither answers right.
    pub neither: Option<u64>,
    /// Exact two-sided McNemar p-value.
    pub p_value: Option<f64>,
    /// The same, Holm-adjusted within the family.
    pub p_holm: Option<f64>,
    /// Accuracy of the first minus accuracy of the second.
    pub difference: Option<f64>,
    /// Paired interval of the difference.
    pub interval: Option<Interval>,
    /// Smallest difference that this many items could show; null with no discordant item.
    pub minimum_detectable_effect: Option<f64>,
    /// False when the difference is smaller than what could be shown; null when that is not known.
    pub is_result: Option<bool>,
    /// Why there are no values; null when there are.
    pub withheld: Option<String>,
}

/// Everything that follows from records and plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Computed {
    /// The rows that went in.
    pub rows: RowCounts,
    /// The figures.
    pub figures: Vec<Figure>,
    /// The reliability diagrams.
    pub reliability: Vec<Reliability>,
    /// The comparisons.
    pub comparisons: Vec<Comparison>,
}

/// Everything published about a run: `results.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Results {
    /// "recount.results/1".
    pub schema: String,
    /// Changes whenever any definition changes.
    pub metrics_version: u32,
    /// The run.
    pub run_id: String,
    /// The data set.
    pub dataset_id: String,
    /// A line for people.
    pub title: String,
    /// One line that identifies what was computed from what and how.
    pub signature: String,
    /// The choices.
    pub plan: Plan,
    /// What went in.
    pub inputs: Inputs,
    /// The figures.
    pub figures: Vec<Figure>,
    /// The reliability diagrams.
    pub reliability: Vec<Reliability>,
    /// The comparisons.
    pub comparisons: Vec<Comparison>,
}

impl Versioned for Results {
    const NAME: &'static str = "recount.results";
    fn schema(&self) -> &str {
        &self.schema
    }
    fn check(&self) -> Result<(), FieldProblem> {
        self.plan.check()
    }
}
