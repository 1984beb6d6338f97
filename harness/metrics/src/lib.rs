//! Every number Recount publishes, as pure functions of records.
//!
//! [`compute`] takes the lines of a log and a plan and returns all figures, reliability diagrams and comparisons;
//! [`LogBuilder`] takes the lines one by one and is for logs that are long. The
//! harness calls it to publish and the page calls it to check, so both sides share every definition. [`results`] wraps
//! what it returns into a publishable file, and [`verify::verify`] compares such a file with a recomputation.
//!
//! # From the log to scored rows
//! Of several rows with one key (model, arm, repeat, item) the last counts. *Attempted* are all keys; *served* are
//! those answered, abstained, failed hard or refused. Unserved calls and faults of the harness say nothing about
//! quality: they are left out of it and counted in `coverage` and `harness_fault_rate`. The sample size is the number
//! of distinct items served, not of rows. Below the plan's `min_items` every figure of quality, every lift and every
//! comparison is withheld as `below_floor`; counts, coverage and totals stay.
//!
//! # Figures
//! Ids are `model/arm/metric`, and `model/arm/metric@field=value` for a part of the data set. In model and arm every byte but ASCII letters, digits, `-`, `_` and `.` is
//! percent-encoded, see [`encode`]. For each series, in this order:
//!
//! | metric | definition | unit, range | better | withheld when |
//! |---|---|---|---|---|
//! | `attempted`, `served`, `n_items`, `status_…` | counts | rows or items | – | never |
//! | `coverage` | served / attempted | rate, 0 to 1 | higher | never |
//! | `harness_fault_rate` | faults / attempted | rate | lower | never |
//! | `accuracy` | correct / served | rate | higher | `no_served_rows` |
//! | `accuracy_when_answered` | correct / answered | rate | higher | `no_answered_rows` |
//! | `abstention_rate` | abstained / served | rate | – | `no_served_rows` |
//! | `brier` | mean of (predicted − happened)² | score, 0 to 1 | lower | `no_predicted_rows` |
//! | `confident_wrong_rate` | not correct / all, of rows that state at least the plan's threshold, abstentions included | rate | lower | `no_confident_rows` |
//! | `citation_grounding_rate` | cited ids that were shown / cited ids | rate | higher | `nothing_cited` |
//! | `schema_ok_rate`, `repair_rate`, `hard_fail_rate`, `refusal_rate` | rows / served | rate | higher, then lower | `no_served_rows` |
//! | `self_consistency_rate` | items whose served repeats all gave one answer / items with at least two; an abstention is an answer, a failure or refusal equals only itself | rate | higher | `no_repeats` |
//! | `hit_at_k`, `mrr_at_k`, k = 1, 3, 5, 10 | best rank of a gold document is at most k; its reciprocal, 0 when there is none. Series that retrieve | rate, score | higher | `no_gold_documents` |
//! | `searches_mean`, `visits_mean`, `bad_action_rate` | per acting row; rows with at least one. Series that act | count, rate | lower | `no_actions_recorded` |
//! | `ece`, `mce`, `ece_uniform_10` | Σ n_b/n · gap_b, the largest gap_b, and the first under ten equal widths; gap_b is the distance of mean predicted and observed frequency in bin b | score, 0 to 1 | lower | `no_predicted_rows` |
//! | `majority_accuracy` | items right in more than half of their served repeats / items | rate | higher | `no_served_rows` |
//! | `conflict_precision`, `conflict_recall` | pairs that are both named and labelled / named pairs, / labelled pairs; pairs are unordered, and all pairs of all labelled rows count together | rate | higher | `not_labelled`: no row is; `no_conflict_named`, `no_conflict_labelled` |
//! | `latency_p50_ms`, `latency_p95_ms` | type-7 quantiles over served rows | ms | lower | `no_latency` |
//! | `input_tokens_total`, `output_tokens_total` | over served rows | tokens | – | `no_usage`: a row reports none |
//! | `cache_hit_rate` | rows with cache reads / served | rate | – | `no_usage` |
//! | `cost_usd_per_row`, `cost_usd_total` | over served rows | usd | lower | `no_price`: a row has none |
//! | `evidence_lift` | accuracy − accuracy of the same model's control arm, on common items; not for the control itself | rate, −1 to 1 | higher | `no_forced_control` |
//!
//! *Predicted* and *happened* are, for a binary item, the probability of YES (the confidence for YES, 1 − confidence
//! for NO, 0.5 for a served row without a valid answer) and whether it is YES; for a choice or span the confidence
//! and whether the answer is correct, over answered rows. A row that lacks something a metric needs is left out and
//! counted in `excluded` with the reason. A sum too large for a float is withheld as `overflow`.
//!
//! # Bins
//! `quantile` fills bins in order of predicted probability with equal counts, and a group of equal probabilities goes
//! whole to the bin in which its first member falls: at position k of n to bin ⌊k·K/n⌋. (Split ties make the error
//! depend on the order of the file.) `uniform` has equal widths, closed on the left, the last one also on the right.
//! `quantile_split` is `quantile` with ties ordered by item and repeat, and split. No row is ever left out.
//!
//! # Intervals
//! `percentile-cluster-bootstrap/1` resamples clusters, see [`stats::multiplicities`]; each figure is computed anew in
//! every replicate, replicates in which it does not exist are left out and counted, and above 5 % of them the interval
//! is withheld as `unstable`. The ends are type-7 quantiles. Differences are paired: they resample the clusters that
//! both sides have, and subtract within each replicate. Rates over served rows, `brier`, `ece`, the retrieval and agent
//! figures, `evidence_lift` and conflict figures against labels carry one. `majority_accuracy` carries `wilson/1` instead, since a percentile interval
//! collapses at 0 and 1.
//!
//! Where the plan asks for it, `bca-cluster-bootstrap/1` takes the place of the percentile interval throughout, on the
//! same replicates: see [`stats::bca`] for the formula. Its jackknife leaves out one cluster at a time. Where its
//! correction cannot be estimated it is withheld as `degenerate`, which is less than the percentile interval promises
//! there, and honest: a figure that is the same in every resample has no spread to correct. Both assume that clusters
//! are independent and many; with fewer than some twenty neither keeps its level.
//!
//! # Slices
//! A plan may name `set`, `split`, `model` or `tags.NAME`. For each value that rows have, figures and diagrams are
//! repeated over the rows with that value, floor, resampling and lift included, exactly as for a log of these rows
//! alone; what a row without a value belongs to is the whole only. Comparisons are of whole data sets: a table of
//! tests for each part would need another adjustment. A slice by `model` repeats the series' own figures, for readers
//! that choose by slice.
//!
//! # Comparisons
//! The paired table counts items by majority of their repeats; its p-value is exact ([`stats::mcnemar_exact`]) and
//! Holm-adjusted among the lifts or among the plan's comparisons. A difference smaller than
//! [`stats::minimum_detectable_effect`] is marked as no result, whatever its sign. Reasons to withhold one:
//! `no_such_series`, `below_floor` (either side, or their common items), `no_common_items`.
//!
//! # What is exact
//! Counts, means, Brier scores, calibration errors, bins, bootstrap intervals, retrieval figures, quantiles and exact
//! p-values use only +, −, ×, ÷, √ and sorting by total order, in an order that is fixed: clusters by the bytes of
//! their id; within one, rows by (repeat, item_id); each cluster's own sum first, then multiplicity times sum, with
//! plain addition and one division at the end. They are the same bits on every target. Wilson's interval, BCa and the
//! minimum detectable effect rest on a normal quantile and are within 1e-12 relative; for the default plan a test pins
//! its bits. Nothing here reads a clock, a thread, the order of a hash map or the platform's logarithm; `clippy.toml`
//! beside this crate refuses them by name.
//!
//! # Time and memory
//! Resampling takes as many draws as clusters times resamples, and an addition or multiplication for each of them and
//! each column of sums; columns of small whole numbers, which most are, take eight lanes of 16 bits or sixteen of 8 at
//! a time, and a figure that is the same in every cluster takes none. Memory grows with the number of clusters, and
//! with the number of resamples by one number for each figure of the series at hand (quantiles are of all replicates),
//! by one for each of 64 series whose accuracies wait for comparisons, by the multiplicities that series of equal size
//! share (16 MB at most in all) and by the accuracies that comparisons share (32 MB at most). [`LogBuilder`] keeps some
//! two hundred bytes for each key and each distinct name once, so a log of any number of lines can be read.
//! [`Log::compute`] shares the work out among a caller's threads: to the same bits, since a replicate depends on its
//! number alone.
//!
//! # Assumptions
//! Clusters are drawn independently from one population, and rows of different clusters have nothing to do with each
//! other; within a cluster anything may depend on anything. Repeats of an item are interchangeable. The rows that are
//! left out of quality (unserved calls, faults of the harness) are missing for reasons that have nothing to do with
//! what the answer would have been: `coverage` is there to doubt it by.
//!
//! # References
//! Cluster bootstrap: Field and Welsh (2007), "Bootstrapping clustered data". BCa: Efron (1987), "Better bootstrap
//! confidence intervals". Quantiles: Hyndman and Fan (1996), type 7. Wilson (1927) for shares of items. McNemar (1947)
//! in its exact form, adjusted by Holm (1979). Brier (1950). Calibration error in bins: Naeini, Cooper and Hauskrecht
//! (2015).
//!
//! # What this crate does not do
//! It reads no file and calls no model. It rounds nothing: that is for whoever prints. It makes no model of
//! items or raters, pools nothing over models or arms, adjusts no interval for the number of intervals shown, and
//! does not extrapolate: [`planner`] measures widths on parts of a run, not beyond it. It does not decide which arm is
//! a fair control: it takes the one that the plan names, and shows it beside the figure. Calibration errors are
//! biased upwards in small bins, and no interval here corrects that.

mod calibration;
mod comparison;
mod compute;
mod distinct;
mod error;
mod figures;
pub mod grading;
mod ids;
mod jackknife;
mod log;
mod names;
mod plan;
pub mod planner;
mod publish;
mod rates;
mod resampling;
mod scored;
mod series;
mod sharing;
pub mod stats;
pub mod verify;

pub use bootstrap::{OneThread, Workers};
pub use compute::{compute, compute_with};
pub use distinct::sort;
pub use error::MetricsError;
pub use ids::{encode, series_id};
pub use log::{Log, LogBuilder};
pub use names::Names;
pub use plan::default_plan;
pub use publish::{Header, results};
pub use sharing::{Task, TaskPart};

/// Changes whenever any definition of a number changes.
pub const METRICS_VERSION: u32 = 1;
