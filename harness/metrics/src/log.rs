//! From the lines of a log to the rows that count.

use std::{collections::BTreeMap, fmt::Write};

use records::{Key, Kind, Record, RowCounts, Series, Status, Versioned};

use crate::{
    MetricsError,
    distinct::{distinct, sort},
    names::Names,
    scored::{Scored, actions, cited_and_known, conflicts, prediction, ranking},
};

/// The combinations of tags that rows have.
type TagSets = Vec<BTreeMap<String, String>>;

/// Takes the rows of a log one by one and keeps what figures need of the last one of each key.
///
/// Memory grows with the number of keys and of distinct names, tags and answers, not with the number of lines or the
/// length of what stands in them.
#[derive(Debug, Default)]
pub struct LogBuilder {
    dataset: Option<String>,
    written: u64,
    rows: Vec<Scored>,
    /// Where the row of each key stands in `rows`.
    by_key: BTreeMap<(u32, u32, u32, u32), usize>,
    models: Names,
    arms: Names,
    items: Names,
    clusters: Names,
    /// Targets, answers, sets and splits.
    words: Names,
    tag_sets: TagSets,
    /// The same as texts.
    tag_names: Names,
}

impl LogBuilder {
    /// Takes the next row.
    ///
    /// # Errors
    /// A row that the reader of `records.jsonl` would refuse, and one of another data set than the first.
    pub fn push(&mut self, record: &Record) -> Result<(), MetricsError> {
        self.written += 1;
        record.check().map_err(|problem| MetricsError::Record {
            number: self.written as usize,
            item_id: record.item_id.clone(),
            problem,
        })?;
        let first = self.dataset.get_or_insert_with(|| record.dataset_id.clone());
        if *first != record.dataset_id {
            return Err(MetricsError::MixedDatasets {
                first: first.clone(),
                second: record.dataset_id.clone(),
            });
        }
        let row = self.scored(record);
        let key = (row.model, row.arm, row.repeat, row.item);
        match self.by_key.get(&key) {
            Some(at) => self.rows[*at] = row,
            None => {
                self.by_key.insert(key, self.rows.len());
                self.rows.push(row);
            }
        }
        Ok(())
    }

    fn scored(&mut self, record: &Record) -> Scored {
        let mut word = |text: &Option<String>| text.as_ref().map(|text| self.words.number(text));
        Scored {
            answer: word(&record.answer),
            set: word(&record.set),
            split: word(&record.split),
            target: self.words.number(&record.target),
            model: self.models.number(&record.model),
            arm: self.arms.number(&record.arm),
            repeat: record.repeat,
            item: self.items.number(&record.item_id),
            cluster: self.clusters.number(&record.cluster_id),
            tags: self.tag_set(&record.tags),
            kind: record.kind,
            status: record.status,
            is_correct: record.correct == Some(true),
            schema_ok: record.schema_ok,
            repaired: record.repairs > 0,
            confidence: record.confidence,
            prediction: prediction(record),
            cited: record.sources.len() as u32,
            cited_and_known: cited_and_known(record) as u32,
            conflicts: conflicts(record),
            actions: actions(record),
            ranking: ranking(record),
            usage: record.usage,
            cost_usd: record.cost_usd,
            latency_ms: record.latency_ms,
        }
    }

    fn tag_set(&mut self, tags: &BTreeMap<String, String>) -> u32 {
        let mut text = String::new();
        for part in tags.iter().flat_map(|(key, value)| [key, value]) {
            // With its length before it each part ends where it ends, whatever it is made of. Text takes all of it.
            let _ = write!(text, "{}:{part}", part.len());
        }
        let number = self.tag_names.number(&text);
        if number as usize == self.tag_sets.len() {
            self.tag_sets.push(tags.clone());
        }
        number
    }

    /// The log of all rows that were taken.
    ///
    /// # Errors
    /// There was none.
    pub fn finish(self) -> Result<Log, MetricsError> {
        if self.written == 0 {
            return Err(MetricsError::NoRecords);
        }
        let (models, model) = self.models.in_order();
        let (arms, arm) = self.arms.in_order();
        let (items, item) = self.items.in_order();
        let (clusters, cluster) = self.clusters.in_order();
        let (words, word) = self.words.in_order();
        let mut rows = self.rows;
        for row in &mut rows {
            row.model = model[row.model as usize];
            row.arm = arm[row.arm as usize];
            row.item = item[row.item as usize];
            row.cluster = cluster[row.cluster as usize];
            row.target = word[row.target as usize];
            for text in [&mut row.answer, &mut row.set, &mut row.split].into_iter().flatten() {
                *text = word[*text as usize];
            }
        }
        let place = |row: &Scored| (row.model, row.arm, row.repeat, row.item);
        sort(&mut rows, &|a, b| place(a).cmp(&place(b)));
        let written = self.written;
        Ok(Log { rows, written, models, arms, items, clusters, words, tag_sets: self.tag_sets })
    }
}

