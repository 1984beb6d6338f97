use std::collections::{BTreeMap, BTreeSet};

use records::{Document, Role};
use serde_json::Value;

use super::{Dataset, Problem, sign};

/// Words of a document that must follow each other to count as shared wording.
const GRAM: usize = 5;

/// Holds the data set to the constraints that its manifest names.
///
/// | name | holds when |
/// |---|---|
/// | `items` | there are that many items |
/// | a key of `counts` | that many items bear it |
/// | `documents_per_bundle`, `words_per_document` | every one lies within `[from, to]` |
/// | `evidence_per_bundle` | every bundle has that many documents with the role evidence |
/// | `items_with_conflict` | that many items have a labelled conflict |
/// | `largest_domain=SET` | of each domain the set has that many items at most |
/// | `at_least_difficulty=SET,DIFFICULTY` | that many items of the set, or more, bear the difficulty |
/// | `one_item_per_cluster` | true: no two items share a cluster |
/// | `largest_shared_5_grams` | no two documents share a larger part of the word 5-grams of the shorter one, an older revision beside its own item's documents aside |
/// | `largest_single_word_rule_accuracy` | no rule "YES when a document has the word w" (or NO) is right more often |
#[must_use]
pub fn check_constraints(dataset: &Dataset) -> Vec<Problem> {
    let counts = sign::counts(&dataset.items);
    let mut problems = Vec::new();
    for (name, asked) in &dataset.manifest.constraints {
        let found = match name.as_str() {
            "items" => exactly(dataset.items.len(), asked),
            "documents_per_bundle" => within(
                dataset.bundles.values().map(|b| (b.item_id.as_str(), b.documents.len())),
                asked,
            ),
            "words_per_document" => within(
                dataset.documents.values().map(|d| (d.doc_id.as_str(), words(d).count())),
                asked,
            ),
            "evidence_per_bundle" => within(
                dataset.bundles.values().map(|b| {
                    let evidence = b.documents.iter().filter(|d| d.role == Role::Evidence);
                    (b.item_id.as_str(), evidence.count())
                }),
                &Value::from(vec![asked.clone(), asked.clone()]),
            ),
            "items_with_conflict" => {
                let labelled =
                    dataset.items.iter().filter(|i| i.conflicts.iter().flatten().next().is_some());
                exactly(labelled.count(), asked)
            }
            "largest_shared_5_grams" => at_most(shared_wording(dataset), asked),
            "largest_single_word_rule_accuracy" => at_most(best_word_rule(dataset), asked),
            "one_item_per_cluster" => one_per_cluster(dataset, asked),
            key if key.starts_with("largest_domain=") => {
                let set = key.split_once('=').map_or("", |(_, set)| set);
                largest_domain(dataset, set, asked)
            }
            key if key.starts_with("at_least_difficulty=") => {
                let wanted = key.split_once('=').map_or("", |(_, wanted)| wanted);
                at_least_difficulty(dataset, wanted, asked)
            }
            key if key.contains('=') => {
                exactly(counts.get(key).copied().unwrap_or(0) as usize, asked)
            }
            _ => Err("is not a constraint that this build knows; remove it".to_owned()),
        };
        if let Err(text) = found {
            problems.push(Problem {
                file: "manifest.json",
                id: format!("constraint \"{name}\""),
                text,
            });
        }
    }
    problems
}

fn exactly(found: usize, asked: &Value) -> Result<(), String> {
    if asked.as_u64() == Some(found as u64) {
        return Ok(());
    }
    Err(format!("asks for {asked}, and there are {found}"))
}

fn one_per_cluster(dataset: &Dataset, asked: &Value) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    let twice = dataset.items.iter().find(|item| !seen.insert(item.cluster()));
    match (asked.as_bool(), twice) {
        (Some(true), Some(item)) => {
            Err(format!("{} is not the only item of {}", item.item_id, item.cluster()))
        }
        (Some(_), _) => Ok(()),
        (None, _) => Err(format!("is {asked}; write true or false")),
    }
}

