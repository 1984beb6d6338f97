//! Shared work gives the bits of work done alone.

use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::{Workers, compute, compute_with, default_plan};
use proptest::prelude::*;
use records::{IntervalMethod, Plan, Record};

use crate::{made_up::two_arms, properties::some_records};

/// Real threads, each taking the next job that is left.
struct Threads(usize);

impl Workers for Threads {
    fn width(&self) -> usize {
        self.0
    }

    fn run(&self, n_jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= n_jobs {
                            break;
                        }
                        job(at);
                    }
                });
            }
        });
    }
}

/// Does every third job, some of them twice, and some that nobody asked for.
struct Careless;

impl Workers for Careless {
    fn width(&self) -> usize {
        5
    }

    fn run(&self, n_jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..n_jobs + 4).rev().step_by(3).for_each(job);
        (0..n_jobs).step_by(6).for_each(job);
    }
}

fn text(records: &[Record], plan: &Plan, workers: &dyn Workers) -> String {
    serde_json::to_string(&compute_with(records, plan, workers).unwrap()).unwrap()
}

fn check(records: &[Record], plan: &Plan) {
    let alone = serde_json::to_string(&compute(records, plan).unwrap()).unwrap();
    for workers in [&Threads(1) as &dyn Workers, &Threads(2), &Threads(7), &Careless] {
        assert_eq!(text(records, plan, workers), alone);
    }
}

#[test]
fn a_whole_report() {
    let records = two_arms(60);
    for n_resamples in [1, 7, 8, 1000, 1003] {
        let plan = Plan { n_resamples, ..default_plan(&records, Some("closed_book_forced")) };
        check(&records, &plan);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn any_report(records in some_records(), n_resamples in 1_u32..100) {
        for interval_method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
            let plan = default_plan(&records, Some("a1"));
            check(&records, &Plan { n_resamples, min_items: 1, interval_method, ..plan });
        }
    }
}
