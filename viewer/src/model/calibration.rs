use records::{BinStrategy, Reliability, Results};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{number::bin_rule, reason, sheet::Sheet, table::BASELINE_ARM};
use crate::{
    chart::{Dot, DotSeries, ReliabilitySpec},
    format,
};

/// Most series that the page offers.
const MAX_SERIES: usize = 60;
/// Series that are drawn before a reader chooses.
const FIRST_SERIES: usize = 3;

/// A rule by which bins are formed, under which the file has diagrams.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// How bins are formed.
    pub strategy: BinStrategy,
    /// How many were asked for.
    pub n_bins: u32,
    /// The rule in words.
    pub label: String,
}

/// The bin rules of a publication, the plan's own first.
#[must_use]
pub fn rules(results: &Results) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for r in &results.reliability {
        if rules.len() < 12
            && !rules.iter().any(|o| o.strategy == r.strategy && o.n_bins == r.n_bins)
        {
            rules.push(Rule {
                strategy: r.strategy,
                n_bins: r.n_bins,
                label: bin_rule(r.strategy, r.n_bins),
            });
        }
    }
    let plan = &results.plan;
    rules.sort_by_key(|r| !(r.strategy == plan.bin_strategy && r.n_bins == plan.n_bins));
    rules
}

/// One series that a reader may draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Id of its diagram.
    pub id: String,
    /// Model and arm.
    pub label: String,
    /// Calibration error under this rule, or why there is none.
    pub ece: String,
    /// Which colour and shape it takes.
    pub slot: usize,
    /// False when the diagram is withheld.
    pub drawable: bool,
    /// Is it drawn before a reader chooses?
    pub first: bool,
}

/// Diagrams of the whole set under `rule`; baselines state no probability of their own and are left out.
fn diagrams<'a>(results: &'a Results, rule: &Rule) -> impl Iterator<Item = &'a Reliability> {
    let (strategy, n_bins) = (rule.strategy, rule.n_bins);
    results
        .reliability
        .iter()
        .filter(move |r| {
            r.slice.is_none()
                && r.arm != BASELINE_ARM
                && r.strategy == strategy
                && r.n_bins == n_bins
        })
        .take(MAX_SERIES)
}

/// The series that a reader may draw under `rule`.
#[must_use]
pub fn choices(results: &Results, rule: &Rule) -> Vec<Choice> {
    let mut drawn: Vec<&str> = Vec::new();
    diagrams(results, rule)
        .enumerate()
        .map(|(slot, r)| {
            let drawable = !r.bins.is_empty();
            // One of each model: the arms of one model often lie on each other.
            let first =
                drawable && drawn.len() < FIRST_SERIES && !drawn.contains(&r.model.as_str());
            if first {
                drawn.push(&r.model);
            }
            Choice {
                id: r.id.clone(),
                label: label(r),
                ece: match (&r.withheld, r.ece) {
                    (Some(code), _) => {
                        format!("withheld: {}", reason::withheld(code, &results.plan))
                    }
                    (None, Some(ece)) => format!("ECE {}", format::decimals(ece)),
                    (None, None) => "no ECE".into(),
                },
                slot,
                drawable,
                first,
            }
        })
        .collect()
}

fn label(r: &Reliability) -> String {
    format!("{} · {}", format::cut(&r.model, 40), format::cut(&r.arm, 30))
}

/// The plot of the chosen series.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of rows, far below 2^53")]
pub fn spec(results: &Results, rule: &Rule, chosen: &[String]) -> ReliabilitySpec {
    let series = diagrams(results, rule)
        .enumerate()
        .filter(|(_, r)| chosen.contains(&r.id))
        .map(|(slot, r)| DotSeries {
            label: label(r),
            slot,
            dots: r
                .bins
                .iter()
                .map(|b| Dot {
                    predicted: b.mean_predicted,
                    observed: b.observed_frequency,
                    lower: b.lower,
                    upper: b.upper,
                    weight: if r.n_rows == 0 { 0.0 } else { b.count as f64 / r.n_rows as f64 },
                })
                .collect(),
        })
        .collect();
    ReliabilitySpec { series }
}

/// The plot's numbers as a table.
#[must_use]
pub fn data_table(results: &Results, rule: &Rule, chosen: &[String]) -> Sheet {
    let mut sheet = Sheet::new(&[
        "series",
        "from",
        "to",
        "rows",
        "mean predicted",
        "observed",
        "Wilson, lower",
        "Wilson, upper",
    ]);
    for r in diagrams(results, rule).filter(|r| chosen.contains(&r.id)) {
        sheet.rows.extend(r.bins.iter().take(100).map(|b| {
            vec![
                json!(label(r)),
                json!(b.lower_edge),
                json!(b.upper_edge),
                json!(b.count),
                json!(b.mean_predicted),
                json!(b.observed_frequency),
                json!(b.lower),
                json!(b.upper),
            ]
        }));
    }
    sheet
}

/// Calibration errors of each series under all three bin rules, side by side.
#[must_use]
pub fn rules_table(rows: &[RuleRow], n_bins: u32) -> Sheet {
    let heads = RULES.map(|s| bin_rule(s, n_bins));
    let mut sheet = Sheet::new(&["series", &heads[0], &heads[1], &heads[2]]);
    sheet.rows.extend(rows.iter().map(|r| {
        let name = format!("{} · {}", format::cut(&r.model, 40), format::cut(&r.arm, 30));
        std::iter::once(json!(name)).chain(r.ece.iter().map(|e| json!(e))).collect()
    }));
    sheet
}

/// The rules by which bins can be formed.
pub const RULES: [BinStrategy; 3] =
    [BinStrategy::Quantile, BinStrategy::Uniform, BinStrategy::QuantileSplit];

/// The calibration error of one series under each of [`RULES`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleRow {
    /// The model.
    pub model: String,
    /// The arm.
    pub arm: String,
    /// One error a rule; null where there is none.
    pub ece: [Option<f64>; 3],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn the_plans_own_rule_comes_first() {
        let mut results = example::results();
        let mut other = results.reliability[0].clone();
        other.strategy = BinStrategy::Uniform;
        other.n_bins = 10;
        results.reliability.insert(0, other);
        let rules = rules(&results);
        assert_eq!(rules[0].label, "5 bins, equal counts, ties kept together");
        assert_eq!(rules.len(), 2);
    }

    #[test]
    fn weights_are_shares_of_the_rows() {
        let results = example::results();
        let rule = &rules(&results)[0];
        let choices = choices(&results, rule);
        let spec = spec(&results, rule, &[choices[0].id.clone()]);
        let weights: f64 = spec.series[0].dots.iter().map(|d| d.weight).sum();
        assert!((weights - 1.0).abs() < 1e-12);
        let sheet = data_table(&results, rule, &[choices[0].id.clone()]);
        assert!(sheet.rows.iter().all(|r| r.len() == sheet.head.len()));
        assert_eq!(sheet.rows.len(), 2);
    }

    #[test]
    fn a_withheld_diagram_is_offered_with_its_reason_but_not_drawn() {
        let mut results = example::results();
        results.reliability[0].bins.clear();
        results.reliability[0].ece = None;
        results.reliability[0].withheld = Some("below_floor".into());
        let choices = choices(&results, &rules(&results)[0]);
        assert!(!choices[0].drawable && !choices[0].first);
        assert_eq!(choices[0].ece, "withheld: fewer than 20 items");
    }
}
