use records::{BinStrategy, IntervalMethod, Plan, Record, Series};

use crate::{log::last_of_each_key, series::split};

/// Seed of the resampling unless a plan names another.
const SEED: u64 = 20_261_130;

/// The plan that is used when nobody asks for another: the defaults of metrics version 1, and a comparison of every
/// pair of series with enough items.
///
/// Defaults: seed 20261130, 10000 resamples, level 0.95, floor 20 items, confident from 0.9, 5 quantile bins.
/// Comparisons leave out series below the floor and series that show what a model does without evidence or without a
/// model: arms whose name starts with `closed`, the arms `no_context` and `no_search`, and the arm `baseline`.
#[must_use]
pub fn default_plan(records: &[Record], control: Option<&str>) -> Plan {
    let mut plan = Plan {
        seed: SEED,
        n_resamples: 10_000,
        confidence_level: 0.95,
        min_items: 20,
        confident_threshold: 0.9,
        n_bins: 5,
        bin_strategy: BinStrategy::Quantile,
        control: control.map(str::to_owned),
        cluster_field: "cluster_id".to_owned(),
        comparisons: Vec::new(),
        slices: Vec::new(),
        interval_method: IntervalMethod::Percentile,
    };
    let compared: Vec<Series> = split(&last_of_each_key(records), None)
        .into_iter()
        .filter(|s| s.n_items >= u64::from(plan.min_items) && shows_evidence(&s.series.arm))
        .map(|s| s.series)
        .collect();
    for (i, a) in compared.iter().enumerate() {
        for b in &compared[i + 1..] {
            plan.comparisons.push([a.clone(), b.clone()]);
        }
    }
    plan
}

fn shows_evidence(arm: &str) -> bool {
    !arm.starts_with("closed") && !["no_context", "no_search", "baseline"].contains(&arm)
}
