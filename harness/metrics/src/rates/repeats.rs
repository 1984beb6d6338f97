//! Whether repeats of one item agree.

use records::Better;

use super::{ClusterRatio, SeriesRate, one_if};
use crate::series::{Row, Served};

/// Items whose served repeats all gave the same answer, of the items with at least two. An abstention is an answer; a
/// row without a valid answer equals only itself.
pub(super) fn self_consistency(served: &Served<'_>) -> SeriesRate {
    let mut ratio = ClusterRatio {
        numerator: vec![0.0; served.clusters.len()],
        denominator: vec![0.0; served.clusters.len()],
    };
    for rows in served.by_item().into_iter().filter(|rows| rows.len() >= 2) {
        let cluster = rows[0].cluster;
        ratio.numerator[cluster] += one_if(all_same(&rows));
        ratio.denominator[cluster] += 1.0;
    }
    SeriesRate {
        metric: "self_consistency_rate",
        better: Better::Higher,
        unit: "rate",
        undefined: "no_repeats",
        excluded: Default::default(),
        ratio,
    }
}

fn all_same(rows: &[&Row<'_>]) -> bool {
    let answer = |row: &Row<'_>| row.scored.answer;
    rows.windows(2).all(|pair| answer(pair[0]).is_some() && answer(pair[0]) == answer(pair[1]))
}
