use std::collections::{BTreeMap, BTreeSet};

use metrics::{Log, Names};
use records::{Item, Record, Run};

use crate::{
    arms::{Arm, BASELINE_ARM},
    run_folder::Span,
};

/// What is kept of all rows of a log, those included that a later one replaces. It grows with the number of keys.
#[derive(Debug, Default)]
pub struct AllRows {
    count: usize,
    models: Names,
    arms: Names,
    items: Names,
    /// How many rows each key had so far.
    attempts: BTreeMap<(u32, u32, u32, u32), u32>,
    span: Span,
    problems: Vec<String>,
}

impl AllRows {
    /// Takes the next row. Rows of one key must be its attempts, one after the other.
    pub fn push(&mut self, row: &Record) {
        self.count += 1;
        self.span.add(row.started_at.as_ref());
        let (model, arm) = (self.models.number(&row.model), self.arms.number(&row.arm));
        let key = (model, arm, row.repeat, self.items.number(&row.item_id));
        let attempt = self.attempts.entry(key).or_insert(0);
        *attempt += 1;
        if row.attempt != *attempt {
            self.problems.push(format!(
                "records.jsonl, {}/{}/{}/{}: row {attempt} of its key says that it is attempt {}",
                row.model, row.arm, row.repeat, row.item_id, row.attempt
            ));
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

/// What is missing from a run, or stands there twice, a sentence each: a publication that leaves out the rows it does not
/// like has numbers that follow from the rest.
#[must_use]
pub fn gaps(run: &Run, rows: &AllRows, log: &Log, items: &[Item], arms: &[Arm]) -> Vec<String> {
    let mut problems = rows.problems.clone();
    let mut present: BTreeMap<(&str, &str), BTreeMap<u32, BTreeSet<&str>>> = BTreeMap::new();
    for (model, arm, repeat, item) in log.keys() {
        present.entry((model, arm)).or_default().entry(repeat).or_default().insert(item);
    }
    let mut repeats: BTreeMap<&str, u32> = BTreeMap::new();
    for ((model, arm), by_repeat) in &present {
        let most = by_repeat.keys().max().map_or(0, |r| r + 1);
        let entry = repeats.entry(arm).or_insert(0);
        *entry = most.max(*entry);
        let kinds = arms.iter().find(|a| a.spec.name == *arm).map(|a| &a.spec.kinds);
        let asked = |i: &&Item| kinds.is_none_or(|kinds| kinds.contains(&i.kind));
        for repeat in 0..most {
            let there = by_repeat.get(&repeat);
            let has = |i: &&Item| there.is_some_and(|ids| ids.contains(i.item_id.as_str()));
            let missing: Vec<_> = items.iter().filter(asked).filter(|i| !has(i)).collect();
            if let Some(first) = missing.first() {
                problems.push(format!(
                    "records.jsonl, {model}/{arm}/{repeat}: {} items have no row, among them {}",
                    missing.len(),
                    first.item_id
                ));
            }
        }
    }
    repeats.remove(BASELINE_ARM);
    let said: BTreeMap<&str, u32> = run.repeats.iter().map(|(arm, n)| (arm.as_str(), *n)).collect();
    if said != repeats {
        problems.push(format!(
            "run.json, field `repeats`: says {said:?}, and the rows say {repeats:?}"
        ));
    }
    for (field, said, found) in [
        ("started_at", &run.started_at, &rows.span.first),
        ("finished_at", &run.finished_at, &rows.span.last),
    ] {
        if said != found {
            let text = |time: &Option<String>| time.as_deref().unwrap_or("nothing").to_owned();
            problems.push(format!(
                "run.json, field `{field}`: says {}, and the rows say {}",
                text(said),
                text(found)
            ));
        }
    }
    let models: BTreeSet<_> = present.keys().map(|series| series.0).collect();
    let idle = run.models.iter().filter(|m| !models.contains(m.name.as_str()));
    problems.extend(idle.map(|m| format!("run.json, model {}: has no row", m.name)));
    problems
}
