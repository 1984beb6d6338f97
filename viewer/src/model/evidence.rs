//! Questions with what was shown, asked, answered and graded: what the worker finds out and the page shows.

use serde::{Deserialize, Serialize};

use crate::{
    url_state::RowKey,
    worker::protocol::{FileReport, Problem},
};

/// What a data set says about itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DataSet {
    /// Its name.
    pub dataset_id: String,
    /// A line for people.
    pub title: String,
    /// Were its questions and documents made up?
    pub constructed: bool,
    /// Has a person gone through every question?
    pub reviewed: bool,
    /// The line that identifies it.
    pub signature: String,
    /// When it was frozen.
    pub created_at: String,
    /// Under which licence.
    pub licence: String,
    /// Who or what wrote it.
    pub generator: String,
    /// How many candidates were left after each stage.
    pub funnel: Vec<(String, u64)>,
    /// For each pool that it was drawn from, candidates that settled YES and candidates.
    pub base_rates: Vec<(String, u64, u64)>,
    /// Questions by property.
    pub counts: Vec<(String, u64)>,
}

/// What came of taking in the files that question pages are made from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Attached {
    /// The files and whether their digests are those that others name.
    pub files: Vec<FileReport>,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// The data set, when its manifest is there.
    pub data_set: Option<DataSet>,
    /// Is its signature the one that the run names? Null when one of the two is not there.
    pub signature_fits: Option<bool>,
    /// Does its signature end in the digest of its files? Null without a manifest.
    pub signature_holds: Option<bool>,
    /// Questions read.
    pub n_items: u64,
    /// Documents read.
    pub n_documents: u64,
    /// Completions read.
    pub n_responses: u64,
}

/// Which rows of the grid are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// Every question.
    #[default]
    All,
    /// Those that some row answers wrongly.
    Wrong,
    /// Those that some series answer right and others do not.
    Disputed,
    /// Those with a row that is no valid answer.
    Failed,
    /// Those whose documents are labelled as conflicting.
    Conflicting,
}

impl Show {
    /// Every choice, its word in addresses, and its words in the page.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::All, "", "every question"),
        (Self::Wrong, "wrong", "with a wrong answer"),
        (Self::Disputed, "disputed", "right in some series only"),
        (Self::Failed, "failed", "with a row that is no valid answer"),
        (Self::Conflicting, "conflicting", "with conflicting documents"),
    ];

    /// The choice of an address; any other word is every question.
    #[must_use]
    pub fn of(word: &str) -> Self {
        Self::ALL.iter().find(|(_, w, _)| *w == word).map_or(Self::All, |(show, ..)| *show)
    }
}

/// Which part of the grid is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GridAsk {
    /// Words that must all occur in the question, its documents or its completions.
    pub find: String,
    /// Which rows.
    pub show: Show,
    /// Model and arm, when only one series is asked about.
    pub series: Option<records::Series>,
    /// Questions before the first one that is returned.
    pub offset: usize,
}

/// How one row of the log came out, as one letter: `y` right, `n` wrong, `a` abstained, `f` no valid answer, `r`
/// refused, `u` not served, `h` fault of the harness.
pub type Mark = char;

/// The sign and the words of a mark.
#[must_use]
pub fn mark_words(mark: Mark) -> (&'static str, &'static str) {
    match mark {
        'y' => ("✓", "right"),
        'n' => ("✗", "wrong"),
        'a' => ("○", "abstained"),
        'f' => ("!", "no valid answer"),
        'r' => ("⊘", "refused"),
        'u' => ("…", "not served"),
        'h' => ("#", "fault of the harness"),
        _ => ("?", "unknown"),
    }
}

/// One question of the grid.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GridRow {
    /// Its id.
    pub item_id: String,
    /// The question, when the data set is there.
    pub question: String,
    /// What is right.
    pub target: String,
    /// One mark a repeat, one text a series; empty where there is no row.
    pub marks: Vec<String>,
}

