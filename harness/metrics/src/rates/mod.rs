//! Metrics that are one sum over rows divided by another.

mod agent;
mod conflicts;
mod repeats;
mod retrieval;
mod served;

use std::collections::BTreeMap;

use bootstrap::ClusterRatio;
use records::Better;

use crate::series::{Row, Served};

pub(crate) use served::{ACCURACY, no_prediction};

/// What a row adds above and below the line, and how the ratio is shown.
pub(crate) struct Rate {
    pub metric: &'static str,
    pub better: Better,
    pub unit: &'static str,
    /// The reason when nothing stands below the line.
    pub undefined: &'static str,
    pub numerator: fn(&Row<'_>, &Context) -> f64,
    pub denominator: fn(&Row<'_>, &Context) -> f64,
    /// The reason when a row is left out because it lacks something.
    pub excluded: fn(&Row<'_>) -> Option<&'static str>,
}

/// What a term depends on besides the row.
pub(crate) struct Context {
    pub confident_threshold: f64,
}

/// A rate of one series.
pub(crate) struct SeriesRate {
    pub metric: &'static str,
    pub better: Better,
    pub unit: &'static str,
    pub undefined: &'static str,
    pub excluded: BTreeMap<String, u64>,
    pub ratio: ClusterRatio,
}

impl Rate {
    /// The sums of this rate over the rows of a series.
    pub fn sums(&self, served: &Served<'_>, context: &Context) -> ClusterRatio {
        let counts = |row: &Row<'_>| (self.denominator)(row, context);
        // A row that does not count below the line adds nothing above it either.
        let term = |row: &Row<'_>| {
            if counts(row) == 0.0 { 0.0 } else { (self.numerator)(row, context) }
        };
        ClusterRatio { numerator: served.sums(term), denominator: served.sums(counts) }
    }

    fn over(&self, served: &Served<'_>, context: &Context) -> SeriesRate {
        let mut excluded = BTreeMap::new();
        for reason in served.rows.iter().filter_map(|row| (self.excluded)(row)) {
            *excluded.entry(reason.to_owned()).or_insert(0) += 1;
        }
        SeriesRate {
            metric: self.metric,
            better: self.better,
            unit: self.unit,
            undefined: self.undefined,
            excluded,
            ratio: self.sums(served, context),
        }
    }
}

/// Every rate of a series, in the order of the table. Rates of retrieval, of agents and of conflicts are listed where
/// the series retrieves, acts, or is about labelled items.
pub(crate) fn of_series(served: &Served<'_>, context: &Context) -> Vec<SeriesRate> {
    let mut rates: Vec<_> = served::RATES.iter().map(|r| r.over(served, context)).collect();
    rates.push(repeats::self_consistency(served));
    if served.rows.iter().any(retrieval::retrieves) {
        rates.extend(retrieval::RATES.iter().map(|r| r.over(served, context)));
    }
    if served.rows.iter().any(agent::acts) {
        rates.extend(agent::RATES.iter().map(|r| r.over(served, context)));
    }
    if has_conflict_labels(served) {
        rates.extend(conflicts::RATES.iter().map(|r| r.over(served, context)));
    }
    rates
}

/// True when somebody has labelled the conflicts of at least one served item.
pub(crate) fn has_conflict_labels(served: &Served<'_>) -> bool {
    served.rows.iter().any(conflicts::is_labelled)
}

fn one_if(condition: bool) -> f64 {
    if condition { 1.0 } else { 0.0 }
}

fn nothing(_: &Row<'_>) -> Option<&'static str> {
    None
}
