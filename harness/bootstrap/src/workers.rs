//! Letting a caller that has threads use them, without having any here.

use std::sync::OnceLock;

/// Runs independent jobs, perhaps side by side.
///
/// This crate starts no thread, since it is compiled for a page too, which has none. A caller that has some hands them
/// in; which job runs where and when changes no bit of what is computed.
pub trait Workers: Sync {
    /// How many jobs can run at the same time, at least 1.
    fn width(&self) -> usize;

    /// Calls `job` with every number below `n_jobs`, each once and in any order, and returns when all calls have.
    fn run(&self, n_jobs: usize, job: &(dyn Fn(usize) + Sync));
}

/// One job after the other.
#[derive(Debug, Clone, Copy, Default)]
pub struct OneThread;

impl Workers for OneThread {
    fn width(&self) -> usize {
        1
    }

    fn run(&self, n_jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..n_jobs).for_each(job);
    }
}

/// What `make` returns for every number below `n_jobs`, in order.
pub fn gather<T: Send + Sync>(
    workers: &dyn Workers,
    n_jobs: usize,
    make: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let parts: Vec<OnceLock<T>> = (0..n_jobs).map(|_| OnceLock::new()).collect();
    workers.run(n_jobs, &|job| {
        if let Some(part) = parts.get(job) {
            part.get_or_init(|| make(job));
        }
    });
    // A job that the caller's workers left out must not be missing from a figure.
    let done = parts.into_iter().enumerate();
    done.map(|(job, part)| part.into_inner().unwrap_or_else(|| make(job))).collect()
}
