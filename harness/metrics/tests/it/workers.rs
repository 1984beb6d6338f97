//! Shared work gives the bits of work done alone.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

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

/// Three at a time, which write down how many jobs they got each time.
#[derive(Default)]
struct Counting(Mutex<Vec<usize>>);

impl Workers for Counting {
    fn width(&self) -> usize {
        3
    }

    fn run(&self, n_jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        self.0.lock().unwrap().push(n_jobs);
        (0..n_jobs).for_each(job);
    }
}

/// How many jobs there were each time, for so many models in one arm.
fn jobs(n_models: usize, control: Option<&str>) -> Vec<usize> {
    let one = two_arms(60);
    let models = (0..n_models).flat_map(|model| {
        let named = |record: &Record| Record { model: format!("m{model}"), ..record.clone() };
        one.iter().filter(|r| control.is_some() || r.arm == "a0").map(named).collect::<Vec<_>>()
    });
    let records: Vec<Record> = models.collect();
    let plan = Plan { n_resamples: 1000, ..default_plan(&records, control) };
    let counting = Counting::default();
    compute_with(&records, &plan, &counting).unwrap();
    counting.0.into_inner().unwrap()
}

#[test]
fn series_are_shared_out_whole_from_four_for_each_worker_on() {
    // Draws are shared out in twelve parts.
    assert_eq!(jobs(13, None), [12, 13]);
    assert!(!jobs(11, None).contains(&11));
    assert_eq!(jobs(12, None), [12, 12]);
}

#[test]
fn a_lift_takes_the_draws_of_its_accuracies() {
    let rest = |control| jobs(1, control).len();
    assert_eq!(rest(Some("closed_book_forced")), rest(Some("none")));
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
