//! Pictures of pages, wide and narrow, light and dark: for looking at, not for comparing.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use e2e::{Browser, TestSite, View};
use records::Results;
use serde_json::Value;

/// Views of the project's own site: name of the picture, and what its address ends in.
const VIEWS: [(&str, &str); 11] = [
    ("results", "#results"),
    ("intervals", "#intervals"),
    ("questions", "#questions"),
    ("question", "#q=a01"),
    ("method", "#method"),
    ("runs", "#runs"),
    ("number", "#f=always_no/baseline/accuracy"),
    ("own-settings", "?seed=7&level=0.9#results"),
    ("what-if", "?drop=a01#results"),
    ("tampered", "?results=tampered/results.json#results"),
    ("error", "?results=nowhere/results.json"),
];

/// No part of the page says that it is still fetching or computing.
const SETTLED: &str =
    "![...document.querySelectorAll('[role=status]')].some(e => e.innerText.trim().endsWith('…'))";

/// Takes pictures of addresses; without any, of every view of the project's own site.
#[derive(Debug, Parser)]
#[command(
    after_help = "Example:\n  screenshots http://127.0.0.1:8080/ 'http://127.0.0.1:8080/#calibration'"
)]
struct Args {
    /// Pages to open
    urls: Vec<String>,
    /// Folder for the pictures
    #[arg(long, default_value = "target/screenshots")]
    out: PathBuf,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let site = if args.urls.is_empty() { Some(TestSite::of_the_project().await?) } else { None };
    if let Some(site) = &site {
        add_tampered(site)?;
    }
    let given = args.urls.into_iter().enumerate().map(|(i, url)| ((i + 1).to_string(), url));
    let own = site.iter().flat_map(|site| {
        VIEWS.map(|(name, end)| (name.to_owned(), format!("{}{end}", site.address)))
    });
    for (name, url) in given.chain(own) {
        // A browser of its own: an address that differs only after the hash sign is otherwise no new page.
        let browser = Browser::start().await?;
        let state = browser.open(&url).await?;
        browser.until(SETTLED).await?;
        for (size, view) in [("1280", View::WIDE), ("390", View::PHONE)] {
            for (scheme, dark) in [("light", false), ("dark", true)] {
                let path = args.out.join(format!("{name}-{size}-{scheme}.png"));
                fs::write(&path, browser.picture(View { dark, ..view }).await?)?;
                println!("{}  {url} ({state})", path.display());
            }
        }
    }
    Ok(())
}

/// Puts the newest run beside itself with one accuracy changed in its published file.
fn add_tampered(site: &TestSite) -> Result<()> {
    let read = |path: &str| fs::read(site.file(path)).with_context(|| path.to_owned());
    let index: Value = serde_json::from_slice(&read("index.json")?)?;
    let run = index["runs"][0]["path"].as_str().context("the site publishes no run")?;
    for name in ["records.jsonl", "run.json", "SHA256SUMS"] {
        site.add(&format!("tampered/{name}"), &read(&format!("{run}/{name}"))?)?;
    }
    let mut results: Results = serde_json::from_slice(&read(&format!("{run}/results.json"))?)?;
    let accuracy = results.figures.iter_mut().find(|f| f.metric == "accuracy");
    let accuracy = accuracy.context("the run has no accuracy")?;
    accuracy.value = accuracy.value.map(|value| value + 0.02);
    site.add("tampered/results.json", &serde_json::to_vec(&results)?)
}
