//! The whole way of the data in one command: replay the recorded run, compute it, verify it, build its page.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use records::{Record, Results, Run, parse_json, parse_jsonl};
use serde_json::Value;

/// The run that is shown.
const RUN: &str = "main";

/// Parts of `results.json` that follow from the rows alone, whatever the order in which they were recorded.
const NUMBERS: [&str; 4] = ["plan", "figures", "reliability", "comparisons"];

/// Replays the committed run into a folder of its own, compares its numbers with the published ones, verifies the
/// published ones, and returns the line that says how many agree.
///
/// # Errors
/// A step fails, or a number differs.
pub fn replay_and_verify(root: &Path, say: &mut dyn FnMut(&str)) -> Result<String> {
    let recount = Recount::beside_this(root)?;
    let folder = root.join("results").join(RUN);
    let run: Run = one(&folder, "run.json")?;
    let published: Results = one(&folder, "results.json")?;
    let scratch = Scratch::new(&root.join("target"))?;
    say(&format!("replaying {} from its recordings, without a network", run.run_id));
    for arguments in replay_arguments(&run, &asked(&folder)?) {
        recount.run(&arguments, &scratch.0)?;
    }
    say("computing every number from the replayed records");
    recount.run(&report_arguments(&published), &scratch.0)?;
    let (committed, replayed) = (json(&folder)?, json(&scratch.0.join(RUN))?);
    if let Some(difference) = first_difference(&committed, &replayed) {
        bail!("the replay does not give what is published: {difference}");
    }
    say("the replay gives every published number again; verifying the published files");
    recount.verify(&folder)
}

/// The harness's own program.
struct Recount {
    program: PathBuf,
    root: PathBuf,
}

impl Recount {
    /// The one that was built together with this program.
    fn beside_this(root: &Path) -> Result<Self> {
        let program = env::current_exe()?.with_file_name("recount");
        if !program.is_file() {
            bail!("{} is missing; `make demo` builds it", program.display());
        }
        Ok(Self { program, root: root.to_owned() })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.root).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[String], results: &Path) -> Result<()> {
        let mut command = self.command();
        command.args(arguments).arg("--results").arg(results);
        if !command.status()?.success() {
            bail!("`recount {}` failed", arguments.join(" "));
        }
        Ok(())
    }

    /// Shows what `recount verify` says and returns its last line.
    fn verify(&self, run: &Path) -> Result<String> {
        let output = self.command().arg("verify").arg(run).stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        print!("{text}");
        if !output.status.success() {
            bail!("`recount verify` found numbers or hashes that do not agree");
        }
        let line = text.lines().rev().find(|line| !line.trim().is_empty());
        line.map(str::to_owned).context("`recount verify` said nothing")
    }
}