/// A part of the grid.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Grid {
    /// The columns.
    pub series: Vec<records::Series>,
    /// Series that are left out for length.
    pub hidden_series: u64,
    /// The rows.
    pub rows: Vec<GridRow>,
    /// Questions that fit what was asked.
    pub matching: u64,
    /// Questions in all.
    pub all: u64,
    /// Questions before the first row.
    pub offset: u64,
    /// False when only ids were searched, because no texts are there.
    pub searched_texts: bool,
}

/// Questions that one series answers right, by majority of its repeats, and the other does not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Turned {
    /// Right in the first only.
    pub right: Vec<String>,
    /// Right in the second only.
    pub wrong: Vec<String>,
    /// Questions that both served.
    pub common: u64,
}

/// What became of following one link of the chain from document to number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// Made again in the page, and the same.
    Holds,
    /// Made again in the page, and not the same.
    Breaks,
    /// Something is not there.
    Unknown,
}

/// One link of the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// What is linked to what.
    pub what: String,
    /// What became of it.
    pub state: LinkState,
    /// What was compared, or why it could not be.
    pub why: String,
}

impl Link {
    /// A link that could not be followed.
    #[must_use]
    pub fn unknown(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), state: LinkState::Unknown, why: why.into() }
    }

    /// A link that holds when `same`.
    #[must_use]
    pub fn compared(what: impl Into<String>, same: bool, why: impl Into<String>) -> Self {
        let state = if same { LinkState::Holds } else { LinkState::Breaks };
        Self { what: what.into(), state, why: why.into() }
    }
}

/// A document as it stands beside a question.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ShownDocument {
    /// Its id.
    pub doc_id: String,
    /// Its title.
    pub title: String,
    /// Its date.
    pub as_of: String,
    /// Who published it.
    pub publisher: String,
    /// Its licence, whom to name, and where it was taken from.
    pub terms: String,
    /// Its text; empty when the file of documents is not there.
    pub text: String,
    /// What it is there for.
    pub role: String,
    /// Is it labelled as holding the answer?
    pub gold: bool,
    /// Documents that it is labelled to conflict with.
    pub conflicts_with: Vec<String>,
}

/// One row of the log with what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowPage {
    /// Which row.
    pub key: RowKey,
    /// Its mark.
    pub mark: Mark,
    /// What the log says, name and value.
    pub facts: Vec<(String, String)>,
    /// The prompt, made again; null when something for it is not there.
    pub prompt: Option<String>,
    /// The raw completion, when it is there.
    pub completion: Option<String>,
    /// The chain.
    pub links: Vec<Link>,
    /// True when a later row of the same key counts instead.
    pub superseded: bool,
    /// Can a reader turn its answer round?
    pub can_flip: bool,
}

/// Everything that is known about a question.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct QuestionPage {
    /// Its id.
    pub item_id: String,
    /// The question; empty when the data set is not there.
    pub question: String,
    /// How it is settled.
    pub criteria: String,
    /// What is right.
    pub target: String,
    /// Its other properties, name and value.
    pub facts: Vec<(String, String)>,
    /// The documents in prompt order.
    pub documents: Vec<ShownDocument>,
    /// The links that all its rows share.
    pub links: Vec<Link>,
    /// Its rows.
    pub rows: Vec<RowPage>,
    /// Rows that are left out for length.
    pub hidden_rows: u64,
    /// The question before it in the grid.
    pub previous: Option<String>,
    /// The one after it.
    pub next: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_rows_has_an_address_of_its_own() {
        for (show, word, _) in Show::ALL {
            assert_eq!(Show::of(word), show);
        }
        assert_eq!(Show::of("moon"), Show::All);
    }

    #[test]
    fn no_two_marks_share_a_sign() {
        let mut signs: Vec<_> = "ynafruh?".chars().map(|m| mark_words(m).0).collect();
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), 8);
    }
}
