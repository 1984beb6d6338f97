//! What the Gamma and CLOB APIs answer, read without trust: numbers arrive as strings, lists as JSON inside strings,
//! fields are missing or null, and nothing of it may stop the harvest.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{client::Answer, time};

/// A longer text of a market is cut off here; the longest real criteria have a few thousand characters.
const MAX_TEXT: usize = 20_000;
/// More prices than this are more than a market can have had.
const MAX_POINTS: usize = 100_000;

/// A price of YES at a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Seconds since 1970.
    pub t: i64,
    /// From 0 to 1.
    pub p: f64,
}

/// A market as far as the pipeline needs it. What could not be read is None or empty; the screen says what follows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Market {
    /// The market's id at Gamma.
    pub id: String,
    /// The question.
    pub question: String,
    /// What counts as which answer.
    pub criteria: String,
    /// Names of the outcomes.
    pub outcomes: Vec<String>,
    /// Price of each outcome.
    pub prices: Vec<f64>,
    /// CLOB token of each outcome.
    pub tokens: Vec<String>,
    /// One of several outcomes of a question, sold as a question of its own.
    pub neg_risk: bool,
    /// States that UMA's oracle went through, in order.
    pub uma: Vec<String>,
    /// When it closed.
    pub closed: Option<i64>,
    /// What the API says of when it closed.
    pub closed_text: Option<String>,
    /// When it opened.
    pub opened: Option<i64>,
    /// Id of its event; its own id when it has none.
    pub event: String,
    /// Title of its event.
    pub event_title: String,
    /// Slugs of its tags and its event's tags, lower case.
    pub tags: Vec<String>,
    /// A game: the API gives a kind of bet or a kick-off.
    pub game: bool,
    /// Volume in US dollars.
    pub volume: Option<f64>,
}

impl Market {
    /// Reads a market; None when it has no id that could name it.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let id = id(value.get("id")?)?;
        let event = value.get("events").and_then(|e| e.get(0)).unwrap_or(&Value::Null);
        let mut uma = list(value.get("umaResolutionStatuses"));
        if let Some(last) = text(value, "umaResolutionStatus") {
            uma.push(last);
        }
        let mut tags: Vec<String> = [value, event]
            .iter()
            .filter_map(|v| v.get("tags")?.as_array())
            .flatten()
            .filter_map(|tag| text(tag, "slug").or_else(|| text(tag, "label")))
            .chain(text(value, "category"))
            .map(|tag| tag.to_lowercase().replace(' ', "-"))
            .collect();
        tags.sort();
        tags.dedup();
        let first_time = |names: [&str; 2]| {
            names.iter().find_map(|n| text(value, n).and_then(|t| time::parse(&t)))
        };
        Some(Self {
            question: text(value, "question").unwrap_or_default(),
            criteria: text(value, "description").unwrap_or_default(),
            outcomes: list(value.get("outcomes")),
            prices: list(value.get("outcomePrices"))
                .iter()
                .map(|p| p.trim().parse().unwrap_or(f64::NAN))
                .collect(),
            tokens: list(value.get("clobTokenIds")),
            neg_risk: truth(value.get("negRisk")) || truth(event.get("negRisk")),
            uma: uma.iter().map(|s| s.to_lowercase()).collect(),
            closed: first_time(["closedTime", "umaEndDate"]),
            closed_text: text(value, "closedTime").or_else(|| text(value, "umaEndDate")),
            opened: first_time(["startDate", "createdAt"]),
            event: event.get("id").and_then(self::id).unwrap_or_else(|| id.clone()),
            event_title: text(event, "title").unwrap_or_default(),
            tags,
            game: text(value, "sportsMarketType").is_some()
                || text(value, "gameStartTime").is_some(),
            volume: number(value.get("volumeNum")).or_else(|| number(value.get("volume"))),
            id,
        })
    }

    /// Place of YES among exactly the outcomes YES and NO; None when they are others.
    #[must_use]
    pub fn yes_place(&self) -> Option<usize> {
        let names: Vec<_> = self.outcomes.iter().map(|o| o.trim().to_lowercase()).collect();
        match names.as_slice() {
            [a, b] if a == "yes" && b == "no" => Some(0),
            [a, b] if a == "no" && b == "yes" => Some(1),
            _ => None,
        }
    }

    /// The CLOB token of YES.
    #[must_use]
    pub fn yes_token(&self) -> Option<&str> {
        let token = self.tokens.get(self.yes_place()?)?;
        (!token.is_empty()
            && token.len() <= 100
            && token.bytes().all(|b| b.is_ascii_alphanumeric()))
        .then_some(token.as_str())
    }
}

/// The prices in an answer of `prices-history`, by time; what is no price is left out.
#[must_use]
pub fn history(answer: &Value) -> Vec<Point> {
    let rows = answer.get("history").and_then(Value::as_array);
    let mut points: Vec<Point> = rows
        .into_iter()
        .flatten()
        .take(MAX_POINTS)
        .filter_map(|row| {
            let (t, p) = (number(row.get("t"))?, number(row.get("p"))?);
            ((0.0..=1.0).contains(&p) && (0.0..1e11).contains(&t))
                .then_some(Point { t: t as i64, p })
        })
        .collect();
    points.sort_by_key(|p| p.t);
    points.dedup_by_key(|p| p.t);
    points
}

/// True for what `prices-history` answers: prices, or in so many words that it has none of this token.
#[must_use]
pub fn is_history(answer: &Answer) -> bool {
    if answer.is_success() {
        return answer.body.get("history").is_some_and(|h| h.is_array() || h.is_null());
    }
    matches!(answer.status, 400 | 404) && answer.body.get("error").is_some_and(Value::is_string)
}

