//! Opens runs and asks the worker: the page's one way to both.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
};

use js_sys::ArrayBuffer;
use leptos::prelude::*;

use crate::{
    open_run::{Evidence, Open},
    opening::{Event, JOB, Opening, Source},
    url_state::Query,
    worker::protocol::{Answer, Ask, Files, Finding, Problem, Reply, Request},
};

/// Where the page stands.
#[derive(Clone)]
pub enum State {
    /// Files are being fetched or numbers recomputed.
    Loading(String),
    /// A run is open.
    Ready(Arc<Open>),
    /// It could not be opened.
    Failed(Problem),
}

impl State {
    /// The value of `body[data-state]`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Loading(_) => "loading",
            Self::Ready(_) => "ready",
            Self::Failed(_) => "failed",
        }
    }
}

type Receiver = Box<dyn FnOnce(Result<Answer, Problem>)>;

/// The desk, wherever it is needed; it holds browser objects, so it stays on its thread.
pub type SharedDesk = StoredValue<Desk, LocalStorage>;

/// Opens runs and asks the worker; all clones share one worker.
#[derive(Clone)]
pub struct Desk {
    worker_url: Rc<str>,
    /// The run that is open or being opened, with its worker.
    opening: Rc<RefCell<Option<Opening>>>,
    /// Why the worker answers no more.
    broken: Rc<RefCell<Option<Problem>>>,
    waiting: Rc<RefCell<Vec<(u32, Receiver)>>>,
    job: Rc<Cell<u32>>,
    /// Counts the runs that were opened or given up.
    generation: Rc<Cell<u32>>,
    /// Settings and changes that the address names, also while nothing can be computed with them yet.
    query: Rc<RefCell<Query>>,
    /// The run as it was loaded; what the page shows may be under other settings.
    loaded: Rc<RefCell<Option<Open>>>,
    /// Where the page stands.
    pub state: RwSignal<State>,
    /// What is being computed beside a run that is open.
    pub busy: RwSignal<Option<String>>,
    /// Why the last settings could not be computed with.
    pub refused: RwSignal<Option<Problem>>,
    /// The data set and the completions.
    pub evidence: RwSignal<Evidence>,
    /// Is what is opened another run than the one whose table is in the HTML?
    pub foreign: RwSignal<bool>,
}

impl Desk {
    /// A desk at which nothing is open.
    #[must_use]
    pub fn new(worker_url: &str) -> Self {
        Self {
            worker_url: worker_url.into(),
            opening: Rc::default(),
            broken: Rc::default(),
            waiting: Rc::default(),
            job: Rc::new(Cell::new(JOB)),
            generation: Rc::default(),
            query: Rc::default(),
            loaded: Rc::default(),
            state: RwSignal::new(State::Loading("starting".into())),
            busy: RwSignal::new(None),
            refused: RwSignal::new(None),
            evidence: RwSignal::new(Evidence::NotAsked),
            foreign: RwSignal::new(false),
        }
    }

    /// Opens `source` in a new worker, and shows it under the settings and changes of `query`; whatever was being
    /// opened is given up.
    pub fn open(&self, source: Source, query: Query) {
        self.forget();
        self.state.set(State::Loading("starting".into()));
        self.follow(Opening::start(&self.worker_url, source, |_| {}), query);
    }

    /// As [`Desk::open`], for what is being opened already.
    pub fn follow(&self, opening: Opening, query: Query) {
        *self.query.borrow_mut() = query;
        self.foreign.set(opening.is_foreign());
        // What has happened so far is heard at once, and may lead to a question.
        *self.opening.borrow_mut() = Some(opening.clone());
        let desk = self.clone();
        let generation = self.generation.get();
        opening.listen(move |event| {
            // What was given up may still have something to say.
            if desk.generation.get() == generation {
                desk.hear(event);
            }
        });
    }

    /// Gives up what is being opened.
    pub fn cancel(&self) {
        self.forget();
        self.state
            .set(State::Failed(Problem::new("cancelled", "open the run again, or other files")));
    }

    /// Ends the worker and everything that waits for it.
    fn forget(&self) {
        *self.opening.borrow_mut() = None;
        *self.broken.borrow_mut() = None;
        self.waiting.borrow_mut().clear();
        *self.loaded.borrow_mut() = None;
        self.busy.set(None);
        self.refused.set(None);
        self.evidence.set(Evidence::NotAsked);
        self.generation.set(self.generation.get() + 1);
    }

    fn hear(&self, event: Event) {
        match event {
            Event::Begun => {}
            Event::Step(step) => match self.state.get_untracked() {
                State::Loading(_) => self.state.set(State::Loading(step)),
                _ if self.busy.get_untracked().is_some() => self.busy.set(Some(step)),
                _ => {}
            },
            Event::SoFar(open) => {
                self.busy.set(Some("resampling".into()));
                self.state.set(State::Ready(Arc::new(open)));
            }
            Event::Opened(open) => {
                self.busy.set(None);
                *self.loaded.borrow_mut() = Some(open.clone());
                self.state.set(State::Ready(Arc::new(open)));
                let query = self.query.borrow().clone();
                self.apply(&query);
            }
            Event::Failed(problem) => self.fail(problem),
            Event::Reply(reply) => self.receive(reply),
        }
    }

