//! Prints how many seconds the whole report of a log takes, on one thread and on two: the best of several tries.
//!
//!     cargo run --release -p metrics --example time_report -- records.jsonl CONTROL

use std::{error::Error, time::Instant};

use metrics::{OneThread, Workers, compute_with, default_plan};
use records::{Record, parse_jsonl};

const TRIES: usize = 40;

/// Two threads, which take turns with the jobs.
struct Two;

impl Workers for Two {
    fn width(&self) -> usize {
        2
    }

    fn run(&self, n_jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            scope.spawn(|| (1..n_jobs).step_by(2).for_each(job));
            (0..n_jobs).step_by(2).for_each(job);
        });
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a records.jsonl")?;
    let control = arguments.next();
    let records: Vec<Record> = parse_jsonl(&path, &std::fs::read(&path)?)?.rows;
    let plan = default_plan(&records, control.as_deref());
    let best = |workers: &dyn Workers| -> Result<f64, Box<dyn Error>> {
        let mut best = f64::INFINITY;
        for _ in 0..TRIES {
            let seconds = seconds(|| compute_with(&records, &plan, workers).map(|_| ()))?;
            best = best.min(seconds);
        }
        Ok(best)
    };
    println!("{} {}", best(&OneThread)?, best(&Two)?);
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "this program measures time, and computes no figure")]
fn seconds<E>(work: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}
