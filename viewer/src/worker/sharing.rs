//! Resampling shared out among further workers, which have no memory in common with this one: each is sent what it draws
//! from, and sends back what came of it. Which worker drew what changes no bit.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    ops::Range,
    rc::Rc,
};

use futures_util::future::LocalBoxFuture;
use js_sys::{Function, Promise, Uint8Array};
use metrics::{Log, MetricsError, OneThread, Task, TaskPart};
use records::{Computed, Plan, Record};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::DedicatedWorkerGlobalScope;

use super::{
    client::Client,
    compute::Work,
    open::{Opened, Reading, Surroundings},
    protocol::{Answer, Ask, Computation, Problem, Reply, Request, pack, unpack},
};
use crate::url_state::{Edits, Settings};

/// Most workers that are started; each takes the memory of one module and of a few tasks.
const MOST: usize = 8;
/// Parts that each worker gets, so that one that is slow does not keep the others waiting.
const PARTS_EACH: usize = 4;
/// Draws from which on a task is worth sending.
const LEAST_DRAWS: u64 = 4_000_000;

/// The work that is shared out, as functions, so that its code is fetched with them.
#[derive(Clone, Copy)]
pub struct Sharing {
    first: for<'a> fn(
        &'a Reading,
        &'a Surroundings<'a>,
        &'a dyn Fn(Answer),
    ) -> LocalBoxFuture<'a, Result<Computed, MetricsError>>,
    again: for<'a> fn(
        &'a Opened,
        &'a Settings,
        &'a Edits,
        &'a Surroundings<'a>,
    ) -> LocalBoxFuture<'a, Result<Computation, Problem>>,
}

impl Sharing {
    /// The functions.
    #[must_use]
    pub fn new() -> Self {
        Self {
            first: |reading, surroundings, so_far| {
                Box::pin(async move {
                    let (records, plan) = reading.work();
                    let said = |points| {
                        let report = reading.so_far(points, surroundings);
                        so_far(Answer::Opened(Box::new(report)));
                    };
                    compute(records, &plan, surroundings.progress, said).await
                })
            },
            again: |opened, settings, edits, surroundings| {
                Box::pin(async move {
                    let work = Work::new(opened, settings, edits, surroundings);
                    let computed =
                        compute(&work.records, &work.plan, surroundings.progress, |_| ()).await;
                    work.concluded(computed, opened, surroundings)
                })
            },
        }
    }

    /// The numbers of a run that is being opened; their values go to `so_far` before.
    ///
    /// # Errors
    /// As [`metrics::compute`].
    pub async fn first<'a>(
        self,
        reading: &'a Reading,
        surroundings: &'a Surroundings<'a>,
        so_far: &'a dyn Fn(Answer),
    ) -> Result<Computed, MetricsError> {
        (self.first)(reading, surroundings, so_far).await
    }

    /// The numbers of the open run with a reader's settings and changes.
    ///
    /// # Errors
    /// As [`super::compute::compute`].
    pub async fn again<'a>(
        self,
        opened: &'a Opened,
        settings: &'a Settings,
        edits: &'a Edits,
        surroundings: &'a Surroundings<'a>,
    ) -> Result<Computation, Problem> {
        (self.again)(opened, settings, edits, surroundings).await
    }
}

/// As [`metrics::compute`]; `points` gets the values before their intervals are there.
async fn compute(
    records: &[Record],
    plan: &Plan,
    progress: &dyn Fn(String),
    points: impl FnOnce(Computed),
) -> Result<Computed, MetricsError> {
    let log = Log::new(records)?;
    let (values, tasks) = log.points(plan, LEAST_DRAWS)?;
    if tasks.is_empty() {
        return log.compute(plan, &OneThread);
    }
    points(values);
    let done = shared_out(tasks, progress).await;
    progress("finishing the intervals".to_owned());
    log.compute_after(plan, done)
}

/// Some blocks of one task.
struct Job {
    task: usize,
    part: usize,
    blocks: Range<usize>,
}

/// What the workers do and have done.
struct Board {
    jobs: Vec<Job>,
    /// Jobs that nobody has taken, by their place in `jobs`.
    waiting: VecDeque<usize>,
    /// The tasks as they are sent.
    packed: Vec<Vec<u8>>,
    /// The parts of each task.
    parts: Vec<Vec<Option<TaskPart>>>,
    n_done: usize,
}

