//! What page and worker say to each other. Pure types, packed with postcard, since both ends are one program; file
//! contents travel beside them as buffers and results as texts of their own.

mod problem;
mod report;

use std::collections::BTreeMap;

use records::{FileEntry, Results, Run, Versioned};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub use problem::Problem;
pub use report::{Computation, FileReport, Report};

use crate::{
    model::{
        calibration::RuleRow,
        evidence::{Attached, Grid, GridAsk, QuestionPage, Turned},
        files::Role,
        spread::{Spread, WidthRow},
    },
    url_state::{Edits, Settings},
};

/// One file that the page hands over; its bytes are the buffer at the same position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHead {
    /// Name without its folder.
    pub name: String,
    /// What it is.
    pub role: Role,
}

/// Files that the page hands over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Files {
    /// In the order of their buffers.
    pub heads: Vec<FileHead>,
    /// What the site's index says about them, by name; empty for files from elsewhere.
    pub expected: BTreeMap<String, FileEntry>,
}

/// What the page asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Echoed in every reply, so that replies can be told apart.
    pub job: u32,
    /// What is to be done.
    pub ask: Ask,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Read a run, recompute and compare; what was open before is forgotten.
    Open(Files),
    /// Take in the files that question pages are made from.
    Attach(Files),
    /// Compute again with the reader's own settings and changed records.
    Compute {
        /// The settings.
        settings: Settings,
        /// The changes.
        edits: Edits,
    },
    /// A part of the grid of questions.
    Grid(GridAsk),
    /// One question with everything that is known about it.
    Question {
        /// Its id.
        item_id: String,
    },
    /// The bootstrap distribution of a series' accuracy.
    Spread {
        /// The series.
        series: records::Series,
        /// With which settings.
        settings: Settings,
    },
    /// How wide the interval of accuracy is on fewer questions.
    Widths {
        /// The series.
        series: records::Series,
        /// With which settings.
        settings: Settings,
    },
    /// Which questions one series answers right and the other does not.
    Turned {
        /// The series.
        a: records::Series,
        /// What it is held against.
        b: records::Series,
    },
    /// Calibration errors under all bin rules.
    BinRules {
        /// With which settings.
        settings: Settings,
    },
    /// Compare the open run with another one on the questions that both have.
    Pair(Files),
    /// Draw some blocks of the task in the buffer, or of the one before where there is none: what one worker asks another.
    Draw {
        /// The first.
        start: usize,
        /// The one after the last.
        end: usize,
    },
}

/// What the worker answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The worker has started and takes requests.
    Hello,
    /// Where it is.
    Progress {
        /// Which request.
        job: u32,
        /// What it is doing, as a sentence without its full stop.
        step: String,
    },
    /// A large part of the answer that comes next, as a text beside this message: each is read in a task of its own.
    Part {
        /// Which part.
        part: PartName,
    },
    /// What can be said before it is done.
    SoFar {
        /// Which request.
        job: u32,
        /// What there is.
        answer: Answer,
    },
    /// It is done.
    Done {
        /// Which request.
        job: u32,
        /// What came out.
        answer: Answer,
    },
    /// It cannot go on.
    Failed {
        /// Which request; null when the worker itself broke.
        job: Option<u32>,
        /// Why.
        problem: Problem,
    },
}

/// What came out of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A run is open.
    Opened(Box<Report>),
    /// Numbers under other settings.
    Computed(Box<Computation>),
    /// Two runs compared, in the form of results over the rows of both.
    Paired(Box<Computation>),
    /// A [`Finding`], packed.
    Found(Vec<u8>),
    /// Blocks of a task that were drawn, packed.
    Drawn(Vec<u8>),
}

/// What no verdict is made of. It travels packed, so that only who asks for it carries the code that reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// Files were taken in.
    Attached(Box<Attached>),
    /// A part of the grid.
    Grid(Grid),
    /// A question.
    Question(Box<QuestionPage>),
    /// A distribution.
    Spread(Spread),
    /// Widths.
    Widths(Vec<WidthRow>),
    /// Questions turned.
    Turned(Turned),
    /// Calibration errors.
    BinRules(Vec<RuleRow>),
}

impl Finding {
    /// As an answer.
    #[must_use]
    pub fn packed(&self) -> Answer {
        Answer::Found(pack(self).unwrap_or_default())
    }

    /// The finding in an answer.
    ///
    /// # Errors
    /// The answer holds none, which would be a fault of this program.
    pub fn of(answer: &Answer) -> Result<Self, Problem> {
        let found = match answer {
            Answer::Found(bytes) => unpack(bytes),
            _ => None,
        };
        found.ok_or_else(|| Problem::new("the worker answered something else", "reload the page"))
    }
}

