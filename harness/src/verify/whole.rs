use std::collections::{BTreeMap, BTreeSet};

use records::{Item, Record, Run};

use crate::arms::{Arm, BASELINE_ARM};

/// What is missing from a run, or stands there twice, a sentence each: a publication that leaves out the rows it does not
/// like has numbers that follow from the rest.
#[must_use]
pub fn gaps(run: &Run, records: &[Record], items: &[Item], arms: &[Arm]) -> Vec<String> {
    let mut problems = attempts(records);
    let mut present: BTreeMap<(&str, &str), BTreeMap<u32, BTreeSet<&str>>> = BTreeMap::new();
    for r in records {
        let series = present.entry((&r.model, &r.arm)).or_default();
        series.entry(r.repeat).or_default().insert(&r.item_id);
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
    let times = || records.iter().filter_map(|r| r.started_at.as_deref());
    for (field, said, found) in [
        ("started_at", run.started_at.as_deref(), times().min()),
        ("finished_at", run.finished_at.as_deref(), times().max()),
    ] {
        if said != found {
            let text = |time: Option<&str>| time.unwrap_or("nothing").to_owned();
            problems.push(format!(
                "run.json, field `{field}`: says {}, and the rows say {}",
                text(said),
                text(found)
            ));
        }
    }
    let models: BTreeSet<_> = records.iter().map(|r| r.model.as_str()).collect();
    let idle = run.models.iter().filter(|m| !models.contains(m.name.as_str()));
    problems.extend(idle.map(|m| format!("run.json, model {}: has no row", m.name)));
    problems
}

/// Rows of one key must be its attempts, one after the other.
fn attempts(records: &[Record]) -> Vec<String> {
    let mut last = BTreeMap::new();
    let mut problems = Vec::new();
    for r in records {
        let attempt = last.entry(r.key()).or_insert(0);
        *attempt += 1;
        if r.attempt != *attempt {
            problems.push(format!(
                "records.jsonl, {}/{}/{}/{}: row {attempt} of its key says that it is attempt {}",
                r.model, r.arm, r.repeat, r.item_id, r.attempt
            ));
        }
    }
    problems
}
