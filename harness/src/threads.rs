//! The machine's threads, for the statistics, which start none themselves.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use metrics::Workers;

/// Threads that each take the next job that is left.
#[derive(Debug, Clone, Copy)]
pub struct Threads(NonZeroUsize);

impl Threads {
    /// So many threads.
    #[must_use]
    pub fn new(n: NonZeroUsize) -> Self {
        Self(n)
    }

    /// As many as this machine runs side by side; one when it does not say.
    #[must_use]
    pub fn of_this_machine() -> Self {
        Self(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

impl Workers for Threads {
    fn width(&self) -> usize {
        self.0.get()
    }

    fn run(&self, n_jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= n_jobs {
                    break;
                }
                job(at);
            }
        };
        thread::scope(|scope| {
            // The thread that calls works too.
            for _ in 1..self.width().min(n_jobs) {
                scope.spawn(work);
            }
            work();
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn every_job_is_done_once() {
        for n in [1, 2, 7] {
            let threads = Threads::new(NonZeroUsize::new(n).unwrap());
            for n_jobs in [0, 1, 5, 1000] {
                let done = Mutex::new(Vec::new());
                threads.run(n_jobs, &|job| done.lock().unwrap().push(job));
                let mut done = done.into_inner().unwrap();
                done.sort_unstable();
                assert_eq!(done, (0..n_jobs).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_machine_has_at_least_one() {
        assert!(Threads::of_this_machine().width() >= 1);
    }

    /// The bits of a report must not depend on who computed it.
    #[test]
    fn threads_compute_what_one_does() {
        let records = records::parse_jsonl::<records::Record>("made up", &made_up()).unwrap().rows;
        let plan = metrics::default_plan(&records, Some("closed_book_forced"));
        let alone = metrics::compute(&records, &plan).unwrap();
        for n in [1, 2, 5] {
            let threads = Threads::new(NonZeroUsize::new(n).unwrap());
            let shared = metrics::compute_with(&records, &plan, &threads).unwrap();
            // As text, every float to its last bit.
            assert_eq!(serde_json::json!(shared).to_string(), serde_json::json!(alone).to_string());
        }
    }

    fn made_up() -> Vec<u8> {
        let mut text = String::new();
        for (a, arm) in ["a0", "a1", "closed_book_forced"].into_iter().enumerate() {
            for item in 0..40 {
                let answer = if (item + a) % (3 + a) == 0 { "NO" } else { "YES" };
                text.push_str(&format!(
                    r#"{{"schema":"recount.record/1","run_id":"r","dataset_id":"d","model":"m","arm":"{arm}","repeat":0,"item_id":"i{item}","cluster_id":"i{item}","kind":"binary","target":"YES","status":"answered","answer":"{answer}","confidence":0.{},"correct":{},"schema_ok":true}}"#,
                    51 + item,
                    answer == "YES",
                ));
                text.push('\n');
            }
        }
        text.into_bytes()
    }
}
