//! Calibration errors and reliability diagrams.

use records::{Better, BinStrategy, Interval, Plan, Reliability, ReliabilityBin};

use super::{BELOW_FLOOR, Sheet};
use crate::{
    calibration::Calibration,
    ids::{entry_id, slice_name},
    series::Served,
};

/// Bins of the second diagram, the one that most published tables use.
const UNIFORM_BINS: u32 = 10;

/// The reason when no row has a predicted probability.
const UNDEFINED: &str = "no_predicted_rows";

/// A series' predictions under the plan's rule and under ten equal widths.
pub(super) struct Diagrams {
    pub by_plan: Calibration,
    uniform: Calibration,
}

impl Diagrams {
    pub fn new(served: &Served<'_>, plan: &Plan) -> Self {
        Self {
            by_plan: Calibration::new(served, plan.bin_strategy, plan.n_bins),
            uniform: Calibration::new(served, BinStrategy::Uniform, UNIFORM_BINS),
        }
    }

    /// `ece` with its interval, `mce` and `ece_uniform_10`.
    pub fn add_figures(&self, sheet: &mut Sheet<'_>, interval: Option<Interval>) {
        let bins = self.by_plan.bins(sheet.plan.confidence_level);
        let largest = bins.iter().map(gap).max_by(f64::total_cmp);
        add(sheet, "ece", self.by_plan.binned.ece(), &self.by_plan, interval);
        add(sheet, "mce", largest, &self.by_plan, None);
        add(sheet, "ece_uniform_10", self.uniform.binned.ece(), &self.uniform, None);
    }

    /// The diagrams; one when the plan's rule is ten equal widths itself.
    pub fn publish(&self, sheet: &Sheet<'_>) -> Vec<Reliability> {
        let mut published = vec![diagram(sheet, &self.by_plan)];
        let uniform = diagram(sheet, &self.uniform);
        if published[0].id != uniform.id {
            published.push(uniform);
        }
        published
    }
}

fn gap(bin: &ReliabilityBin) -> f64 {
    (bin.mean_predicted - bin.observed_frequency).abs()
}

fn add(
    sheet: &mut Sheet<'_>,
    metric: &str,
    value: Option<f64>,
    calibration: &Calibration,
    interval: Option<Interval>,
) {
    let mut figure = sheet.blank(metric, "score", Better::Lower);
    figure.denominator = Some(calibration.n_rows() as f64);
    figure.interval = interval;
    figure.excluded = calibration.excluded.clone();
    sheet.push_quality(figure, value.ok_or(UNDEFINED));
}

fn diagram(sheet: &Sheet<'_>, calibration: &Calibration) -> Reliability {
    let series = &sheet.rows.series;
    let withheld = if sheet.below_floor() {
        Some(BELOW_FLOOR)
    } else {
        (calibration.n_rows() == 0).then_some(UNDEFINED)
    };
    let shown = withheld.is_none();
    let strategy = match calibration.binned.strategy() {
        BinStrategy::Quantile => "quantile",
        BinStrategy::Uniform => "uniform",
        BinStrategy::QuantileSplit => "quantile_split",
    };
    let n_bins = calibration.binned.n_bins();
    Reliability {
        id: entry_id(sheet.rows, &format!("reliability_{strategy}_{n_bins}")),
        model: series.model.clone(),
        arm: series.arm.clone(),
        slice: slice_name(sheet.rows),
        strategy: calibration.binned.strategy(),
        n_bins,
        n_rows: calibration.n_rows() as u64,
        ece: calibration.binned.ece().filter(|_| shown),
        bins: if shown { calibration.bins(sheet.plan.confidence_level) } else { Vec::new() },
        withheld: withheld.map(str::to_owned),
    }
}
