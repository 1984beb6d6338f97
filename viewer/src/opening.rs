//! A run that is being opened: the worker that reads it and the files that are fetched for it. No view is needed for
//! this, so that it goes on while the code of the views is on its way.

use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
    sync::Arc,
};

use futures_util::future::LocalBoxFuture;
use js_sys::ArrayBuffer;
use leptos::wasm_split::wasm_split;
use records::IndexEntry;

use crate::{
    data::{self, Loaded, Parts},
    open_run::Open,
    url_state::Query,
    worker::{
        client::Client,
        protocol::{Answer, Ask, Problem, Reply, Request},
    },
};

/// The number of the request that opens a run; whoever asks more counts on from here.
pub const JOB: u32 = 0;

/// What to open.
#[derive(Clone)]
pub enum Source {
    /// One of the site's own runs, or the newest.
    Site(Option<String>),
    /// A `results.json` elsewhere.
    Address(String),
    /// Files from the reader's disk.
    Files(Vec<web_sys::File>),
}

impl Source {
    /// What an address opens.
    #[must_use]
    pub fn of(query: &Query) -> Self {
        match (&query.results, &query.run) {
            (Some(url), _) => Self::Address(url.clone()),
            (None, run) => Self::Site(run.clone()),
        }
    }

    /// Is it another run than the one whose table is in the HTML, the site's newest?
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        !matches!(self, Self::Site(None))
    }
}

/// What happens to a run that is being opened, and to its worker afterwards.
pub enum Event {
    /// The worker is there and has the run: nothing that a verdict needs is still to be fetched.
    Begun,
    /// What is being done.
    Step(String),
    /// The run with its values compared; its intervals are being computed.
    SoFar(Open),
    /// The run with its verdicts.
    Opened(Open),
    /// It cannot be opened, or the worker has broken.
    Failed(Problem),
    /// What the worker answers to later requests.
    Reply(Reply),
}

type Listener = Rc<dyn Fn(Event)>;

/// A run that is being opened; dropping the last of its clones gives it up.
#[derive(Clone)]
pub struct Opening(Rc<Inner>);

struct Inner {
    foreign: bool,
    client: RefCell<Option<Client>>,
    /// Where the run comes from, and the site's runs.
    whence: RefCell<(String, Arc<Vec<IndexEntry>>)>,
    parts: RefCell<Parts>,
    /// Is the worker there, and are the files?
    there: Cell<(bool, bool)>,
    watch: Box<dyn Fn(&Event)>,
    listener: RefCell<Option<Listener>>,
    /// What nobody has listened to yet.
    unheard: RefCell<Vec<Event>>,
}

impl Opening {
    /// Starts a worker, and fetches what it is to read. `watch` sees everything that happens, before whoever listens.
    #[must_use]
    pub fn start(worker_url: &str, source: Source, watch: impl Fn(&Event) + 'static) -> Self {
        let inner = Rc::new(Inner {
            foreign: source.is_foreign(),
            client: RefCell::default(),
            whence: RefCell::default(),
            parts: RefCell::default(),
            there: Cell::default(),
            watch: Box::new(watch),
            listener: RefCell::default(),
            unheard: RefCell::default(),
        });
        let weak = Rc::downgrade(&inner);
        let receive = move |reply| with(&weak, |inner| inner.receive(reply));
        match Client::start(worker_url, receive) {
            Ok(client) => *inner.client.borrow_mut() = Some(client),
            Err(_) => inner.tell(Event::Failed(Problem::new(
                "this browser does not start a module worker",
                "open the page in a current version of Chrome, Edge, Firefox or Safari",
            ))),
        }
        inner.tell(Event::Step("fetching files".into()));
        let weak = Rc::downgrade(&inner);
        wasm_bindgen_futures::spawn_local(async move {
            let loaded = match source {
                Source::Site(run) => data::from_site(run.as_deref()).await,
                Source::Address(url) => data::from_url(&url).await,
                Source::Files(files) => from_files(files).await,
            };
            with(&weak, |inner| match loaded {
                Ok(loaded) => inner.hand_over(loaded),
                Err(problem) => inner.tell(Event::Failed(problem)),
            });
        });
        Self(inner)
    }

    /// Tells `listener` what has happened so far and what happens from now on.
    pub fn listen(&self, listener: impl Fn(Event) + 'static) {
        let listener: Listener = Rc::new(listener);
        *self.0.listener.borrow_mut() = Some(listener.clone());
        let unheard = std::mem::take(&mut *self.0.unheard.borrow_mut());
        unheard.into_iter().for_each(|event| listener(event));
    }

    /// Is it another run than the one whose table is in the HTML?
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.0.foreign
    }

    /// Asks the worker something else.
    pub fn send(&self, request: &Request, buffers: &[ArrayBuffer]) {
        if let Some(client) = &*self.0.client.borrow() {
            client.send(request, buffers);
        }
    }

    /// Where question pages get their files from; handed over once.
    #[must_use]
    pub fn parts(&self) -> Parts {
        self.0.parts.take()
    }
}

fn with(inner: &Weak<Inner>, act: impl FnOnce(&Inner)) {
    // It has been given up otherwise.
    if let Some(inner) = inner.upgrade() {
        act(&inner);
    }
}

impl Inner {
    fn tell(&self, event: Event) {
        (self.watch)(&event);
        let listener = self.listener.borrow().clone();
        match listener {
            Some(listener) => listener(event),
            None => self.unheard.borrow_mut().push(event),
        }
    }

    fn hand_over(&self, loaded: Loaded) {
        *self.parts.borrow_mut() = loaded.parts;
        *self.whence.borrow_mut() = (loaded.origin, Arc::new(loaded.runs));
        if let Some(client) = &*self.client.borrow() {
            client.send(&Request { job: JOB, ask: Ask::Open(loaded.files) }, &loaded.buffers);
        }
        self.is_there((false, true));
    }

    fn is_there(&self, (worker, files): (bool, bool)) {
        let before = self.there.get();
        self.there.set((before.0 || worker, before.1 || files));
        if self.there.get() == (true, true) {
            self.tell(Event::Begun);
        }
    }

    fn receive(&self, reply: Reply) {
        let event = match reply {
            Reply::Hello => return self.is_there((true, false)),
            Reply::Progress { step, .. } => Event::Step(step),
            Reply::SoFar { answer, .. } => self.opened(answer, Event::SoFar),
            Reply::Done { job: JOB, answer } => self.opened(answer, Event::Opened),
            Reply::Failed { job: None | Some(JOB), problem } => Event::Failed(problem),
            other => Event::Reply(other),
        };
        self.tell(event);
    }

    fn opened(&self, answer: Answer, event: fn(Open) -> Event) -> Event {
        let (origin, runs) = self.whence.borrow().clone();
        let open = match answer {
            Answer::Opened(report) => Open::loaded(*report, origin, runs),
            _ => Err(Problem::new("the worker answered something else", "reload the page")),
        };
        open.map_or_else(Event::Failed, event)
    }
}

/// The files of a run from the reader's disk.
async fn from_files(files: Vec<web_sys::File>) -> Result<Loaded, Problem> {
    reading(files).await?.await
}

#[wasm_split(later, wasm_split_path = ::leptos::wasm_split, fallible)]
fn reading(
    files: Vec<web_sys::File>,
) -> Result<LocalBoxFuture<'static, Result<Loaded, Problem>>, Problem> {
    Ok(Box::pin(data::from_files(files)))
}
