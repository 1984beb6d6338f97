//! Every view of the project's own site, for pictures and for checks that hold for all of them.

use std::fs;

use anyhow::{Context, Result};
use records::Results;
use serde_json::Value;

use crate::{browser::Browser, site_under_test::TestSite};

/// Name of each view, and what its address ends in. The last three need [`add_tampered`] or fail on purpose.
pub const VIEWS: [(&str, &str); 11] = [
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

/// No part of the page says that it is still fetching, computing or drawing.
pub const SETTLED: &str = "!document.querySelector('[aria-busy=true]')
    && ![...document.querySelectorAll('[role=status]')].some(e => e.innerText.trim().endsWith('…'))";

/// Opens a view as a page of its own and waits until nothing in it is still being made; `ready` or `failed`.
///
/// # Errors
/// It does not come to rest in time.
pub async fn show(browser: &Browser, url: &str) -> Result<String> {
    let state = browser.open(url).await?;
    browser.until(SETTLED).await?;
    Ok(state)
}

/// Puts the newest run beside itself with one accuracy changed in its published file.
///
/// # Errors
/// The site publishes no run.
pub fn add_tampered(site: &TestSite) -> Result<()> {
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