/// The rows of a log that count: the last one of each key, in order of key.
#[derive(Debug)]
pub struct Log {
    pub(crate) rows: Vec<Scored>,
    written: u64,
    models: Vec<String>,
    arms: Vec<String>,
    items: Vec<String>,
    clusters: Vec<String>,
    words: Vec<String>,
    tag_sets: TagSets,
}

impl Log {
    /// The log of rows that are all there.
    ///
    /// # Errors
    /// As [`LogBuilder`], at the first row that it refuses.
    pub fn new(records: &[Record]) -> Result<Self, MetricsError> {
        let mut builder = LogBuilder::default();
        records.iter().try_for_each(|record| builder.push(record))?;
        builder.finish()
    }

    /// Model, arm, repeat and item of the rows, in order.
    pub fn keys(&self) -> impl Iterator<Item = Key<'_>> {
        self.rows.iter().map(|row| {
            let (model, arm) = (&self.models[row.model as usize], &self.arms[row.arm as usize]);
            (model.as_str(), arm.as_str(), row.repeat, self.items[row.item as usize].as_str())
        })
    }

    /// The arms that any row was run under, in order.
    #[must_use]
    pub fn arms(&self) -> &[String] {
        &self.arms
    }

    /// True when some row has a value in a field that a plan can slice by: `set`, `split`, `model` or `tags.NAME`.
    #[must_use]
    pub fn has_values(&self, field: &str) -> bool {
        self.rows.iter().any(|row| self.slice_value(row, field).is_some())
    }

    /// The series that a row belongs to.
    pub(crate) fn series(&self, row: &Scored) -> Series {
        Series {
            model: self.models[row.model as usize].clone(),
            arm: self.arms[row.arm as usize].clone(),
        }
    }

    /// The value of a field that a plan can slice by.
    pub(crate) fn slice_value(&self, row: &Scored, field: &str) -> Option<&str> {
        let word = |place: Option<u32>| place.map(|place| self.words[place as usize].as_str());
        match field {
            "set" => word(row.set),
            "split" => word(row.split),
            "model" => Some(&self.models[row.model as usize]),
            _ => {
                let tags = &self.tag_sets[row.tags as usize];
                tags.get(field.strip_prefix("tags.")?).map(String::as_str)
            }
        }
    }

    pub(crate) fn counts(&self) -> RowCounts {
        let mut by_status = BTreeMap::new();
        for status in Status::ALL {
            by_status.insert(status.as_str().to_owned(), 0);
        }
        for row in &self.rows {
            *by_status.entry(row.status.as_str().to_owned()).or_insert(0) += 1;
        }
        RowCounts {
            written: self.written,
            superseded: self.written - self.rows.len() as u64,
            scored: self.rows.iter().filter(|r| r.status.is_served()).count() as u64,
            by_status,
        }
    }

    /// Every value that rows have in a field that a plan can slice by, in order.
    pub(crate) fn values(&self, field: &str) -> Vec<&str> {
        distinct(self.rows.iter().filter_map(|row| self.slice_value(row, field)))
    }

    /// Checks that the rows of an item agree about it: they carry copies of its fields, and figures are meaningless
    /// when the copies differ. So they must on every field in `slices`, or parts of the data set would share the item.
    pub(crate) fn check_items(&self, slices: &[String]) -> Result<(), MetricsError> {
        let mut seen: Vec<Option<&Scored>> = vec![None; self.items.len()];
        for row in &self.rows {
            let place = &mut seen[row.item as usize];
            let Some(first) = *place else {
                *place = Some(row);
                continue;
            };
            let word = |place: u32| self.words[place as usize].as_str();
            let cluster = |row: &Scored| self.clusters[row.cluster as usize].as_str();
            let fields = [
                ("kind", kind_name(first.kind), kind_name(row.kind)),
                ("target", word(first.target), word(row.target)),
                ("cluster_id", cluster(first), cluster(row)),
            ];
            // Rows of one item are of several models, rightly.
            let copied = slices.iter().filter(|field| *field != "model").map(|field| {
                let value = |row| self.slice_value(row, field).unwrap_or_default();
                (field.as_str(), value(first), value(row))
            });
            if let Some((field, a, b)) = fields.into_iter().chain(copied).find(|(_, a, b)| a != b) {
                return Err(MetricsError::Contradiction {
                    item_id: self.items[row.item as usize].clone(),
                    field: field.to_owned(),
                    first: a.to_owned(),
                    second: b.to_owned(),
                });
            }
        }
        Ok(())
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Binary => "binary",
        Kind::Choice => "choice",
        Kind::Span => "span",
    }
}
