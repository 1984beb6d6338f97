//! Opens a run of a million records in Chromium, and says how long that takes and what it costs the page.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use clap::Parser;
use e2e::{Browser, TestSite, fixture};
use metrics::Header;
use records::{Input, LineReader, Record, Versioned, file_entry};
use serde_json::json;

/// A page that is not done by then never will be.
const PATIENCE: Duration = Duration::from_secs(600);

/// Arms and repeats of each item.
const ARMS: usize = 10;
const REPEATS: usize = 4;

/// Notes when each step began, and watches for tasks of the page's own thread that hold it up for longer than 50 ms.
const WATCH: &str = "
window.longest = 0;
window.steps = [];
new MutationObserver(() => {
    const place = document.querySelector('#app .progress span') ?? document.querySelector('#verdict-sentence');
    // How far a step is stands after its name.
    const step = place?.innerText.replace(/[:(\\d].*/s, '').trim();
    if (step && steps.at(-1)?.[0] !== step) steps.push([step, performance.now() / 1000]);
}).observe(document, { childList: true, subtree: true, characterData: true });
new PerformanceObserver(list => {
    for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
}).observe({ type: 'longtask', buffered: true });";

/// Opens a run of many records in Chromium.
#[derive(Debug, Parser)]
struct Args {
    /// Number of records
    #[arg(default_value_t = 1_000_000)]
    records: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    let n = Args::parse().records.div_ceil(ARMS * REPEATS) * ARMS * REPEATS;
    let log = records_of(n);
    let (results, run) = published(&log)?;
    let site = TestSite::of(&fixture::run()?).await?;
    for (name, bytes) in [
        ("records.jsonl", log.as_bytes()),
        ("results.json", results.as_bytes()),
        ("run.json", run.as_bytes()),
    ] {
        site.add(&format!("large/{name}"), bytes)?;
    }
    let megabytes = log.len() / 1_000_000;
    drop(log);

    let browser = Browser::start().await?;
    browser.before_each_page(WATCH).await?;
    let start = Instant::now();
    let address = format!("{}?results=./large/results.json", site.address);
    let state = browser.open_within(PATIENCE, &address).await?;
    ensure!(state == "ready", "{}", browser.text("body").await?);
    let opened = start.elapsed();
    let sentence = browser.text("#verdict-sentence").await?;
    let longest = browser.value("return window.longest").await?;
    println!("{n} records, {megabytes} MB: the verdict stands after {:.1} s", opened.as_secs_f64());
    println!("longest task of the page's own thread: {longest} ms");
    let steps =
        browser.value("return window.steps.map(s => `${s[1].toFixed(1)} s ${s[0]}`)").await?;
    for step in steps.as_array().into_iter().flatten().filter_map(|s| s.as_str()) {
        println!("  {step}");
    }
    println!("{sentence}");
    ensure!(sentence.contains("agree bit for bit"), "the numbers should agree");
    Ok(())
}

/// Made-up records of as many clusters as items.
fn records_of(n: usize) -> String {
    let mut log = String::new();
    for i in 0..n {
        let (arm, repeat, item) = (i % ARMS, i / ARMS % REPEATS, i / (ARMS * REPEATS));
        let target = ["YES", "NO"][item % 2];
        let correct = (item * 7 + arm + repeat * 3) % 5 < 3;
        let answer = if correct == (target == "YES") { "YES" } else { "NO" };
        // A string takes whatever is written to it.
        let _ = writeln!(
            log,
            r#"{{"schema":"recount.record/1","run_id":"large","dataset_id":"large","model":"m","arm":"a{arm}","repeat":{repeat},"item_id":"i{item:06}","cluster_id":"i{item:06}","attempt":1,"kind":"binary","target":"{target}","set":"main","tags":{{"domain":"law"}},"status":"answered","answer":"{answer}","confidence":0.{:02},"correct":{correct},"schema_ok":true,"repairs":0,"sources":["d1","d2"],"sources_unknown":[],"conflicts":[],"cost_usd":0.0013,"latency_ms":{}.5}}"#,
            i % 90 + 10,
            900 + i % 2000,
        );
    }
    log
}

/// The results of these records, and a run that says that they were made up.
fn published(log: &str) -> Result<(String, String)> {
    let mut rows = Vec::new();
    let mut reader = LineReader::<Record>::new("records.jsonl");
    reader.push(log.as_bytes(), |_, row| rows.push(row))?;
    reader.finish(|_, row| rows.push(row))?;
    let plan = metrics::default_plan(&rows, None);
    let header = Header {
        run_id: "large".to_owned(),
        dataset_id: "large".to_owned(),
        title: "Made-up records, to see how many a page can take".to_owned(),
    };
    let input = Input { name: "records.jsonl".to_owned(), entry: file_entry(log.as_bytes()) };
    let results = metrics::results(header, vec![input], metrics::compute(&rows, &plan)?, plan);
    let run = json!({
        "schema": records::Run::tag(), "run_id": "large", "title": "large", "dataset_id": "large",
        "dataset_signature": "made up", "models": [], "arms": [], "repeats": {},
        "harness_version": env!("CARGO_PKG_VERSION"), "finished_at": "2026-01-01T00:00:00Z",
    });
    Ok((serde_json::to_string(&results)?, run.to_string()))
}
