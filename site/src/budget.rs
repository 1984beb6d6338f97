//! How much of the page a reader downloads before the first number is checked, and how much it may be.

use std::io::{self, Write};

use flate2::{Compression, write::GzEncoder};

use crate::page::{INDEX, Page};

/// Most bytes before the first verdict, gzipped, with which the site is built. About 298,000 are reached; the rest is room
/// for compilers that are a little worse.
pub const LIMIT: u64 = 310_000;

/// What the page's design aims at, in gzipped bytes.
pub const AIM: u64 = 300_000;

/// The page outgrew its budget.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a reader downloads {bytes} bytes gzipped before the first verdict, more than the {limit} of the page's budget; make it \
     smaller, or raise LIMIT in site/src/budget.rs and say so in README.md"
)]
pub struct OverBudget {
    bytes: u64,
    limit: u64,
}

/// How large a page is, in gzipped bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    /// What page and worker load before the first verdict, beside the data: styles, scripts and program.
    pub first: u64,
    /// What is loaded afterwards, or when a reader asks for it.
    pub later: u64,
}

/// Weighs a page.
///
/// # Errors
/// More than `limit` bytes come before the first verdict.
pub fn weigh(page: &Page, limit: u64) -> Result<Weight, OverBudget> {
    let mut weight = Weight { first: 0, later: 0 };
    // The first file that a browser loads holds the published table, which is data and can be of any size.
    for (path, bytes) in page.files.iter().filter(|(path, _)| *path != INDEX) {
        let sum = if page.first.contains(path) { &mut weight.first } else { &mut weight.later };
        *sum += gzipped(bytes);
    }
    if weight.first > limit {
        return Err(OverBudget { bytes: weight.first, limit });
    }
    Ok(weight)
}

fn gzipped(bytes: &[u8]) -> u64 {
    let mut encoder = GzEncoder::new(Counter(0), Compression::default());
    // Counting cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().map_or(u64::MAX, |counter| counter.0)
}

/// Counts what is written to it.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn a_page_over_its_budget_is_refused_with_its_size() {
        // Does not get smaller: each byte follows from the one before in a way that gzip does not see.
        let mut state = 1_u32;
        let mut noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        });
        let mut file = |path: &str, n| (path.to_owned(), noise.by_ref().take(n).collect());
        let page = Page {
            files: BTreeMap::from([
                file(INDEX, 50_000),
                file("first.wasm", 5000),
                file("later.wasm", 9000),
                ("first.js".to_owned(), vec![b'a'; 5000]),
            ]),
            first: BTreeSet::from([INDEX, "first.wasm", "first.js"].map(str::to_owned)),
        };
        let weight = weigh(&page, 6000).unwrap();
        assert!(weight.first > 5000 && weight.first < 6000, "{weight:?}");
        assert!(weight.later >= 9000 && weight.later < 10_000, "{weight:?}");
        let refused = weigh(&page, 4900).unwrap_err();
        assert_eq!(refused.bytes, weight.first);
    }
}
