//! Which questions the evidence turned right or wrong, and calibration errors under every bin rule.

use std::collections::BTreeMap;

use records::{Record, Series};

use super::{
    compute::{as_resampled, own_plan, refused},
    open::Opened,
    protocol::Problem,
};
use crate::{
    model::{
        calibration::{RULES, RuleRow},
        evidence::Turned,
        table::BASELINE_ARM,
    },
    url_state::Settings,
};

/// The questions that `a` answers right and `b` does not, and the other way round, by majority of the served repeats:
/// the discordant cells of their paired table, item by item.
#[must_use]
pub fn turned(records: &[Record], a: &Series, b: &Series) -> Turned {
    let (a, b) = (majority(records, a), majority(records, b));
    let mut out = Turned::default();
    for (item, right_in_a) in &a {
        let Some(right_in_b) = b.get(item) else { continue };
        out.common += 1;
        match (right_in_a, right_in_b) {
            (true, false) => out.right.push((*item).to_owned()),
            (false, true) => out.wrong.push((*item).to_owned()),
            _ => {}
        }
    }
    out
}

fn majority<'a>(records: &'a [Record], series: &Series) -> BTreeMap<&'a str, bool> {
    let mut last: BTreeMap<(&str, u32), &Record> = BTreeMap::new();
    for r in records.iter().filter(|r| r.model == series.model && r.arm == series.arm) {
        last.insert((&r.item_id, r.repeat), r);
    }
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for ((item, _), r) in last.into_iter().filter(|(_, r)| r.status.is_served()) {
        let (right, served) = counts.entry(item).or_default();
        *right += usize::from(r.correct == Some(true));
        *served += 1;
    }
    counts.into_iter().map(|(item, (right, served))| (item, 2 * right > served)).collect()
}

/// The calibration error of every series under each bin rule, with the number of bins of `settings`.
///
/// # Errors
/// Settings that are not allowed, or records that cannot be computed with.
pub fn bin_rules(opened: &Opened, settings: &Settings) -> Result<Vec<RuleRow>, Problem> {
    let mut plan = own_plan(opened, settings)?;
    plan.comparisons.clear();
    plan.slices.clear();
    // Errors alone are asked for, and they need no resampling.
    plan.n_resamples = 1;
    let records = as_resampled(&opened.records, settings);
    let mut rows: Vec<RuleRow> = Vec::new();
    for (i, rule) in RULES.into_iter().enumerate() {
        plan.bin_strategy = rule;
        let computed = metrics::compute(&records, &plan).map_err(refused)?;
        let of_rule = |r: &&records::Reliability| r.strategy == rule && r.n_bins == plan.n_bins;
        for r in computed.reliability.iter().filter(of_rule).filter(|r| r.arm != BASELINE_ARM) {
            let at = rows.iter().position(|row| row.model == r.model && row.arm == r.arm);
            let at = at.unwrap_or_else(|| {
                let (model, arm) = (r.model.clone(), r.arm.clone());
                rows.push(RuleRow { model, arm, ece: [None; 3] });
                rows.len() - 1
            });
            rows[at].ece[i] = r.ece;
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::open::tests::{log, opened};

    fn series(arm: &str) -> Series {
        Series { model: "m".into(), arm: arm.into() }
    }

    #[test]
    fn the_turned_questions_are_the_discordant_cells_of_the_paired_table() {
        let opened = opened(&log());
        let computed = metrics::compute(&opened.records, &opened.plan()).unwrap();
        let c = computed.comparisons.iter().find(|c| c.a.arm == "a0").unwrap();
        let turned = turned(&opened.records, &c.a, &c.b);
        assert_eq!(Some(turned.right.len() as u64), c.only_a);
        assert_eq!(Some(turned.wrong.len() as u64), c.only_b);
        assert_eq!(turned.common, c.n_items);
        assert!(!turned.right.is_empty());
        let self_pair = super::turned(&opened.records, &series("a0"), &series("a0"));
        assert!(self_pair.right.is_empty() && self_pair.wrong.is_empty());
    }

    #[test]
    fn the_rule_of_the_plan_gives_the_published_error() {
        let opened = opened(&log());
        let rows = bin_rules(&opened, &Settings::default()).unwrap();
        let computed = metrics::compute(&opened.records, &opened.plan()).unwrap();
        for row in &rows {
            let id = format!("{}/{}/ece", row.model, row.arm);
            let figure = computed.figures.iter().find(|f| f.id == id).unwrap();
            assert_eq!(row.ece[0].map(f64::to_bits), figure.value.map(f64::to_bits), "{id}");
            assert!(row.ece.iter().all(Option::is_some));
        }
        assert_eq!(rows.len(), 2);
    }
}
