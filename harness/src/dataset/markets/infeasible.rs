//! What a draw that failed asked too much of, and by how much.

use std::fmt;

use super::{
    draw::{Filling, Labelled, by_domain},
    settings::Quota,
};

/// Why a set cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Infeasible {
    /// The set.
    pub set: String,
    /// One sentence a constraint.
    pub shortages: Vec<String>,
    /// The removed candidate whose place nobody can have, when that is what is wrong.
    pub removed: Option<String>,
}

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the set {} cannot be drawn: {}; change `[draw.{}]` in pipeline.toml, or harvest more",
            self.set,
            self.shortages.join("; "),
            self.set
        )
    }
}

/// Says which constraints the pool cannot meet. Each sentence about one constraint is exact; when each could be met alone,
/// the smallest changes of a single one with which the draw succeeds are looked for.
pub(super) fn explain(set: &str, pool: &[&Labelled], quota: &Quota) -> Infeasible {
    let mut shortages = Vec::new();
    for (name, yes, asked) in [("YES", true, quota.yes), ("NO", false, quota.no)] {
        let of_outcome = || pool.iter().copied().filter(|l| l.candidate.yes == yes);
        let found = of_outcome().count();
        let admitted: usize =
            by_domain(of_outcome()).values().map(|n| (*n).min(quota.per_domain)).sum();
        if found < asked {
            shortages.push(format!(
                "it asks for {asked} {name} and the pool has {found}, {} too few",
                asked - found
            ));
        } else if admitted < asked {
            shortages.push(format!(
                "at most {} of a domain admit {admitted} {name} of the {asked} asked for, {} too few",
                quota.per_domain,
                asked - admitted
            ));
        }
    }
    for (difficulty, least) in &quota.at_least {
        let found = pool.iter().filter(|l| l.difficulty == *difficulty).count();
        if found < *least {
            shortages.push(format!(
                "it asks for at least {least} {} and the pool has {found}, {} too few",
                difficulty.name(),
                least - found
            ));
        }
    }
    let admitted: usize =
        by_domain(pool.iter().copied()).values().map(|n| (*n).min(quota.per_domain)).sum();
    if shortages.is_empty() && admitted < quota.total() {
        shortages.push(format!(
            "at most {} of a domain admit {admitted} of the {} items asked for, {} too few",
            quota.per_domain,
            quota.total(),
            quota.total() - admitted
        ));
    }
    if shortages.is_empty() {
        shortages.push(format!(
            "each constraint could be met alone, but not all of them together; {}",
            relaxations(pool, quota)
        ));
    }
    Infeasible { set: set.to_owned(), shortages, removed: None }
}

/// The smallest changes of one constraint each that make the draw succeed.
fn relaxations(pool: &[&Labelled], quota: &Quota) -> String {
    let succeeds = |quota: &Quota| Filling::new(pool, quota).can_be_completed();
    let mut found = Vec::new();
    let wider = (quota.per_domain + 1..=quota.total())
        .find(|cap| succeeds(&Quota { per_domain: *cap, ..quota.clone() }));
    if let Some(cap) = wider {
        found.push(format!("per_domain = {cap} instead of {} would do", quota.per_domain));
    }
    let changed = |change: &dyn Fn(&mut Quota)| {
        let mut quota = quota.clone();
        change(&mut quota);
        succeeds(&quota)
    };
    for (difficulty, least) in &quota.at_least {
        let fewer = |n: usize| changed(&|q| _ = q.at_least.insert(*difficulty, n));
        if let Some(n) = (0..*least).rev().find(|n| fewer(*n)) {
            found.push(format!("{} = {n} instead of {least} would do", difficulty.name()));
        }
    }
    if let Some(n) = (0..quota.yes).rev().find(|n| changed(&|q| q.yes = *n)) {
        found.push(format!("yes = {n} instead of {} would do", quota.yes));
    }
    if let Some(n) = (0..quota.no).rev().find(|n| changed(&|q| q.no = *n)) {
        found.push(format!("no = {n} instead of {} would do", quota.no));
    }
    if found.is_empty() {
        return "no change of a single one would do".to_owned();
    }
    found.join(", or ")
}

/// Nobody can have the place of a candidate that was removed.
pub(super) fn no_replacement(
    set: &str,
    id: &str,
    picks: &[&Labelled],
    quota: &Quota,
) -> Infeasible {
    let leaving = picks.iter().find(|l| l.candidate.candidate_id == id);
    let wanted = leaving.map_or_else(String::new, |l| {
        let outcome = if l.candidate.yes { "YES" } else { "NO" };
        let least = quota.at_least.get(&l.difficulty);
        let needed = least.map_or_else(String::new, |n| {
            format!(", {} while fewer than {n} others are", l.difficulty.name())
        });
        format!(
            " (it must have settled {outcome}{needed}, and at most {} may be of one domain)",
            quota.per_domain
        )
    });
    Infeasible {
        set: set.to_owned(),
        removed: Some(id.to_owned()),
        shortages: vec![format!(
            "the place of {id}, which was removed, stays empty, 1 too few: no candidate is left that could have it{wanted}"
        )],
    }
}
