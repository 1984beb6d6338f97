use std::path::Path;

use metrics::{
    Header, Log,
    verify::{Check, Totals, Verdict, Verification, verify},
};
use records::{Plan, Results, parse_json};
use serde_json::json;

use crate::{
    arms::known,
    cassette::slug,
    cli::{Folders, VerifyArgs},
    dataset::{check, load},
    error::{Error, read_file},
    report::{RunFiles, compute_results, inputs_of, load_run},
    run_folder::located,
    terminal::print_line,
    verify::{AllRows, gaps, replay_rows, run_sums},
};

/// Lines that are printed of a longer list of problems.
const MOST_LINES: usize = 50;

/// `recount verify`
pub fn run(args: &VerifyArgs, json: bool) -> anyhow::Result<()> {
    let folder = located(&args.run, &args.folders.results)?;
    let report = check_run(&folder, &args.folders)?;
    if json {
        print_line(&report.json().to_string())?
    } else {
        report.print()?
    }
    if report.problems.is_empty() {
        return Ok(());
    }
    Err(Error::Disagrees("the run does not verify".to_owned()).into())
}

/// What came of verifying a run.
struct Report {
    /// What a reader should know, whatever comes of it.
    notes: Vec<String>,
    /// What does not agree.
    problems: Vec<String>,
    /// Rows that were made again.
    rows: usize,
    /// Data files and cassettes that they were made from.
    sources: usize,
    /// Published numbers by verdict.
    totals: Totals,
}

impl Report {
    fn print(&self) -> Result<(), Error> {
        for line in self.problems.iter().take(MOST_LINES) {
            print_line(line)?;
        }
        if self.problems.len() > MOST_LINES {
            print_line(&format!("… and {} more", self.problems.len() - MOST_LINES))?;
        }
        for note in &self.notes {
            print_line(&format!("note: {note}"))?;
        }
        let totals = &self.totals;
        let agree =
            format!("{} of {} published numbers agree", totals.identical, totals.published());
        if !self.problems.is_empty() {
            let n = self.problems.len();
            return print_line(&format!(
                "{agree}, but not all is well: {n} problems are listed above"
            ));
        }
        print_line(&format!(
            "{} rows, made again from {} cassette and data files, are the same; {} numbers are withheld, as published",
            self.rows, self.sources, totals.withheld
        ))?;
        print_line(&agree)
    }

    fn json(&self) -> serde_json::Value {
        let totals = &self.totals;
        json!({
            "verifies": self.problems.is_empty(),
            "published": totals.published(),
            "identical": totals.identical,
            "equal_as_printed": totals.equal_as_printed,
            "differs": totals.differs,
            "cannot_be_checked": totals.cannot_be_checked,
            "withheld": totals.withheld,
            "rows": self.rows,
            "problems": self.problems,
            "notes": self.notes,
        })
    }
}

/// Walks the way from documents to numbers.
fn check_run(folder: &Path, folders: &Folders) -> anyhow::Result<Report> {
    let mut problems = run_sums(folder);
    let mut rows = AllRows::default();
    let files = load_run(folder, |row| rows.push(row))?;
    let mut notes = files.notes.clone();
    let path = folder.join("results.json");
    let bytes = read_file(&path)?;
    let name = path.display().to_string();
    let parsed = parse_json::<Results>(&name, &bytes).map_err(Error::from)?;
    notes.extend(parsed.unknown_note(&name));
    let Some(published) = parsed.rows.into_iter().next() else {
        return Err(Error::Input(format!("{name}: is empty")).into());
    };
    problems.extend(chain_problems(&files, &rows, folder, folders));
    let verification = recompute(&files, &published, &bytes, folders)?;
    let checks = verification.checks.iter().chain(&verification.files);
    problems.extend(checks.filter(|c| !agrees(c)).map(describe));
    if !files.run.dataset_reviewed {
        notes.push("the data set is not reviewed: no person has checked every item yet".to_owned());
    }
    for field in unusual_choices(&published.plan, files.log()?)? {
        notes.push(format!(
            "the publication chose its own plan.{field}; see `recount report` for the usual one"
        ));
    }
    Ok(Report {
        notes,
        problems,
        rows: rows.count(),
        sources: published.inputs.files.len().saturating_sub(files.files.len()),
        totals: verification.totals,
    })
}

/// Fields of a plan that are not what `recount report` would choose by itself: whoever publishes may choose them, and
/// whoever reads should know.
fn unusual_choices(plan: &Plan, log: &Log) -> anyhow::Result<Vec<String>> {
    let usual = serde_json::to_value(log.default_plan(plan.control.as_deref()))?;
    let chosen = serde_json::to_value(plan)?;
    let fields = chosen.as_object().into_iter().flatten();
    Ok(fields.filter(|(f, v)| usual.get(f.as_str()) != Some(v)).map(|(f, _)| f.clone()).collect())
}

/// What does not agree on the way from documents to rows.
fn chain_problems(
    files: &RunFiles,
    rows: &AllRows,
    folder: &Path,
    folders: &Folders,
) -> Vec<String> {
    let run = &files.run;
    let dataset = match load(&folders.data.join(slug(&run.dataset_id))) {
        Ok(dataset) => dataset,
        Err(e) => return vec![e.to_string()],
    };
    let mut problems: Vec<String> =
        check(&dataset).iter().map(|p| format!("data set {}: {p}", run.dataset_id)).collect();
    let manifest = &dataset.manifest;
    if manifest.signature != run.dataset_signature {
        problems.push("run.json, field `dataset_signature`: is not the data set's".to_owned());
    }
    if (manifest.constructed, manifest.reviewed) != (run.dataset_constructed, run.dataset_reviewed)
    {
        problems.push("run.json: what it says of the data set is not in the manifest".to_owned());
    }
    let replayed = known(&folders.data).and_then(|arms| {
        problems.extend(gaps(run, rows, files.log()?, &dataset.items, &arms));
        replay_rows(files, folder, &dataset, &arms, &folders.cassettes)
    });
    match replayed {
        Ok(found) => problems.extend(found),
        Err(e) => problems.push(e.to_string()),
    }
    problems
}

/// Every published entry against what the records give.
fn recompute(
    files: &RunFiles,
    published: &Results,
    bytes: &[u8],
    folders: &Folders,
) -> anyhow::Result<Verification> {
    let header = Header {
        run_id: files.run.run_id.clone(),
        dataset_id: files.run.dataset_id.clone(),
        title: files.run.title.clone(),
    };
    let inputs = inputs_of(files, folders)?;
    let recomputed = compute_results(header, files.log()?, inputs, published.plan.clone())?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let value: serde_json::Value = serde_json::from_slice(text)?;
    Ok(verify(&value, Some(&recomputed)))
}

fn agrees(check: &Check) -> bool {
    matches!(check.verdict, Verdict::Identical | Verdict::Withheld)
}

fn describe(check: &Check) -> String {
    let mut text = format!("results.json, {}", check.id);
    if let Some(reason) = &check.reason {
        text.push_str(&format!(": {reason}"));
    }
    for d in &check.differences {
        let field = if d.path.is_empty() { String::new() } else { format!(" `{}`", d.path) };
        text.push_str(&format!(";{field} published {}, recomputed {}", d.published, d.recomputed));
    }
    text
}
