//! Figures of one series being collected: what they share, the floor, and withholding.

use std::collections::BTreeMap;

use bootstrap::divide;
use records::{Better, Figure, Interval, Plan};

use crate::{
    ids::{entry_id, slice_name},
    rates::SeriesRate,
    series::SeriesRows,
};

/// Below the plan's number of distinct items.
pub(crate) const BELOW_FLOOR: &str = "below_floor";

/// The figures of one series so far.
pub(crate) struct Sheet<'a> {
    pub rows: &'a SeriesRows<'a>,
    pub plan: &'a Plan,
    pub figures: Vec<Figure>,
}

impl<'a> Sheet<'a> {
    pub fn new(rows: &'a SeriesRows<'a>, plan: &'a Plan) -> Self {
        Self { rows, plan, figures: Vec::new() }
    }

    /// True when the series has too few items for a quality figure.
    pub fn below_floor(&self) -> bool {
        self.rows.is_below_floor(self.plan)
    }

    /// A figure without a value yet.
    pub fn blank(&self, metric: &str, unit: &str, better: Better) -> Figure {
        let series = &self.rows.series;
        Figure {
            id: entry_id(self.rows, metric),
            metric: metric.to_owned(),
            model: series.model.clone(),
            arm: series.arm.clone(),
            slice: slice_name(self.rows),
            control: None,
            value: None,
            interval: None,
            numerator: None,
            denominator: None,
            n_rows: self.rows.n_served(),
            n_items: self.rows.n_items,
            n_clusters: self.rows.served.clusters.len() as u64,
            excluded: BTreeMap::new(),
            withheld: None,
            unit: unit.to_owned(),
            better,
        }
    }

    /// Adds a figure that stands whatever the number of items.
    pub fn push(&mut self, figure: Figure, value: Result<f64, &str>) {
        self.figures.push(with_value(figure, value));
    }

    /// Adds a figure that is withheld below the floor.
    pub fn push_quality(&mut self, figure: Figure, value: Result<f64, &str>) {
        let value = if self.below_floor() { Err(BELOW_FLOOR) } else { value };
        self.push(figure, value);
    }

    /// Adds a share of rows that stands whatever the number of items.
    pub fn push_share(&mut self, metric: &str, better: Better, part: u64, whole: u64) {
        let mut figure = self.blank(metric, "rate", better);
        figure.numerator = Some(part as f64);
        figure.denominator = Some(whole as f64);
        self.push(figure, divide(part as f64, whole as f64).ok_or("no_rows"));
    }

    /// Adds a rate with its bootstrap interval.
    pub fn push_rate(&mut self, rate: SeriesRate, interval: Option<Interval>) {
        let mut figure = self.blank(rate.metric, rate.unit, rate.better);
        let (numerator, denominator) = rate.ratio.totals();
        figure.numerator = Some(numerator);
        figure.denominator = Some(denominator);
        figure.interval = interval;
        figure.excluded = rate.excluded;
        self.push_quality(figure, divide(numerator, denominator).ok_or(rate.undefined));
    }
}

/// Sets the value, or the reason why there is none; a withheld figure says nothing that would give its value away.
fn with_value(mut figure: Figure, value: Result<f64, &str>) -> Figure {
    // Sums of hostile but readable numbers can overflow; a results file holds no infinity.
    match value.and_then(|v| if v.is_finite() { Ok(v) } else { Err("overflow") }) {
        Ok(value) => figure.value = Some(value),
        Err(reason) => {
            figure.withheld = Some(reason.to_owned());
            (figure.numerator, figure.interval) = (None, None);
        }
    }
    figure
}
