//! A published results file against results computed anew.
//!
//! The published side is plain JSON, not [`records::Results`]: a field or an entry that this build does not know must
//! show up as one that cannot be checked, not vanish while reading.
//!
//! One *published number* is one entry of `figures`, of `reliability` or of `comparisons`, with everything that stands
//! in it. Two more checks cover the rest of the file: `inputs.rows`, and `signature`, which also holds the plan, the
//! versions and the names. Digests of input files are reported apart, in [`Verification::files`]: whoever recomputes
//! need not have every file at hand, and a digest is no figure.

mod entries;
mod fields;

use records::Results;
use serde_json::Value;

use entries::{Recomputed, file_checks, list_checks, rest_checks, rows_check, signature_check};

/// The lists of published numbers.
const LISTS: [&str; 3] = ["figures", "reliability", "comparisons"];

/// The reason of every check when there is nothing to compare with.
const NO_RECORDS: &str = "there are no records to recompute from";

/// How a published entry compares with the recomputed one; of several fields' verdicts the worst counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Withheld on both sides, for the same reason and with everything else identical.
    Withheld,
    /// The same to the last bit of every number.
    Identical,
    /// Other bits somewhere, but the same to three decimals and to three significant digits.
    EqualAsPrinted,
    /// Nothing was recomputed that it could be compared with.
    CannotBeChecked,
    /// Not the same, or missing on the published side.
    Differs,
}

/// One field that is not identical.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Path within the entry, e.g. `interval.lower` or `bins[2].count`; empty for the entry as a whole.
    pub path: String,
    /// As published; null when it is not there.
    pub published: Value,
    /// As recomputed; null when it is not there.
    pub recomputed: Value,
}

/// One published entry and what came of checking it.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The entry's id, or the name of the field.
    pub id: String,
    /// figures, reliability, comparisons, inputs, signature, files or other.
    pub section: String,
    /// What came of it.
    pub verdict: Verdict,
    /// What a reader should know about the verdict.
    pub reason: Option<String>,
    /// The fields that are not identical.
    pub differences: Vec<Difference>,
}

/// Number of checks by verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// The same bits.
    pub identical: usize,
    /// The same when printed.
    pub equal_as_printed: usize,
    /// Not the same.
    pub differs: usize,
    /// Nothing to compare with.
    pub cannot_be_checked: usize,
    /// Withheld on both sides.
    pub withheld: usize,
}

impl Totals {
    /// Entries that publish something: all but the withheld ones.
    #[must_use]
    pub fn published(&self) -> usize {
        self.agree() + self.differs + self.cannot_be_checked
    }

    /// Entries that agree, to the bit or as printed.
    #[must_use]
    pub fn agree(&self) -> usize {
        self.identical + self.equal_as_printed
    }

    fn of(checks: &[Check]) -> Self {
        let count = |verdict| checks.iter().filter(|c| c.verdict == verdict).count();
        Self {
            identical: count(Verdict::Identical),
            equal_as_printed: count(Verdict::EqualAsPrinted),
            differs: count(Verdict::Differs),
            cannot_be_checked: count(Verdict::CannotBeChecked),
            withheld: count(Verdict::Withheld),
        }
    }
}

/// Every check of a results file.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    /// Published numbers in file order, then `inputs.rows`, `signature` and unknown fields.
    pub checks: Vec<Check>,
    /// The digest, size and lines of each input file; these are not in the totals.
    pub files: Vec<Check>,
    /// Number of `checks` by verdict.
    pub totals: Totals,
}

impl Verification {
    /// True when every check agrees or is withheld and no input file differs.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.totals.agree() == self.totals.published()
            && self.files.iter().all(|file| file.verdict != Verdict::Differs)
    }
}

/// Compares a published results file with results computed anew from its records and plan.
///
/// With `None`, because there are no records, every check says that it cannot be made.
#[must_use]
pub fn verify(published: &Value, recomputed: Option<&Results>) -> Verification {
    // Results always have a JSON form; were there none, every check would say that it cannot be made.
    let recomputed = recomputed.map(|r| serde_json::to_value(r).unwrap_or_default());
    let recomputed: Recomputed<'_> = recomputed.as_ref();
    let mut checks = Vec::new();
    for list in LISTS {
        checks.extend(list_checks(list, published, recomputed));
    }
    checks.push(rows_check(published, recomputed));
    checks.push(signature_check(published, recomputed));
    checks.extend(rest_checks(published));
    let files = file_checks(published, recomputed);
    Verification { totals: Totals::of(&checks), checks, files }
}
