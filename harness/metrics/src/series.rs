//! The rows of one model in one arm, grouped by cluster.

use std::ops::Range;

use records::{Plan, Series, Status};

use crate::{
    distinct::{distinct, order, sort},
    log::Log,
    scored::Scored,
};

/// A served row and its cluster's position in the series.
pub(crate) struct Row<'a> {
    pub scored: &'a Scored,
    pub cluster: usize,
}

/// The served rows of a series, ordered by bytes of cluster_id, then repeat, then item_id: the order of every sum.
pub(crate) struct Served<'a> {
    pub rows: Vec<Row<'a>>,
    /// Where each cluster's rows stand in `rows`.
    pub clusters: Vec<Range<usize>>,
}

impl<'a> Served<'a> {
    pub fn new(rows: impl IntoIterator<Item = &'a Scored>) -> Self {
        let place = |r: &Scored| (r.cluster, r.repeat, r.item);
        let mut served: Vec<_> = rows.into_iter().filter(|r| r.status.is_served()).collect();
        sort(&mut served, &|a, b| place(a).cmp(&place(b)));
        let mut rows: Vec<Row<'a>> = Vec::with_capacity(served.len());
        let mut clusters: Vec<Range<usize>> = Vec::new();
        for scored in served {
            let same = rows.last().is_some_and(|r| r.scored.cluster == scored.cluster);
            match clusters.last_mut() {
                Some(cluster) if same => cluster.end += 1,
                _ => clusters.push(rows.len()..rows.len() + 1),
            }
            rows.push(Row { scored, cluster: clusters.len() - 1 });
        }
        Self { rows, clusters }
    }

    /// The rows of these items, which are in order.
    pub fn only(&self, items: &[u32]) -> Self {
        let one_of = |row: &&Scored| items.binary_search(&row.item).is_ok();
        Self::new(self.rows.iter().map(|r| r.scored).filter(one_of))
    }

    /// The items that the rows are about, in order.
    pub fn items(&self) -> Vec<u32> {
        distinct(self.rows.iter().map(|r| r.scored.item))
    }

    /// The rows of each item, in order of item_id and repeat.
    pub fn by_item(&self) -> Vec<Vec<&Row<'a>>> {
        let item = |at: usize| self.rows[at].scored.item;
        let order = order(self.rows.len(), &|a, b| item(a).cmp(&item(b)));
        let rows: Vec<&Row<'a>> = order.into_iter().map(|at| &self.rows[at]).collect();
        rows.chunk_by(|a, b| a.scored.item == b.scored.item).map(<[_]>::to_vec).collect()
    }

    /// For each item in order of item_id, whether more than half of its served repeats are correct.
    pub fn majority(&self) -> Vec<bool> {
        let right = |rows: &[&Row<'_>]| rows.iter().filter(|r| r.scored.is_correct).count();
        self.by_item().iter().map(|rows| 2 * right(rows) > rows.len()).collect()
    }

    /// One sum per cluster of `term` over its rows.
    pub fn sums(&self, term: impl Fn(&Row<'a>) -> f64) -> Vec<f64> {
        self.clusters
            .iter()
            .map(|range| self.rows[range.clone()].iter().fold(0.0, |sum, row| sum + term(row)))
            .collect()
    }
}

/// A series with all rows that count, served or not.
pub(crate) struct SeriesRows<'a> {
    pub series: Series,
    pub slice: Option<Slice>,
    pub attempted: u64,
    /// In the order of [`Status::ALL`].
    pub by_status: [u64; Status::ALL.len()],
    pub served: Served<'a>,
    pub n_items: u64,
}

impl SeriesRows<'_> {
    pub fn n_served(&self) -> u64 {
        self.served.rows.len() as u64
    }

    /// True when there are fewer distinct items than the plan asks for.
    pub fn is_below_floor(&self, plan: &Plan) -> bool {
        self.n_items < u64::from(plan.min_items)
    }

    pub fn count(&self, status: Status) -> u64 {
        let counts = Status::ALL.into_iter().zip(self.by_status);
        counts.filter(|(s, _)| *s == status).map(|(_, n)| n).sum()
    }
}

/// A part of the data set: the field that it is cut by, and the value of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slice {
    pub field: String,
    pub value: String,
}

/// Splits rows of a log that are in order of key into series, in order of (model, arm). `slice` says which part of the
/// data set the rows are; None for all of it.
pub(crate) fn split<'a>(
    log: &'a Log,
    rows: &[&'a Scored],
    slice: Option<&Slice>,
) -> Vec<SeriesRows<'a>> {
    rows.chunk_by(|a, b| (a.model, a.arm) == (b.model, b.arm))
        .map(|rows| {
            let count = |status| rows.iter().filter(|row| row.status == status).count() as u64;
            let by_status = Status::ALL.map(count);
            let served = Served::new(rows.iter().copied());
            let n_items = served.items().len() as u64;
            SeriesRows {
                series: log.series(rows[0]),
                slice: slice.cloned(),
                attempted: rows.len() as u64,
                by_status,
                served,
                n_items,
            }
        })
        .collect()
}
