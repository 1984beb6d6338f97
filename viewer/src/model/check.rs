use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::format;

/// What recomputation says about one published number, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every field has the same bits.
    Identical,
    /// Other bits, but the same three decimals.
    EqualAsPrinted,
    /// Published and recomputed as withheld, for the same reason.
    Withheld,
    /// Nothing to compare it with.
    CannotBeChecked,
    /// Another value.
    Differs,
}

impl Verdict {
    /// Every verdict, in the order in which the page lists them.
    pub const ALL: [Self; 5] = [
        Self::Identical,
        Self::EqualAsPrinted,
        Self::Differs,
        Self::CannotBeChecked,
        Self::Withheld,
    ];

    /// The sign that stands beside a number; each has another shape, so that colour is not needed.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Identical => "✓",
            Self::EqualAsPrinted => "≈",
            Self::Differs => "≠",
            Self::CannotBeChecked => "?",
            Self::Withheld => "—",
        }
    }

    /// Does recomputing lead to what was published, be it to withhold it?
    #[must_use]
    pub fn agrees(self) -> bool {
        matches!(self, Self::Identical | Self::EqualAsPrinted | Self::Withheld)
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::EqualAsPrinted => "equal as printed",
            Self::Differs => "differs",
            Self::CannotBeChecked => "cannot be checked",
            Self::Withheld => "withheld",
        }
    }

    /// The value of the `data-verdict` attribute.
    #[must_use]
    pub fn attribute(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::EqualAsPrinted => "equal",
            Self::Differs => "differs",
            Self::CannotBeChecked => "unchecked",
            Self::Withheld => "withheld",
        }
    }

    /// One sentence that says what the word means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Identical => "every published field was recomputed here and has the same bits",
            Self::EqualAsPrinted => {
                "the recomputed value has other bits, but the same three printed decimals"
            }
            Self::Differs => {
                "from the records it has loaded, this page computes another value, interval or count"
            }
            Self::CannotBeChecked => "there is nothing here to compare it with",
            Self::Withheld => "not published, and recomputing it gives the same reason for that",
        }
    }
}

/// One field in which published and recomputed are not the same bits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Path of the field within the entry.
    pub path: String,
    /// As published.
    #[serde(with = "as_text")]
    pub published: Value,
    /// As recomputed.
    #[serde(with = "as_text")]
    pub recomputed: Value,
}

/// Values of any type as their JSON text: the format between page and worker does not say types.
mod as_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use serde_json::Value;

    pub fn serialize<S: Serializer>(value: &Value, to: S) -> Result<S::Ok, S::Error> {
        value.to_string().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        serde_json::from_str(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl Difference {
    /// Both values to the last digit, and the gap where both are numbers.
    #[must_use]
    pub fn sentence(&self) -> String {
        let gap = self
            .published
            .as_f64()
            .zip(self.recomputed.as_f64())
            .map(|(p, r)| format!(", gap {}", format::full((p - r).abs())));
        let field = if self.path.is_empty() { "the whole entry" } else { self.path.as_str() };
        format!(
            "{}: published {}, recomputed {}{}",
            format::cut(field, 80),
            format::json(&self.published),
            format::json(&self.recomputed),
            gap.unwrap_or_default()
        )
    }
}

/// The verdict on one entry of a results file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The entry's id.
    pub id: String,
    /// Which part of the file it stands in.
    pub section: String,
    /// What came out.
    pub verdict: Verdict,
    /// Why, when it is neither identical nor equal.
    pub reason: Option<String>,
    /// The fields that are not the same.
    pub differences: Vec<Difference>,
}

/// Number of checks by verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Same bits.
    pub identical: u64,
    /// Same three decimals.
    pub equal_as_printed: u64,
    /// Another value.
    pub differs: u64,
    /// Nothing to compare with.
    pub cannot_be_checked: u64,
    /// Withheld on both sides.
    pub withheld: u64,
}

