//! The draw: seeded, stratified, and such that a candidate that goes leaves every other in its place.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    collapse::rank,
    difficulty::Difficulty,
    feasible::{Domain, can_fill},
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
/// First from the whole pool: candidates are walked through by rank, and each is taken if the places that are then left
/// can still be filled. That is decided exactly, so that a draw is found whenever there is one. Then each of `removed`
/// goes in turn, and its place is given to the first candidate by rank that has the same outcome and keeps the
/// constraints. So whatever is removed, and in whatever state the review is, everybody else keeps their place.
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
            return Err(infeasible::explain(set, &ranked, quota));
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

    /// Fills every place; false when that cannot be done.
    pub(super) fn fill(&mut self) -> bool {
        if !self.can_be_completed() {
            return false;
        }
        // A kind of candidate that would make the rest impossible does so from then on.
        let mut closed: BTreeSet<(usize, &str)> = BTreeSet::new();
        for candidate in self.ranked.iter().copied() {
            let kind = (kind(candidate), candidate.domain.as_str());
            if self.picks.len() == self.quota.total() {
                break;
            }
            if closed.contains(&kind) {
                continue;
            }
            self.picks.push(candidate);
            if !self.can_be_completed() {
                self.picks.pop();
                closed.insert(kind);
            }
        }
        true
    }

    /// True when candidates that were not picked can fill the places that are left.
    pub(super) fn can_be_completed(&self) -> bool {
        let mut domains: BTreeMap<&str, Domain> = BTreeMap::new();
        for l in self.ranked {
            domains.entry(&l.domain).or_default().free[kind(l)] += 1;
        }
        let taken = by_domain(self.picks.iter().copied());
        for (name, domain) in &mut domains {
            let Some(room) = self.quota.per_domain.checked_sub(*taken.get(name).unwrap_or(&0))
            else {
                return false;
            };
            domain.room = room;
        }
        for l in &self.picks {
            domains.entry(&l.domain).or_default().free[kind(l)] -= 1;
        }
        let taken = |yes: bool| self.count(|l| l.candidate.yes == yes);
        let (Some(yes), Some(no)) =
            (self.quota.yes.checked_sub(taken(true)), self.quota.no.checked_sub(taken(false)))
        else {
            return false;
        };
        let least = Difficulty::ALL.map(|d| {
            let asked = self.quota.at_least.get(&d).copied().unwrap_or(0);
            asked.saturating_sub(self.count(|l| l.difficulty == d))
        });
        let domains: Vec<Domain> = domains.into_values().collect();
        can_fill(&domains, yes, no, least)
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

    fn domain_has_room(&self, domain: &str) -> bool {
        self.count(|l| l.domain == domain) < self.quota.per_domain
    }
}

/// Place of a candidate among the kinds that [`Domain`] counts.
fn kind(candidate: &Labelled) -> usize {
    candidate.difficulty as usize + if candidate.candidate.yes { 0 } else { 3 }
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