/// The tasks whose parts are all there, with them.
async fn shared_out(tasks: Vec<Task>, progress: &dyn Fn(String)) -> Vec<(Task, Vec<TaskPart>)> {
    let n_workers = n_workers();
    let each = (PARTS_EACH * n_workers).div_ceil(tasks.len());
    let mut jobs = Vec::new();
    let mut parts = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let n_blocks = task.n_blocks();
        let n_parts = each.min(n_blocks);
        let start = |part: usize| part * n_blocks / n_parts;
        jobs.extend((0..n_parts).map(|part| Job {
            task: at,
            part,
            blocks: start(part)..start(part + 1),
        }));
        parts.push((0..n_parts).map(|_| None).collect());
    }
    let board = Rc::new(RefCell::new(Board {
        waiting: (0..jobs.len()).collect(),
        jobs,
        packed: tasks.iter().map(|task| pack(task).unwrap_or_default()).collect(),
        parts,
        n_done: 0,
    }));
    let n_jobs = board.borrow().jobs.len();
    let crew = Crew::start(&board, n_workers);
    while crew.works() && board.borrow().n_done < n_jobs {
        progress(format!("resampling: {} %", 100 * board.borrow().n_done / n_jobs));
        crew.next_word().await;
    }
    drop(crew);
    let parts = std::mem::take(&mut board.borrow_mut().parts);
    let done = tasks.into_iter().zip(parts);
    done.filter_map(|(task, parts)| Some((task, parts.into_iter().collect::<Option<_>>()?)))
        .collect()
}

/// Workers, which are ended when this is dropped.
struct Crew {
    workers: Rc<RefCell<Vec<Option<Client>>>>,
    /// Wakes whoever waits for the next word of a worker.
    wake: Rc<RefCell<Option<Function>>>,
    /// True when a word has come since it was last waited for.
    spoke: Rc<Cell<bool>>,
}

impl Crew {
    fn start(board: &Rc<RefCell<Board>>, n_workers: usize) -> Self {
        let crew = Self { workers: Rc::default(), wake: Rc::default(), spoke: Rc::default() };
        let Some(url) = own_address() else { return crew };
        for at in 0..n_workers {
            let (board, workers) = (board.clone(), Rc::downgrade(&crew.workers));
            let (wake, spoke) = (crew.wake.clone(), crew.spoke.clone());
            let client = Client::start(&url, move |reply| {
                let Some(workers) = workers.upgrade() else { return };
                take(&board, &workers, at, reply);
                spoke.set(true);
                if let Some(wake) = wake.borrow_mut().take() {
                    // A promise's own function does not throw.
                    let _ = wake.call0(&JsValue::NULL);
                }
            });
            crew.workers.borrow_mut().push(client.ok());
        }
        let n_started = crew.workers.borrow().len();
        (0..n_started).for_each(|at| give(board, &crew.workers, at));
        crew
    }

    /// False when no worker is left.
    fn works(&self) -> bool {
        self.workers.borrow().iter().any(Option::is_some)
    }

    /// Waits until a worker has said something.
    async fn next_word(&self) {
        if !self.spoke.replace(false) {
            let promise = Promise::new(&mut |resolve, _| *self.wake.borrow_mut() = Some(resolve));
            // It is never rejected.
            let _ = JsFuture::from(promise).await;
            self.spoke.set(false);
        }
    }
}

/// Takes what a worker has said. One that has failed gets nothing more to do, and others do what it was at.
fn take(
    board: &RefCell<Board>,
    workers: &RefCell<Vec<Option<Client>>>,
    worker: usize,
    reply: Reply,
) {
    let drawn = match &reply {
        Reply::Done { job, answer: Answer::Drawn(bytes) } => {
            unpack::<TaskPart>(bytes).map(|part| (*job as usize, part))
        }
        _ => None,
    };
    if let Some((at, part)) = drawn {
        let mut board = board.borrow_mut();
        let Board { jobs, parts, n_done, .. } = &mut *board;
        if let Some(job) = jobs.get(at) {
            parts[job.task][job.part] = Some(part);
            *n_done += 1;
        }
    } else if !matches!(reply, Reply::Progress { .. } | Reply::Hello) {
        workers.borrow_mut()[worker] = None;
        return;
    }
    give(board, workers, worker);
}

/// Gives a worker its next job.
fn give(board: &RefCell<Board>, workers: &RefCell<Vec<Option<Client>>>, worker: usize) {
    let workers = workers.borrow();
    let Some(client) = workers.get(worker).and_then(Option::as_ref) else { return };
    let mut board = board.borrow_mut();
    let Some(at) = board.waiting.pop_front() else { return };
    let job = &board.jobs[at];
    let ask = Ask::Draw { start: job.blocks.start, end: job.blocks.end };
    let task = Uint8Array::from(board.packed[job.task].as_slice()).buffer();
    client.send(&Request { job: at as u32, ask }, &[task]);
}

/// As many as the machine has processors, within limits; this worker waits meanwhile.
fn n_workers() -> usize {
    let scope = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>().ok();
    let n = scope.map_or(1.0, |scope| scope.navigator().hardware_concurrency());
    (n as usize).clamp(1, MOST)
}

/// The address of this worker's script.
fn own_address() -> Option<String> {
    let scope = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>().ok()?;
    Some(scope.location().href())
}
