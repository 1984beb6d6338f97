//! How long the whole report of a run takes in Chromium, next to the same code compiled for this machine, on one thread.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, anyhow, ensure};
use base64::{Engine, prelude::BASE64_STANDARD};
use clap::Parser;
use cross_target_guest::{figures_of, prepare};
use e2e::Browser;
use serde_json::Value;
use site::{
    project,
    toolchain::{Choice, Toolchain},
    wasm,
};

/// Loads the module and times it, best of several tries; answers with milliseconds and the number of figures.
const SCRIPT: &str = "
return (async () => {
    const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes(MODULE), {});
    const { alloc, load, figures, memory } = instance.exports;
    const [control, records] = [new TextEncoder().encode(CONTROL), bytes(RECORDS)];
    const at = alloc(control.length + records.length);
    new Uint8Array(memory.buffer).set(control, at);
    new Uint8Array(memory.buffer).set(records, at + control.length);
    if (load(control.length) !== 1) throw new Error('the records were not read');
    let best = Infinity, found = 0;
    for (let i = 0; i < TRIES; i++) {
        const start = performance.now();
        found = figures();
        best = Math.min(best, performance.now() - start);
    }
    return [best, found];
})()";

/// Times the whole report of a records file in Chromium and natively.
#[derive(Debug, Parser)]
struct Args {
    /// The records
    #[arg(default_value = "results/main/records.jsonl")]
    records: PathBuf,
    /// The control arm
    #[arg(default_value = "closed_book_forced")]
    control: String,
    /// Tries, of which the best counts
    #[arg(long, default_value_t = 30)]
    tries: u32,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let root = project::root(Path::new(env!("CARGO_MANIFEST_DIR"))).context("no workspace here")?;
    let path = root.join(&args.records);
    let records = fs::read(&path).with_context(|| path.display().to_string())?;
    let toolchain = Toolchain::resolve(&root, Choice::Auto, &mut |line| eprintln!("{line}"))?;
    let module = fs::read(wasm::compile(&root, &toolchain, "cross-target-guest")?)?;

    let prepared = prepare(&records, Some(&args.control)).map_err(|e| anyhow!(e))?;
    let (mut native, mut figures) = (f64::INFINITY, 0);
    for _ in 0..args.tries {
        let start = Instant::now();
        figures = figures_of(&prepared);
        native = native.min(start.elapsed().as_secs_f64() * 1e3);
    }

    let browser = Browser::start().await?;
    let script = SCRIPT
        .replace("MODULE", &serde_json::to_string(&BASE64_STANDARD.encode(&module))?)
        .replace("RECORDS", &serde_json::to_string(&BASE64_STANDARD.encode(&records))?)
        .replace("CONTROL", &serde_json::to_string(&args.control)?)
        .replace("TRIES", &args.tries.to_string());
    let answer = browser.value(&script).await?;
    let in_browser = answer.get(0).and_then(Value::as_f64).context("the page said no time")?;
    ensure!(
        answer.get(1) == Some(&Value::from(figures)),
        "the page found another number of figures"
    );
    println!(
        "{figures} figures, one thread: {native:.1} ms natively, {in_browser:.1} ms in Chromium, {:.2} times as long",
        in_browser / native
    );
    Ok(())
}
