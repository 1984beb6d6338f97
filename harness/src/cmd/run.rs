use std::{collections::BTreeMap, path::Path, rc::Rc};

use records::Status;
use serde_json::json;

use crate::{
    arms::{BASELINE_ARM, known},
    cassette::{
        Http, Pace, Player, Recorder, Remote, StopSign, Transport, is_plain_name, relative_path,
    },
    cli::{Mode, RunArgs},
    dataset::{Dataset, check, load},
    description::{Words, add_model, add_times, describe, refuse_another, write},
    error::Error,
    models::{ModelConfig, select},
    progress::Progress,
    provider::{Api, Provider, baseline},
    run_folder::RunFolder,
    runner::{
        ArmRequest, Driven, Estimate, Job, Place, Resolver, Spending, Stop, Tally, arm_requests,
        baseline_row, grid,
    },
    terminal::{ask, note, print_line},
};

/// Files that are open beside the calls under way.
const OTHER_FILES: u64 = 64;

/// `recount run`
pub fn run(args: &RunArgs, json: bool) -> anyhow::Result<()> {
    let arms = arm_requests(&args.arms, args.repeats, &known(&args.folders.data)?)?;
    let models = select(&args.folders.data, &args.models)?;
    let dataset = open_dataset(args)?;
    check_request(args, &models, &arms, &dataset)?;
    let folder = args.folders.results.join(&args.run);
    let words = Words { run_id: &args.run, title: args.title.as_deref(), notes: &args.notes };
    let mut description = describe(words, &dataset, &folder)?;
    for model in &models {
        refuse_another(&description, model, &arms)?;
    }
    let mut log = RunFolder::open(&folder)?;
    let stop = Rc::new(StopSign::default());
    let jobs = jobs(args, &dataset, &models, &arms, &log, &stop)
        .and_then(|jobs| ask_first(args, &models, &jobs).map(|()| jobs));
    let jobs = match jobs {
        Ok(jobs) => jobs,
        Err(error) => {
            log.remove_if_empty();
            return Err(error.into());
        }
    };
    for model in &models {
        add_model(&mut description, model, None, &arms);
    }
    write(&description, &folder)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut spending = Spending::up_to(args.max_cost_usd);
    let mut said = Vec::new();
    let mut unserved = 0;
    for model in &models {
        let driven = match jobs.get(model.name.as_str()) {
            None => run_baseline(args, &dataset, model, &mut log)?,
            Some(job) => {
                let mut progress = Progress::new(model, job.cells.len() as u64, args.quiet);
                let seen = |tally: &Tally, arm: &str| progress.row(tally, arm);
                runtime.block_on(job.drive(&mut log, &mut spending, seen)).map_err(advise)?
            }
        };
        add_model(&mut description, model, driven.version.clone(), &arms);
        add_times(&mut description, log.span());
        write(&description, &folder)?;
        if !args.quiet && !json {
            note(&summary(model, &driven.tally));
        }
        if args.mode != Mode::Replay {
            unserved += driven.tally.added.get(Status::Unserved.as_str()).unwrap_or(&0);
        }
        said.push(json!({"model": model.name, "tally": driven.tally}));
        if let Some(stop) = driven.stop {
            if json {
                print_line(&report_json(args, &said, false))?;
            }
            return Err(stopped(&stop, model, args).into());
        }
    }
    let finished = unserved == 0;
    if json {
        print_line(&report_json(args, &said, finished))?;
    }
    if finished {
        return Ok(());
    }
    Err(Error::Disagrees(format!(
        "not finished: {unserved} rows were not served; the same command tries them again"
    ))
    .into())
}

fn open_dataset(args: &RunArgs) -> Result<Dataset, Error> {
    let dataset = load(&args.folders.data.join(&args.dataset))?;
    for text in &dataset.notes {
        note(&format!("note: {text}"));
    }
    match check(&dataset).into_iter().next() {
        None => Ok(dataset),
        Some(problem) => {
            let more = "run `recount bundle check` for the whole list";
            Err(Error::Input(format!("the data set is not valid: {problem}; {more}")))
        }
    }
}

