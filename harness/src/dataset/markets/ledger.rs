//! Nothing is lost silently: a row for each candidate that left, and the counts that follow from the rows.

use std::collections::BTreeMap;

use records::{FunnelStage, Rejected, Versioned};
use serde_json::Value;

/// Steps of the pipeline with the reasons for which a candidate leaves there, in order, and what is left after each.
const STAGES: [(&str, &[&str], &str); 9] = [
    ("screen", &["unreadable", "multi_outcome"], "one question with two outcomes"),
    ("screen", &["not_yes_no"], "strictly yes or no"),
    (
        "screen",
        &["not_settled_cleanly", "uma_status_missing", "no_settlement_time"],
        "settled cleanly as 0 or 1",
    ),
    ("screen", &["empty_criteria"], "with criteria"),
    (
        "screen",
        &["excluded_sports", "excluded_prices", "excluded_mentions"],
        "not sports, prices or mentions",
    ),
    ("screen", &["thin_history"], "with enough price history"),
    ("collapse", &["same_event"], "one per event"),
    ("collapse", &["same_question"], "one per question"),
    ("draw", &["not_drawn", "few_articles", "rejected_by_reviewer"], "drawn"),
];

/// A row of the ledger. `facts` is an object; its fields are what the reason rests on.
#[must_use]
pub fn rejected(candidate_id: &str, stage: &str, reason: &str, facts: Value) -> Rejected {
    let facts: BTreeMap<String, Value> = match facts {
        Value::Object(map) => map.into_iter().collect(),
        _ => BTreeMap::new(),
    };
    Rejected {
        schema: Rejected::tag(),
        candidate_id: candidate_id.to_owned(),
        stage: stage.to_owned(),
        reason: reason.to_owned(),
        facts,
    }
}

/// How many of `harvested` candidates were left after each step; the steps that no row speaks of yet are left out, from
/// the end.
#[must_use]
pub fn funnel(harvested: usize, rows: &[Rejected]) -> Vec<FunnelStage> {
    let mut remaining = harvested as u64;
    let mut stages = vec![FunnelStage { stage: "harvested".to_owned(), remaining }];
    let last = STAGES
        .iter()
        .rposition(|(_, reasons, _)| rows.iter().any(|r| reasons.contains(&r.reason.as_str())))
        .map_or(0, |last| last + 1);
    for (_, reasons, name) in &STAGES[..last] {
        let gone = rows.iter().filter(|r| reasons.contains(&r.reason.as_str())).count() as u64;
        remaining = remaining.saturating_sub(gone);
        stages.push(FunnelStage { stage: (*name).to_owned(), remaining });
    }
    stages
}

/// The rows in the order of the steps, then by candidate.
pub fn sort(rows: &mut [Rejected]) {
    let place = |r: &Rejected| {
        STAGES.iter().position(|(_, reasons, _)| reasons.contains(&r.reason.as_str()))
    };
    rows.sort_by(|a, b| {
        (place(a), &a.reason, &a.candidate_id).cmp(&(place(b), &b.reason, &b.candidate_id))
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_funnel_follows_from_the_rows() {
        let rows = [
            rejected("1", "screen", "multi_outcome", json!({})),
            rejected("2", "screen", "unreadable", json!({})),
            rejected("3", "screen", "empty_criteria", json!({"criteria": ""})),
        ];
        let funnel = funnel(10, &rows);
        let remaining: Vec<_> = funnel.iter().map(|s| s.remaining).collect();
        assert_eq!(remaining, [10, 8, 8, 8, 7]);
        assert_eq!(rows[2].facts["criteria"], "");
    }
}
