//! The rows of one model in one arm, grouped by cluster.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use records::{Kind, Record, Series, Status};

/// A predicted probability and whether the event happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prediction {
    pub predicted: f64,
    pub happened: bool,
}

/// A served row and its cluster's position.
pub(crate) struct Row<'a> {
    pub record: &'a Record,
    pub cluster: usize,
    pub prediction: Option<Prediction>,
}

impl Row<'_> {
    pub fn is_correct(&self) -> bool {
        self.record.correct == Some(true)
    }
}

/// The served rows of a series, ordered by bytes of cluster_id, then repeat, then item_id: the order of every sum.
pub(crate) struct Served<'a> {
    pub rows: Vec<Row<'a>>,
    /// Where each cluster's rows stand in `rows`.
    pub clusters: Vec<Range<usize>>,
}

impl<'a> Served<'a> {
    pub fn new(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut records: Vec<_> = records.into_iter().filter(|r| r.status.is_served()).collect();
        records.sort_by(|a, b| order_of_sums(a).cmp(&order_of_sums(b)));
        let mut rows: Vec<Row<'a>> = Vec::with_capacity(records.len());
        let mut clusters: Vec<Range<usize>> = Vec::new();
        for record in records {
            let same = rows.last().is_some_and(|r| r.record.cluster_id == record.cluster_id);
            match clusters.last_mut() {
                Some(cluster) if same => cluster.end += 1,
                _ => clusters.push(rows.len()..rows.len() + 1),
            }
            rows.push(Row { record, cluster: clusters.len() - 1, prediction: prediction(record) });
        }
        Self { rows, clusters }
    }

    /// The rows of items for which `keep` holds.
    pub fn only(&self, items: &BTreeSet<&str>) -> Self {
        Self::new(self.rows.iter().map(|r| r.record).filter(|r| items.contains(r.item_id.as_str())))
    }

    pub fn item_ids(&self) -> BTreeSet<&'a str> {
        self.rows.iter().map(|r| r.record.item_id.as_str()).collect()
    }

    /// The rows of each item, in order of item_id.
    pub fn by_item(&self) -> BTreeMap<&'a str, Vec<&Row<'a>>> {
        let mut items: BTreeMap<&str, Vec<&Row<'a>>> = BTreeMap::new();
        for row in &self.rows {
            items.entry(&row.record.item_id).or_default().push(row);
        }
        items
    }

    /// For each item, whether more than half of its served repeats are correct.
    pub fn majority(&self) -> BTreeMap<&'a str, bool> {
        let right = |rows: &[&Row<'_>]| rows.iter().filter(|r| r.is_correct()).count();
        self.by_item().into_iter().map(|(id, rows)| (id, 2 * right(&rows) > rows.len())).collect()
    }

    /// One sum per cluster of `term` over its rows.
    pub fn sums(&self, term: impl Fn(&Row<'a>) -> f64) -> Vec<f64> {
        self.clusters
            .iter()
            .map(|range| self.rows[range.clone()].iter().fold(0.0, |sum, row| sum + term(row)))
            .collect()
    }
}

fn order_of_sums(r: &Record) -> (&[u8], u32, &[u8]) {
    (r.cluster_id.as_bytes(), r.repeat, r.item_id.as_bytes())
}

/// Binary: the probability of YES, and 0.5 for every served row without a valid answer. Choice and span: the stated
/// confidence in the answer. None where an answer states no confidence, or (choice, span) where there is no answer.
fn prediction(record: &Record) -> Option<Prediction> {
    let answered = record.status == Status::Answered;
    let (predicted, happened) = match record.kind {
        Kind::Binary => {
            let yes = record.target == "YES";
            match (answered, record.confidence) {
                (false, _) => (0.5, yes),
                (true, None) => return None,
                (true, Some(c)) if record.answer.as_deref() == Some("YES") => (c, yes),
                (true, Some(c)) => (1.0 - c, yes),
            }
        }
        Kind::Choice | Kind::Span if answered => (record.confidence?, record.correct == Some(true)),
        Kind::Choice | Kind::Span => return None,
    };
    // A confidence of -0 is 0: without this the two would be told apart when sorting.
    Some(Prediction { predicted: predicted + 0.0, happened })
}

/// A series with all rows that count, served or not.
pub(crate) struct SeriesRows<'a> {
    pub series: Series,
    pub slice: Option<Slice>,
    pub attempted: u64,
    pub by_status: BTreeMap<Status, u64>,
    pub served: Served<'a>,
    pub n_items: u64,
}

impl SeriesRows<'_> {
    pub fn n_served(&self) -> u64 {
        self.served.rows.len() as u64
    }

    pub fn count(&self, status: Status) -> u64 {
        self.by_status.get(&status).copied().unwrap_or(0)
    }
}

/// A part of the data set: the field that it is cut by, and the value of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slice {
    pub field: String,
    pub value: String,
}

/// Splits rows that are in order of key into series, in order of (model, arm). `slice` says which part of the data set
/// the rows are; None for all of it.
pub(crate) fn split<'a>(rows: &[&'a Record], slice: Option<&Slice>) -> Vec<SeriesRows<'a>> {
    rows.chunk_by(|a, b| (&a.model, &a.arm) == (&b.model, &b.arm))
        .map(|rows| {
            let mut by_status = BTreeMap::new();
            for row in rows {
                *by_status.entry(row.status).or_insert(0) += 1;
            }
            let served = Served::new(rows.iter().copied());
            let n_items = served.item_ids().len() as u64;
            let first = rows[0];
            SeriesRows {
                series: Series { model: first.model.clone(), arm: first.arm.clone() },
                slice: slice.cloned(),
                attempted: rows.len() as u64,
                by_status,
                served,
                n_items,
            }
        })
        .collect()
}
