//! Random words of consecutive replicates, side by side.

/// Words that a generator makes at a time.
pub const WORDS: usize = 16;

/// The words of block `counter` of ChaCha with 8 rounds in each of the streams that begin with `first`, word by word;
/// the key is `seed` as 8 little-endian bytes, then 24 zero bytes.
///
/// `rand_chacha` makes the words of one stream four blocks at a time and begins anew for the next replicate. Many streams
/// side by side waste nothing, and take a fraction of the time; tests hold them against that crate's words.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn words<const LANES: usize>(seed: u64, first: u64, counter: u64) -> [[u32; LANES]; WORDS] {
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
    let streams: [[u32; 2]; LANES] =
        std::array::from_fn(|lane| halves(first.wrapping_add(lane as u64)));
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
fn quarter<const LANES: usize>(state: &mut [[u32; LANES]; WORDS], at: [usize; 4]) {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::{
        ChaCha8Rng,
        rand_core::{Rng, SeedableRng},
    };

    use super::*;
    use crate::lanes::LANES;

    proptest! {
        #[test]
        fn words_are_those_of_a_generator_that_makes_one_stream(seed: u64, first: u64) {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&seed.to_le_bytes());
            let blocks: Vec<_> = (0..3).map(|counter| words::<LANES>(seed, first, counter)).collect();
            for lane in 0..LANES {
                let mut generator = ChaCha8Rng::from_seed(key);
                generator.set_stream(first.wrapping_add(lane as u64));
                for word in blocks.iter().flatten() {
                    prop_assert_eq!(word[lane], generator.next_u32());
                }
            }
        }
    }

    #[test]
    fn blocks_far_out_are_counted_in_64_bits() {
        let counter = (1 << 32) + 5;
        let mut generator = ChaCha8Rng::from_seed([0; 32]);
        generator.set_word_pos(u128::from(counter) * WORDS as u128);
        assert!(words::<1>(0, 0, counter).iter().all(|word| word[0] == generator.next_u32()));
    }
}
