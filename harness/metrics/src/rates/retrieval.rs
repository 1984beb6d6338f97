//! Whether the documents that hold the answer were found.

use std::collections::BTreeSet;

use records::Better;

use super::{Context, Rate, one_if, served::SERVED};
use crate::series::Row;

/// The best rank, from 1, of any gold document among the retrieved ones.
fn best_rank(row: &Row<'_>) -> Option<usize> {
    let gold: BTreeSet<_> = row.record.gold_docs.iter().flatten().collect();
    let retrieved = row.record.retrieved.as_deref().unwrap_or_default();
    retrieved.iter().position(|doc| gold.contains(doc)).map(|at| at + 1)
}

fn hit_at<const K: usize>(row: &Row<'_>, _: &Context) -> f64 {
    one_if(best_rank(row).is_some_and(|rank| rank <= K))
}

fn reciprocal_rank_at<const K: usize>(row: &Row<'_>, _: &Context) -> f64 {
    best_rank(row).filter(|rank| *rank <= K).map_or(0.0, |rank| 1.0 / rank as f64)
}

fn not_rankable(row: &Row<'_>) -> Option<&'static str> {
    if row.record.retrieved.is_none() {
        Some("no_retrieval")
    } else if row.record.gold_docs.iter().flatten().next().is_none() {
        Some("no_gold_documents")
    } else {
        None
    }
}

const RANKED: Rate = Rate {
    better: Better::Higher,
    undefined: "no_gold_documents",
    denominator: |row, _| one_if(not_rankable(row).is_none()),
    excluded: not_rankable,
    ..SERVED
};

const fn hit<const K: usize>(metric: &'static str) -> Rate {
    Rate { metric, numerator: hit_at::<K>, ..RANKED }
}

const fn mrr<const K: usize>(metric: &'static str) -> Rate {
    Rate { metric, unit: "score", numerator: reciprocal_rank_at::<K>, ..RANKED }
}

pub(super) const RATES: [Rate; 8] = [
    hit::<1>("hit_at_1"),
    hit::<3>("hit_at_3"),
    hit::<5>("hit_at_5"),
    hit::<10>("hit_at_10"),
    mrr::<1>("mrr_at_1"),
    mrr::<3>("mrr_at_3"),
    mrr::<5>("mrr_at_5"),
    mrr::<10>("mrr_at_10"),
];
