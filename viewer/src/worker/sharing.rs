//! Resampling shared out among further workers, which have no memory in common with this one: each is sent what it draws
//! from, and sends back what came of it. Which worker drew what changes no bit.

use std::{
    cell::{Cell, RefCell},
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
    board::Board,
    client::Client,
    compute::Work,
    open::{Opened, Reading, Surroundings},
    protocol::{Answer, Ask, Computation, Problem, Reply, Request, pack, unpack},
};
use crate::url_state::{Edits, Settings};

/// Most workers that are started; each takes the memory of one module and of a few tasks.
const MOST: usize = 8;
/// Draws from which on a task is worth sending.
const LEAST_DRAWS: u64 = 4_000_000;

type First = for<'a> fn(
    &'a Reading,
    &'a Surroundings<'a>,
    &'a dyn Fn(Answer),
) -> LocalBoxFuture<'a, Result<Computed, MetricsError>>;

type Again = for<'a> fn(
    &'a Opened,
    &'a Settings,
    &'a Edits,
    &'a Surroundings<'a>,
) -> LocalBoxFuture<'a, Result<Computation, Problem>>;

/// The work that is shared out, as functions, so that its code is fetched with them.
#[derive(Clone, Copy)]
pub struct Sharing {
    first: First,
    again: Again,
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

/// The tasks that were done, with what they came to.
async fn shared_out(tasks: Vec<Task>, progress: &dyn Fn(String)) -> Vec<(Task, Vec<TaskPart>)> {
    let n_workers = n_workers();
    let n_blocks: Vec<_> = tasks.iter().map(Task::n_blocks).collect();
    let crew = Crew {
        board: RefCell::new(Board::new(&n_blocks, n_workers)),
        packed: tasks.iter().map(|task| pack(task).unwrap_or_default()).collect(),
        workers: RefCell::default(),
        wake: RefCell::default(),
    };
    let crew = Rc::new(crew);
    crew.start(n_workers);
    while crew.works() && !crew.board.borrow().is_done() {
        progress(format!("resampling: {} %", crew.board.borrow().percent()));
        crew.next_word().await;
    }
    crew.workers.borrow_mut().clear();
    crew.board.replace(Board::new(&[], 0)).finished(tasks)
}

/// Workers, and what they have to do.
struct Crew {
    board: RefCell<Board>,
    /// The tasks as they are sent.
    packed: Vec<Vec<u8>>,
    /// Those that have failed are gone.
    workers: RefCell<Vec<Option<Hand>>>,
    /// Wakes whoever waits for the next word of a worker.
    wake: RefCell<Option<Function>>,
}

/// A worker.
struct Hand {
    client: Client,
    /// The task that it was sent last, by its place.
    task: Cell<Option<usize>>,
}

impl Crew {
    fn start(self: &Rc<Self>, n_workers: usize) {
        let Some(url) = own_address() else { return };
        for at in 0..n_workers {
            let crew = Rc::downgrade(self);
            let client = Client::start(&url, move |reply| {
                if let Some(crew) = crew.upgrade() {
                    crew.take(at, reply);
                }
            });
            let hand = client.ok().map(|client| Hand { client, task: Cell::new(None) });
            self.workers.borrow_mut().push(hand);
        }
        self.give();
    }

    /// False when no worker is left.
    fn works(&self) -> bool {
        self.workers.borrow().iter().any(Option::is_some)
    }

    /// Waits until a worker has said something. Nothing is missed: workers speak only while this waits.
    async fn next_word(&self) {
        let promise = Promise::new(&mut |resolve, _| *self.wake.borrow_mut() = Some(resolve));
        // It is never rejected.
        let _ = JsFuture::from(promise).await;
    }

    /// Takes what a worker has said. One that has failed gets nothing more to do, and others do what it was at.
    fn take(&self, worker: usize, reply: Reply) {
        let part = match &reply {
            Reply::Done { answer: Answer::Drawn(bytes), .. } => unpack::<TaskPart>(bytes),
            Reply::Hello | Reply::Progress { .. } => return,
            _ => None,
        };
        match part {
            Some(part) => self.board.borrow_mut().done(worker, part),
            None => {
                self.board.borrow_mut().failed(worker);
                self.workers.borrow_mut()[worker] = None;
            }
        }
        self.give();
        if let Some(wake) = self.wake.take() {
            // A promise's own function does not throw.
            let _ = wake.call0(&JsValue::NULL);
        }
    }

    /// Gives every worker that is at nothing its next job.
    fn give(&self) {
        let mut board = self.board.borrow_mut();
        for (at, worker) in self.workers.borrow().iter().enumerate() {
            let Some(hand) = worker else { continue };
            let Some(job) = board.next(at) else { continue };
            let ask = Ask::Draw { start: job.blocks.start, end: job.blocks.end };
            let task = (hand.task.replace(Some(job.task)) != Some(job.task))
                .then(|| Uint8Array::from(self.packed[job.task].as_slice()).buffer());
            hand.client.send(&Request { job: 0, ask }, task.as_slice());
        }
    }
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
