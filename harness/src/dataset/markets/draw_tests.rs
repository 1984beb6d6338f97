use std::collections::BTreeMap;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use super::{
    difficulty::Difficulty,
    draw::{Labelled, Place, by_domain, draw},
    screen::tests::candidate,
    settings::{DrawSettings, Quota},
};

/// A random pool: mostly NO, one in eight disputed, domains of very different sizes.
fn pool(size: u32, seed: u64) -> Vec<Labelled> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut below = move |n: u32| rng.next_u32() % n;
    (0..size)
        .map(|id| {
            let mut candidate = candidate(&id.to_string());
            candidate.yes = below(3) == 0;
            candidate.disputed = below(8) == 0;
            Labelled {
                candidate,
                distance: 0.0,
                difficulty: Difficulty::ALL[below(3) as usize],
                domain: format!("d{}", below(8).min(below(8))),
            }
        })
        .collect()
}

fn settings(seed: u64) -> DrawSettings {
    let at_least = Difficulty::ALL.map(|d| (d, 8)).into();
    DrawSettings {
        seed,
        main: Quota { yes: 20, no: 20, per_domain: 12, at_least },
        contested: Quota { yes: 5, no: 5, per_domain: 4, at_least: BTreeMap::new() },
    }
}

fn holds(pool: &[Labelled], settings: &DrawSettings, places: &[Place]) {
    let of = |id: &str| pool.iter().find(|l| l.candidate.candidate_id == id).unwrap();
    for (set, disputed, quota) in
        [("main", false, &settings.main), ("contested", true, &settings.contested)]
    {
        let drawn: Vec<_> =
            places.iter().filter(|p| p.set == set).map(|p| of(&p.candidate_id)).collect();
        assert_eq!(drawn.iter().filter(|l| l.candidate.yes).count(), quota.yes);
        assert_eq!(drawn.len(), quota.total());
        assert!(drawn.iter().all(|l| l.candidate.disputed == disputed));
        assert!(by_domain(drawn.iter().copied()).values().all(|n| *n <= quota.per_domain));
        for (difficulty, least) in &quota.at_least {
            assert!(drawn.iter().filter(|l| l.difficulty == *difficulty).count() >= *least);
        }
    }
    let mut ids: Vec<_> = places.iter().map(|p| &p.candidate_id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), places.len());
}

#[test]
fn quotas_caps_and_minima_hold_in_every_draw() {
    for seed in 0..60 {
        let pool = pool(700, seed);
        let settings = settings(seed + 1000);
        holds(&pool, &settings, &draw(&pool, &settings, &[]).unwrap());
    }
}

#[test]
fn the_same_seed_gives_the_same_draw_whatever_the_order_of_the_pool() {
    let mut candidates = pool(700, 3);
    let first = draw(&candidates, &settings(5), &[]).unwrap();
    candidates.reverse();
    assert_eq!(draw(&candidates, &settings(5), &[]).unwrap(), first);
    assert_ne!(draw(&candidates, &settings(6), &[]).unwrap(), first);
}

/// Removing anybody, one after the other, changes their own place and no other.
#[test]
fn a_removed_candidate_leaves_every_other_in_its_place() {
    for seed in 0..12 {
        let pool = pool(700, seed);
        let settings = settings(seed);
        let mut removed: Vec<String> = Vec::new();
        let mut before = draw(&pool, &settings, &removed).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..12 {
            let drawn = rng.next_u32() % 4 != 0;
            let id = if drawn {
                before[rng.next_u32() as usize % before.len()].candidate_id.clone()
            } else {
                pool[rng.next_u32() as usize % pool.len()].candidate.candidate_id.clone()
            };
            removed.push(id.clone());
            let after = draw(&pool, &settings, &removed).unwrap();
            holds(&pool, &settings, &after);
            for (a, b) in before.iter().zip(&after) {
                assert!(a == b || a.candidate_id == id, "{a:?} became {b:?} when {id} went");
                assert!(!removed.contains(&b.candidate_id), "{b:?} was removed");
            }
            before = after;
        }
    }
}

/// A candidate that was never drawn may also vanish from the pool itself.
#[test]
fn a_candidate_that_was_not_drawn_is_not_missed() {
    let pool = pool(700, 9);
    let settings = settings(9);
    let drawn = draw(&pool, &settings, &[]).unwrap();
    for at in (0..pool.len()).step_by(13) {
        let id = &pool[at].candidate.candidate_id;
        if drawn.iter().any(|p| p.candidate_id == *id) {
            continue;
        }
        let mut without = pool.clone();
        without.remove(at);
        assert_eq!(draw(&without, &settings, &[]).unwrap(), drawn);
    }
}

fn shortage(pool: &[Labelled], settings: &DrawSettings) -> String {
    draw(pool, settings, &[]).unwrap_err().to_string()
}

