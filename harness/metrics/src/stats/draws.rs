//! Which clusters each replicate of the bootstrap draws, and how often.

use std::{collections::BTreeMap, rc::Rc};

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// Replicates that are computed side by side.
pub(crate) const LANES: usize = 8;

/// For each cluster its multiplicity in `LANES` consecutive replicates, as numbers to multiply with.
pub(crate) type Block = [[f64; LANES]];

/// Multiplicities are kept for another pass while they take no more than this many cells (32 MB) over all cluster
/// counts; beyond it they are drawn anew for each pass, which gives the same ones.
const KEPT_CELLS: usize = 1 << 24;

/// How often each of `n_clusters` sorted clusters is drawn in replicate `replicate`.
///
/// ChaCha with 8 rounds, 64-bit counter from 0 and 64-bit stream `replicate`; the key is `seed` as 8 little-endian
/// bytes, then 24 zero bytes. It yields `n_clusters` words *w* of 32 bits; each draws cluster ⌊w · Q / 2³²⌋.
///
/// Range: 0 to `n_clusters` each, and their sum is `n_clusters`. Source: the resampling of clusters follows Field and
/// Welsh (2007), "Bootstrapping clustered data"; the generator is Bernstein's ChaCha.
#[must_use]
pub fn multiplicities(seed: u64, replicate: u64, n_clusters: u32) -> Vec<u32> {
    let mut drawn = vec![0; n_clusters as usize];
    each_draw(seed, replicate, n_clusters, |cluster| drawn[cluster] += 1);
    drawn
}

fn each_draw(seed: u64, replicate: u64, n_clusters: u32, mut each: impl FnMut(usize)) {
    let mut words = words(seed, replicate);
    for _ in 0..n_clusters {
        each(below(words.next_u32(), n_clusters as usize));
    }
}

fn words(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut words = ChaCha8Rng::from_seed(key);
    words.set_stream(stream);
    words
}

/// ⌊word · n / 2³²⌋.
fn below(word: u32, n: usize) -> usize {
    ((u64::from(word) * n as u64) >> 32) as usize
}

/// The numbers below `n` in a random order: with a word for each position in turn, position j changes places with
/// position j + ⌊word · (n − j) / 2³²⌋.
pub(crate) fn permutation(seed: u64, stream: u64, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut words = words(seed, stream);
    for j in 0..n {
        order.swap(j, j + below(words.next_u32(), n - j));
    }
    order
}

/// The draws for one number of clusters.
pub(crate) struct Draws {
    seed: u64,
    n_resamples: u32,
    n_clusters: u32,
    kept: Option<Vec<[u16; LANES]>>,
}

impl Draws {
    fn new(seed: u64, n_resamples: u32, n_clusters: u32, keep: bool) -> Self {
        let mut draws = Self { seed, n_resamples, n_clusters, kept: None };
        // A multiplicity is at most the number of clusters.
        if keep && n_clusters <= u32::from(u16::MAX) {
            let mut kept = Vec::new();
            draws.for_each_block(|block, _| kept.extend(block.iter().map(|c| c.map(|m| m as u16))));
            draws.kept = Some(kept);
        }
        draws
    }

    /// Calls `each` with consecutive blocks of replicates and the number of replicates in the block; only the last
    /// block can be short, and its lanes without a replicate are all zero.
    pub fn for_each_block(&self, mut each: impl FnMut(&Block, usize)) {
        let q = self.n_clusters as usize;
        let mut block = vec![[0.0; LANES]; q];
        let mut start = 0;
        while start < self.n_resamples {
            let lanes = LANES.min((self.n_resamples - start) as usize);
            if let Some(kept) = &self.kept {
                let offset = start as usize / LANES * q;
                for (cell, drawn) in block.iter_mut().zip(&kept[offset..offset + q]) {
                    *cell = drawn.map(f64::from);
                }
            } else {
                block.fill([0.0; LANES]);
                for (lane, replicate) in (u64::from(start)..).take(lanes).enumerate() {
                    each_draw(self.seed, replicate, self.n_clusters, |c| block[c][lane] += 1.0);
                }
            }
            each(&block, lanes);
            start += lanes as u32;
        }
    }
}

/// Draws by number of clusters, so that series and comparisons with equally many clusters share them.
pub(crate) struct DrawStore {
    seed: u64,
    n_resamples: u32,
    cells_left: usize,
    by_clusters: BTreeMap<u32, Rc<Draws>>,
}

impl DrawStore {
    pub fn new(seed: u64, n_resamples: u32) -> Self {
        Self { seed, n_resamples, cells_left: KEPT_CELLS, by_clusters: BTreeMap::new() }
    }

    pub fn get(&mut self, n_clusters: usize) -> Rc<Draws> {
        // Clusters are distinct rows of a log that was read into memory: their number is far below 2³².
        let n_clusters = u32::try_from(n_clusters).unwrap_or(u32::MAX);
        if let Some(draws) = self.by_clusters.get(&n_clusters) {
            return Rc::clone(draws);
        }
        let blocks = (self.n_resamples as usize).div_ceil(LANES);
        let cells = blocks.saturating_mul(LANES).saturating_mul(n_clusters as usize);
        let keep = cells <= self.cells_left;
        if keep {
            self.cells_left -= cells;
        }
        let draws = Rc::new(Draws::new(self.seed, self.n_resamples, n_clusters, keep));
        self.by_clusters.insert(n_clusters, Rc::clone(&draws));
        draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(draws: &Draws) -> Vec<(Vec<[f64; LANES]>, usize)> {
        let mut blocks = Vec::new();
        draws.for_each_block(|block, lanes| blocks.push((block.to_vec(), lanes)));
        blocks
    }

    #[test]
    fn kept_draws_and_draws_made_anew_are_the_multiplicities() {
        let (kept, anew) = (Draws::new(5, 21, 300, true), Draws::new(5, 21, 300, false));
        assert!(kept.kept.is_some() && anew.kept.is_none());
        let blocks = blocks(&kept);
        assert_eq!(blocks, self::blocks(&anew));
        assert_eq!(blocks.iter().map(|(_, lanes)| lanes).sum::<usize>(), 21);
        for (i, (block, lanes)) in blocks.iter().enumerate() {
            for lane in 0..*lanes {
                let drawn: Vec<_> = block.iter().map(|cell| cell[lane] as u32).collect();
                assert_eq!(drawn, multiplicities(5, (i * LANES + lane) as u64, 300));
            }
        }
    }

    #[test]
    fn a_store_keeps_no_more_than_its_share_of_memory() {
        let mut store = DrawStore::new(1, 10_000);
        assert!(store.get(1000).kept.is_some());
        let cells = KEPT_CELLS - store.cells_left;
        assert_eq!(cells, 1000 * 10_000);
        assert!(Rc::ptr_eq(&store.get(1000), &store.get(1000)));
        assert!(store.get(1001).kept.is_none(), "another ten million cells would be too many");
        assert!(store.get(50).kept.is_some());
    }
}
