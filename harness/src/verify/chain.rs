use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use metrics::Log;
use records::{ModelSpec, Record, ResponseText, Run, Versioned, sha256_hex};
use serde::de::DeserializeOwned;

use crate::{
    arms::{Arm, BASELINE_ARM},
    cassette::{Player, Shelf, Transport, relative_path},
    dataset::Dataset,
    error::Error,
    models::ModelConfig,
    pieces::read_rows,
    provider::{Provider, baseline},
    report::RunFiles,
    runner::{Cell, Place, Resolver, baseline_row, resolve},
};

/// Makes every row of the run in `folder` again from data set, prompts and cassettes, and says which do not come out the
/// same. Rows and completions are read once more, since only what figures need of them was kept.
///
/// # Errors
/// A line of the completions is wrong, a file is not what was read before, or there is no runtime to replay in.
pub fn replay_rows(
    files: &RunFiles,
    folder: &Path,
    dataset: &Dataset,
    arms: &[Arm],
    cassettes: &Path,
) -> Result<Vec<String>, Error> {
    let run = &files.run;
    let mut problems = Vec::new();
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
    // For each completion, whether a row rests on it.
    let mut texts: BTreeMap<String, bool> = BTreeMap::new();
    read_again(files, folder, "responses.jsonl", |response: ResponseText| {
        let id = response.response_sha256;
        let said = short(&id);
        if sha256_hex(response.text.as_bytes()) != id {
            problems.push(format!("responses.jsonl: the text under {said} has another digest"));
        }
        if texts.insert(id, false).is_some() {
            problems.push(format!("responses.jsonl: {said} stands there twice"));
        }
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Error::Input(format!("no runtime: {e}")))?;
    let mut replay = Replay {
        run,
        dataset,
        arms,
        cassettes,
        transports: BTreeMap::new(),
        used: BTreeMap::new(),
    };
    // Rows of a cassette that cannot be read: said once, with their number.
    let mut broken: BTreeMap<String, u64> = BTreeMap::new();
    read_again(files, folder, "records.jsonl", |record: Record| {
        let name = row_name(&record);
        let made = match runtime.block_on(replay.remake(&record)) {
            Ok(made) => made,
            Err(Unmade::Row(e)) => {
                problems.push(format!("{name}: {e}"));
                return;
            }
            Err(Unmade::Cassette(e)) => {
                *broken.entry(e).or_insert(0) += 1;
                return;
            }
        };
        let fields = different_fields(&record, &made.0);
        if !fields.is_empty() {
            problems.push(format!("{name}: made again, it differs in {}", fields.join(", ")));
        }
        for text in &made.1 {
            match texts.get_mut(sha256_hex(text.as_bytes()).as_str()) {
                Some(used) => *used = true,
                None => problems.push(format!("{name}: its completion is not in responses.jsonl")),
            }
        }
    })?;
    problems.extend(broken.iter().map(|(e, n)| format!("{e}; {n} rows rest on it")));
    problems.extend(replay.left_out(files.log()?));
    // What the rows of a broken cassette rest on cannot be known.
    if broken.is_empty() {
        let unused = texts.iter().filter(|(_, used)| !**used);
        problems.extend(
            unused.map(|(id, _)| format!("responses.jsonl: no row rests on {}", short(id))),
        );
    }
    Ok(problems)
}

/// Hands the rows of a file of the run to `each`. What is found in them counts only if they are those that were read before.
fn read_again<T: DeserializeOwned + Versioned + Send>(
    files: &RunFiles,
    folder: &Path,
    name: &str,
    mut each: impl FnMut(T),
) -> Result<(), Error> {
    let path = folder.join(name);
    let seen = read_rows(&path, |row| {
        each(row);
        Ok(())
    })?;
    if files.files.iter().any(|file| file.name == name && file.entry == seen.entry) {
        return Ok(());
    }
    Err(Error::Input(format!(
        "{}: changed while it was read; verify again once nothing writes to it",
        path.display()
    )))
}

/// Why a row could not be made again.
enum Unmade {
    /// Something about the row.
    Row(String),
    /// Its cassette cannot be read.
    Cassette(String),
}

impl From<Error> for Unmade {
    fn from(error: Error) -> Self {
        Self::Row(error.to_string())
    }
}

/// Makes rows again.
struct Replay<'a> {
    run: &'a Run,
    dataset: &'a Dataset,
    arms: &'a [Arm],
    cassettes: &'a Path,
    /// By model and arm; the error of a cassette that cannot be read.
    transports: BTreeMap<(&'a str, &'a str), Result<Transport, String>>,
    /// By model and arm, where in the cassette the rows' exchanges stand.
    used: BTreeMap<(&'a str, &'a str), BTreeSet<Shelf>>,
}

