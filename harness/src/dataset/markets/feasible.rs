//! Whether places can be filled at all: exactly, and without trying the fillings one by one.

use std::array::from_fn;

/// Kinds of candidates within a domain: three difficulties that settled YES, then three that settled NO.
pub(super) const KINDS: usize = 6;
const ALL: usize = 7;

/// Candidates of one domain that can still be taken, by kind, and how many more the domain may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Domain {
    pub free: [usize; KINDS],
    pub room: usize,
}

/// True when `yes` and `no` candidates can be taken, at least `least` of each difficulty, and no more of a domain than it
/// has room for.
///
/// How many of each kind the domains admit is a polymatroid: the numbers n fit if and only if, for every set S of kinds,
/// the sum of n over S is at most the sum over the domains of min(room, free of S). So each split of YES by difficulty is
/// tried, and what it leaves for NO is again a polymatroid, in which the minima and the total are checked set by set.
pub(super) fn can_fill(domains: &[Domain], yes: usize, no: usize, least: [usize; 3]) -> bool {
    let most: [usize; 1 << KINDS] = from_fn(|set| {
        let of = |d: &Domain| sum(&d.free, set).min(d.room);
        domains.iter().map(of).sum()
    });
    let fits = |of_yes: [usize; 3]| {
        // What is left for the kinds of NO in a set, once YES is split like this; None when YES does not fit.
        let left = |set: usize| {
            let of = |taken: usize| most[set << 3 | taken].checked_sub(sum(&of_yes, taken));
            (0..=ALL).map(of).try_fold(usize::MAX, |least, of| Some(least.min(of?)))
        };
        let need: [usize; 3] = from_fn(|d| least[d].saturating_sub(of_yes[d]));
        sum(&need, ALL) <= no
            && left(ALL).is_some_and(|left| left >= no)
            && (0..=ALL).all(|set| left(set).is_some_and(|left| left >= sum(&need, set)))
    };
    (0..=yes).any(|hard| (0..=yes - hard).any(|medium| fits([hard, medium, yes - hard - medium])))
}

/// The sum of the numbers whose bits are in `set`.
fn sum(numbers: &[usize], set: usize) -> usize {
    numbers.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1).map(|(_, n)| n).sum()
}

#[cfg(test)]
mod tests {
    use rand_chacha::{
        ChaCha8Rng,
        rand_core::{Rng, SeedableRng},
    };

    use super::*;

    /// By the definition: every number of every kind from every domain.
    fn tried(domains: &[Domain], yes: usize, no: usize, least: [usize; 3]) -> bool {
        fn go(
            domains: &[Domain],
            kind: usize,
            room: usize,
            taken: [usize; KINDS],
            asked: &(usize, usize, [usize; 3]),
        ) -> bool {
            let Some(domain) = domains.first() else {
                let of = |d: usize| taken[d] + taken[d + 3] >= asked.2[d];
                return sum(&taken, 0b111) == asked.0
                    && sum(&taken, 0b111_000) == asked.1
                    && (0..3).all(of);
            };
            if kind == KINDS {
                let next = domains.get(1).map_or(0, |d| d.room);
                return go(&domains[1..], 0, next, taken, asked);
            }
            (0..=domain.free[kind].min(room)).any(|n| {
                let mut taken = taken;
                taken[kind] += n;
                go(domains, kind + 1, room - n, taken, asked)
            })
        }
        go(domains, 0, domains.first().map_or(0, |d| d.room), [0; KINDS], &(yes, no, least))
    }

    #[test]
    fn the_answer_is_that_of_trying_everything() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let mut below = move |n: usize| rng.next_u32() as usize % n;
        let mut seen = [0, 0];
        for _ in 0..1500 {
            let domains: Vec<Domain> = (0..1 + below(2))
                .map(|_| Domain { free: from_fn(|_| below(3)), room: below(5) })
                .collect();
            let (yes, no) = (below(4), below(4));
            let least = from_fn(|_| below(3));
            let expected = tried(&domains, yes, no, least);
            assert_eq!(
                can_fill(&domains, yes, no, least),
                expected,
                "{domains:?} {yes} {no} {least:?}"
            );
            seen[usize::from(expected)] += 1;
        }
        assert!(seen.iter().all(|n| *n > 200), "{seen:?}");
    }
}
