//! Resampling done elsewhere, in any parts, gives the bits of resampling done here.

use metrics::{Log, OneThread, Task, TaskPart, compute, default_plan};
use proptest::prelude::*;
use records::{Computed, IntervalMethod, Plan, Record};

use crate::{made_up::two_arms, properties::some_records};

/// Sends a task away, has it done in at most `n_parts` parts by those who got it, and takes the parts back.
fn done(task: Task, n_parts: usize) -> (Task, Vec<TaskPart>) {
    let bytes = postcard::to_allocvec(&task).unwrap();
    let sent: Task = postcard::from_bytes(&bytes).unwrap();
    let n_parts = n_parts.min(sent.n_blocks());
    let start = |part: usize| part * sent.n_blocks() / n_parts;
    let parts = (0..n_parts).map(|part| {
        let bytes = postcard::to_allocvec(&sent.run(start(part)..start(part + 1))).unwrap();
        postcard::from_bytes(&bytes).unwrap()
    });
    let parts = parts.collect();
    (task, parts)
}

/// The bits of everything that was computed.
fn text(computed: &Computed) -> String {
    serde_json::to_string(computed).unwrap()
}

fn without_intervals(mut computed: Computed) -> Computed {
    computed.figures.iter_mut().for_each(|figure| figure.interval = None);
    computed.comparisons.iter_mut().for_each(|comparison| comparison.interval = None);
    computed
}

/// Returns the number of tasks there were.
fn check(records: &[Record], plan: &Plan, least_draws: u64, n_parts: usize) -> usize {
    let whole = compute(records, plan).unwrap();
    let log = Log::new(records).unwrap();
    let (points, tasks) = log.points(plan, least_draws).unwrap();
    let n_tasks = tasks.len();
    let done: Vec<_> = tasks.into_iter().map(|task| done(task, n_parts)).collect();
    assert_eq!(text(&log.compute_after(plan, done).unwrap()), text(&whole));
    assert_eq!(text(&points), text(&without_intervals(whole)));
    n_tasks
}

#[test]
fn a_whole_report_in_parts() {
    let records = two_arms(60);
    for n_resamples in [1, 16, 17, 1000, 1003] {
        let plan = Plan { n_resamples, ..default_plan(&records, Some("closed_book_forced")) };
        for n_parts in [1, 2, 7] {
            assert_eq!(check(&records, &plan, 0, n_parts), 1, "both arms draw the same clusters");
        }
    }
}

#[test]
fn series_that_draw_other_clusters_are_another_task() {
    let mut records = two_arms(60);
    records.retain(|record| record.arm != "a0" || record.item_id != "i07");
    let plan = Plan { n_resamples: 100, ..default_plan(&records, Some("closed_book_forced")) };
    assert_eq!(check(&records, &plan, 0, 2), 2);
    // 59 clusters take fewer draws than 60.
    assert_eq!(check(&records, &plan, 6000, 2), 1);
}

#[test]
fn what_takes_few_draws_is_not_handed_out() {
    let records = two_arms(60);
    let plan = Plan { n_resamples: 100, ..default_plan(&records, Some("closed_book_forced")) };
    let all = check(&records, &plan, 6000, 2);
    assert!(all > 0);
    assert_eq!(check(&records, &plan, 6001, 2), 0);
}

#[test]
fn tasks_that_nobody_did_are_done_here() {
    let records = two_arms(60);
    let plan = Plan { n_resamples: 50, ..default_plan(&records, Some("closed_book_forced")) };
    let log = Log::new(&records).unwrap();
    let whole = log.compute(&plan, &OneThread).unwrap();
    let (_, mut tasks) = log.points(&plan, 0).unwrap();
    let last = tasks.pop().unwrap();
    assert_eq!(text(&log.compute_after(&plan, vec![done(last, 3)]).unwrap()), text(&whole));
    // Those of another plan are of no use, and do no harm.
    let other = Plan { seed: plan.seed + 1, ..plan.clone() };
    let (_, tasks) = log.points(&other, 0).unwrap();
    let of_other: Vec<_> = tasks.into_iter().map(|task| done(task, 1)).collect();
    assert_eq!(text(&log.compute_after(&plan, of_other).unwrap()), text(&whole));
}

#[test]
fn what_was_done_elsewhere_is_not_done_again() {
    let records = two_arms(60);
    let plan = Plan { n_resamples: 50, ..default_plan(&records, Some("closed_book_forced")) };
    let other = Plan { seed: plan.seed + 1, ..plan.clone() };
    let log = Log::new(&records).unwrap();
    let tasks = |plan| log.points(plan, 0).unwrap().1;
    // Answers to other tasks of the same form: they come back as they were given.
    let done = tasks(&plan).into_iter().zip(tasks(&other)).map(|(task, of_other)| {
        let (_, parts) = done(of_other, 2);
        (task, parts)
    });
    let taken = text(&log.compute_after(&plan, done.collect()).unwrap());
    assert_eq!(taken, text(&log.compute(&other, &OneThread).unwrap()));
    assert_ne!(taken, text(&log.compute(&plan, &OneThread).unwrap()));
}

#[test]
fn what_is_withheld_below_the_floor_is_not_drawn() {
    let records = two_arms(60);
    let tasks = |min_items| {
        let plan = Plan { min_items, n_resamples: 50, ..default_plan(&records, None) };
        Log::new(&records).unwrap().points(&plan, 0).unwrap().1.len()
    };
    assert_eq!((tasks(60), tasks(61)), (1, 0));
}

#[test]
fn blocks_that_do_not_exist_are_not_drawn() {
    let records = two_arms(60);
    let plan = Plan { n_resamples: 50, ..default_plan(&records, None) };
    let (_, tasks) = Log::new(&records).unwrap().points(&plan, 0).unwrap();
    let bytes = |part: TaskPart| postcard::to_allocvec(&part).unwrap();
    assert_eq!(tasks[0].n_blocks(), 4);
    assert_eq!(bytes(tasks[0].run(3..99)), bytes(tasks[0].run(3..4)));
    assert_eq!(bytes(tasks[0].run(7..9)), bytes(tasks[0].run(4..4)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn any_report(records in some_records(), n_resamples in 1_u32..100, n_parts in 1_usize..5) {
        for interval_method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
            let plan = default_plan(&records, Some("a1"));
            check(&records, &Plan { n_resamples, min_items: 1, interval_method, ..plan }, 0, n_parts);
        }
    }
}
