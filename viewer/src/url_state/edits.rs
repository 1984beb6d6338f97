use records::Record;
use serde::{Deserialize, Serialize};

use super::escape::decode;
use crate::format;

/// Most changes that one address holds; more would not fit into it.
const MAX_EDITS: usize = 100;

/// Which row of a log is meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RowKey {
    /// The model.
    pub model: String,
    /// The arm.
    pub arm: String,
    /// The repeat, from 0.
    pub repeat: u32,
    /// The question.
    pub item_id: String,
}

impl RowKey {
    /// The key of `record`.
    #[must_use]
    pub fn of(record: &Record) -> Self {
        let (model, arm, repeat, item_id) = record.key();
        Self { model: model.into(), arm: arm.into(), repeat, item_id: item_id.into() }
    }

    fn text(&self) -> String {
        let part = metrics::encode;
        format!("{}/{}/{}/{}", part(&self.model), part(&self.arm), self.repeat, part(&self.item_id))
    }

    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<_> = text.split('/').collect();
        let [model, arm, repeat, item_id] = parts.as_slice() else { return None };
        Some(Self {
            model: decode(model),
            arm: decode(arm),
            repeat: repeat.parse().ok()?,
            item_id: decode(item_id),
        })
    }

    /// Model, arm, repeat and question for people; repeats are counted from 1.
    #[must_use]
    pub fn words(&self) -> String {
        format!(
            "{} · {} · repeat {} · {}",
            format::cut(&self.model, 40),
            format::cut(&self.arm, 30),
            u64::from(self.repeat) + 1,
            format::cut(&self.item_id, 40)
        )
    }
}

/// One change that a reader makes to the records.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Leave a row out.
    Drop(RowKey),
    /// Leave every row of a question out.
    DropItem(String),
    /// Count a right answer as wrong, or a wrong one as right.
    Flip(RowKey),
}

impl Edit {
    /// The change in words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Drop(row) => format!("left out: {}", row.words()),
            Self::DropItem(item) => format!("left out: every row of {}", format::cut(item, 60)),
            Self::Flip(row) => format!("answer turned round: {}", row.words()),
        }
    }
}

/// What a reader changes in the records to see which published numbers stop agreeing: each change once, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Edits(Vec<Edit>);

/// How many rows the changes met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Applied {
    /// Rows left out.
    pub dropped: u64,
    /// Answers turned round.
    pub flipped: u64,
    /// Changes that met no row, or a row whose answer cannot be turned round.
    pub idle: u64,
}

impl Edits {
    /// True when nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The changes in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.0.iter()
    }

    /// True when `edit` is among them.
    #[must_use]
    pub fn contains(&self, edit: &Edit) -> bool {
        self.place(edit).is_some()
    }

    fn place(&self, edit: &Edit) -> Option<usize> {
        self.0.binary_search(edit).ok()
    }

    fn insert(&mut self, edit: Edit) {
        if let Err(place) = self.0.binary_search(&edit)
            && self.0.len() < MAX_EDITS
        {
            self.0.insert(place, edit);
        }
    }

    /// Makes a change, or takes it back; beyond the hundredth none is made.
    pub fn toggle(&mut self, edit: Edit) {
        match self.place(&edit) {
            Some(place) => {
                self.0.remove(place);
            }
            None => self.insert(edit),
        }
    }

    /// Takes a parameter of an address; false when it is not one of these.
    pub(super) fn read(&mut self, key: &str, value: &str) -> bool {
        let row = RowKey::parse(value);
        let edit = match (key, row) {
            ("drop", Some(row)) => Some(Edit::Drop(row)),
            ("drop", None) if !value.contains('/') => Some(Edit::DropItem(decode(value))),
            ("flip", row) => row.map(Edit::Flip),
            _ => None,
        };
        if let Some(edit) = edit {
            self.insert(edit);
        }
        key == "drop" || key == "flip"
    }

    /// The parameters of an address.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.iter().map(|edit| match edit {
            Edit::Drop(row) => ("drop", row.text()),
            Edit::DropItem(item) => ("drop", metrics::encode(item)),
            Edit::Flip(row) => ("flip", row.text()),
        })
    }

    /// The records with the changes made, and what they met.
    #[must_use]
    pub fn applied(&self, records: &[Record]) -> (Vec<Record>, Applied) {
        let mut met = vec![false; self.0.len()];
        let mut applied = Applied::default();
        let mut kept = Vec::with_capacity(records.len());
        for record in records {
            let key = RowKey::of(record);
            let whole = self.place(&Edit::DropItem(record.item_id.clone()));
            if let Some(place) = whole.or_else(|| self.place(&Edit::Drop(key.clone()))) {
                met[place] = true;
                applied.dropped += 1;
                continue;
            }
            let mut record = record.clone();
            if let Some(place) = self.place(&Edit::Flip(key))
                && turn_round(&mut record)
            {
                met[place] = true;
                applied.flipped += 1;
            }
            kept.push(record);
        }
        applied.idle = met.into_iter().filter(|met| !met).count() as u64;
        (kept, applied)
    }
}

