//! Resampling that a caller has carried out somewhere else: handed out as tasks, taken back as what they came to.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use bootstrap::{Binned, ClusterRatio, Drawn, Draws, OneThread, Pass};
use records::{Computed, Plan};
use serde::{Deserialize, Serialize};

use crate::{MetricsError, log::Log, resampling::Resampling};

/// The resampling of one series, or of one side of a comparison: sums by cluster and nothing else of the log, so that it
/// can be sent to a worker that has no memory in common with this one.
#[derive(Serialize, Deserialize)]
pub struct Task {
    seed: u64,
    n_resamples: u32,
    ratios: Vec<ClusterRatio>,
    calibration: Option<Binned>,
}

/// What some blocks of a [`Task`] came to.
#[derive(Serialize, Deserialize)]
pub struct TaskPart(Drawn);

impl Task {
    /// The number of blocks of replicates, each of which can be drawn without the others.
    #[must_use]
    pub fn n_blocks(&self) -> usize {
        self.draws().n_blocks()
    }

    /// Draws these blocks. Parts of consecutive ranges, in order, are the whole: which worker drew which changes no bit.
    #[must_use]
    pub fn run(&self, blocks: Range<usize>) -> TaskPart {
        let ratios: Vec<_> = self.ratios.iter().collect();
        let pass = Pass::new(self.n_resamples, &ratios, self.calibration.as_ref());
        let draws = self.draws();
        TaskPart(pass.over(&draws, blocks.start..blocks.end.min(draws.n_blocks())))
    }

    fn draws(&self) -> Draws {
        let n_clusters = self.ratios.first().map_or(0, |ratio| ratio.numerator.len());
        Draws::anew(self.seed, self.n_resamples, n_clusters as u32)
    }

    fn is(&self, draws: &Draws, ratios: &[&ClusterRatio], calibration: Option<&Binned>) -> bool {
        (self.seed, self.n_resamples) == (draws.seed(), draws.n_resamples())
            && self.ratios.iter().eq(ratios.iter().copied())
            && self.calibration.as_ref() == calibration
    }
}

/// Where the replicates come from that are not drawn on the spot.
pub(crate) enum Elsewhere {
    /// All are drawn on the spot.
    Nowhere,
    /// None is drawn: what takes at least so many draws is written down, to be done by others.
    Asked(u64, Mutex<Vec<Task>>),
    /// These tasks are done.
    Done(Mutex<Vec<(Task, Vec<TaskPart>)>>),
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
                    let task = Task {
                        seed: draws.seed(),
                        n_resamples: draws.n_resamples(),
                        ratios: ratios.iter().map(|ratio| (*ratio).clone()).collect(),
                        calibration: calibration.cloned(),
                    };
                    tasks.lock().unwrap_or_else(PoisonError::into_inner).push(task);
                }
                Some(Vec::new())
            }
            Self::Done(tasks) => {
                let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
                let at = tasks.iter().position(|(task, _)| task.is(draws, ratios, calibration))?;
                let parts = tasks.swap_remove(at).1;
                Some(parts.into_iter().map(|part| part.0).collect())
            }
        }
    }
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
        let elsewhere = Elsewhere::Done(Mutex::new(done));
        self.compute_by(plan, &mut Resampling::new(plan, &OneThread, elsewhere))
    }
}
