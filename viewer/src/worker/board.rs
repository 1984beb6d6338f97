//! Which parts of which task are done, by whom, and what is left.

use std::{collections::VecDeque, ops::Range};

use metrics::{Task, TaskPart};

/// Parts that each worker gets, so that one that is slow does not keep the others waiting, and a reader sees it go on.
const PARTS_EACH: usize = 10;

/// Some blocks of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The task, by its place.
    pub task: usize,
    /// Which part of it.
    part: usize,
    /// Its blocks.
    pub blocks: Range<usize>,
}

/// What workers do and have done.
pub struct Board {
    jobs: Vec<Job>,
    /// Jobs that nobody has taken, by their place in `jobs`.
    waiting: VecDeque<usize>,
    /// The job that each worker is at.
    at_work: Vec<Option<usize>>,
    /// The parts of each task.
    parts: Vec<Vec<Option<TaskPart>>>,
    n_done: usize,
}

impl Board {
    /// Cuts tasks of so many blocks each into parts for `n_workers`.
    #[must_use]
    pub fn new(n_blocks: &[usize], n_workers: usize) -> Self {
        let each = (PARTS_EACH * n_workers).div_ceil(n_blocks.len().max(1));
        let mut jobs = Vec::new();
        let mut parts = Vec::new();
        for (task, n_blocks) in n_blocks.iter().enumerate() {
            let n_parts = each.min(*n_blocks);
            let start = |part: usize| part * n_blocks / n_parts;
            let job = |part: usize| Job { task, part, blocks: start(part)..start(part + 1) };
            jobs.extend((0..n_parts).map(job));
            parts.push((0..n_parts).map(|_| None).collect());
        }
        let waiting = (0..jobs.len()).collect();
        Self { jobs, waiting, at_work: vec![None; n_workers], parts, n_done: 0 }
    }

    /// The next job of a worker that is at none, or nothing when none is left.
    pub fn next(&mut self, worker: usize) -> Option<&Job> {
        let place = self.at_work.get_mut(worker).filter(|place| place.is_none())?;
        *place = self.waiting.pop_front();
        self.jobs.get((*place)?)
    }

    /// Takes what a worker has made of its job.
    pub fn done(&mut self, worker: usize, part: TaskPart) {
        let job = self.at_work.get_mut(worker).and_then(Option::take);
        if let Some(job) = job.and_then(|at| self.jobs.get(at)) {
            self.parts[job.task][job.part] = Some(part);
            self.n_done += 1;
        }
    }

    /// A worker has failed: others do what it was at.
    pub fn failed(&mut self, worker: usize) {
        let job = self.at_work.get_mut(worker).and_then(Option::take);
        job.into_iter().for_each(|at| self.waiting.push_front(at));
    }

    /// True when nothing is left to do.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.n_done == self.jobs.len()
    }

    /// How much is done, in per cent.
    #[must_use]
    pub fn percent(&self) -> usize {
        100 * self.n_done / self.jobs.len().max(1)
    }

    /// The tasks whose parts are all there, with them.
    #[must_use]
    pub fn finished(self, tasks: Vec<Task>) -> Vec<(Task, Vec<TaskPart>)> {
        let whole = |(task, parts): (Task, Vec<Option<TaskPart>>)| {
            Some((task, parts.into_iter().collect::<Option<_>>()?))
        };
        tasks.into_iter().zip(self.parts).filter_map(whole).collect()
    }
}

#[cfg(test)]
mod tests {
    use metrics::{Log, compute};
    use records::{Plan, Record};

    use super::*;
    use crate::worker::open::tests::log;

    fn records() -> Vec<Record> {
        records::parse_jsonl("records.jsonl", &log()).unwrap().rows
    }

    fn plan(records: &[Record]) -> Plan {
        Plan { n_resamples: 200, ..metrics::default_plan(records, Some("closed_book_forced")) }
    }

    /// Workers take turns; each job of those in `broken` fails.
    fn work(board: &mut Board, tasks: &[Task], n_workers: usize, broken: &[usize]) {
        let mut left: Vec<usize> = (0..n_workers).collect();
        while !board.is_done() && !left.is_empty() {
            for worker in left.clone() {
                let Some(job) = board.next(worker).cloned() else { continue };
                assert!(board.next(worker).is_none(), "a worker has one job at a time");
                if broken.contains(&worker) {
                    board.failed(worker);
                    left.retain(|other| *other != worker);
                } else {
                    board.done(worker, tasks[job.task].run(job.blocks));
                }
            }
        }
    }

    #[test]
    fn whoever_did_what_the_numbers_are_those_of_one_worker() {
        let records = records();
        let plan = plan(&records);
        let log = Log::new(&records).unwrap();
        let whole = compute(&records, &plan).unwrap();
        for (n_workers, broken, all) in
            [(1, vec![], true), (3, vec![], true), (3, vec![0, 2], true), (2, vec![0, 1], false)]
        {
            let (_, tasks) = log.points(&plan, 0).unwrap();
            let n_blocks: Vec<_> = tasks.iter().map(Task::n_blocks).collect();
            let mut board = Board::new(&n_blocks, n_workers);
            assert_eq!((board.is_done(), board.percent()), (false, 0));
            work(&mut board, &tasks, n_workers, &broken);
            assert_eq!((board.is_done(), board.percent() == 100), (all, all));
            let n_tasks = tasks.len();
            let done = board.finished(tasks);
            assert_eq!(done.len() == n_tasks, all);
            assert_eq!(log.compute_after(&plan, done).unwrap(), whole);
        }
    }

    #[test]
    fn words_of_workers_that_nobody_hired_or_that_are_at_nothing_change_nothing() {
        let records = records();
        let (_, tasks) = Log::new(&records).unwrap().points(&plan(&records), 0).unwrap();
        let mut board = Board::new(&[tasks[0].n_blocks()], 1);
        let part = || tasks[0].run(0..1);
        board.done(0, part());
        board.done(7, part());
        board.failed(7);
        assert_eq!(board.next(7), None);
        assert_eq!((board.is_done(), board.percent()), (false, 0));
        assert!(Board::new(&[], 3).is_done());
    }
}
