use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    path::Path,
};

use records::{ModelSpec, Record, ResponseText, Run, sha256_hex};

use crate::{
    arms::{Arm, BASELINE_ARM, built_in},
    cassette::{Player, Transport, relative_path},
    dataset::Dataset,
    error::Error,
    models::ModelConfig,
    provider::{api, baseline},
    runner::{Cell, Place, Resolver, baseline_row, resolve},
};

/// Makes every row of `records` again from data set, prompts and cassettes, and says which do not come out the same.
///
/// # Errors
/// The built-in arms cannot be read, or a cassette cannot.
pub fn replay_rows(
    run: &Run,
    records: &[Record],
    responses: &[ResponseText],
    dataset: &Dataset,
    cassettes: &Path,
) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    let arms = built_in()?;
    for spec in &run.arms {
        match arms.iter().find(|a| a.spec.name == spec.name) {
            Some(arm) if arm.spec == *spec => {}
            Some(_) => problems.push(format!(
                "run.json, arm {}: its prompt or settings are not those of this build",
                spec.name
            )),
            None => {
                problems.push(format!("run.json, arm {}: this build has no such arm", spec.name))
            }
        }
    }
    let mut texts: BTreeMap<&str, bool> = BTreeMap::new();
    for response in responses {
        let id = response.response_sha256.as_str();
        if sha256_hex(response.text.as_bytes()) != id {
            problems
                .push(format!("responses.jsonl: the text under {} has another digest", short(id)));
        }
        if texts.insert(id, false).is_some() {
            problems.push(format!("responses.jsonl: {} stands there twice", short(id)));
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Error::Input(format!("no runtime: {e}")))?;
    let mut transports: BTreeMap<(&str, &str), Transport> = BTreeMap::new();
    for record in records {
        let name = row_name(record);
        let made = match remake(run, record, dataset, &arms, cassettes, &mut transports, &runtime) {
            Ok(made) => made,
            Err(e) => {
                problems.push(format!("{name}: {e}"));
                continue;
            }
        };
        let fields = different_fields(record, &made.0);
        if !fields.is_empty() {
            problems.push(format!("{name}: made again, it differs in {}", fields.join(", ")));
        }
        for text in &made.1 {
            match texts.get_mut(sha256_hex(text.as_bytes()).as_str()) {
                Some(used) => *used = true,
                None => problems.push(format!("{name}: its completion is not in responses.jsonl")),
            }
        }
    }
    let unused = texts.iter().filter(|(_, used)| !**used);
    problems
        .extend(unused.map(|(id, _)| format!("responses.jsonl: no row rests on {}", short(id))));
    Ok(problems)
}

/// One row and its completions, made again from `record`'s place alone.
fn remake<'a>(
    run: &Run,
    record: &'a Record,
    dataset: &Dataset,
    arms: &[Arm],
    cassettes: &Path,
    transports: &mut BTreeMap<(&'a str, &'a str), Transport>,
    runtime: &tokio::runtime::Runtime,
) -> Result<(Record, Vec<String>), Error> {
    let wrong = |text: &str| Error::Input(text.to_owned());
    let item = dataset
        .items
        .iter()
        .find(|i| i.item_id == record.item_id)
        .ok_or_else(|| wrong("the data set has no such item"))?;
    let spec = run
        .models
        .iter()
        .find(|m| m.name == record.model)
        .ok_or_else(|| wrong("run.json does not name its model"))?;
    if spec.provider == baseline::PROVIDER {
        let answers = baseline::answers(&spec.name, item)?;
        let (answer, confidence) = answers
            .get(record.repeat as usize)
            .ok_or_else(|| wrong("the baseline has no such repeat"))?;
        let place = Place {
            run_id: &run.run_id,
            dataset_id: &dataset.manifest.dataset_id,
            model: &spec.name,
            arm: BASELINE_ARM,
            repeat: record.repeat,
            attempt: record.attempt,
        };
        return Ok((baseline_row(place, item, answer, *confidence), Vec::new()));
    }
    let arm = arms
        .iter()
        .find(|a| a.spec.name == record.arm)
        .ok_or_else(|| wrong("this build has no such arm"))?;
    let key = (record.model.as_str(), record.arm.as_str());
    let transport = match transports.entry(key) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(place) => {
            let path = cassettes.join(relative_path(&dataset.manifest.dataset_id, key.0, key.1));
            place.insert(Transport::Replay(Player::load(&path)?))
        }
    };
    let model = config_of(spec);
    let resolver =
        Resolver { run_id: &run.run_id, dataset, model: &model, api: api(&spec.provider)? };
    let cell = Cell { arm, repeat: record.repeat, item };
    let outcome = runtime.block_on(resolve(&resolver, cell, record.attempt, transport))?;
    Ok((outcome.record, outcome.completions))
}

/// A model as `run.json` describes it, in the form in which it is run.
fn config_of(spec: &ModelSpec) -> ModelConfig {
    ModelConfig {
        name: spec.name.clone(),
        provider: spec.provider.clone(),
        model: spec.model.clone(),
        base_url: None,
        parameters: spec.parameters.clone(),
        seed: spec.seeds.first().copied(),
        timeout_seconds: None,
        notes: spec.notes.clone(),
        price: spec.price.clone(),
    }
}

fn row_name(record: &Record) -> String {
    format!("records.jsonl, {}/{}/{}/{}", record.model, record.arm, record.repeat, record.item_id)
}

fn different_fields(a: &Record, b: &Record) -> Vec<String> {
    let (Ok(serde_json::Value::Object(a)), Ok(serde_json::Value::Object(b))) =
        (serde_json::to_value(a), serde_json::to_value(b))
    else {
        return vec!["the whole row".to_owned()];
    };
    let fields: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    fields.into_iter().filter(|f| a.get(*f) != b.get(*f)).map(|f| format!("`{f}`")).collect()
}

fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}
