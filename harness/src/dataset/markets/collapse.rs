use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{deadline, ledger::rejected, screen::Candidate};
use records::{Rejected, sha256_hex};

/// What the collapse left and what it took away.
#[derive(Debug, Clone, PartialEq)]
pub struct Collapsed {
    /// One candidate a question, by rank.
    pub kept: Vec<Candidate>,
    /// What collapsed into what, with the reason.
    pub rejected: Vec<Rejected>,
}

/// The place of a candidate in the seeded order: SHA-256 of seed and id. It depends on nothing else, so that a candidate
/// that is added or taken away moves no other.
#[must_use]
pub fn rank(seed: u64, candidate_id: &str) -> String {
    sha256_hex(format!("{seed}\n{candidate_id}").as_bytes())
}

/// One question per event, then one per question without its deadline.
///
/// Two questions are one when the words that tell them apart from others are the same, or when their Jaccard similarity
/// (common words by all words) reaches `similarity`. Of an event or a question the disputed market stays, since disputes
/// are rare, and else the one that ranks first.
#[must_use]
pub fn collapse(mut candidates: Vec<Candidate>, seed: u64, similarity: f64) -> Collapsed {
    candidates.sort_by_cached_key(|c| (!c.disputed, rank(seed, &c.candidate_id)));
    let mut rejected_rows = Vec::new();
    let mut of_event: BTreeMap<String, String> = BTreeMap::new();
    let mut one_per_event = Vec::new();
    for candidate in candidates {
        if let Some(into) = of_event.get(&candidate.event) {
            let facts = json!({"into": into, "event": candidate.event});
            rejected_rows.push(rejected(&candidate.candidate_id, "collapse", "same_event", facts));
            continue;
        }
        of_event.insert(candidate.event.clone(), candidate.candidate_id.clone());
        one_per_event.push(candidate);
    }
    let mut kept = Kept::default();
    for candidate in one_per_event {
        match kept.like(&candidate, similarity) {
            Some((into, share)) => {
                let facts = json!({
                    "into": into,
                    "similarity": share,
                    "question": candidate.question,
                    "without_deadline": deadline::strip(&candidate.question).join(" "),
                });
                let row = rejected(&candidate.candidate_id, "collapse", "same_question", facts);
                rejected_rows.push(row);
            }
            None => kept.push(candidate),
        }
    }
    let mut kept = kept.candidates;
    kept.sort_by_cached_key(|c| rank(seed, &c.candidate_id));
    Collapsed { kept, rejected: rejected_rows }
}

/// Questions kept so far, findable by their words.
#[derive(Default)]
struct Kept {
    candidates: Vec<Candidate>,
    keys: Vec<Vec<String>>,
    bearers: BTreeMap<String, Vec<usize>>,
}

impl Kept {
    fn push(&mut self, candidate: Candidate) {
        let key = deadline::key(&candidate.question);
        for word in &key {
            self.bearers.entry(word.clone()).or_default().push(self.candidates.len());
        }
        self.keys.push(key);
        self.candidates.push(candidate);
    }

    /// The first kept question that is the same as this one, and how similar they are.
    fn like(&self, candidate: &Candidate, similarity: f64) -> Option<(String, f64)> {
        let key = deadline::key(&candidate.question);
        if key.is_empty() {
            // Nothing but a deadline: no word leads to another such question, and they are one all the same.
            let place = self.keys.iter().position(Vec::is_empty)?;
            return Some((self.candidates[place].candidate_id.clone(), 1.0));
        }
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for place in key.iter().filter_map(|w| self.bearers.get(w)).flatten() {
            *common.entry(*place).or_default() += 1;
        }
        common.into_iter().find_map(|(place, shared)| {
            let all = key.len() + self.keys[place].len() - shared;
            let share = shared as f64 / all as f64;
            (share >= similarity).then(|| (self.candidates[place].candidate_id.clone(), share))
        })
    }
}

/// True when no two candidates share an event or the words of their question without its deadline.
#[must_use]
pub fn all_distinct<'a>(candidates: impl IntoIterator<Item = &'a Candidate>) -> bool {
    let (mut events, mut questions) = (BTreeSet::new(), BTreeSet::new());
    candidates
        .into_iter()
        .all(|c| events.insert(c.event.as_str()) && questions.insert(deadline::key(&c.question)))
}