fn largest_domain(dataset: &Dataset, set: &str, asked: &Value) -> Result<(), String> {
    let Some(most) = asked.as_u64() else { return Err(format!("is {asked}; write a number")) };
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for item in dataset.items.iter().filter(|i| i.set.as_deref() == Some(set)) {
        let domain = item.tags.get("domain").map_or("", String::as_str);
        *counts.entry(domain).or_default() += 1;
    }
    match counts.into_iter().find(|(_, n)| *n > most) {
        Some((domain, n)) => Err(format!("allows {most}, and there are {n} of {domain}")),
        None => Ok(()),
    }
}

fn at_least_difficulty(dataset: &Dataset, wanted: &str, asked: &Value) -> Result<(), String> {
    let Some(least) = asked.as_u64() else { return Err(format!("is {asked}; write a number")) };
    let found = dataset.items.iter().filter(|item| {
        let difficulty = item.tags.get("difficulty").map_or("", String::as_str);
        item.set.as_ref().is_some_and(|set| format!("{set},{difficulty}") == wanted)
    });
    let found = found.count() as u64;
    if found >= least { Ok(()) } else { Err(format!("asks for {least}, and there are {found}")) }
}

fn within<'a>(found: impl Iterator<Item = (&'a str, usize)>, asked: &Value) -> Result<(), String> {
    let (Some(from), Some(to)) = (asked[0].as_u64(), asked[1].as_u64()) else {
        return Err(format!("is {asked}; write a range such as [2, 5]"));
    };
    for (id, n) in found {
        if !(from..=to).contains(&(n as u64)) {
            return Err(format!("asks for {from} to {to}, and {id} has {n}"));
        }
    }
    Ok(())
}

fn at_most((found, what): (f64, String), asked: &Value) -> Result<(), String> {
    match asked.as_f64() {
        Some(most) if found <= most => Ok(()),
        Some(most) => Err(format!("allows {most}, and {what} reaches {found:.3}")),
        None => Err(format!("is {asked}; write a number from 0 to 1")),
    }
}

fn words(document: &Document) -> impl Iterator<Item = String> + '_ {
    document
        .text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
}

/// The largest share of common 5-grams of any two documents, and which they are.
fn shared_wording(dataset: &Dataset) -> (f64, String) {
    let older: BTreeSet<&str> = dataset
        .bundles
        .values()
        .flat_map(|b| &b.documents)
        .filter(|d| d.role == Role::OlderRevision)
        .map(|d| d.doc_id.as_str())
        .collect();
    let item_of: BTreeMap<&str, &str> = dataset
        .bundles
        .values()
        .flat_map(|b| b.documents.iter().map(|d| (d.doc_id.as_str(), b.item_id.as_str())))
        .collect();
    let grams: Vec<(&str, BTreeSet<Vec<String>>)> = dataset
        .documents
        .values()
        .map(|d| {
            let words: Vec<_> = words(d).collect();
            (d.doc_id.as_str(), words.windows(GRAM).map(<[String]>::to_vec).collect())
        })
        .collect();
    let mut largest = (0.0, String::new());
    for (i, (a, grams_a)) in grams.iter().enumerate() {
        for (b, grams_b) in &grams[i + 1..] {
            let revision = older.contains(a) || older.contains(b);
            let shorter = grams_a.len().min(grams_b.len());
            if shorter == 0 || (revision && item_of.get(a) == item_of.get(b)) {
                continue;
            }
            let share = grams_a.intersection(grams_b).count() as f64 / shorter as f64;
            if share > largest.0 {
                largest = (share, format!("{a} with {b}"));
            }
        }
    }
    largest
}

/// The best accuracy of any rule that looks for one word in an item's documents, and the word.
fn best_word_rule(dataset: &Dataset) -> (f64, String) {
    let mut bearers: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for item in &dataset.items {
        for word in dataset.shown(&item.item_id).into_iter().flat_map(words) {
            bearers.entry(word).or_default().insert(&item.item_id);
        }
    }
    let n = dataset.items.len().max(1) as f64;
    let mut best = (0.0, String::new());
    for (word, items) in bearers {
        let right = dataset
            .items
            .iter()
            .filter(|i| items.contains(i.item_id.as_str()) == (i.target == "YES"))
            .count() as f64;
        let accuracy = (right / n).max(1.0 - right / n);
        if accuracy > best.0 {
            best = (accuracy, format!("the word \"{word}\""));
        }
    }
    best
}
