//! Whether the documents that hold the answer were found.

use records::Better;

use super::{Context, Rate, one_if, served::SERVED};
use crate::{scored::Ranking, series::Row};

/// The best rank, from 1, of any gold document among the retrieved ones.
fn best_rank(row: &Row<'_>) -> Option<u32> {
    if let Ranking::Rank(rank) = row.scored.ranking { Some(rank) } else { None }
}

/// True for a row of an arm that retrieves.
pub(super) fn retrieves(row: &Row<'_>) -> bool {
    row.scored.ranking != Ranking::NotRetrieved
}

fn hit_at<const K: u32>(row: &Row<'_>, _: &Context) -> f64 {
    one_if(best_rank(row).is_some_and(|rank| rank <= K))
}

fn reciprocal_rank_at<const K: u32>(row: &Row<'_>, _: &Context) -> f64 {
    best_rank(row).filter(|rank| *rank <= K).map_or(0.0, |rank| 1.0 / f64::from(rank))
}

fn not_rankable(row: &Row<'_>) -> Option<&'static str> {
    match row.scored.ranking {
        Ranking::NotRetrieved => Some("no_retrieval"),
        Ranking::NoGoldDocuments => Some("no_gold_documents"),
        Ranking::NotFound | Ranking::Rank(_) => None,
    }
}

const RANKED: Rate = Rate {
    better: Better::Higher,
    undefined: "no_gold_documents",
    denominator: |row, _| one_if(not_rankable(row).is_none()),
    excluded: not_rankable,
    ..SERVED
};

const fn hit<const K: u32>(metric: &'static str) -> Rate {
    Rate { metric, numerator: hit_at::<K>, ..RANKED }
}

const fn mrr<const K: u32>(metric: &'static str) -> Rate {
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
