use std::{collections::BTreeMap, num::NonZeroU32, path::Path};

use serde::Deserialize;

use super::{articles::MIN_WORDS, difficulty::Difficulty, time};
use crate::{
    cassette::is_plain_name,
    error::{Error, read_text},
};

/// Name of the file in a data set's folder.
pub const SETTINGS_FILE: &str = "pipeline.toml";

/// More items of one outcome or difficulty are a slip of the pen.
const MOST_ITEMS: usize = 1000;

/// Everything that a set depends on beside the answers of the two APIs: `pipeline.toml`. With the same settings and the
/// same answers, the files come out byte for byte the same.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Name of the data set; the folder's name.
    pub dataset_id: String,
    /// A sentence that says what the data set is.
    pub title: String,
    /// Where the answers come from.
    pub sources: Sources,
    /// Which markets are candidates.
    pub harvest: Harvest,
    /// What a candidate must have.
    pub screen: Screen,
    /// When two questions are one.
    pub collapse: Collapse,
    /// What the price series says.
    pub difficulty: Thresholds,
    /// How many of what are drawn.
    pub draw: DrawSettings,
    /// What an item is given to read.
    pub bundle: BundleSettings,
}

/// Addresses, and how they are treated.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    /// Base URL of the Gamma API.
    pub gamma: String,
    /// Base URL of the CLOB API, for price histories.
    pub clob: String,
    /// Address of a MediaWiki `api.php`.
    pub wiki: String,
    /// How the operators can reach whoever runs this: an address or a page. Sent in the User-Agent.
    pub contact: String,
    /// Calls to one source a minute, evenly spread.
    pub requests_per_minute: NonZeroU32,
}

/// Which markets are candidates.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Harvest {
    /// First moment of closing, RFC 3339.
    pub closed_from: String,
    /// Moment of closing that is too late, RFC 3339.
    pub closed_to: String,
    /// Smallest volume in US dollars.
    pub min_volume_usd: f64,
}

/// What a candidate must have.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// Prices in the week that ends 48 hours before settlement.
    pub min_prices: usize,
}

/// When two questions are one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collapse {
    /// Share of common words from which on two questions without their deadlines are one, from 0 to 1.
    pub similarity: f64,
}

/// Thresholds of the difficulty statistic.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Below: hard.
    pub hard_below: f64,
    /// Below, and not hard: medium. Else easy.
    pub medium_below: f64,
}

/// How many of what are drawn.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawSettings {
    /// Seed of the order of candidates.
    pub seed: u64,
    /// Undisputed questions.
    pub main: Quota,
    /// Disputed questions.
    pub contested: Quota,
}

/// What one set asks for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quota {
    /// Items that settled YES.
    pub yes: usize,
    /// Items that settled NO.
    pub no: usize,
    /// The most items of one domain.
    pub per_domain: usize,
    /// The fewest items of a difficulty.
    #[serde(default)]
    pub at_least: BTreeMap<Difficulty, usize>,
}

/// What an item is given to read.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleSettings {
    /// Articles that search is asked for.
    pub search_results: usize,
    /// The most documents of an item, the older revision included; 2 to 5.
    pub documents: usize,
    /// Edits so many days before and after settlement count for the ranking.
    pub days_around: i64,
    /// Age of the older revision, in days before settlement.
    pub older_days: i64,
    /// The most words of a document.
    pub words_per_document: usize,
}

