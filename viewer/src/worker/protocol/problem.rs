use records::ReadError;
use serde::{Deserialize, Serialize};

/// Why something could not be read or computed, with the place and the remedy where they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Problem {
    /// Which file, when it is about one.
    pub file: Option<String>,
    /// Which line, from 1.
    pub line: Option<usize>,
    /// Path of the field.
    pub field: Option<String>,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Problem {
    /// A problem with a remedy.
    #[must_use]
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: Some(remedy.into()), ..Self::default() }
    }

    /// The same problem, in the file called `name`.
    #[must_use]
    pub fn in_file(mut self, name: impl Into<String>) -> Self {
        self.file = Some(name.into());
        self
    }

    /// Place and problem in one line, cut to a length that a page can show.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut place = Vec::new();
        if let Some(file) = &self.file {
            place.push(crate::format::cut(file, 80));
        }
        if let Some(line) = self.line {
            place.push(format!("line {line}"));
        }
        if let Some(field) = &self.field {
            place.push(format!("field {}", crate::format::cut(field, 80)));
        }
        let what = crate::format::cut(&self.what, 400);
        if place.is_empty() { what } else { format!("{}: {what}", place.join(", ")) }
    }
}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Self {
        Self {
            file: Some(error.file),
            line: Some(error.line),
            field: (!error.field.is_empty()).then_some(error.field),
            what: error.problem,
            remedy: Some(error.remedy),
        }
    }
}

#[cfg(target_arch = "wasm32")]
impl From<leptos::wasm_split::SplitLoaderError> for Problem {
    fn from(_: leptos::wasm_split::SplitLoaderError) -> Self {
        Self::new("a part of this page's program could not be fetched", "reload the page")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_its_place() {
        let problem = Problem {
            file: Some("records.jsonl".into()),
            line: Some(17),
            field: Some("confidence".into()),
            what: "is 7, outside 0 to 1".into(),
            remedy: None,
        };
        assert_eq!(
            problem.sentence(),
            "records.jsonl, line 17, field confidence: is 7, outside 0 to 1"
        );
    }
}