/// A request or reply as bytes; `None` never happens with the types of this module.
#[must_use]
pub fn pack<T: Serialize>(message: &T) -> Option<Vec<u8>> {
    postcard::to_allocvec(message).ok()
}

/// What [`pack`] has packed; `None` for anything else.
#[must_use]
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// A large part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartName {
    /// The publication.
    Published,
    /// What was computed.
    Computed,
    /// `run.json`.
    Run,
}

/// The large parts of an answer, as they come in.
#[derive(Debug, Default)]
pub struct Parts {
    published: Option<Results>,
    computed: Option<Results>,
    run: Option<Run>,
    problem: Option<Problem>,
}

impl Parts {
    /// Takes in the text of a part. One that cannot be read would be a fault of this program.
    pub fn take(&mut self, part: PartName, text: &str) {
        let read = match part {
            PartName::Published => read("the publication", text).map(|r| self.published = r),
            PartName::Computed => read("what was computed", text).map(|r| self.computed = r),
            PartName::Run => read("run.json", text).map(|r| self.run = r),
        };
        if let Err(problem) = read {
            self.problem = Some(problem);
        }
    }
}

impl Answer {
    /// The large parts that are there, as text.
    #[must_use]
    pub fn parts(&self) -> Vec<(PartName, String)> {
        let (published, computed, run) = match self {
            Self::Opened(r) => {
                (text(r.published.as_ref()), text(r.recomputed.as_ref()), text(r.run.as_ref()))
            }
            Self::Computed(c) | Self::Paired(c) => (None, text(c.results.as_ref()), None),
            _ => (None, None, None),
        };
        let all = [
            (PartName::Published, published),
            (PartName::Computed, computed),
            (PartName::Run, run),
        ];
        all.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
    }

    /// Takes the parts back in.
    ///
    /// # Errors
    /// One of them could not be read.
    pub fn attach(&mut self, parts: Parts) -> Result<(), Problem> {
        if let Some(problem) = parts.problem {
            return Err(problem);
        }
        match self {
            Self::Opened(report) => {
                (report.published, report.recomputed) = (parts.published, parts.computed);
                report.run = parts.run;
            }
            Self::Computed(c) | Self::Paired(c) => c.results = parts.computed,
            _ => {}
        }
        Ok(())
    }
}

/// By way of a JSON value, as elsewhere in the module: a second way of writing these types would be a second copy of
/// their code.
fn text<T: Serialize>(part: Option<&T>) -> Option<String> {
    part.and_then(|p| serde_json::to_value(p).ok()).map(|v| v.to_string())
}

fn read<T: DeserializeOwned + Versioned>(name: &str, text: &str) -> Result<Option<T>, Problem> {
    let parsed = records::parse_json::<T>(name, text.as_bytes())?;
    Ok(parsed.rows.into_iter().next())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::check::{Check, Difference, Verdict};

    fn report_with_a_difference() -> Report {
        let difference = Difference {
            path: "interval".into(),
            published: json!({ "lower": 0.1 + 0.2, "upper": null }),
            recomputed: json!([u64::MAX, -1, "\u{2028}"]),
        };
        let check = Check {
            id: "m/a/accuracy".into(),
            section: "figures".into(),
            verdict: Verdict::Differs,
            reason: None,
            differences: vec![difference],
        };
        Report { checks: vec![check], compute_ms: 0.1 + 0.2, ..Report::default() }
    }

    #[test]
    fn a_reply_survives_the_round_trip() {
        let replies = [
            Reply::Hello,
            Reply::Progress { job: 3, step: "reading".into() },
            Reply::Done { job: 3, answer: Answer::Opened(Box::new(report_with_a_difference())) },
            Reply::Failed { job: None, problem: Problem::new("a", "b").in_file("c") },
        ];
        for reply in replies {
            assert_eq!(unpack::<Reply>(&pack(&reply).unwrap()), Some(reply));
        }
    }

    #[test]
    fn the_large_parts_survive_to_the_bit() {
        let mut results = crate::model::example::results();
        results.figures[0].value = Some(0.1 + 0.2);
        let report = Report { recomputed: Some(results), ..Report::default() };
        let sent = Answer::Opened(Box::new(report));
        let mut parts = Parts::default();
        for (name, text) in sent.parts() {
            parts.take(name, &text);
        }
        let mut received = Answer::Opened(Box::default());
        received.attach(parts).unwrap();
        assert_eq!(received, sent);
    }

    #[test]
    fn a_part_that_cannot_be_read_is_said() {
        let mut parts = Parts::default();
        parts.take(PartName::Run, "{}");
        let problem = Answer::Opened(Box::default()).attach(parts).unwrap_err();
        assert_eq!(problem.file.as_deref(), Some("run.json"));
    }
}
