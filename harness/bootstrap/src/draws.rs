//! Which clusters each replicate of the bootstrap draws, and how often.

use std::{ops::Range, sync::Arc};

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::lanes::{Block, LANES};
use crate::streams;
use crate::width::{Kernel, at_full_width};
use crate::workers::{OneThread, Workers, gather};

/// Multiplicities are kept for another pass while they take no more than this many cells (16 MB) over all cluster
/// counts; beyond it they are drawn anew for each pass, which gives the same ones.
pub const KEPT_CELLS: usize = 1 << 24;

/// Parts that each worker gets of a pass, so that one that is slow does not keep the others waiting.
const PARTS_EACH: usize = 4;

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
    let mut words = stream(seed, replicate);
    for _ in 0..n_clusters {
        drawn[below(words.next_u32(), n_clusters as usize)] += 1;
    }
    drawn
}

/// The words of one stream; those of many side by side are made in [`streams`].
fn stream(seed: u64, stream: u64) -> ChaCha8Rng {
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
pub fn permutation(seed: u64, stream: u64, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut words = self::stream(seed, stream);
    for j in 0..n {
        order.swap(j, j + below(words.next_u32(), n - j));
    }
    order
}

/// The draws for one number of clusters.
pub struct Draws {
    seed: u64,
    n_resamples: u32,
    n_clusters: u32,
    /// Every block in order, unless that takes too much memory.
    kept: Option<Vec<[u8; LANES]>>,
}

impl Draws {
    fn new(
        seed: u64,
        n_resamples: u32,
        n_clusters: u32,
        workers: &dyn Workers,
        keep: bool,
    ) -> Self {
        let mut draws = Self { seed, n_resamples, n_clusters, kept: None };
        if keep {
            let mut parts = draws.in_parts(workers, |part| {
                let mut blocks = Vec::with_capacity(part.len() * n_clusters as usize);
                draws.for_each_block(part, |block, _| blocks.extend_from_slice(block));
                blocks
            });
            draws.kept = Some(if parts.len() == 1 { parts.remove(0) } else { parts.concat() });
        }
        draws
    }

    /// The draws for `n_clusters`, none of them kept.
    pub fn anew(seed: u64, n_resamples: u32, n_clusters: u32) -> Self {
        Self::new(seed, n_resamples, n_clusters, &OneThread, false)
    }

    pub fn n_blocks(&self) -> usize {
        (self.n_resamples as usize).div_ceil(LANES)
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    pub fn n_resamples(&self) -> u32 {
        self.n_resamples
    }

    pub fn n_clusters(&self) -> u32 {
        self.n_clusters
    }

    /// Clusters drawn in all replicates together.
    pub fn n_draws(&self) -> u64 {
        u64::from(self.n_resamples) * u64::from(self.n_clusters)
    }

    /// What `part` returns for consecutive ranges of blocks that together are all of them, in order.
    pub fn in_parts<T: Send + Sync>(
        &self,
        workers: &dyn Workers,
        part: impl Fn(Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        let width = workers.width().max(1);
        let n_parts = if width == 1 { 1 } else { (PARTS_EACH * width).min(self.n_blocks()) };
        let start = |i: usize| i * self.n_blocks() / n_parts;
        gather(workers, n_parts, |i| part(start(i)..start(i + 1)))
    }

    /// Calls `each` with these blocks of replicates and the number of replicates in each; only the last block of all
    /// can be short, and its lanes without a replicate are all zero.
    pub fn for_each_block(&self, blocks: Range<usize>, mut each: impl FnMut(&Block, usize)) {
        let q = self.n_clusters as usize;
        let mut drawn = Vec::new();
        for at in blocks {
            let start = at * LANES;
            let lanes = LANES.min(self.n_resamples as usize - start);
            if let Some(kept) = &self.kept {
                each(&kept[at * q..(at + 1) * q], lanes);
                continue;
            }
            drawn.clear();
            drawn.resize(q, [0_u8; LANES]);
            let (seed, first) = (self.seed, start as u64);
            at_full_width(Drawing { seed, first, lanes, drawn: &mut drawn });
            each(&drawn, lanes);
        }
    }
}

/// A block being drawn: the first replicate of it, the number of replicates, and room that is all zero.
struct Drawing<'a> {
    seed: u64,
    first: u64,
    lanes: usize,
    drawn: &'a mut [[u8; LANES]],
}

impl Kernel for Drawing<'_> {
    #[inline(always)]
    fn run(self) {
        let n_clusters = self.drawn.len();
        for (counter, start) in (0..n_clusters).step_by(streams::WORDS).enumerate() {
            let words = streams::words::<LANES>(self.seed, self.first, counter as u64);
            for words in &words[..streams::WORDS.min(n_clusters - start)] {
                let mut clusters = [0; LANES];
                for (cluster, word) in clusters.iter_mut().zip(words) {
                    *cluster = below(*word, n_clusters);
                }
                for (lane, cluster) in clusters.into_iter().enumerate() {
                    // Only more than 255 clusters could overflow it, and one of Q clusters taking 256 of Q draws has a
                    // chance below 1/256!, which is less than 10 to the minus 500.
                    let times = &mut self.drawn[cluster][lane];
                    *times = times.saturating_add(1);
                }
            }
        }
        if self.lanes < LANES {
            self.drawn.iter_mut().for_each(|row| row[self.lanes..].fill(0));
        }
    }
}

/// Draws by number of clusters, so that series and comparisons with equally many clusters share them.
pub struct DrawStore<'w> {
    seed: u64,
    n_resamples: u32,
    workers: &'w dyn Workers,
    cells_left: usize,
    /// Few: a run seldom has more than a handful of numbers of clusters.
    by_clusters: Vec<(u32, Arc<Draws>)>,
}

