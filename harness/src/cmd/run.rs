use std::{collections::BTreeMap, io::IsTerminal, path::Path};

use indicatif::{ProgressBar, ProgressStyle};
use records::{ArmSpec, ModelSpec, Record, Run, Versioned, parse_json};

use crate::{
    arms::{BASELINE_ARM, built_in},
    cassette::{Http, Player, Recorder, Transport, relative_path, slug},
    cli::{Mode, RunArgs},
    dataset::{Dataset, check, load},
    error::{Error, read_file, write_file},
    models::{ModelConfig, select},
    provider::{api, baseline},
    run_folder::{RunFolder, read_log},
    runner::{ArmRequest, Place, Resolver, arm_requests, baseline_row, grid, resolve},
};

/// `recount run`
pub fn run(args: &RunArgs) -> anyhow::Result<()> {
    let arms = arm_requests(&args.arms, args.repeats, &built_in()?)?;
    let models = select(&args.folders.data, &args.models)?;
    let dataset = load(&args.folders.data.join(&args.dataset))?;
    for note in &dataset.notes {
        eprintln!("note: {note}");
    }
    if let Some(problem) = check(&dataset).into_iter().next() {
        let more = "run `recount bundle check` for the whole list";
        return Err(Error::Input(format!("the data set is not valid: {problem}; {more}")).into());
    }
    if arms.is_empty() && models.iter().any(|m| m.provider != baseline::PROVIDER) {
        return Err(
            Error::Usage("name at least one arm with --arms, such as a0:3,a1".into()).into()
        );
    }
    let run_folder = args.folders.results.join(slug(&args.run));
    let mut log = RunFolder::open(&run_folder)?;
    let mut description = describe(args, &dataset, &run_folder)?;
    for model in &models {
        refuse_another_model(&description, model)?;
    }
    for model in &models {
        let version = if model.provider == baseline::PROVIDER {
            run_baseline(args, &dataset, model, &mut log)?;
            None
        } else {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(run_model(args, &dataset, model, &arms, &mut log))?
        };
        add_model(&mut description, model, version, &arms);
        add_times(&mut description, &read_log(&run_folder.join("records.jsonl"))?);
        let text = format!("{}\n", serde_json::to_string_pretty(&description)?);
        write_file(&run_folder.join("run.json"), text.as_bytes())?;
    }
    Ok(())
}

