//! Resampling that a caller has carried out somewhere else: handed out as tasks, taken back as what they came to.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use bootstrap::{Binned, ClusterRatio, Drawn, Draws, OneThread, Pass};
use records::{Computed, Plan};
use serde::{Deserialize, Serialize};

use crate::{MetricsError, log::Log, resampling::Resampling};

/// The resampling of series, or of sides of comparisons, that draw the same clusters: sums by cluster and nothing else of
/// the log, so that it can be sent to a worker that has no memory in common with this one.
#[derive(Serialize, Deserialize)]
pub struct Task {
    seed: u64,
    n_resamples: u32,
    n_clusters: u32,
    sides: Vec<Side>,
}

/// What is resampled together.
#[derive(Serialize, Deserialize)]
pub(crate) struct Side {
    ratios: Vec<ClusterRatio>,
    calibration: Option<Binned>,
}

/// What some blocks of a [`Task`] came to, for each of its sides.
#[derive(Serialize, Deserialize)]
pub struct TaskPart(Vec<Drawn>);

impl Task {
    /// The number of blocks of replicates, each of which can be drawn without the others.
    #[must_use]
    pub fn n_blocks(&self) -> usize {
        self.draws().n_blocks()
    }

    /// Draws these blocks. Parts of consecutive ranges, in order, are the whole: which worker drew which changes no bit.
    #[must_use]
    pub fn run(&self, blocks: Range<usize>) -> TaskPart {
        let ratios: Vec<Vec<_>> =
            self.sides.iter().map(|side| side.ratios.iter().collect()).collect();
        let passes = ratios.iter().zip(&self.sides);
        let passes: Vec<_> = passes
            .map(|(ratios, side)| Pass::new(self.n_resamples, ratios, side.calibration.as_ref()))
            .collect();
        let draws = self.draws();
        let end = blocks.end.min(draws.n_blocks());
        TaskPart(bootstrap::run(&passes, &draws, blocks.start..end))
    }

    fn draws(&self) -> Draws {
        Draws::anew(self.seed, self.n_resamples, self.n_clusters)
    }
}

/// Where the replicates come from that are not drawn on the spot.
pub(crate) enum Elsewhere {
    /// All are drawn on the spot.
    Nowhere,
    /// None is drawn: what takes at least so many draws is written down, to be done by others.
    Asked(u64, Mutex<Vec<Task>>),
    /// These are done, with their parts in order.
    Done(Mutex<Vec<(Side, Vec<Drawn>)>>),
}

impl Elsewhere {
    /// The replicates of a pass, in parts: none when they are only asked for; None when they are to be drawn.
    pub fn parts(
        &self,
        draws: &Draws,
        ratios: &[&ClusterRatio],
        calibration: Option<&Binned>,
    ) -> Option<Vec<Drawn>> {
        match self {
            Self::Nowhere => None,
            Self::Asked(least, tasks) => {
                if draws.n_draws() >= *least {
                    let side = Side { ratios: owned(ratios), calibration: calibration.cloned() };
                    let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
                    match tasks.iter_mut().find(|task| task.n_clusters == draws.n_clusters()) {
                        Some(task) => task.sides.push(side),
                        None => tasks.push(Task {
                            seed: draws.seed(),
                            n_resamples: draws.n_resamples(),
                            n_clusters: draws.n_clusters(),
                            sides: vec![side],
                        }),
                    }
                }
                Some(Vec::new())
            }
            Self::Done(sides) => {
                let mut sides = sides.lock().unwrap_or_else(PoisonError::into_inner);
                let at = sides.iter().position(|(side, _)| {
                    side.ratios.iter().eq(ratios.iter().copied())
                        && side.calibration.as_ref() == calibration
                })?;
                Some(sides.swap_remove(at).1)
            }
        }
    }

    /// Tasks that are done, of which those of another plan are of no use.
    fn done(plan: &Plan, tasks: Vec<(Task, Vec<TaskPart>)>) -> Self {
        let mut sides = Vec::new();
        for (task, parts) in tasks {
            if (task.seed, task.n_resamples) != (plan.seed, plan.n_resamples) {
                continue;
            }
            let first = sides.len();
            sides.extend(task.sides.into_iter().map(|side| (side, Vec::new())));
            for part in parts {
                let places = sides[first..].iter_mut();
                places.zip(part.0).for_each(|((_, drawn), part)| drawn.push(part));
            }
        }
        Self::Done(Mutex::new(sides))
    }
}

fn owned(ratios: &[&ClusterRatio]) -> Vec<ClusterRatio> {
    ratios.iter().map(|ratio| (*ratio).clone()).collect()
}

impl Log {
    /// Every figure without its interval, at once, and the resampling that the intervals wait for, as far as it takes
    /// `least_draws` or more: whatever takes less is not worth a journey.
    ///
    /// # Errors
    /// As [`crate::compute`].
    pub fn points(
        &self,
        plan: &Plan,
        least_draws: u64,
    ) -> Result<(Computed, Vec<Task>), MetricsError> {
        let elsewhere = Elsewhere::Asked(least_draws, Mutex::default());
        let mut resampling = Resampling::new(plan, &OneThread, elsewhere);
        let mut points = self.compute_by(plan, &mut resampling)?;
        for figure in &mut points.figures {
            figure.interval = None;
        }
        for comparison in &mut points.comparisons {
            comparison.interval = None;
        }
        let tasks = match resampling.elsewhere {
            Elsewhere::Asked(_, tasks) => {
                tasks.into_inner().unwrap_or_else(PoisonError::into_inner)
            }
            _ => Vec::new(),
        };
        Ok((points, tasks))
    }

    /// As [`Log::compute`], with the tasks of [`Log::points`] done and each one's parts in order of their blocks. A task
    /// that is missing is drawn here: to the same bits, later.
    ///
    /// # Errors
    /// As [`crate::compute`].
    pub fn compute_after(
        &self,
        plan: &Plan,
        done: Vec<(Task, Vec<TaskPart>)>,
    ) -> Result<Computed, MetricsError> {
        let elsewhere = Elsewhere::done(plan, done);
        self.compute_by(plan, &mut Resampling::new(plan, &OneThread, elsewhere))
    }
}