/// A folder that is gone when this is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(below: &Path) -> Result<Self> {
        let path = below.join(format!("demo-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind lies in the build folder and disturbs nothing.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A model and its arms, each with the number of its repeats.
type Asked = (String, Vec<(String, u32)>);

/// Each model's arms in the order of the log: a run may be ragged, with arms and repeats that only some models have.
fn asked(folder: &Path) -> Result<Vec<Asked>> {
    let path = folder.join("records.jsonl");
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    let mut found: Vec<Asked> = Vec::new();
    for row in parse_jsonl::<Record>("records.jsonl", &bytes)?.rows {
        let at = found.iter().position(|(model, _)| *model == row.model).unwrap_or(found.len());
        if at == found.len() {
            found.push((row.model, Vec::new()));
        }
        let repeats = row.repeat + 1;
        match found[at].1.iter_mut().find(|(arm, _)| *arm == row.arm) {
            Some((_, most)) => *most = repeats.max(*most),
            None => found[at].1.push((row.arm, repeats)),
        }
    }
    Ok(found)
}

/// `recount run` for each model.
fn replay_arguments(run: &Run, models: &[Asked]) -> Vec<Vec<String>> {
    models
        .iter()
        .map(|(model, arms)| {
            let mut arguments: Vec<String> =
                ["run", "--quiet", "--mode", "replay", "--run", RUN, "--dataset", &run.dataset_id]
                    .map(str::to_owned)
                    .into();
            arguments.extend(["--models".to_owned(), model.clone()]);
            // A baseline's rows stand under an arm that is no prompt and takes no repeats.
            let arms: Vec<_> = arms
                .iter()
                .filter(|(arm, _)| run.arms.iter().any(|a| a.name == *arm))
                .map(|(arm, repeats)| format!("{arm}:{repeats}"))
                .collect();
            if !arms.is_empty() {
                arguments.extend(["--arms".to_owned(), arms.join(",")]);
            }
            arguments
        })
        .collect()
}

/// `recount report` with the published choices.
fn report_arguments(published: &Results) -> Vec<String> {
    let plan = &published.plan;
    let mut arguments: Vec<String> = ["report", "--quiet", "--run", RUN].map(str::to_owned).into();
    arguments.extend(["--seed".to_owned(), plan.seed.to_string()]);
    arguments.extend(["--resamples".to_owned(), plan.n_resamples.to_string()]);
    if let Some(control) = &plan.control {
        arguments.extend(["--control".to_owned(), control.clone()]);
    }
    arguments
}

/// Where two results files first disagree about a number; `None` when they do not.
fn first_difference(committed: &Value, replayed: &Value) -> Option<String> {
    NUMBERS.iter().find_map(|part| {
        let (a, b) = (&committed[*part], &replayed[*part]);
        if a == b {
            return None;
        }
        let entries = a.as_array().into_iter().flatten().zip(b.as_array().into_iter().flatten());
        let entry = entries.into_iter().find(|(a, b)| a != b);
        Some(entry.map_or_else(
            || format!("`{part}` is not the same"),
            |(a, b)| format!("{part}: published {a}, replayed {b}"),
        ))
    })
}

fn one<T: serde::de::DeserializeOwned + records::Versioned>(
    folder: &Path,
    name: &str,
) -> Result<T> {
    let path = folder.join(name);
    let shown = path.display().to_string();
    let bytes = fs::read(&path).with_context(|| shown.clone())?;
    parse_json(&shown, &bytes)?.rows.pop().with_context(|| format!("{shown} is empty"))
}

fn json(folder: &Path) -> Result<Value> {
    let path = folder.join("results.json");
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    Ok(serde_json::from_slice(&bytes)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_ragged_run_is_replayed_model_by_model() {
        let arm = |name: &str| json!({"name": name, "evidence": "bundle", "may_abstain": true, "prompt": "p", "prompt_sha256": "0"});
        let run: Run = serde_json::from_value(json!({
            "schema": "recount.run/1", "run_id": "main", "dataset_id": "control",
            "dataset_signature": "s", "models": [], "arms": [arm("a0"), arm("a1")],
            "repeats": {"a0": 3, "a1": 3}, "harness_version": "0",
        }))
        .unwrap();
        let models = [
            ("small".to_owned(), vec![("a0".to_owned(), 3), ("a1".to_owned(), 1)]),
            ("always_no".to_owned(), vec![("baseline".to_owned(), 1)]),
        ];
        let arguments = replay_arguments(&run, &models);
        assert!(
            arguments[0]
                .ends_with(&["--models", "small", "--arms", "a0:3,a1:1"].map(str::to_owned))
        );
        assert!(arguments[1].ends_with(&["--models", "always_no"].map(str::to_owned)));
    }

    #[test]
    fn a_differing_number_is_named_and_a_differing_order_of_rows_is_none() {
        let results = |value: f64, digest: &str| {
            json!({"plan": {}, "figures": [{"id": "m/a/accuracy", "value": value}],
                "reliability": [], "comparisons": [], "signature": digest})
        };
        assert_eq!(first_difference(&results(0.5, "x"), &results(0.5, "y")), None);
        let difference =
            first_difference(&results(0.5, "x"), &results(0.5_f64.next_up(), "x")).unwrap();
        assert!(difference.contains("m/a/accuracy"), "{difference}");
        let missing = json!({"plan": {}, "figures": [], "reliability": [], "comparisons": []});
        assert!(first_difference(&results(0.5, "x"), &missing).is_some());
    }
}