impl<'w> DrawStore<'w> {
    /// None yet; multiplicities are kept as far as they take no more than `kept` cells.
    pub fn new(seed: u64, n_resamples: u32, workers: &'w dyn Workers, kept: usize) -> Self {
        Self { seed, n_resamples, workers, cells_left: kept, by_clusters: Vec::new() }
    }

    pub fn n_resamples(&self) -> u32 {
        self.n_resamples
    }

    pub fn get(&mut self, n_clusters: usize) -> Arc<Draws> {
        // Clusters are distinct rows of a log that was read into memory: their number is far below 2³².
        let n_clusters = u32::try_from(n_clusters).unwrap_or(u32::MAX);
        if let Some((_, draws)) = self.by_clusters.iter().find(|(n, _)| *n == n_clusters) {
            return Arc::clone(draws);
        }
        let blocks = (self.n_resamples as usize).div_ceil(LANES);
        let cells = blocks.saturating_mul(LANES).saturating_mul(n_clusters as usize);
        let keep = cells <= self.cells_left;
        if keep {
            self.cells_left -= cells;
        }
        let draws = Draws::new(self.seed, self.n_resamples, n_clusters, self.workers, keep);
        let draws = Arc::new(draws);
        self.by_clusters.push((n_clusters, Arc::clone(&draws)));
        draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(draws: &Draws) -> Vec<(Vec<[u8; LANES]>, usize)> {
        let mut blocks = Vec::new();
        draws.for_each_block(0..draws.n_blocks(), |b, lanes| blocks.push((b.to_vec(), lanes)));
        blocks
    }

    /// Runs jobs backwards and leaves one out.
    struct Careless;

    impl Workers for Careless {
        fn width(&self) -> usize {
            3
        }

        fn run(&self, n_jobs: usize, job: &(dyn Fn(usize) + Sync)) {
            (1..n_jobs).rev().for_each(job);
            job(n_jobs);
        }
    }

    #[test]
    fn kept_draws_and_draws_made_anew_are_the_multiplicities() {
        let kept = Draws::new(5, 21, 300, &OneThread, true);
        let anew = Draws::new(5, 21, 300, &OneThread, false);
        assert!(kept.kept.is_some() && anew.kept.is_none());
        assert_eq!(blocks(&kept), blocks(&Draws::new(5, 21, 300, &Careless, true)));
        let blocks = blocks(&kept);
        assert_eq!(blocks, self::blocks(&anew));
        assert_eq!(blocks.iter().map(|(_, lanes)| lanes).sum::<usize>(), 21);
        for (i, (block, lanes)) in blocks.iter().enumerate() {
            for lane in 0..*lanes {
                let drawn: Vec<_> = block.iter().map(|cell| u32::from(cell[lane])).collect();
                assert_eq!(drawn, multiplicities(5, (i * LANES + lane) as u64, 300));
            }
            assert!(block.iter().all(|cell| cell[*lanes..].iter().all(|times| *times == 0)));
        }
    }

    #[test]
    fn draws_say_what_they_are() {
        let draws = Draws::anew(5, 21, 300);
        assert_eq!((draws.seed(), draws.n_resamples(), draws.n_clusters()), (5, 21, 300));
        assert_eq!((draws.n_blocks(), draws.n_draws()), (2, 6300));
        assert_eq!(DrawStore::new(5, 21, &OneThread, 0).n_resamples(), 21);
    }

    #[test]
    fn an_order_takes_a_word_for_each_position() {
        let mut words = stream(3, 8);
        let words: Vec<u32> = (0..40).map(|_| words.next_u32()).collect();
        // The definition the other way: what is left moves up, but for the first of it, which takes the place of what
        // was chosen.
        let (mut left, mut expected): (Vec<usize>, Vec<usize>) = ((0..40).collect(), Vec::new());
        for word in words {
            let at = (u64::from(word) * left.len() as u64 / (1 << 32)) as usize;
            expected.push(left[at]);
            left[at] = left[0];
            left.remove(0);
        }
        assert_eq!(permutation(3, 8, 40), expected);
        assert!(permutation(3, 8, 0).is_empty());
    }

    #[test]
    fn workers_get_several_parts_each_and_one_gets_all() {
        let n_parts = |n_resamples, workers: &dyn Workers| {
            Draws::anew(5, n_resamples, 3).in_parts(workers, |part| part.len()).len()
        };
        assert_eq!((n_parts(1000, &OneThread), n_parts(1000, &Careless)), (1, 12));
        assert_eq!((n_parts(50, &OneThread), n_parts(50, &Careless)), (1, 4));
    }

    #[test]
    fn parts_are_all_blocks_in_order() {
        for (n_resamples, workers) in
            [(1, &OneThread as &dyn Workers), (1, &Careless), (50, &Careless), (1000, &Careless)]
        {
            let draws = Draws::new(5, n_resamples, 3, workers, false);
            let all: Vec<usize> = draws.in_parts(workers, |part| part.collect::<Vec<_>>()).concat();
            assert_eq!(all, (0..draws.n_blocks()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_store_keeps_no_more_than_its_share_of_memory() {
        let mut store = DrawStore::new(1, 10_000, &OneThread, KEPT_CELLS);
        assert!(store.get(1000).kept.is_some());
        let cells = KEPT_CELLS - store.cells_left;
        assert_eq!(cells, 1000 * 10_000);
        assert!(Arc::ptr_eq(&store.get(1000), &store.get(1000)));
        assert!(store.get(1001).kept.is_none(), "another ten million cells would be too many");
        assert!(store.get(50).kept.is_some());
    }
}
