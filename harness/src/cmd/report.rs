use std::path::{Path, PathBuf};

use metrics::{Header, Log};
use records::{BinStrategy, Input, IntervalMethod, Plan, Results};

use crate::{
    cli::{Bins, Format, Method, ReportArgs},
    error::{Error, read_file, write_file},
    pieces::digest_of,
    report::{
        compute_results, csv_table, default_control, inputs_of, json_table, load_run,
        markdown_table, read_log_file, sums_text, text_table,
    },
    run_folder::{RUN_FILES, located},
    terminal::{note, print, print_line},
};

/// `recount report`
pub fn run(args: &ReportArgs, json: bool) -> anyhow::Result<()> {
    let results = match &args.records {
        Some(path) => bare(args, path)?,
        None => of_run(args)?,
    };
    let to_stdout = args.out.as_deref().is_some_and(is_stdout);
    if args.quiet || to_stdout {
        return Ok(());
    }
    match if json { Format::Json } else { args.format } {
        Format::Text => print(&format!("{}\n{}\n", text_table(&results), results.signature))?,
        Format::Markdown => print(&markdown_table(&results))?,
        Format::Csv => print(&csv_table(&results))?,
        Format::Json => print_line(&json_table(&results).to_string())?,
    }
    Ok(())
}

/// Computes a run and writes its results and `SHA256SUMS`.
fn of_run(args: &ReportArgs) -> anyhow::Result<Results> {
    let folder = located(&args.run, &args.folders.results)?;
    let files = load_run(&folder, |_| ())?;
    for text in &files.notes {
        note(&format!("note: {text}"));
    }
    let header = Header {
        run_id: files.run.run_id.clone(),
        dataset_id: files.run.dataset_id.clone(),
        title: files.run.title.clone(),
    };
    let inputs = inputs_of(&files, &args.folders)?;
    let results = publish(args, header, files.log()?, inputs)?;
    let out = args.out.clone().unwrap_or_else(|| folder.join("results.json"));
    write_results(&out, &results)?;
    if out == folder.join("results.json") {
        let mut entries = Vec::new();
        for name in RUN_FILES {
            entries.push((name.to_owned(), digest_of(&folder.join(name))?));
        }
        write_file(&folder.join("SHA256SUMS"), sums_text(&entries).as_bytes())?;
    }
    Ok(results)
}

/// Computes a records file that stands alone.
fn bare(args: &ReportArgs, path: &Path) -> anyhow::Result<Results> {
    let file = read_log_file(path)?;
    if let Some(text) = &file.note {
        note(&format!("note: {text}"));
    }
    let header = Header {
        title: format!("{} on {}", file.run_id, file.dataset_id),
        run_id: file.run_id,
        dataset_id: file.dataset_id,
    };
    let inputs = vec![Input { name: "records.jsonl".to_owned(), entry: file.entry }];
    let results = publish(args, header, &file.log, inputs)?;
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("results.json"));
    write_results(&out, &results)?;
    Ok(results)
}

fn publish(
    args: &ReportArgs,
    header: Header,
    log: &Log,
    inputs: Vec<Input>,
) -> Result<Results, Error> {
    let plan = plan_of(args, log)?;
    compute_results(header, log, inputs, plan)
}

/// The plan that the flags ask for.
fn plan_of(args: &ReportArgs, log: &Log) -> Result<Plan, Error> {
    if let Some(control) = &args.control
        && !log.arms().contains(control)
    {
        return Err(Error::Usage(format!(
            "--control {control}: no row was run under that arm; the arms are {}",
            log.arms().join(", ")
        )));
    }
    let control = args.control.as_deref().or_else(|| default_control(log));
    let plan = Plan {
        seed: args.seed,
        n_resamples: args.resamples,
        confidence_level: args.level,
        min_items: args.min_items,
        n_bins: args.bins,
        bin_strategy: match args.bin_strategy {
            Bins::Quantile => BinStrategy::Quantile,
            Bins::Uniform => BinStrategy::Uniform,
            Bins::QuantileSplit => BinStrategy::QuantileSplit,
        },
        interval_method: match args.method {
            Method::Percentile => IntervalMethod::Percentile,
            Method::Bca => IntervalMethod::Bca,
        },
        slices: args.slices.clone(),
        comparisons: log.usual_comparisons(args.min_items),
        ..log.default_plan(control)
    };
    plan.check().map_err(|wrong| {
        Error::Usage(format!("`{}` {}; {}", wrong.field, wrong.problem, wrong.remedy))
    })?;
    if let Some(field) = plan.slices.iter().find(|field| !log.has_values(field)) {
        return Err(Error::Usage(format!(
            "--slice {field}: no row has a value there; leave it out, or name a field that rows have"
        )));
    }
    Ok(plan)
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

fn write_results(path: &Path, results: &Results) -> anyhow::Result<()> {
    let text = format!("{}\n", serde_json::to_string_pretty(results)?);
    refuse_foreign(path)?;
    if is_stdout(path) {
        print(&text)?;
        return Ok(());
    }
    Ok(write_file(path, text.as_bytes())?)
}

/// Results replace results and nothing else: a slip of the pen must not cost anybody their records.
fn refuse_foreign(path: &Path) -> Result<(), Error> {
    if !path.is_file() {
        return Ok(());
    }
    let bytes = read_file(path)?;
    let head = &bytes[..bytes.len().min(4096)];
    if bytes.is_empty() || String::from_utf8_lossy(head).contains("\"recount.results/") {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "--out {}: there is a file that holds no results; choose another name, or remove it first",
        path.display()
    )))
}