/// Refuses what cannot be done before anything is written.
fn check_request(
    args: &RunArgs,
    models: &[ModelConfig],
    arms: &[ArmRequest],
    dataset: &Dataset,
) -> Result<(), Error> {
    if !is_plain_name(&args.run) {
        return Err(Error::Usage(format!(
            "--run \"{}\": is no folder name; use letters, digits, dots, dashes and underscores",
            args.run
        )));
    }
    if !is_plain_name(&args.dataset) {
        return Err(Error::Usage(format!(
            "--dataset \"{}\": is the name of a folder below --data, without a path",
            args.dataset
        )));
    }
    if arms.is_empty() && models.iter().any(|m| m.provider != baseline::PROVIDER) {
        return Err(Error::Usage("name at least one arm with --arms, such as a0:3,a1".into()));
    }
    for request in arms {
        let spec = &request.arm.spec;
        let Some(item) = dataset.items.iter().find(|i| spec.kinds.contains(&i.kind)) else {
            return Err(Error::Usage(format!(
                "the arm {} asks no item of {}: it is for other kinds; see `recount run --help`",
                spec.name, args.dataset
            )));
        };
        let gold = spec.evidence == records::Evidence::Gold;
        if gold && dataset.items.iter().all(|i| i.gold_docs.is_empty()) {
            return Err(Error::Input(format!(
                "item {}, field `gold_docs`: is empty, as in every item; the arm {} shows the documents that hold the answer",
                item.item_id, spec.name
            )));
        }
    }
    if args.max_cost_usd.is_some()
        && args.mode != Mode::Replay
        && let Some(model) = models.iter().find(|m| {
            m.price.is_none() && Provider::of(&m.provider).is_ok_and(|p| p.api().is_some())
        })
    {
        return Err(Error::Usage(format!(
            "--max-cost-usd: no price is known for {}, so that the limit cannot be kept; add it to {}",
            model.name,
            args.folders.data.join("prices.toml").display()
        )));
    }
    Ok(())
}

/// What each model needs to be run, opened, by its name; baselines need nothing.
fn jobs<'a>(
    args: &'a RunArgs,
    dataset: &'a Dataset,
    models: &'a [ModelConfig],
    arms: &'a [ArmRequest],
    log: &RunFolder,
    stop: &Rc<StopSign>,
) -> Result<BTreeMap<&'a str, Job<'a>>, Error> {
    let mut paces = BTreeMap::new();
    let mut jobs = BTreeMap::new();
    for model in models.iter().filter(|m| m.provider != baseline::PROVIDER) {
        let pace = paces
            .entry(model.provider.as_str())
            .or_insert_with(|| Rc::new(Pace::new(&model.limits)));
        jobs.insert(model.name.as_str(), job(args, dataset, model, arms, log, (pace, stop))?);
    }
    Ok(jobs)
}

/// Everything that a model needs to be run, opened.
fn job<'a>(
    args: &'a RunArgs,
    dataset: &'a Dataset,
    model: &'a ModelConfig,
    arms: &'a [ArmRequest],
    log: &RunFolder,
    (pace, stop): (&Rc<Pace>, &Rc<StopSign>),
) -> Result<Job<'a>, Error> {
    let provider = Provider::of(&model.provider)?;
    let mut transports = BTreeMap::new();
    for request in arms {
        let name = request.arm.spec.name.as_str();
        let path = relative_path(&dataset.manifest.dataset_id, &model.name, name);
        let path = args.folders.cassettes.join(path);
        let transport = open_transport(args.mode, model, provider, &path, (pace, stop))?;
        transports.insert(name, transport);
    }
    let next = |arm: &str, repeat: u32, item: &str| {
        log.next_attempt((&model.name, arm, repeat, item), args.retry_faults)
    };
    let cells = grid(arms, &dataset.items)
        .into_iter()
        .filter_map(|c| Some((c, next(&c.arm.spec.name, c.repeat, &c.item.item_id)?)))
        .collect();
    // A replay keeps the order of the grid, so that its log is the same every time.
    let concurrency = match (args.mode, args.concurrency) {
        (Mode::Replay, _) => 1,
        (_, Some(asked)) => asked.get(),
        (_, None) => model.concurrency().get(),
    };
    let concurrency = allowed_by_system(concurrency);
    let resolver = Resolver { run_id: &args.run, dataset, model, provider };
    Ok(Job { resolver, cells, transports, concurrency, stop: stop.clone() })
}

/// As many calls as were asked for, or as many as the system has descriptors for.
fn allowed_by_system(concurrency: u32) -> usize {
    let wanted = u64::from(concurrency) + OTHER_FILES;
    let allowed = rlimit::increase_nofile_limit(wanted).unwrap_or(wanted);
    if allowed < wanted {
        note(&format!(
            "note: the system allows {allowed} open files, so that fewer than {concurrency} calls are made at one time; see `ulimit -n`"
        ));
    }
    usize::try_from(allowed.min(wanted).saturating_sub(OTHER_FILES)).unwrap_or(1).max(1)
}

fn open_transport(
    mode: Mode,
    model: &ModelConfig,
    provider: Provider,
    cassette: &Path,
    (pace, stop): (&Rc<Pace>, &Rc<StopSign>),
) -> Result<Transport, Error> {
    let Provider::Api(api) = provider else { return Ok(Transport::replay(Player::default())) };
    let remote = || -> Result<Remote, Error> {
        Ok(Remote {
            http: open_http(model, api)?,
            pace: pace.clone(),
            most_output_tokens: model.most_output_tokens(),
            stop: stop.clone(),
        })
    };
    Ok(match mode {
        Mode::Replay => Transport::replay(Player::load(cassette)?),
        Mode::Live => Transport::live(remote()?),
        Mode::Record => {
            let (recorder, player) = Recorder::open(cassette)?;
            Transport::record(player, remote()?, recorder)
        }
    })
}