impl<'a> Replay<'a> {
    /// One row and its completions, made again from `record`'s place alone.
    async fn remake(&mut self, record: &Record) -> Result<(Record, Vec<String>), Unmade> {
        let wrong = |text: &str| Unmade::Row(text.to_owned());
        let Self { run, dataset, arms, .. } = *self;
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
            let answers = baseline::answers(&spec.name, item, &dataset.items)?;
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
        let provider = Provider::of(&spec.provider)?;
        if let Provider::Embedded(reader) = provider
            && spec.version.as_deref() != Some(reader.version)
        {
            return Err(wrong(&format!(
                "was made by version {} of {}, and this build has version {}",
                spec.version.as_deref().unwrap_or("unknown"),
                reader.name,
                reader.version
            )));
        }
        let arm = arms
            .iter()
            .find(|a| a.spec.name == record.arm)
            .ok_or_else(|| wrong("this build has no such arm"))?;
        let key = (spec.name.as_str(), arm.spec.name.as_str());
        let transport = self.transports.entry(key).or_insert_with(|| {
            let path = relative_path(&dataset.manifest.dataset_id, key.0, key.1);
            let player = match provider {
                Provider::Api(_) => Player::load(&self.cassettes.join(path)),
                Provider::Embedded(_) => Ok(Player::default()),
            };
            player.map(Transport::replay).map_err(|e| e.to_string())
        });
        let transport = transport.as_ref().map_err(|e| Unmade::Cassette(e.clone()))?;
        let model = config_of(spec);
        let resolver = Resolver { run_id: &run.run_id, dataset, model: &model, provider };
        let cell = Cell { arm, repeat: record.repeat, item };
        let outcome = resolve(&resolver, cell, record.attempt, transport).await?;
        self.used.entry(key).or_default().extend(outcome.exchanges);
        Ok((outcome.record, outcome.completions))
    }

    /// Recordings of repeats that are published which no row rests on: what was asked and answered and then left out.
    fn left_out(&self, log: &Log) -> Vec<String> {
        let mut problems = Vec::new();
        for ((model, arm), transport) in &self.transports {
            let Some(player) = transport.as_ref().ok().and_then(Transport::player) else {
                continue;
            };
            let keys = log.keys().filter(|key| (key.0, key.1) == (*model, *arm));
            let most = keys.map(|key| key.2).max().unwrap_or(0);
            let none = BTreeSet::new();
            let used = self.used.get(&(*model, *arm)).unwrap_or(&none);
            let published = player.shelves().filter(|(_, repeat)| repeat.is_none_or(|r| r <= most));
            let left = published.filter(|shelf| !used.contains(*shelf)).count();
            if left > 0 {
                problems.push(format!(
                    "cassette of {model}/{arm}: no row rests on {left} of its recordings; publish them, or say in the run's notes why not and delete them"
                ));
            }
        }
        problems
    }
}

/// A model as `run.json` describes it, in the form in which it is run.
fn config_of(spec: &ModelSpec) -> ModelConfig {
    ModelConfig {
        name: spec.name.clone(),
        provider: spec.provider.clone(),
        model: spec.model.clone(),
        parameters: spec.parameters.clone(),
        seed: spec.seeds.first().copied(),
        seed_per_item: spec.seed_per_item,
        timeout_seconds: None,
        notes: spec.notes.clone(),
        price: spec.price.clone(),
        ..ModelConfig::default()
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

#[cfg(test)]
mod tests {
    use std::{fs::OpenOptions, io::Write};

    use super::*;
    use crate::report::load_run;

    #[test]
    fn a_file_that_changes_between_two_readings_is_not_judged() {
        let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/main");
        let folder = tempfile::tempdir().unwrap();
        for name in ["run.json", "records.jsonl", "responses.jsonl"] {
            std::fs::copy(published.join(name), folder.path().join(name)).unwrap();
        }
        let mut first = 0;
        let files = load_run(folder.path(), |_| first += 1).unwrap();
        let again = || {
            let mut n = 0;
            read_again(&files, folder.path(), "records.jsonl", |_: Record| n += 1).map(|()| n)
        };
        assert_eq!(again().unwrap(), first);
        // Not even a blank line may come to it.
        let log = OpenOptions::new().append(true).open(folder.path().join("records.jsonl"));
        log.unwrap().write_all(b"\n").unwrap();
        let told = again().unwrap_err().to_string();
        assert!(told.contains("records.jsonl: changed while it was read"), "{told}");
    }
}