#[cfg(test)]
mod tests {
    use rand_chacha::{
        ChaCha8Rng,
        rand_core::{Rng, SeedableRng},
    };

    use super::*;
    use crate::dataset::markets::screen::tests::candidate;

    fn question(id: &str, event: &str, question: &str) -> Candidate {
        Candidate { event: event.to_owned(), question: question.to_owned(), ..candidate(id) }
    }

    #[test]
    fn one_per_event_and_one_per_question() {
        let pool = vec![
            question("1", "e1", "Will A strike B by March 31?"),
            question("2", "e1", "Will A strike B by April 30?"),
            question("3", "e2", "Will A strike B in November?"),
            question("4", "e3", "Will C leave office in 2026?"),
        ];
        let done = collapse(pool.clone(), 7, 0.8);
        assert_eq!(done.kept.len(), 2);
        assert!(all_distinct(&done.kept));
        let reasons: Vec<_> = done.rejected.iter().map(|r| r.reason.as_str()).collect();
        assert_eq!(reasons, ["same_event", "same_question"]);
        let mut reversed = pool;
        reversed.reverse();
        assert_eq!(collapse(reversed, 7, 0.8), done, "the order of the pool means nothing");
    }

    #[test]
    fn questions_of_nothing_but_a_deadline_are_one() {
        let pool = vec![
            question("1", "a", "Will it be by March 31?"),
            question("2", "b", "Will it be in June?"),
            question("3", "c", "???"),
        ];
        let done = collapse(pool, 7, 0.8);
        assert!(all_distinct(&done.kept));
        assert_eq!((done.kept.len(), done.rejected.len()), (1, 2));
    }

    #[test]
    fn a_disputed_market_stays_for_its_event() {
        for seed in 0..20 {
            let mut pool = vec![question("1", "e", "Will A go?"), question("2", "e", "Will B go?")];
            pool[1].disputed = true;
            assert_eq!(collapse(pool, seed, 0.8).kept[0].candidate_id, "2");
        }
    }

    /// Whatever the pool: everybody is kept or has one reason, and what is kept is as different as was asked.
    #[test]
    fn what_is_kept_is_distinct_and_nobody_is_lost() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut pick = move |n: u32| rng.next_u32() % n;
        let deadlines =
            ["", " by March 31", " in December 2026", " before the end of Q2", " this year"];
        for round in 0..30 {
            let pool: Vec<Candidate> = (0..80)
                .map(|id| {
                    let words: Vec<_> = (0..3 + pick(3)).map(|_| format!("w{}", pick(9))).collect();
                    let deadline = deadlines[pick(5) as usize];
                    let text = format!("Will {}{deadline}?", words.join(" "));
                    let mut one = question(&id.to_string(), &format!("e{}", pick(50)), &text);
                    one.disputed = pick(6) == 0;
                    one
                })
                .collect();
            let done = collapse(pool.clone(), round, 0.8);
            assert!(all_distinct(&done.kept));
            let mut ids: Vec<_> = done.kept.iter().map(|c| c.candidate_id.clone()).collect();
            ids.extend(done.rejected.iter().map(|r| r.candidate_id.clone()));
            ids.sort();
            ids.dedup();
            assert_eq!((ids.len(), done.kept.len() + done.rejected.len()), (80, 80));
            for (i, a) in done.kept.iter().enumerate() {
                for b in &done.kept[i + 1..] {
                    let (a, b) = (deadline::key(&a.question), deadline::key(&b.question));
                    let common = a.iter().filter(|w| b.contains(w)).count() as f64;
                    assert!(common / ((a.len() + b.len()) as f64 - common) < 0.8);
                }
            }
        }
    }

    #[test]
    fn the_ledger_says_what_went_where() {
        let pool = vec![
            question("1", "a", "Japan prime minister Ishiba out by July?"),
            question("2", "b", "Will Ishiba be out as Japan's PM in August?"),
        ];
        let done = collapse(pool, 1, 0.8);
        assert_eq!(done.rejected[0].facts["into"], done.kept[0].candidate_id.as_str());
        assert_eq!(done.rejected[0].facts["similarity"], 1.0);
    }
}