/// The markets of a page and the cursor of the next page; None when it is no page.
#[must_use]
pub fn page(answer: &Value) -> Option<(&[Value], Option<&str>)> {
    let markets = answer.get("markets")?.as_array()?;
    let cursor = answer.get("next_cursor").and_then(Value::as_str);
    // "LTE=" is base64 for -1, which this family of APIs writes for "no more".
    Some((markets, cursor.filter(|c| !c.is_empty() && *c != "LTE=")))
}

/// An id: a short word of letters, digits, dashes and underscores, written as a string or a number.
fn id(value: &Value) -> Option<String> {
    let id = match value {
        Value::String(s) => s.trim().to_owned(),
        Value::Number(n) => n.as_u64()?.to_string(),
        _ => return None,
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (!id.is_empty() && id.len() <= 80 && id.bytes().all(plain)).then_some(id)
}

fn text(value: &Value, field: &str) -> Option<String> {
    let text = value.get(field)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.chars().take(MAX_TEXT).collect())
}

fn truth(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(b)) => *b,
        Some(Value::String(s)) => s.eq_ignore_ascii_case("true"),
        _ => false,
    }
}

fn number(value: Option<&Value>) -> Option<f64> {
    let number = match value? {
        Value::Number(n) => n.as_f64()?,
        Value::String(s) => s.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// A list, as JSON or as JSON inside a string; its entries as text.
fn list(value: Option<&Value>) -> Vec<String> {
    let parsed;
    let value = match value {
        Some(Value::String(s)) if s.len() <= MAX_TEXT => {
            parsed = serde_json::from_str(s).unwrap_or(Value::Null);
            &parsed
        }
        Some(other) => other,
        None => return Vec::new(),
    };
    let entry = |v: &Value| match v {
        Value::String(s) => s.clone(),
        other => other.to_string(),
    };
    value.as_array().into_iter().flatten().take(100).map(entry).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn strings_for_numbers_and_json_inside_strings_are_read() {
        let market = Market::read(&json!({
            "id": 512, "question": " Will it? ", "outcomes": "[\"No\", \"Yes\"]",
            "outcomePrices": "[\"0\", \"1\"]", "clobTokenIds": ["11", "22"], "volume": "200500.25",
            "negRisk": "false", "umaResolutionStatuses": "[\"proposed\", \"Disputed\"]",
            "umaResolutionStatus": "resolved", "closedTime": "2026-03-31 12:00:00+00",
            "events": [{"id": "9", "title": "It", "tags": [{"slug": "Middle East"}]}],
        }))
        .unwrap();
        assert_eq!((market.id.as_str(), market.question.as_str()), ("512", "Will it?"));
        assert_eq!((market.yes_place(), market.yes_token()), (Some(1), Some("22")));
        assert_eq!(market.uma, ["proposed", "disputed", "resolved"]);
        assert_eq!(market.prices, [0.0, 1.0]);
        assert_eq!(market.volume, Some(200_500.25));
        assert_eq!(
            (market.event.as_str(), market.tags.as_slice()),
            ("9", &["middle-east".to_owned()][..])
        );
        assert!(market.closed.is_some() && !market.neg_risk);
    }

    #[test]
    fn nothing_from_outside_stops_the_reading() {
        for value in [
            json!(null),
            json!([]),
            json!({}),
            json!({"id": null}),
            json!({"id": "../x"}),
            json!({"id": ""}),
            json!({"id": {"a": 1}}),
            json!({"id": -4}),
            json!({"id": "x".repeat(900)}),
        ] {
            assert_eq!(Market::read(&value), None, "{value}");
        }
        let odd = Market::read(&json!({
            "id": "1", "outcomes": "[\"Yes\"", "outcomePrices": "nonsense", "events": "none",
            "tags": 7, "volumeNum": "NaN", "closedTime": 12, "clobTokenIds": "[[[[", "negRisk": []
        }))
        .unwrap();
        assert_eq!((odd.outcomes.len(), odd.volume, odd.closed), (0, None, None));
        assert_eq!(odd.event, "1");
    }

    #[test]
    fn prices_are_sorted_and_cleaned() {
        let answer = json!({"history": [
            {"t": 20, "p": 0.5}, {"t": "10", "p": "0.25"}, {"t": 20, "p": 0.9}, {"t": 30, "p": 1.5},
            {"t": 40}, {"p": 0.1}, null, {"t": 1e300, "p": 0.1}
        ]});
        assert_eq!(history(&answer), [Point { t: 10, p: 0.25 }, Point { t: 20, p: 0.5 }]);
        assert_eq!(history(&json!({"error": "x"})), []);
    }

    #[test]
    fn a_failure_of_the_api_is_no_history() {
        let is = |status, body| is_history(&Answer { status, body });
        assert!(is(200, json!({"history": []})) && is(200, json!({"history": null})));
        assert!(is(404, json!({"error": "no such market"})), "an answer about one token");
        for (status, body) in [
            (200, json!({"error": "the database is away"})),
            (200, json!({"history": "later"})),
            (404, json!("404 page not found")),
            (403, json!({"error": "no"})),
        ] {
            assert!(!is(status, body.clone()), "{status} {body}");
        }
    }

    #[test]
    fn a_page_ends_in_three_ways() {
        for last in [
            json!({"markets": []}),
            json!({"markets": [], "next_cursor": ""}),
            json!({"markets": [], "next_cursor": "LTE="}),
        ] {
            assert_eq!(page(&last).unwrap().1, None);
        }
        assert_eq!(page(&json!({"markets": [1], "next_cursor": "abc"})).unwrap().1, Some("abc"));
        assert_eq!(page(&json!([])), None);
    }
}
