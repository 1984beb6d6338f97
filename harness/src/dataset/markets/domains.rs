use std::sync::LazyLock;

use serde::Deserialize;

use super::gamma::Market;

/// Domain of a question that no rule knows.
pub const OTHER: &str = "other";

/// The rules, as they stand in `domains.toml`.
pub const RULES_TEXT: &str = include_str!("domains.toml");

static RULES: LazyLock<Rules> =
    LazyLock::new(|| toml::from_str(RULES_TEXT).expect("a test reads the committed rules"));

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    excluded: Vec<Rule>,
    domain: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    name: String,
    tags: Vec<String>,
    phrases: Vec<String>,
}

impl Rule {
    fn hits(&self, tags: &[String], text: &str) -> Vec<String> {
        let tag = self.tags.iter().filter(|t| tags.contains(t)).map(|t| format!("tag {t}"));
        let phrase = self
            .phrases
            .iter()
            .filter(|p| text.contains(&format!(" {p} ")))
            .map(|p| format!("\"{p}\""));
        tag.chain(phrase).collect()
    }
}

/// The kind of question that is left out, and what says so.
#[must_use]
pub fn excluded(market: &Market) -> Option<(&'static str, Vec<String>)> {
    let text = spaced(&[&market.question, &market.event_title]);
    if market.game {
        return Some(("sports", vec!["a kind of bet or a kick-off".to_owned()]));
    }
    RULES.excluded.iter().find_map(|rule| {
        let hits = rule.hits(&market.tags, &text);
        (!hits.is_empty()).then_some((rule.name.as_str(), hits))
    })
}

/// The domain of a question.
#[must_use]
pub fn domain(question: &str, event_title: &str, tags: &[String]) -> &'static str {
    let text = spaced(&[question, event_title]);
    let mut best = (0, OTHER);
    for rule in &RULES.domain {
        let hits = rule.hits(tags, &text).len();
        if hits > best.0 {
            best = (hits, &rule.name);
        }
    }
    best.1
}

/// The words of the texts in lower case, a space around each.
fn spaced(texts: &[&str]) -> String {
    let mut out = String::from(" ");
    for word in texts.iter().flat_map(|t| t.split(|c: char| !c.is_alphanumeric())) {
        if !word.is_empty() {
            out.push_str(&word.to_lowercase());
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn market(question: &str, tags: &[&str]) -> Market {
        let tags = tags.iter().map(|t| (*t).to_owned()).collect();
        Market { question: question.to_owned(), tags, ..Market::default() }
    }

    #[test]
    fn games_prices_and_mentions_are_left_out() {
        let kind = |question, tags: &[&str]| excluded(&market(question, tags)).map(|e| e.0);
        assert_eq!(kind("Will the Hawks win?", &["nba"]), Some("sports"));
        assert_eq!(kind("Who wins the Super Bowl?", &[]), Some("sports"));
        assert_eq!(kind("Will the price of gold rise?", &[]), Some("prices"));
        assert_eq!(kind("Will she mention tariffs?", &[]), Some("mentions"));
        assert_eq!(kind("Will she say “tariff” during the speech?", &[]), Some("mentions"));
        assert_eq!(kind("Will the treaty be signed?", &["politics"]), None);
        let game = Market { game: true, ..market("Will it?", &[]) };
        assert_eq!(excluded(&game).map(|e| e.0), Some("sports"));
    }

    #[test]
    fn the_domain_is_the_one_with_most_hits() {
        assert_eq!(domain("Will Israel strike Iran?", "", &[]), "middle_east");
        assert_eq!(domain("Will Trump meet Putin in Moscow?", "", &[]), "russia_ukraine");
        assert_eq!(domain("Will the koala be named?", "", &[]), OTHER);
        assert_eq!(domain("Will Iranian news…", "", &["europe".into(), "eu".into()]), "europe");
        // Between word borders only.
        assert_eq!(domain("Will the houseboat sink?", "", &[]), OTHER);
    }
}