impl Settings {
    /// Reads the settings of the data set in `folder`.
    ///
    /// # Errors
    /// The file is missing, a field is wrong, or two settings contradict each other.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(SETTINGS_FILE);
        if !path.exists() {
            return Err(Error::Input(format!(
                "{}: there is no such file; make it with `recount dataset markets init {}`",
                path.display(),
                folder.display()
            )));
        }
        let name = path.display().to_string();
        let settings: Self = toml::from_str(&read_text(&path)?)
            .map_err(|e| Error::Input(format!("{name}: {}", e.to_string().trim_end())))?;
        settings.check().map_err(|text| Error::Input(format!("{name}: {text}")))?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), String> {
        let (from, to) = self.window()?;
        if from >= to {
            return Err("`harvest.closed_to` must be later than `closed_from`".to_owned());
        }
        if !is_plain_name(&self.dataset_id) {
            return Err(format!(
                "`dataset_id` is \"{}\"; use letters, digits, dots, dashes and underscores",
                self.dataset_id
            ));
        }
        self.sources.check()?;
        if !(self.harvest.min_volume_usd >= 0.0 && self.harvest.min_volume_usd.is_finite()) {
            return Err("`harvest.min_volume_usd` must be a number that is not negative".to_owned());
        }
        let t = &self.difficulty;
        if !(0.0 < t.hard_below && t.hard_below < t.medium_below && t.medium_below <= 0.5) {
            return Err("`difficulty`: 0 < hard_below < medium_below <= 0.5 must hold".to_owned());
        }
        if !(0.0 < self.collapse.similarity && self.collapse.similarity <= 1.0) {
            return Err("`collapse.similarity` must lie above 0 and not above 1".to_owned());
        }
        if !(2..=5).contains(&self.bundle.documents) {
            return Err("`bundle.documents` must be 2 to 5".to_owned());
        }
        if !(1..=50).contains(&self.bundle.search_results) {
            return Err("`bundle.search_results` must be 1 to 50".to_owned());
        }
        let days = 1..=366;
        if !days.contains(&self.bundle.days_around) || !days.contains(&self.bundle.older_days) {
            return Err("`bundle.days_around` and `older_days` must be 1 to 366".to_owned());
        }
        if !(MIN_WORDS..=100_000).contains(&self.bundle.words_per_document) {
            return Err(format!(
                "`bundle.words_per_document` must be {MIN_WORDS} to 100000: fewer words are no document"
            ));
        }
        for (set, quota) in [("main", &self.draw.main), ("contested", &self.draw.contested)] {
            let numbers = [quota.yes, quota.no].into_iter().chain(quota.at_least.values().copied());
            if numbers.max() > Some(MOST_ITEMS) {
                return Err(format!(
                    "`draw.{set}` asks for more than {MOST_ITEMS} items of a kind"
                ));
            }
            let asked: usize = quota.at_least.values().sum();
            if asked > quota.total() {
                return Err(format!(
                    "`draw.{set}.at_least` asks for {asked} items in all, {} more than the set has",
                    asked - quota.total()
                ));
            }
        }
        Ok(())
    }

    /// First moment of closing and the moment that is too late, in seconds since 1970.
    ///
    /// # Errors
    /// One of them is no time.
    pub fn window(&self) -> Result<(i64, i64), String> {
        let read = |field: &str, text: &str| {
            time::parse(text).ok_or_else(|| {
                format!(
                    "`harvest.{field}` is \"{text}\"; write a time such as 2026-01-01T00:00:00Z"
                )
            })
        };
        Ok((
            read("closed_from", &self.harvest.closed_from)?,
            read("closed_to", &self.harvest.closed_to)?,
        ))
    }
}

impl Sources {
    /// Whether the contact can be sent and the addresses can be called.
    fn check(&self) -> Result<(), String> {
        let contact = self.contact.trim();
        if contact.is_empty() || contact.bytes().any(|b| !(b' '..=b'~').contains(&b)) {
            return Err("`sources.contact` is empty or not plain ASCII text; write an address or a page at which the operators of the APIs can reach you".to_owned());
        }
        for (name, url) in [("gamma", &self.gamma), ("clob", &self.clob), ("wiki", &self.wiki)] {
            if !(url.starts_with("http://") || url.starts_with("https://")) {
                return Err(format!(
                    "`sources.{name}` is \"{url}\", which is no http:// or https:// address"
                ));
            }
        }
        Ok(())
    }
}

impl Quota {
    /// Items of the set.
    #[must_use]
    pub fn total(&self) -> usize {
        self.yes + self.no
    }
}

/// The text of a new `pipeline.toml`.
#[must_use]
pub fn template(dataset_id: &str, from: &str, to: &str, contact: &str) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    // The contact is free text, so it comes last and nothing in it is replaced.
    TEMPLATE
        .replace("{{dataset_id}}", &quoted(dataset_id))
        .replace("{{from}}", &quoted(from))
        .replace("{{to}}", &quoted(to))
        .replace("{{contact}}", &quoted(contact))
}

const TEMPLATE: &str = include_str!("pipeline.toml");

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The settings of a new data set.
    pub fn fresh() -> Settings {
        let text = template("made", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", "nobody");
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn the_template_holds() {
        fresh().check().unwrap();
        let nasty = template("made", "x", "y", "a\"b\n{{from}}");
        assert!(toml::from_str::<Settings>(&nasty).is_ok());
    }

    #[test]
    fn contradictions_are_named() {
        let mut settings = fresh();
        settings.draw.main.at_least.insert(Difficulty::Hard, 41);
        assert!(settings.check().unwrap_err().contains("more than the set has"));
        let mut settings = fresh();
        settings.harvest.closed_to = "soon".to_owned();
        assert!(settings.check().unwrap_err().contains("`harvest.closed_to` is \"soon\""));
        let complaint = |spoil: fn(&mut Settings)| {
            let mut settings = fresh();
            spoil(&mut settings);
            settings.check().unwrap_err()
        };
        assert!(complaint(|s| s.dataset_id = "../x".to_owned()).contains("`dataset_id`"));
        assert!(complaint(|s| s.sources.contact = "Zoë".to_owned()).contains("`sources.contact`"));
        assert!(complaint(|s| s.sources.wiki = "wiki".to_owned()).contains("`sources.wiki`"));
        assert!(complaint(|s| s.harvest.min_volume_usd = f64::NAN).contains("min_volume_usd"));
        assert!(complaint(|s| s.bundle.words_per_document = 0).contains("must be 60 to"));
        assert!(complaint(|s| s.draw.main.yes = usize::MAX).contains("more than 1000 items"));
    }
}
