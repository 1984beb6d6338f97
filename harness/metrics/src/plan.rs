use records::{BinStrategy, IntervalMethod, Plan, Record, Series};

use crate::{
    log::{Log, LogBuilder},
    series::split,
};

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
    let mut builder = LogBuilder::default();
    for record in records {
        // A row that is refused is for the computation to report; it is in no comparison.
        let _ = builder.push(record);
    }
    builder.finish().map_or_else(|_| without_comparisons(control), |log| log.default_plan(control))
}

impl Log {
    /// As [`default_plan`], for rows that were taken one by one.
    #[must_use]
    pub fn default_plan(&self, control: Option<&str>) -> Plan {
        let plan = without_comparisons(control);
        Plan { comparisons: self.usual_comparisons(plan.min_items), ..plan }
    }

    /// The comparisons of [`default_plan`] under a floor of `min_items`.
    #[must_use]
    pub fn usual_comparisons(&self, min_items: u32) -> Vec<[Series; 2]> {
        let compared: Vec<Series> = split(self, &self.rows.iter().collect::<Vec<_>>(), None)
            .into_iter()
            .filter(|s| s.n_items >= u64::from(min_items) && shows_evidence(&s.series.arm))
            .map(|s| s.series)
            .collect();
        let after = |i: usize| compared[i + 1..].iter();
        let pairs = compared.iter().enumerate();
        pairs.flat_map(|(i, a)| after(i).map(|b| [a.clone(), b.clone()])).collect()
    }
}

fn without_comparisons(control: Option<&str>) -> Plan {
    Plan {
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
    }
}

fn shows_evidence(arm: &str) -> bool {
    !arm.starts_with("closed") && !["no_context", "no_search", "baseline"].contains(&arm)
}