#[test]
fn what_cannot_be_met_is_named_with_its_amount() {
    let candidates = pool(700, 2);
    let of = |l: &Labelled, yes| l.candidate.yes == yes && !l.candidate.disputed;

    let mut few_yes = candidates.clone();
    let mut seen = 0;
    few_yes.retain(|l| {
        !of(l, true)
            || (seen < 14 && {
                seen += 1;
                true
            })
    });
    let text = shortage(&few_yes, &settings(1));
    assert!(text.contains("asks for 20 YES and the pool has 14, 6 too few"), "{text}");

    let mut few_hard = candidates.clone();
    let mut seen = 0;
    few_hard.retain(|l| {
        l.difficulty != Difficulty::Hard
            || l.candidate.disputed
            || (seen < 3 && {
                seen += 1;
                true
            })
    });
    let text = shortage(&few_hard, &settings(1));
    assert!(text.contains("at least 8 hard and the pool has 3, 5 too few"), "{text}");

    let mut one_domain = candidates.clone();
    for l in &mut one_domain {
        l.domain = if l.candidate.yes { "a".into() } else { "b".into() };
    }
    let text = shortage(&one_domain, &settings(1));
    assert!(
        text.contains("at most 12 of a domain admit 12 YES of the 20 asked for, 8 too few"),
        "{text}"
    );

    let mut contested = candidates;
    contested.retain(|l| !l.candidate.disputed);
    let text = shortage(&contested, &settings(1));
    assert!(
        text.contains("the set contested cannot be drawn")
            && text.contains("pool has 0, 5 too few"),
        "{text}"
    );
}

#[test]
fn constraints_that_clash_are_told_with_what_would_do() {
    // Three domains and a cap of 12 admit 36 of 40.
    let mut candidates = pool(700, 4);
    for (at, l) in candidates.iter_mut().enumerate() {
        l.domain = format!("d{}", at % 3);
    }
    let text = shortage(&candidates, &settings(1));
    assert!(
        text.contains("at most 12 of a domain admit 36 of the 40 items asked for, 4 too few"),
        "{text}"
    );

    // All that is hard is in one domain, which the cap closes at four.
    let mut settings = settings(1);
    settings.main.per_domain = 6;
    for (at, l) in candidates.iter_mut().enumerate() {
        l.domain =
            if l.difficulty == Difficulty::Hard { "only".into() } else { format!("d{}", at % 9) };
    }
    let text = shortage(&candidates, &settings);
    assert!(text.contains("per_domain = 8 instead of 6 would do"), "{text}");
    assert!(text.contains("hard = 6 instead of 8 would do"), "{text}");
}

/// Small pools under tight constraints, where a walk that looks at one candidate after the other often gets stuck: there
/// is a draw exactly when trying everything finds one.
#[test]
fn a_draw_is_found_whenever_there_is_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut below = move |n: u32| rng.next_u32() % n;
    let mut seen = [0, 0];
    for seed in 0..600 {
        let mut candidates = pool(10, seed);
        for l in &mut candidates {
            l.candidate.disputed = false;
            l.domain = format!("d{}", below(2));
        }
        let (yes, no) = (1 + below(2) as usize, 1 + below(2) as usize);
        let at_least: BTreeMap<_, _> =
            Difficulty::ALL.iter().map(|d| (*d, below(2) as usize)).collect();
        let main = Quota { yes, no, per_domain: 1 + below(3) as usize, at_least };
        let empty = Quota { yes: 0, no: 0, per_domain: 0, at_least: BTreeMap::new() };
        let settings = DrawSettings { seed, main, contested: empty };
        let quota = &settings.main;
        let possible = (0..1_u32 << candidates.len()).any(|chosen| {
            let of = || {
                (0..candidates.len()).filter(|at| chosen >> at & 1 == 1).map(|at| &candidates[at])
            };
            let yes = of().filter(|l| l.candidate.yes).count();
            (yes, of().count()) == (quota.yes, quota.total())
                && by_domain(of()).values().all(|n| *n <= quota.per_domain)
                && quota
                    .at_least
                    .iter()
                    .all(|(d, n)| of().filter(|l| l.difficulty == *d).count() >= *n)
        });
        match draw(&candidates, &settings, &[]) {
            Ok(places) => holds(&candidates, &settings, &places),
            Err(infeasible) => assert!(!possible, "{infeasible}"),
        }
        seen[usize::from(possible)] += 1;
    }
    assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
}

#[test]
fn an_exchange_is_found_where_the_walk_by_rank_gets_stuck() {
    // Of YES there is only one domain for the last place; NO candidates that ranked first have filled it.
    let mut stuck = 0;
    for seed in 0..40 {
        let mut candidates = pool(60, seed);
        for (at, l) in candidates.iter_mut().enumerate() {
            l.candidate.disputed = false;
            l.candidate.yes = at % 3 == 0;
            l.difficulty = Difficulty::Easy;
            l.domain = if l.candidate.yes { "a".into() } else { format!("{}", ['a', 'b'][at % 2]) };
        }
        let quota = Quota { yes: 5, no: 5, per_domain: 5, at_least: BTreeMap::new() };
        let empty = Quota { yes: 0, no: 0, per_domain: 0, at_least: BTreeMap::new() };
        let settings = DrawSettings { seed, main: quota, contested: empty };
        let places = draw(&candidates, &settings, &[]).unwrap();
        holds(&candidates, &settings, &places);
        let walk = places
            .iter()
            .filter(|p| candidates[p.candidate_id.parse::<usize>().unwrap()].domain == "b")
            .count();
        assert_eq!(walk, 5, "every NO had to give way to the other domain");
        stuck += 1;
    }
    assert_eq!(stuck, 40);
}