/// Turns an answered row's grade round, and with it the answer of a binary row, so that the row stays a valid one.
fn turn_round(record: &mut Record) -> bool {
    if record.status != records::Status::Answered {
        return false;
    }
    if record.kind == records::Kind::Binary {
        let other = if record.answer.as_deref() == Some("YES") { "NO" } else { "YES" };
        record.answer = Some(other.to_owned());
    }
    record.correct = record.correct.map(|c| !c);
    true
}

#[cfg(test)]
mod tests {
    use records::Versioned;

    use super::*;

    fn records() -> Vec<Record> {
        let line = |item: &str, status: &str, answer: &str, correct: &str| {
            format!(
                r#"{{"schema":"recount.record/1","run_id":"r","dataset_id":"d","model":"m/1","arm":"a0","repeat":0,"item_id":"{item}","cluster_id":"{item}","kind":"binary","target":"YES","status":"{status}","answer":{answer},"confidence":0.8,"correct":{correct},"schema_ok":true}}"#
            )
        };
        let log = [
            line("q1", "answered", "\"YES\"", "true"),
            line("q2", "answered", "\"NO\"", "false"),
            line("q3", "abstained", "\"UNRESOLVABLE\"", "false"),
        ];
        records::parse_jsonl("records.jsonl", log.join("\n").as_bytes()).unwrap().rows
    }

    fn key(item_id: &str) -> RowKey {
        RowKey { model: "m/1".into(), arm: "a0".into(), repeat: 0, item_id: item_id.into() }
    }

    #[test]
    fn a_turned_answer_is_still_a_valid_row() {
        let mut edits = Edits::default();
        edits.toggle(Edit::Flip(key("q1")));
        edits.toggle(Edit::Flip(key("q2")));
        let (rows, applied) = edits.applied(&records());
        assert_eq!((rows[0].correct, rows[0].answer.as_deref()), (Some(false), Some("NO")));
        assert_eq!((rows[1].correct, rows[1].answer.as_deref()), (Some(true), Some("YES")));
        assert!(rows.iter().all(|r| r.check().is_ok()));
        assert_eq!(applied, Applied { dropped: 0, flipped: 2, idle: 0 });
    }

    #[test]
    fn what_meets_nothing_is_counted() {
        let mut edits = Edits::default();
        edits.toggle(Edit::Flip(key("q3")));
        edits.toggle(Edit::Drop(key("q9")));
        edits.toggle(Edit::DropItem("q2".into()));
        let (rows, applied) = edits.applied(&records());
        assert_eq!(rows.len(), 2);
        assert_eq!(applied, Applied { dropped: 1, flipped: 0, idle: 2 });
    }

    #[test]
    fn a_change_made_twice_is_taken_back() {
        let mut edits = Edits::default();
        edits.toggle(Edit::DropItem("q1".into()));
        edits.toggle(Edit::DropItem("q1".into()));
        assert!(edits.is_empty());
    }
}