fn open_http(model: &ModelConfig, api: &dyn Api) -> Result<Http, Error> {
    let key = std::env::var(api.key_variable()).ok().filter(|k| !k.is_empty());
    if key.is_none() && model.base_url.is_none() {
        return Err(Error::Provider(format!(
            "\"{}\" needs a key in the environment variable {}",
            model.name,
            api.key_variable()
        )));
    }
    Http::new(api, model.base_url.as_deref().unwrap_or(api.base_url()), key, model.timeout()?)
}

/// Says what a live run will take and asks whether it should, unless it was told to go on.
fn ask_first(
    args: &RunArgs,
    models: &[ModelConfig],
    jobs: &BTreeMap<&str, Job<'_>>,
) -> Result<(), Error> {
    if args.mode == Mode::Replay {
        return Ok(());
    }
    let mut rows = 0;
    for model in models {
        let Some(job) = jobs.get(model.name.as_str()) else { continue };
        let estimate = Estimate::of(job);
        rows += estimate.rows;
        if estimate.rows > 0 && !args.quiet {
            note(&format!("{}: {estimate}", model.name));
        }
    }
    if rows == 0 || args.yes {
        return Ok(());
    }
    match ask("Make these calls?")? {
        Some(true) => Ok(()),
        Some(false) => Err(Error::Interrupted("nothing was called".into())),
        None => Err(Error::Usage(format!(
            "{rows} rows need calls, and nobody can be asked here: say --yes to make them"
        ))),
    }
}

fn run_baseline(
    args: &RunArgs,
    dataset: &Dataset,
    model: &ModelConfig,
    log: &mut RunFolder,
) -> Result<Driven, Error> {
    let mut tally = Tally::default();
    for item in &dataset.items {
        let answers = baseline::answers(&model.name, item, &dataset.items)?;
        for (repeat, (answer, confidence)) in (0_u32..).zip(answers) {
            let key = (model.name.as_str(), BASELINE_ARM, repeat, item.item_id.as_str());
            if let Some(attempt) = log.next_attempt(key, args.retry_faults) {
                let place = Place {
                    run_id: &args.run,
                    dataset_id: &dataset.manifest.dataset_id,
                    model: &model.name,
                    arm: BASELINE_ARM,
                    repeat,
                    attempt,
                };
                let row = baseline_row(place, item, &answer, confidence);
                log.append(&row, &[])?;
                *tally.added.entry(row.status.as_str()).or_insert(0) += 1;
            }
        }
    }
    Ok(Driven { tally, version: None, stop: None })
}

/// One line about what was done for a model.
fn summary(model: &ModelConfig, tally: &Tally) -> String {
    let mut text = format!("{}: {} rows added", model.name, tally.rows());
    if tally.rows() > 0 {
        let parts: Vec<_> = tally.added.iter().map(|(status, n)| format!("{n} {status}")).collect();
        text.push_str(&format!(" ({})", parts.join(", ")));
    }
    if tally.calls > 0 {
        let cost = tally.cost_usd.map_or("cost unknown".to_owned(), |c| format!("${c:.4}"));
        text.push_str(&format!("; {} calls made, {cost}", tally.calls));
    }
    text
}

fn report_json(args: &RunArgs, models: &[serde_json::Value], finished: bool) -> String {
    json!({"run": args.run, "finished": finished, "models": models}).to_string()
}

/// The error that a run ends with that was stopped early. What it wrote stays, and running it again goes on.
fn stopped(stop: &Stop, model: &ModelConfig, args: &RunArgs) -> Error {
    let go_on = "what was written stays; the same command goes on from here";
    match stop {
        Stop::Cost => Error::Disagrees(format!(
            "not finished: the next row of {} might take the cost above --max-cost-usd {}; {go_on}",
            model.name,
            args.max_cost_usd.unwrap_or_default()
        )),
        Stop::Interrupted => Error::Interrupted(format!("stopped as asked; {go_on}")),
        Stop::OutOfReach { words, rejected: false } => Error::Provider(format!(
            "{}: nothing is served any more, so nothing more is tried. The last call says: {words}. Check base_url and the server; {go_on}",
            model.name
        )),
        Stop::OutOfReach { words, rejected: true } => Error::Provider(format!(
            "{}: everything is rejected, so nothing more is tried. The last call says: {words}. Check key, model and parameters; then the same command with --retry-faults tries again what was rejected",
            model.name
        )),
    }
}

/// Says what can be done about a cassette miss.
fn advise(error: Error) -> Error {
    match error {
        Error::Miss(text) => Error::Miss(format!(
            "{text}. A replay never calls a provider: use --mode record to record it"
        )),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_what_was_added_and_what_it_cost() {
        let model: ModelConfig =
            serde_json::from_value(json!({"name": "m", "provider": "openai"})).unwrap();
        let mut tally = Tally::default();
        assert_eq!(summary(&model, &tally), "m: 0 rows added");
        tally.added.insert("answered", 3);
        tally.added.insert("hard_fail", 1);
        tally.calls = 5;
        assert_eq!(
            summary(&model, &tally),
            "m: 4 rows added (3 answered, 1 hard_fail); 5 calls made, cost unknown"
        );
        assert_eq!(tally.failed(), 1);
    }
}
