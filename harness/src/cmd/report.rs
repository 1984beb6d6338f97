use std::path::{Path, PathBuf};

use metrics::{Header, default_plan};
use records::{Input, Record, Results, file_entry, parse_jsonl};

use crate::{
    cassette::slug,
    cli::{Format, ReportArgs},
    error::{Error, read_file, write_file},
    report::{
        compute_results, csv_table, default_control, inputs_of, json_table, load_run,
        markdown_table, sums_text, text_table,
    },
    run_folder::RUN_FILES,
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
    let folder = args.folders.results.join(slug(&args.run));
    let files = load_run(&folder)?;
    for text in &files.notes {
        note(&format!("note: {text}"));
    }
    let header = Header {
        run_id: files.run.run_id.clone(),
        dataset_id: files.run.dataset_id.clone(),
        title: files.run.title.clone(),
    };
    let inputs = inputs_of(&files, &args.folders)?;
    let results = publish(args, header, &files.records, inputs)?;
    let out = args.out.clone().unwrap_or_else(|| folder.join("results.json"));
    write_results(&out, &results)?;
    if out == folder.join("results.json") {
        let mut entries = Vec::new();
        for name in RUN_FILES {
            entries.push((name.to_owned(), file_entry(&read_file(&folder.join(name))?)));
        }
        write_file(&folder.join("SHA256SUMS"), sums_text(&entries).as_bytes())?;
    }
    Ok(results)
}

/// Computes a records file that stands alone.
fn bare(args: &ReportArgs, path: &Path) -> anyhow::Result<Results> {
    let name = path.display().to_string();
    let bytes = read_file(path)?;
    let parsed = parse_jsonl::<Record>(&name, &bytes).map_err(Error::from)?;
    if let Some(text) = parsed.unknown_note(&name) {
        note(&format!("note: {text}"));
    }
    let Some(first) = parsed.rows.first() else {
        return Err(Error::Input(format!("{name}: holds no record")).into());
    };
    let header = Header {
        run_id: first.run_id.clone(),
        dataset_id: first.dataset_id.clone(),
        title: format!("{} on {}", first.run_id, first.dataset_id),
    };
    let inputs = vec![Input { name: "records.jsonl".to_owned(), entry: file_entry(&bytes) }];
    let results = publish(args, header, &parsed.rows, inputs)?;
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("results.json"));
    write_results(&out, &results)?;
    Ok(results)
}

fn publish(
    args: &ReportArgs,
    header: Header,
    records: &[Record],
    inputs: Vec<Input>,
) -> Result<Results, Error> {
    if let Some(control) = &args.control
        && !records.iter().any(|r| r.arm == *control)
    {
        let mut arms: Vec<_> = records.iter().map(|r| r.arm.as_str()).collect();
        arms.sort_unstable();
        arms.dedup();
        return Err(Error::Usage(format!(
            "--control {control}: no row was run under that arm; the arms are {}",
            arms.join(", ")
        )));
    }
    let control = args.control.as_deref().or_else(|| default_control(records));
    let mut plan = default_plan(records, control);
    plan.n_resamples = args.resamples;
    plan.seed = args.seed;
    compute_results(header, records, inputs, plan)
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