/// Runs one model over the grid; the version that its provider reported, if any.
async fn run_model(
    args: &RunArgs,
    dataset: &Dataset,
    model: &ModelConfig,
    arms: &[ArmRequest],
    log: &mut RunFolder,
) -> Result<Option<String>, Error> {
    let api = api(&model.provider)?;
    let dataset_id = dataset.manifest.dataset_id.as_str();
    let open_http = || -> Result<Http, Error> {
        let key = std::env::var(api.key_variable()).ok().filter(|k| !k.is_empty());
        if key.is_none() && model.base_url.is_none() {
            return Err(Error::Provider(format!(
                "\"{}\" needs a key in the environment variable {}",
                model.name,
                api.key_variable()
            )));
        }
        let base_url = model.base_url.as_deref().unwrap_or(api.base_url());
        Http::new(api, base_url, key, model.timeout()?)
    };
    let mut transports = BTreeMap::new();
    for arm in arms {
        let name = arm.arm.spec.name.as_str();
        let path = args.folders.cassettes.join(relative_path(dataset_id, &model.name, name));
        let transport = match args.mode {
            Mode::Replay => Transport::Replay(Player::load(&path)?),
            Mode::Live => Transport::Live(open_http()?),
            Mode::Record => {
                let recorder = Recorder::open(&path)?;
                Transport::Record(Player::load(&path)?, open_http()?, recorder)
            }
        };
        transports.insert(name, transport);
    }
    let resolver = Resolver { run_id: &args.run, dataset, model, api };
    let cells = grid(arms, &dataset.items);
    let progress = progress_bar(&model.name, cells.len() as u64, args.quiet);
    let mut version = None;
    for cell in cells {
        let name = cell.arm.spec.name.as_str();
        if let Some(transport) = transports.get_mut(name)
            && let Some(attempt) =
                log.next_attempt((&model.name, name, cell.repeat, &cell.item.item_id))
        {
            let outcome = resolve(&resolver, cell, attempt, transport).await?;
            log.append(&outcome.record, &outcome.completions)?;
            version = outcome.version.or(version);
            progress.set_message(name.to_owned());
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(version)
}

fn run_baseline(
    args: &RunArgs,
    dataset: &Dataset,
    model: &ModelConfig,
    log: &mut RunFolder,
) -> Result<(), Error> {
    for item in &dataset.items {
        for (repeat, (answer, confidence)) in (0_u32..).zip(baseline::answers(&model.name, item)?) {
            let key = (model.name.as_str(), BASELINE_ARM, repeat, item.item_id.as_str());
            if let Some(attempt) = log.next_attempt(key) {
                let place = Place {
                    run_id: &args.run,
                    dataset_id: &dataset.manifest.dataset_id,
                    model: &model.name,
                    arm: BASELINE_ARM,
                    repeat,
                    attempt,
                };
                log.append(&baseline_row(place, item, answer, confidence), &[])?;
            }
        }
    }
    Ok(())
}

fn progress_bar(model: &str, calls: u64, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(calls);
    if let Ok(style) = ProgressStyle::with_template(
        "{prefix} {msg} {bar:30} {pos}/{len} calls, {per_sec}, {eta} left",
    ) {
        bar.set_style(style);
    }
    bar.set_prefix(model.to_owned());
    bar
}

/// The description of the run as it stands, or a new one.
fn describe(args: &RunArgs, dataset: &Dataset, folder: &Path) -> Result<Run, Error> {
    let path = folder.join("run.json");
    let signature = &dataset.manifest.signature;
    if path.exists() {
        let bytes = read_file(&path)?;
        let known = parse_json::<Run>(&path.display().to_string(), &bytes)?.rows.into_iter().next();
        if let Some(mut run) = known {
            if run.dataset_signature != *signature {
                return Err(Error::Input(format!(
                    "{}, field `dataset_signature`: the run was made on another state of the data set; choose another --run",
                    path.display()
                )));
            }
            if let Some(title) = &args.title {
                run.title.clone_from(title);
            }
            for note in &args.notes {
                if !run.notes.contains(note) {
                    run.notes.push(note.clone());
                }
            }
            return Ok(run);
        }
    }
    Ok(Run {
        schema: Run::tag(),
        run_id: args.run.clone(),
        title: args.title.clone().unwrap_or_else(|| format!("{} on {}", args.run, args.dataset)),
        dataset_id: dataset.manifest.dataset_id.clone(),
        dataset_signature: signature.clone(),
        dataset_constructed: dataset.manifest.constructed,
        dataset_reviewed: dataset.manifest.reviewed,
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
        notes: args.notes.clone(),
    })
}

/// What git says, or nothing outside a checkout or without git.
fn git(arguments: &[&str]) -> Option<String> {
    let output = std::process::Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A run's rows must not be said to come from a model that was set up otherwise.
fn refuse_another_model(run: &Run, model: &ModelConfig) -> Result<(), Error> {
    let Some(known) = run.models.iter().find(|m| m.name == model.name) else { return Ok(()) };
    let sent = known.model.as_deref().unwrap_or(&known.name);
    let seed_changed = known.seeds.first().copied() != model.seed;
    let changed = [
        ("provider", known.provider != model.provider),
        ("model", sent != model.sent_name()),
        ("parameters", known.parameters != model.parameters),
        ("seed", seed_changed),
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

fn add_model(run: &mut Run, model: &ModelConfig, version: Option<String>, arms: &[ArmRequest]) {
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
            Some(seed) => (0..u64::from(repeats).max(known_seeds)).map(|r| seed + r).collect(),
            None => Vec::new(),
        },
        price: model.price.clone(),
        notes: model.notes.clone(),
    };
    run.models.retain(|m| m.name != model.name);
    run.models.push(spec);
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

fn add_times(run: &mut Run, rows: &[Record]) {
    let times = || rows.iter().filter_map(|r| r.started_at.clone());
    run.started_at = times().min();
    run.finished_at = times().max();
}
