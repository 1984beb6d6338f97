//! What criteria say of what counts, what does not, and whose word decides.

use std::collections::BTreeSet;

use super::words::{Word, sentences, words};

/// Further words of criteria add nothing but time.
const MOST_WORDS: usize = 400;

/// What a clause of criteria is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// It says what must hold.
    Condition,
    /// It names who or what decides: "the register decides".
    Decider,
    /// It names what does not spoil the outcome: "a lower capacity counts", "the order does not matter".
    Admits,
    /// It names what is not enough: "a draft does not count".
    Excludes,
}

/// Criteria, taken apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Criteria {
    /// The words that say when the answer is YES.
    pub condition: Vec<Word>,
    /// Stems of what decides.
    pub decider: BTreeSet<String>,
    /// Stems of what is admitted and of what is excluded, but for those of the condition.
    pub admitted: BTreeSet<String>,
    pub excluded: BTreeSet<String>,
}

impl Criteria {
    /// Takes `text` apart at its sentences and semicolons. Clauses on NO alone say nothing that those on YES do not.
    pub fn read(text: &str) -> Self {
        let mut read = Self::default();
        let (mut last, mut n_words) = (Purpose::Condition, 0);
        for clause in sentences(text).into_iter().flat_map(|sentence| sentence.split(';')) {
            let said = words(clause);
            n_words += said.len();
            if n_words > MOST_WORDS {
                break;
            }
            last = purpose(&said, last);
            let says = |label: &str| said.iter().any(|w| w.of(clause) == label);
            let stems = said.iter().filter(|w| w.has_content()).map(|w| w.stem.clone());
            match last {
                Purpose::Decider => read.decider.extend(stems),
                Purpose::Admits => read.admitted.extend(stems),
                Purpose::Excludes => read.excluded.extend(stems),
                Purpose::Condition if says("YES") || !says("NO") => read.condition.extend(said),
                Purpose::Condition => {}
            }
        }
        for word in &read.condition {
            read.admitted.remove(&word.stem);
            read.excluded.remove(&word.stem);
        }
        read
    }
}

/// What a clause is for; one that ends in a bare "not" says the opposite of the clause before it.
fn purpose(clause: &[Word], before: Purpose) -> Purpose {
    let says = |any: &[&str]| clause.iter().any(|w| any.contains(&w.stem.as_str()));
    let negated = says(&["not", "no", "nor", "neither"]);
    let last = clause.iter().rev().find(|w| w.is_word()).map_or("", |w| w.stem.as_str());
    if last == "not" && before == Purpose::Admits {
        return Purpose::Excludes;
    }
    if says(&["yes"]) {
        return Purpose::Condition;
    }
    if negated && says(&["matter", "affect", "obstacl", "prevent", "requir", "need"])
        || says(&["irrelev"])
    {
        return Purpose::Admits;
    }
    if says(&["count", "qualifi", "suffic", "suffici", "enough", "includ", "consid"]) {
        return if negated { Purpose::Excludes } else { Purpose::Admits };
    }
    if says(&["exclud", "disregard", "ignor"]) || says(&["leav"]) && says(&["out"]) {
        return Purpose::Excludes;
    }
    if says(&["decid", "decis", "outrank", "prevail", "sourc", "settl", "author", "offici"]) {
        return Purpose::Decider;
    }
    Purpose::Condition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clause_goes_where_it_belongs() {
        let read = Criteria::read(
            "Resolves YES if the board admits the bridge. A toll counts; a rehearsal does not. \
             The colour does not matter. The harbour ledger decides. NO if it rains.",
        );
        let has = |set: &BTreeSet<String>, word: &str| set.contains(word);
        assert!(has(&read.admitted, "toll") && has(&read.admitted, "colour"));
        assert!(has(&read.excluded, "rehears") && has(&read.decider, "ledger"));
        assert!(read.condition.iter().any(|w| w.stem == "bridg"));
        assert!(!read.condition.iter().any(|w| w.stem == "rain"));
    }
}
