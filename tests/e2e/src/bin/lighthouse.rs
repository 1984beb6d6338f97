//! What Lighthouse says of the site, served on this machine: its four scores, on a phone and on a laptop, and what they
//! lost points for.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use e2e::{TestSite, programs};
use serde_json::Value;
use site::{packages, project};

/// The package and its version; npm checks what it fetches.
const LIGHTHOUSE: &str = "lighthouse@12.2.3";
/// What each score should reach.
const AIM: f64 = 95.0;
/// How Chromium is started: as root, it cannot have a sandbox.
const FLAGS: &str = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage";

/// Runs Lighthouse against the project's own site. Fails when a score that does not hang on how busy the machine is
/// (accessibility, best practices, search engines) is below 95; speed is only said.
#[derive(Debug, Parser)]
struct Args {
    /// What the address ends in, e.g. `#method`
    #[arg(default_value = "")]
    view: String,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let root = project::root(Path::new(env!("CARGO_MANIFEST_DIR"))).context("no workspace here")?;
    let program = install(&root.join("target/npm/lighthouse"))?;
    let chromium = programs::chromium()?;
    let site = TestSite::of_the_project().await?;
    let url = format!("{}{}", site.address, args.view);
    let folder = tempfile::tempdir()?;
    let mut low = Vec::new();
    for device in ["mobile", "desktop"] {
        let out = folder.path().join(format!("{device}.json"));
        let mut command = Command::new("node");
        command.arg(&program).arg(&url).args([
            "--quiet",
            "--output=json",
            "--no-enable-error-reporting",
        ]);
        command.arg(format!("--output-path={}", out.display()));
        command.arg(format!("--chrome-flags={FLAGS}")).env("CHROME_PATH", &chromium);
        if device == "desktop" {
            command.arg("--preset=desktop");
        }
        // It waits for the page, and the server runs beside this thread.
        let status =
            tokio::task::spawn_blocking(move || command.stdin(Stdio::null()).status()).await?;
        ensure!(status.context("node could not be started")?.success(), "Lighthouse failed");
        let report: Value = serde_json::from_slice(&fs::read(&out)?)?;
        low.extend(say(device, &report)?);
    }
    ensure!(low.is_empty(), "below {AIM}: {}", low.join(", "));
    Ok(())
}

/// The program, installed below the target folder when it is not there.
fn install(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("node_modules/lighthouse/cli/index.js");
    if !(programs::is_there("node") && programs::is_there("npm")) {
        let wanted = |_: &[&str]| vec!["nodejs".to_owned(), "npm".to_owned()];
        packages::install(wanted, &mut |line| eprintln!("{line}"))
            .context("Lighthouse needs node and npm")?;
    }
    if !program.is_file() {
        fs::create_dir_all(folder)?;
        eprintln!("installing {LIGHTHOUSE} in {}", folder.display());
        let status = Command::new("npm")
            .args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"])
            .arg("--prefix")
            .arg(folder)
            .arg(LIGHTHOUSE)
            .stdin(Stdio::null())
            .status()
            .context("npm could not be started")?;
        if !status.success() {
            bail!("npm could not install {LIGHTHOUSE}; with a network, run this again");
        }
    }
    Ok(program)
}

/// Prints the scores of a report and what each lost points for; returns those that must reach the aim and do not.
fn say(device: &str, report: &Value) -> Result<Vec<String>> {
    let categories = report["categories"].as_object().context("a report without categories")?;
    let mut low = Vec::new();
    for (name, category) in categories {
        let score = category["score"].as_f64().with_context(|| format!("{name} has no score"))?;
        let score = (score * 100.0).round();
        println!("{device:8} {name:15} {score:3}");
        for audit in category["auditRefs"].as_array().into_iter().flatten() {
            let found = &report["audits"][audit["id"].as_str().unwrap_or_default()];
            let lost = found["score"].as_f64().is_some_and(|s| s < 0.9);
            if lost && audit["weight"].as_f64() > Some(0.0) {
                let value = found["displayValue"].as_str().unwrap_or_default();
                println!("{:27}{} {value}", "", found["title"].as_str().unwrap_or_default());
            }
        }
        if score < AIM && name != "performance" {
            low.push(format!("{name} on {device} ({score})"));
        }
    }
    Ok(low)
}
