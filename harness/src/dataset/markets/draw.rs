//! The draw: seeded, stratified, and such that a candidate that goes leaves every other in its place.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    collapse::rank,
    difficulty::Difficulty,
    infeasible::{self, Infeasible},
    screen::Candidate,
    settings::{DrawSettings, Quota},
};

/// A candidate with its labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Labelled {
    /// The candidate.
    pub candidate: Candidate,
    /// Median of |price − 0.5| in the week that ends 48 hours before settlement.
    pub distance: f64,
    /// What the distance stands for.
    pub difficulty: Difficulty,
    /// Part of the world, or subject.
    pub domain: String,
}

/// A drawn candidate and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// main or contested.
    pub set: String,
    /// Number of the place within the set, from 1.
    pub place: usize,
    /// Who has it.
    pub candidate_id: String,
}

/// Draws both sets.
///
/// First from the whole pool: candidates are walked through by rank, the minimum of each difficulty is filled first, and
/// a candidate is taken unless its outcome or its domain is full. Where a full domain keeps the last places empty, one
/// exchange is looked for. Then each of `removed` goes in turn, and its place is given to the first candidate by rank
/// that has the same outcome and keeps the constraints. So whatever is removed, and in whatever state the review is,
/// everybody else keeps their place.
///
/// # Errors
/// What cannot be met, and by how much.
pub fn draw(
    pool: &[Labelled],
    settings: &DrawSettings,
    removed: &[String],
) -> Result<Vec<Place>, Infeasible> {
    let mut places = Vec::new();
    for (set, disputed, quota) in
        [("main", false, &settings.main), ("contested", true, &settings.contested)]
    {
        let ranked = ranked(pool, settings.seed, disputed);
        let mut filling = Filling::new(&ranked, quota);
        if !filling.fill() {
            return Err(infeasible::explain(set, &ranked, quota, filling.picks.len()));
        }
        for (number, id) in removed.iter().enumerate() {
            // Only those that went so far are barred, so that a longer list repeats the history of a shorter one.
            let gone: BTreeSet<&str> = removed[..=number].iter().map(String::as_str).collect();
            if !filling.replace(id, &gone) {
                return Err(infeasible::no_replacement(set, id, &filling.picks, quota));
            }
        }
        places.extend(filling.picks.iter().enumerate().map(|(at, l)| Place {
            set: set.to_owned(),
            place: at + 1,
            candidate_id: l.candidate.candidate_id.clone(),
        }));
    }
    Ok(places)
}

/// The candidates of a set, first rank first.
fn ranked(pool: &[Labelled], seed: u64, disputed: bool) -> Vec<&Labelled> {
    let mut ranked: Vec<_> = pool.iter().filter(|l| l.candidate.disputed == disputed).collect();
    ranked.sort_by_cached_key(|l| rank(seed, &l.candidate.candidate_id));
    ranked
}

/// The places of a set as they are filled.
pub(super) struct Filling<'a> {
    ranked: &'a [&'a Labelled],
    quota: &'a Quota,
    pub(super) picks: Vec<&'a Labelled>,
}

impl<'a> Filling<'a> {
    pub(super) fn new(ranked: &'a [&'a Labelled], quota: &'a Quota) -> Self {
        Self { ranked, quota, picks: Vec::new() }
    }

    /// Fills every place; false when some stay empty or a minimum is not met.
    pub(super) fn fill(&mut self) -> bool {
        for (difficulty, least) in &self.quota.at_least {
            while self.count(|l| l.difficulty == *difficulty) < *least {
                if !self.add(&|l| l.difficulty == *difficulty) {
                    return false;
                }
            }
        }
        while self.picks.len() < self.quota.total() {
            if !self.add(&|_| true) {
                return false;
            }
        }
        true
    }

    /// Takes the first candidate that is wanted and fits, or makes room for one by an exchange.
    fn add(&mut self, wanted: &dyn Fn(&Labelled) -> bool) -> bool {
        let free = |l: &&&'a Labelled| wanted(l) && !self.has(l) && self.outcome_has_room(l);
        let next = self.ranked.iter().find(|l| free(l) && self.domain_has_room(&l.domain)).copied();
        if let Some(next) = next {
            self.picks.push(next);
            return true;
        }
        // Every candidate left is of a full domain. Somebody of that domain may give way to one like them elsewhere.
        let blocked: Vec<_> = self.ranked.iter().filter(free).copied().collect();
        for candidate in blocked {
            for at in 0..self.picks.len() {
                let holder = self.picks[at];
                if holder.domain != candidate.domain {
                    continue;
                }
                let stand_in = self.ranked.iter().copied().find(|l| {
                    !self.has(l)
                        && l.candidate.yes == holder.candidate.yes
                        && l.difficulty == holder.difficulty
                        && l.domain != holder.domain
                        && self.domain_has_room(&l.domain)
                });
                if let Some(stand_in) = stand_in {
                    self.picks[at] = stand_in;
                    self.picks.push(candidate);
                    return true;
                }
            }
        }
        false
    }

    /// Gives the place of `id`, if it has one, to somebody else; false when nobody can have it.
    fn replace(&mut self, id: &str, gone: &BTreeSet<&str>) -> bool {
        let Some(at) = self.picks.iter().position(|l| l.candidate.candidate_id == id) else {
            return true;
        };
        let leaving = self.picks[at];
        let short = |d: Difficulty| {
            let least = self.quota.at_least.get(&d).copied().unwrap_or(0);
            self.count(|l| l.difficulty == d) <= least
        };
        let must_match = short(leaving.difficulty);
        let next = self.ranked.iter().copied().find(|l| {
            !self.has(l)
                && !gone.contains(l.candidate.candidate_id.as_str())
                && l.candidate.yes == leaving.candidate.yes
                && (!must_match || l.difficulty == leaving.difficulty)
                && (l.domain == leaving.domain || self.domain_has_room(&l.domain))
        });
        next.map(|next| self.picks[at] = next).is_some()
    }

    fn has(&self, candidate: &Labelled) -> bool {
        self.picks.iter().any(|l| l.candidate.candidate_id == candidate.candidate.candidate_id)
    }

    fn count(&self, of: impl Fn(&Labelled) -> bool) -> usize {
        self.picks.iter().filter(|l| of(l)).count()
    }

    fn outcome_has_room(&self, candidate: &Labelled) -> bool {
        let yes = candidate.candidate.yes;
        let most = if yes { self.quota.yes } else { self.quota.no };
        self.count(|l| l.candidate.yes == yes) < most
    }

    fn domain_has_room(&self, domain: &str) -> bool {
        self.count(|l| l.domain == domain) < self.quota.per_domain
    }
}

/// Number of drawn items of each domain.
#[must_use]
pub fn by_domain<'a>(drawn: impl IntoIterator<Item = &'a Labelled>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for l in drawn {
        *counts.entry(l.domain.as_str()).or_insert(0) += 1;
    }
    counts
}
