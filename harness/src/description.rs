//! What was run: `run.json`, begun before the first row and brought up to date after each model, so that a run that ends
//! early says what it is.

use std::{collections::BTreeMap, path::Path};

use records::{ArmSpec, ModelSpec, Run, Versioned, parse_json};

use crate::{
    dataset::Dataset,
    error::{Error, read_file, write_file},
    models::ModelConfig,
    provider::{Provider, baseline},
    run_folder::Span,
    runner::ArmRequest,
};

/// What the person says about a run.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    /// Name of the run.
    pub run_id: &'a str,
    /// A line for people; the known one, or one made of the names, when not given.
    pub title: Option<&'a str>,
    /// Sentences to add.
    pub notes: &'a [String],
}

/// The description of the run in `folder` as it stands, or a new one.
///
/// # Errors
/// The file is wrong, or the run was made on another state of the data set.
pub fn describe(words: Words<'_>, dataset: &Dataset, folder: &Path) -> Result<Run, Error> {
    let manifest = &dataset.manifest;
    let Some(mut run) = known(folder)? else {
        let title = format!("{} on {}", words.run_id, manifest.dataset_id);
        return Ok(Run {
            schema: Run::tag(),
            run_id: words.run_id.to_owned(),
            title: words.title.map_or(title, str::to_owned),
            dataset_id: manifest.dataset_id.clone(),
            dataset_signature: manifest.signature.clone(),
            dataset_constructed: manifest.constructed,
            dataset_reviewed: manifest.reviewed,
            models: Vec::new(),
            arms: Vec::new(),
            repeats: BTreeMap::new(),
            harness_version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: git(&["rev-parse", "HEAD"]),
            // What a run writes itself is no change of the harness.
            dirty: git(&["status", "--porcelain", "--", ".", ":!results", ":!cassettes"])
                .map(|s| !s.is_empty()),
            started_at: None,
            finished_at: None,
            notes: words.notes.to_vec(),
        });
    };
    if run.dataset_signature != manifest.signature {
        return Err(Error::Input(format!(
            "{}, field `dataset_signature`: the run was made on another state of the data set; choose another --run",
            folder.join("run.json").display()
        )));
    }
    if let Some(title) = words.title {
        title.clone_into(&mut run.title);
    }
    for note in words.notes {
        if !run.notes.contains(note) {
            run.notes.push(note.clone());
        }
    }
    Ok(run)
}

fn known(folder: &Path) -> Result<Option<Run>, Error> {
    let path = folder.join("run.json");
    if !path.exists() {
        return Ok(None);
    }
    let parsed = parse_json::<Run>(&path.display().to_string(), &read_file(&path)?)?;
    Ok(parsed.rows.into_iter().next())
}

/// Writes `run.json`.
///
/// # Errors
/// The folder cannot be written.
pub fn write(run: &Run, folder: &Path) -> Result<(), Error> {
    let path = folder.join("run.json");
    let text = serde_json::to_string_pretty(run)
        .map_err(|e| Error::Input(format!("{}: {e}", path.display())))?;
    write_file(&path, format!("{text}\n").as_bytes())
}

/// What git says, or nothing outside a checkout or without git.
fn git(arguments: &[&str]) -> Option<String> {
    let output = std::process::Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A run's rows must not be said to come from a model or an arm that was set up otherwise.
///
/// # Errors
/// The run has a model or an arm of the same name with another setting; the message names it.
pub fn refuse_another(run: &Run, model: &ModelConfig, arms: &[ArmRequest]) -> Result<(), Error> {
    for request in arms {
        let spec = &request.arm.spec;
        if run.arms.iter().any(|a| a.name == spec.name && a != spec) {
            return Err(Error::Input(format!(
                "run \"{}\" was made with another prompt or other settings of the arm {}; choose another --run, or restore the arm",
                run.run_id, spec.name
            )));
        }
    }
    let Some(known) = run.models.iter().find(|m| m.name == model.name) else { return Ok(()) };
    if let Ok(Provider::Embedded(reader)) = Provider::of(&model.provider)
        && known.version.as_deref().is_some_and(|version| version != reader.version)
    {
        return Err(Error::Input(format!(
            "run \"{}\" was made with another version of {} than this build's, {}; choose another --run",
            run.run_id, model.name, reader.version
        )));
    }
    let sent = known.model.as_deref().unwrap_or(&known.name);
    let seed_changed = known.seeds.first().copied() != model.seed;
    let changed = [
        ("provider", known.provider != model.provider),
        ("model", sent != model.sent_name()),
        ("parameters", known.parameters != model.parameters),
        ("seed", seed_changed),
        ("seed_per_item", known.seed_per_item != model.seed_per_item),
        ("notes", known.notes != model.notes),
        ("price", known.price != model.price),
    ];
    match changed.into_iter().find(|(_, changed)| *changed) {
        None => Ok(()),
        Some((field, _)) => Err(Error::Input(format!(
            "run \"{}\" was made with another `{field}` of {}; choose another --run, or restore the entry in the data folder",
            run.run_id, model.name
        ))),
    }
}

/// Adds a model, or brings what is known of it up to date.
pub fn add_model(run: &mut Run, model: &ModelConfig, version: Option<String>, arms: &[ArmRequest]) {
    let is_baseline = model.provider == baseline::PROVIDER;
    let earlier = run.models.iter().find(|m| m.name == model.name);
    let repeats = arms.iter().map(|a| a.repeats).max().unwrap_or(0);
    let known_seeds = earlier.map_or(0, |m| m.seeds.len() as u64);
    let spec = ModelSpec {
        name: model.name.clone(),
        provider: model.provider.clone(),
        model: (!is_baseline).then(|| model.sent_name().to_owned()),
        version: version.or_else(|| earlier.and_then(|m| m.version.clone())),
        parameters: model.parameters.clone(),
        seeds: match model.seed {
            Some(seed) => {
                (0..u64::from(repeats).max(known_seeds)).map(|r| seed.wrapping_add(r)).collect()
            }
            None => Vec::new(),
        },
        seed_per_item: model.seed_per_item,
        price: model.price.clone(),
        notes: model.notes.clone(),
    };
    match run.models.iter_mut().find(|m| m.name == model.name) {
        Some(place) => *place = spec,
        None => run.models.push(spec),
    }
    if is_baseline {
        return;
    }
    for request in arms {
        let spec: &ArmSpec = &request.arm.spec;
        if !run.arms.iter().any(|a| a.name == spec.name) {
            run.arms.push(spec.clone());
        }
        let repeats = run.repeats.entry(spec.name.clone()).or_insert(0);
        *repeats = (*repeats).max(request.repeats);
    }
}

/// Says when the run's calls were made.
pub fn add_times(run: &mut Run, span: &Span) {
    run.started_at.clone_from(&span.first);
    run.finished_at.clone_from(&span.last);
}