impl Totals {
    /// Counts verdicts.
    #[must_use]
    pub fn of<'a>(checks: impl IntoIterator<Item = &'a Check>) -> Self {
        let mut totals = Self::default();
        for check in checks {
            *totals.slot(check.verdict) += 1;
        }
        totals
    }

    fn slot(&mut self, verdict: Verdict) -> &mut u64 {
        match verdict {
            Verdict::Identical => &mut self.identical,
            Verdict::EqualAsPrinted => &mut self.equal_as_printed,
            Verdict::Differs => &mut self.differs,
            Verdict::CannotBeChecked => &mut self.cannot_be_checked,
            Verdict::Withheld => &mut self.withheld,
        }
    }

    /// How many have this verdict.
    #[must_use]
    pub fn get(mut self, verdict: Verdict) -> u64 {
        *self.slot(verdict)
    }

    /// Published numbers: all but the withheld ones.
    #[must_use]
    pub fn published(self) -> u64 {
        self.identical + self.equal_as_printed + self.differs + self.cannot_be_checked
    }

    /// Numbers that agree, bit for bit or as printed.
    #[must_use]
    pub fn agree(self) -> u64 {
        self.identical + self.equal_as_printed
    }
}

/// All checks of a results file, by id.
#[derive(Debug, Clone, Default)]
pub struct Checks {
    /// In order of id, each once.
    by_id: Vec<Check>,
    totals: Totals,
}

impl Checks {
    /// Takes the checks in; of several with one id the worst is kept for look-up, all of them count.
    #[must_use]
    pub fn new(mut checks: Vec<Check>) -> Self {
        let totals = Totals::of(&checks);
        metrics::sort(&mut checks, &|a, b| a.id.cmp(&b.id).then(b.verdict.cmp(&a.verdict)));
        checks.dedup_by(|later, kept| later.id == kept.id);
        Self { by_id: checks, totals }
    }

    /// The check of the entry called `id`.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Check> {
        let place = self.by_id.binary_search_by(|check| check.id.as_str().cmp(id));
        place.ok().map(|place| &self.by_id[place])
    }

    /// Its verdict; an entry that nobody checked cannot be checked.
    #[must_use]
    pub fn verdict(&self, id: &str) -> Verdict {
        self.get(id).map_or(Verdict::CannotBeChecked, |c| c.verdict)
    }

    /// Number of checks by verdict.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Every check, in order of id.
    pub fn all(&self) -> impl Iterator<Item = &Check> {
        self.by_id.iter()
    }

    /// Checks with this verdict, in order of id.
    pub fn with(&self, verdict: Verdict) -> impl Iterator<Item = &Check> {
        self.by_id.iter().filter(move |c| c.verdict == verdict)
    }

    /// Verdicts of some entries, counted.
    #[must_use]
    pub fn count<'a>(&self, ids: impl IntoIterator<Item = &'a str>) -> Totals {
        let mut totals = Totals::default();
        for id in ids {
            *totals.slot(self.verdict(id)) += 1;
        }
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &str, verdict: Verdict) -> Check {
        Check {
            id: id.into(),
            section: "figures".into(),
            verdict,
            reason: None,
            differences: vec![],
        }
    }

    #[test]
    fn no_two_verdicts_share_a_sign_a_word_or_an_attribute() {
        for what in [Verdict::sign, Verdict::word, Verdict::attribute] {
            let mut seen: Vec<_> = Verdict::ALL.iter().map(|v| what(*v)).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), Verdict::ALL.len());
        }
    }

    #[test]
    fn of_two_checks_with_one_id_the_worse_is_shown_and_both_count() {
        let checks = Checks::new(vec![
            check("a", Verdict::Differs),
            check("a", Verdict::Identical),
            check("b", Verdict::Withheld),
        ]);
        assert_eq!(checks.verdict("a"), Verdict::Differs);
        assert_eq!(checks.totals().published(), 2);
        assert_eq!(checks.totals().agree(), 1);
        assert_eq!(checks.totals().withheld, 1);
    }

    #[test]
    fn a_difference_shows_both_values_and_the_gap() {
        let d = Difference {
            path: "value".into(),
            published: Value::from(0.75),
            recomputed: Value::from(0.5),
        };
        assert_eq!(d.sentence(), "value: published 0.75, recomputed 0.5, gap 0.25");
        let d =
            Difference { path: String::new(), published: Value::Null, recomputed: Value::from(1) };
        assert_eq!(d.sentence(), "the whole entry: published null, recomputed 1");
    }

    #[test]
    fn what_nobody_checked_cannot_be_checked() {
        let checks = Checks::new(vec![check("a", Verdict::Identical)]);
        assert_eq!(checks.verdict("b"), Verdict::CannotBeChecked);
        assert_eq!(checks.count(["a", "b"]).cannot_be_checked, 1);
    }
}
