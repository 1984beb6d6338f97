use records::Rejected;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    difficulty, domains,
    gamma::{Market, Point},
    ledger::rejected,
};

/// A settled price may be so far from 0 or 1: old markets paid out with rounding.
const SETTLED_WITHIN: f64 = 1e-5;

/// A market that passed the screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Id of the market at Gamma.
    pub candidate_id: String,
    /// The question.
    pub question: String,
    /// What counts as which answer.
    pub criteria: String,
    /// Id of its event.
    pub event: String,
    /// Title of its event.
    pub event_title: String,
    /// Slugs of its tags.
    pub tags: Vec<String>,
    /// How it settled.
    pub yes: bool,
    /// True when somebody disputed the outcome at the oracle.
    pub disputed: bool,
    /// When it opened, seconds since 1970.
    pub opened: Option<i64>,
    /// When it settled, seconds since 1970.
    pub settled: i64,
    /// Volume in US dollars.
    pub volume: Option<f64>,
    /// Price of YES over time.
    pub history: Vec<Point>,
}

/// Why a candidate leaves: the reason's name and the facts.
pub type Refusal = (&'static str, Value);

/// Everything but the price history, in the order of the funnel. What passes is worth fetching a history for.
///
/// # Errors
/// The first thing that is wrong.
pub fn settled_question(market: &Market) -> Result<(bool, i64), Refusal> {
    if market.neg_risk {
        return Err(("multi_outcome", json!({"negRisk": true})));
    }
    let Some(place) = market.yes_place() else {
        return Err(("not_yes_no", json!({"outcomes": market.outcomes})));
    };
    let yes = settled_as(market, place)?;
    let Some(settled) = market.closed else {
        return Err(("no_settlement_time", json!({"closedTime": market.closed_text})));
    };
    if market.criteria.is_empty() || market.question.is_empty() {
        return Err((
            "empty_criteria",
            json!({"question": market.question, "criteria": market.criteria}),
        ));
    }
    if let Some((kind, found)) = domains::excluded(market) {
        let reason = match kind {
            "sports" => "excluded_sports",
            "prices" => "excluded_prices",
            _ => "excluded_mentions",
        };
        return Err((reason, json!({"found": found})));
    }
    Ok((yes, settled))
}

/// How a market with YES at `yes_place` settled: true for YES.
///
/// # Errors
/// The prices are not 0 and 1, or the oracle's last state is unknown or another one than resolved.
pub fn settled_as(market: &Market, yes_place: usize) -> Result<bool, Refusal> {
    let near = |price: f64, wanted: f64| (price - wanted).abs() <= SETTLED_WITHIN;
    let yes = match market.prices.as_slice() {
        [a, b] if near(*a, 1.0) && near(*b, 0.0) => yes_place == 0,
        [a, b] if near(*a, 0.0) && near(*b, 1.0) => yes_place == 1,
        _ => {
            // Numbers that are none would be written as null; their text says more.
            let prices: Vec<_> = market.prices.iter().map(ToString::to_string).collect();
            return Err(("not_settled_cleanly", json!({"outcomePrices": prices})));
        }
    };
    match market.uma.last().map(String::as_str) {
        Some("resolved" | "settled") => Ok(yes),
        Some(_) => Err(("not_settled_cleanly", json!({"umaResolutionStatus": market.uma}))),
        None => Err(("uma_status_missing", json!({"umaResolutionStatus": null}))),
    }
}

/// The whole screen of one market, given its price history.
///
/// # Errors
/// The row of the ledger with the first thing that is wrong.
pub fn screen(
    market: Market,
    history: Vec<Point>,
    min_prices: usize,
) -> Result<Candidate, Rejected> {
    let refuse = |(reason, facts): Refusal| rejected(&market.id, "screen", reason, facts);
    let (yes, settled) = settled_question(&market).map_err(refuse)?;
    let prices = difficulty::window(&history, settled).count();
    if prices < min_prices.max(1) {
        let facts = json!({"prices_in_window": prices, "asked": min_prices});
        return Err(refuse(("thin_history", facts)));
    }
    Ok(Candidate {
        disputed: market.uma.iter().any(|s| s == "disputed"),
        candidate_id: market.id,
        question: market.question,
        criteria: market.criteria,
        event: market.event,
        event_title: market.event_title,
        tags: market.tags,
        yes,
        opened: market.opened,
        settled,
        volume: market.volume,
        history,
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A candidate of its own event.
    pub fn candidate(id: &str) -> Candidate {
        Candidate {
            candidate_id: id.to_owned(),
            question: format!("Will matter {id} be settled?"),
            criteria: "Yes if it is.".to_owned(),
            event: format!("event-{id}"),
            event_title: String::new(),
            tags: Vec::new(),
            yes: true,
            disputed: false,
            opened: None,
            settled: 1_780_000_000,
            volume: None,
            history: Vec::new(),
        }
    }

    fn good() -> Market {
        Market::read(&json!({
            "id": "1", "question": "Will the treaty be signed?", "description": "Yes if it is.",
            "outcomes": "[\"Yes\",\"No\"]", "outcomePrices": "[\"1\",\"0\"]",
            "umaResolutionStatuses": "[\"proposed\",\"resolved\"]", "closedTime": "2026-03-31 12:00:00+00",
        }))
        .unwrap()
    }

    #[test]
    fn each_fault_has_its_reason_and_the_first_one_counts() {
        let reason = |spoil: fn(&mut Market)| {
            let mut market = good();
            spoil(&mut market);
            screen(market, Vec::new(), 8).unwrap_err().reason
        };
        assert_eq!(reason(|m| m.neg_risk = true), "multi_outcome");
        assert_eq!(reason(|m| m.outcomes = vec!["Up".into(), "Down".into()]), "not_yes_no");
        assert_eq!(reason(|m| m.prices = vec![0.584, 0.416]), "not_settled_cleanly");
        assert_eq!(reason(|m| m.prices = vec![0.0, 0.0]), "not_settled_cleanly");
        assert_eq!(reason(|m| m.prices = vec![f64::NAN, 0.0]), "not_settled_cleanly");
        assert_eq!(reason(|m| m.uma.clear()), "uma_status_missing");
        assert_eq!(reason(|m| m.uma.truncate(1)), "not_settled_cleanly");
        assert_eq!(reason(|m| m.closed = None), "no_settlement_time");
        assert_eq!(reason(|m| m.criteria.clear()), "empty_criteria");
        assert_eq!(reason(|m| m.tags.push("nba".into())), "excluded_sports");
        assert_eq!(reason(|_| {}), "thin_history");
        assert_eq!(
            reason(|m| {
                m.neg_risk = true;
                m.criteria.clear();
            }),
            "multi_outcome"
        );
    }

    #[test]
    fn yes_is_where_the_outcomes_say() {
        let mut market = good();
        assert!(settled_question(&market).unwrap().0);
        market.outcomes.reverse();
        assert!(!settled_question(&market).unwrap().0);
        market.prices = vec![4e-7, 0.999_999_6];
        assert!(settled_question(&market).unwrap().0, "paid out with rounding");
    }
}