    /// The run could not be opened; or it is open, the worker has broken, and whoever waits will wait in vain.
    fn fail(&self, problem: Problem) {
        if self.loaded.borrow().is_none() {
            self.busy.set(None);
            self.state.set(State::Failed(problem.clone()));
        }
        *self.broken.borrow_mut() = Some(problem.clone());
        let all = std::mem::take(&mut *self.waiting.borrow_mut());
        for (_, receive) in all {
            receive(Err(problem.clone()));
        }
    }

    /// Shows the open run under the settings and changes of `query`.
    pub fn apply(&self, query: &Query) {
        *self.query.borrow_mut() = query.clone();
        let Some(loaded) = self.loaded.borrow().clone() else { return };
        self.refused.set(None);
        let (settings, edits) = (query.settings.clone(), query.edits.clone());
        if settings.is_published() && edits.is_empty() {
            self.busy.set(None);
            self.state.set(State::Ready(Arc::new(loaded)));
            return;
        }
        self.busy.set(Some("computing with your settings".into()));
        let desk = self.clone();
        let ask = Ask::Compute { settings: settings.clone(), edits: edits.clone() };
        self.ask(ask, &[], move |answer| {
            let wanted = {
                let query = desk.query.borrow();
                query.settings == settings && query.edits == edits
            };
            // The reader has gone on to others meanwhile, or back to the published ones.
            if !wanted {
                return;
            }
            desk.busy.set(None);
            match answer {
                Ok(Answer::Computed(computation)) => {
                    let open = loaded.under(&settings, &edits, *computation);
                    desk.state.set(State::Ready(Arc::new(open)));
                }
                Ok(_) => {}
                Err(problem) => {
                    // What was shown before would look as if it were under these settings.
                    desk.state.set(State::Ready(Arc::new(loaded)));
                    desk.refused.set(Some(problem));
                }
            }
        });
    }

    /// Is something being computed beside the run that is open?
    #[must_use]
    pub fn computes(&self) -> Memo<bool> {
        let busy = self.busy;
        Memo::new(move |_| busy.with(Option::is_some))
    }

    /// Asks the worker; `receive` is called unless the run is closed before.
    pub fn ask(
        &self,
        ask: Ask,
        buffers: &[ArrayBuffer],
        receive: impl FnOnce(Result<Answer, Problem>) + 'static,
    ) {
        let broken = self.broken.borrow().clone();
        if let Some(problem) = broken {
            return receive(Err(problem));
        }
        let job = self.job.get() + 1;
        self.job.set(job);
        self.waiting.borrow_mut().push((job, Box::new(receive)));
        if let Some(opening) = &*self.opening.borrow() {
            opening.send(&Request { job, ask }, buffers);
        }
    }

    /// Fetches data set and completions, once.
    pub fn fetch_evidence(&self) {
        if !matches!(self.evidence.get_untracked(), Evidence::NotAsked) {
            return;
        }
        self.evidence.set(Evidence::Loading);
        let run =
            self.loaded.borrow().as_ref().map(|open| (open.report.run.clone(), open.shown.clone()));
        let Some((run, shown)) = run else { return };
        let parts = self.opening.borrow().as_ref().map(Opening::parts).unwrap_or_default();
        let desk = self.clone();
        let generation = self.generation.get();
        leptos::task::spawn_local(async move {
            let (files, buffers) = parts.load(&shown.dataset_id, run.as_ref()).await;
            // Another run may have been opened meanwhile.
            if desk.generation.get() != generation {
                return;
            }
            desk.attach(files, &buffers);
        });
    }

    /// As [`Desk::ask`], for what is found out about the open run.
    pub fn inquire(&self, ask: Ask, receive: impl FnOnce(Result<Finding, Problem>) + 'static) {
        self.ask(ask, &[], move |answer| receive(answer.and_then(|answer| Finding::of(&answer))));
    }

    fn attach(&self, files: Files, buffers: &[ArrayBuffer]) {
        let evidence = self.evidence;
        self.ask(Ask::Attach(files), buffers, move |answer| {
            evidence.set(match answer.and_then(|answer| Finding::of(&answer)) {
                Ok(Finding::Attached(attached)) => Evidence::Ready(Arc::new(*attached)),
                Ok(_) => Evidence::Failed(Problem::new("unexpected answer", "reload the page")),
                Err(problem) => Evidence::Failed(problem),
            });
        });
    }

    fn receive(&self, reply: Reply) {
        let (job, answer) = match reply {
            Reply::Done { job, answer } => (job, Ok(answer)),
            Reply::Failed { job: Some(job), problem } => (job, Err(problem)),
            _ => return,
        };
        let receiver = {
            let mut waiting = self.waiting.borrow_mut();
            let at = waiting.iter().position(|(asked, _)| *asked == job);
            at.map(|at| waiting.swap_remove(at).1)
        };
        if let Some(receive) = receiver {
            receive(answer);
        }
    }
}
