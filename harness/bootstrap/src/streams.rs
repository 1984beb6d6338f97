//! Random words of consecutive replicates, side by side.

use crate::lanes::LANES;

/// Words that a generator makes at a time.
pub const WORDS: usize = 16;

/// One word of each replicate of a block.
pub type Words = [u32; LANES];

/// The words of block `counter` of ChaCha with 8 rounds in each of the streams that begin with `first`, word by word;
/// the key is `seed` as 8 little-endian bytes, then 24 zero bytes.
///
/// A generator of one stream makes its words four blocks at a time and begins anew for the next replicate. Sixteen
/// streams side by side waste nothing, and take a fraction of the time.
#[inline(always)]
pub fn words(seed: u64, first: u64, counter: u64) -> [Words; WORDS] {
    let halves = |of: u64| [of as u32, (of >> 32) as u32];
    let mut start = [[0; LANES]; WORDS];
    // "expand 32-byte k"
    for (at, constant) in
        [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574].into_iter().enumerate()
    {
        start[at] = [constant; LANES];
    }
    for (half, part) in halves(seed).into_iter().enumerate() {
        start[4 + half] = [part; LANES];
    }
    for (half, part) in halves(counter).into_iter().enumerate() {
        start[12 + half] = [part; LANES];
    }
    let streams = std::array::from_fn(|lane| halves(first + lane as u64));
    for half in 0..2 {
        start[14 + half] = streams.map(|stream| stream[half]);
    }
    let mut state = start;
    for _ in 0..4 {
        quarter(&mut state, [0, 4, 8, 12]);
        quarter(&mut state, [1, 5, 9, 13]);
        quarter(&mut state, [2, 6, 10, 14]);
        quarter(&mut state, [3, 7, 11, 15]);
        quarter(&mut state, [0, 5, 10, 15]);
        quarter(&mut state, [1, 6, 11, 12]);
        quarter(&mut state, [2, 7, 8, 13]);
        quarter(&mut state, [3, 4, 9, 14]);
    }
    for (words, start) in state.iter_mut().zip(&start) {
        for lane in 0..LANES {
            words[lane] = words[lane].wrapping_add(start[lane]);
        }
    }
    state
}

/// A quarter of a round.
#[inline(always)]
fn quarter(state: &mut [Words; WORDS], at: [usize; 4]) {
    let [mut a, mut b, mut c, mut d] = at.map(|at| state[at]);
    for lane in 0..LANES {
        let turn = |sum: &mut u32, by: u32, turned: &mut u32, bits: u32| {
            *sum = sum.wrapping_add(by);
            *turned = (*turned ^ *sum).rotate_left(bits);
        };
        turn(&mut a[lane], b[lane], &mut d[lane], 16);
        turn(&mut c[lane], d[lane], &mut b[lane], 12);
        turn(&mut a[lane], b[lane], &mut d[lane], 8);
        turn(&mut c[lane], d[lane], &mut b[lane], 7);
    }
    for (at, words) in at.into_iter().zip([a, b, c, d]) {
        state[at] = words;
    }
}
