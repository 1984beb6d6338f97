//! How long figures take: a whole report of demo size, one arm with more and more clusters, a long log, and the exact
//! test at its largest.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use metrics::{compute, default_plan, stats::mcnemar_exact};
use records::{Plan, Record, parse_jsonl};

const ABSTAIN: &str = "UNRESOLVABLE";

/// Numbers that look random and are the same in every run.
struct Mixed(u64);

impl Mixed {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn line(model: &str, arm: &str, repeat: u32, item: usize, mixed: &mut Mixed) -> String {
    let target = ["YES", "NO"][item % 2];
    let (status, answer) = match mixed.below(10) {
        0 => ("abstained", ABSTAIN),
        1..=3 => ("answered", ["NO", "YES"][item % 2]),
        _ => ("answered", target),
    };
    let confidence = 50 + mixed.below(51);
    format!(
        r#"{{"schema":"recount.record/1","run_id":"r","dataset_id":"d","model":"{model}","arm":"{arm}","repeat":{repeat},"item_id":"i{item:06}","cluster_id":"i{item:06}","kind":"binary","target":"{target}","status":"{status}","answer":"{answer}","confidence":{},"correct":{},"schema_ok":true,"sources":["d1","d2"],"cost_usd":0.001,"latency_ms":1200.5}}"#,
        confidence as f64 / 100.0,
        answer == target,
    )
}

/// `arms`: the name of each and its number of repeats.
fn log(models: &[&str], arms: &[(&str, u32)], n_items: usize) -> Vec<Record> {
    let mut mixed = Mixed(1);
    let mut text = String::new();
    for model in models {
        for (arm, repeats) in arms {
            for repeat in 0..*repeats {
                for item in 0..n_items {
                    text.push_str(&line(model, arm, repeat, item, &mut mixed));
                    text.push('\n');
                }
            }
        }
    }
    parse_jsonl("made up", text.as_bytes()).expect("valid records").rows
}

fn whole_report(c: &mut Criterion) {
    let arms = [("a0", 3), ("a1", 3), ("a2", 3), ("closed_book", 1), ("closed_book_forced", 1)];
    let records = log(&["large", "small"], &arms, 50);
    let plan = default_plan(&records, Some("closed_book_forced"));
    assert_eq!((records.len(), plan.n_resamples), (1100, 10_000));
    c.bench_function("whole report, 1,100 records, B = 10,000", |b| {
        b.iter(|| compute(black_box(&records), &plan));
    });
}

fn clusters(c: &mut Criterion) {
    let mut group = c.benchmark_group("all figures of one arm");
    group.sample_size(10);
    for (n_clusters, n_resamples) in [(50, 10_000), (500, 10_000), (5000, 10_000), (50_000, 1000)] {
        let records = log(&["m"], &[("a0", 1)], n_clusters);
        let plan = Plan { n_resamples, ..default_plan(&records, None) };
        let name = BenchmarkId::new(format!("B = {n_resamples}, clusters"), n_clusters);
        group.bench_with_input(name, &plan, |b, plan| b.iter(|| compute(&records, plan)));
    }
}

fn long_log(c: &mut Criterion) {
    let mut group = c.benchmark_group("a million records");
    group.sample_size(10);
    let records = log(&["m"], &[("a0", 4), ("a1", 4), ("a2", 4), ("a3", 4), ("a4", 4)], 50_000);
    let plan = Plan { n_resamples: 1, ..default_plan(&records, Some("a4")) };
    group.bench_function("every figure but its interval", |b| b.iter(|| compute(&records, &plan)));
}

fn exact_test(c: &mut Criterion) {
    c.bench_function("exact p of a million discordant items", |b| {
        b.iter(|| mcnemar_exact(black_box(499_000), black_box(501_000)));
    });
}

criterion_group!(benches, whole_report, clusters, exact_test, long_log);
criterion_main!(benches);
