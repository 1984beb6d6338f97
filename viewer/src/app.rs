//! The page as a whole: opens a run, keeps what is known about it, and shows the overview or a number's page.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use gloo::events::EventListener;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::DragEvent;

use crate::{
    components::{opener::Opener, problem::problem_view},
    data,
    model::{check::Checks, results_table, table::Table},
    pages::{number::NumberView, overview::Overview},
    url_state::{Fragment, Query},
    worker::{
        client::Client,
        protocol::{Problem, Reply, Report, Request},
    },
};

/// Everything that is known about the open run.
pub struct Open {
    /// What the worker found.
    pub report: Report,
    /// Its checks by id.
    pub checks: Checks,
    /// What is shown: the publication, or what was computed when nothing was published.
    pub shown: records::Results,
    /// The main table of `shown`.
    pub table: Table,
    /// Where the files come from.
    pub origin: String,
    /// The site's runs: id and title.
    pub runs: Vec<(String, String)>,
}

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
    fn name(&self) -> &'static str {
        match self {
            Self::Loading(_) => "loading",
            Self::Ready(_) => "ready",
            Self::Failed(_) => "failed",
        }
    }
}

/// What to open.
pub enum Source {
    /// One of the site's own runs, or the newest.
    Site(Option<String>),
    /// A `results.json` elsewhere.
    Address(String),
    /// Files from the reader's disk.
    Files(Vec<web_sys::File>),
}

/// The desk, wherever it is needed; it holds browser objects, so it stays on its thread.
pub type SharedDesk = StoredValue<Desk, LocalStorage>;

/// Opens runs; all clones share one worker.
#[derive(Clone)]
pub struct Desk {
    worker_url: Rc<str>,
    client: Rc<RefCell<Option<Client>>>,
    job: Rc<RefCell<u32>>,
    state: RwSignal<State>,
}

impl Desk {
    /// Opens `source` in a new worker; whatever was being opened is given up.
    pub fn open(&self, source: Source) {
        let desk = self.clone();
        *desk.job.borrow_mut() += 1;
        let job = *desk.job.borrow();
        // Ends the old worker, and with it an unfinished computation.
        *desk.client.borrow_mut() = None;
        desk.state.set(State::Loading("fetching files".into()));
        leptos::task::spawn_local(async move {
            let loaded = match source {
                Source::Site(run) => data::from_site(run.as_deref()).await,
                Source::Address(url) => data::from_url(&url).await,
                Source::Files(files) => data::from_files(files).await,
            };
            if *desk.job.borrow() != job {
                return;
            }
            match loaded {
                Ok(loaded) => desk.hand_over(job, loaded),
                Err(problem) => desk.state.set(State::Failed(problem)),
            }
        });
    }

    /// Gives up what is being opened.
    pub fn cancel(&self) {
        *self.job.borrow_mut() += 1;
        *self.client.borrow_mut() = None;
        self.state
            .set(State::Failed(Problem::new("cancelled", "open the run again, or other files")));
    }

    fn hand_over(&self, job: u32, loaded: data::Loaded) {
        let request = Request { job, files: loaded.heads, expected: loaded.expected };
        let runs: Vec<_> = loaded.runs.into_iter().map(|r| (r.run_id, r.title)).collect();
        let (state, current, origin) = (self.state, self.job.clone(), loaded.origin);
        let client = Client::start(&self.worker_url, move |reply| {
            let mine = match &reply {
                Reply::Progress { job: j, .. } | Reply::Done { job: j, .. } => Some(*j),
                Reply::Failed { job: j, .. } => j.or(Some(job)),
                Reply::Hello => None,
            };
            if mine != Some(*current.borrow()) {
                return;
            }
            match reply {
                Reply::Hello => {}
                Reply::Progress { step, .. } => state.set(State::Loading(step)),
                Reply::Failed { problem, .. } => state.set(State::Failed(problem)),
                Reply::Done { report, .. } => state.set(opened(*report, &origin, &runs)),
            }
        });
        match client {
            Ok(client) => {
                client.send(&request, &loaded.buffers);
                *self.client.borrow_mut() = Some(client);
            }
            Err(_) => self.state.set(State::Failed(Problem::new(
                "this browser does not start a module worker",
                "open the page in a current version of Chrome, Edge, Firefox or Safari",
            ))),
        }
    }
}

fn opened(mut report: Report, origin: &str, runs: &[(String, String)]) -> State {
    let Some(shown) = report.published.clone().or_else(|| report.recomputed.clone()) else {
        return State::Failed(Problem::new("there is nothing to show", "open other files"));
    };
    let checks = Checks::new(std::mem::take(&mut report.checks));
    State::Ready(Arc::new(Open {
        table: results_table(&shown),
        checks,
        shown,
        report,
        origin: origin.to_owned(),
        runs: runs.to_vec(),
    }))
}

/// The page.
#[component]
pub fn App(worker_url: String) -> impl IntoView {
    let state = RwSignal::new(State::Loading("starting".into()));
    let fragment = RwSignal::new(Fragment::parse(&window().location().hash().unwrap_or_default()));
    let desk = SharedDesk::new_local(Desk {
        worker_url: worker_url.into(),
        client: Rc::default(),
        job: Rc::default(),
        state,
    });
    let query = Query::parse(&window().location().search().unwrap_or_default());
    // The table in the HTML is that of the site's newest run; for any other it would be the wrong one.
    let foreign = query.results.is_some() || query.run.is_some();
    let source = match (query.results, query.run) {
        (Some(url), _) => Source::Address(url),
        (None, run) => Source::Site(run),
    };
    desk.with_value(|d| d.open(source));
    listen(desk, fragment);
    Effect::new(move |_| mark_body(&state.get(), foreign));
    Effect::new(move |_| {
        let fragment = fragment.get();
        if matches!(state.get(), State::Ready(_)) {
            request_animation_frame(move || go_to(&fragment));
        }
    });
    view! {
        {move || match state.get() {
            State::Loading(step) => view! {
                <p class="progress" role="status">
                    <span>{step} "…"</span>
                    <button type="button" on:click=move |_| desk.with_value(Desk::cancel)>"Cancel"</button>
                </p>
            }
            .into_any(),
            State::Failed(problem) => view! {
                <section class="failed" aria-labelledby="failed-head">
                    <h2 id="failed-head">"This run could not be opened"</h2>
                    {problem_view(&problem)}
                </section>
            }
            .into_any(),
            State::Ready(open) => view! {
                <main id="content" tabindex="-1">
                    {move || match fragment.get() {
                        Fragment::Figure(id) => view! { <NumberView open=open.clone() id/> }.into_any(),
                        _ => view! { <Overview open=open.clone()/> }.into_any(),
                    }}
                </main>
            }
            .into_any(),
        }}
        <Opener desk/>
    }
}

fn listen(desk: SharedDesk, fragment: RwSignal<Fragment>) {
    EventListener::new(&window(), "hashchange", move |_| {
        let now = Fragment::parse(&window().location().hash().unwrap_or_default());
        // These are places on every page of the app; the browser goes there by itself.
        let in_place = matches!(&now, Fragment::Section(s) if s == "open" || s == "published");
        if !in_place && now != fragment.get_untracked() {
            fragment.set(now);
        }
    })
    .forget();
    if let Some(skip) = document().get_element_by_id("skip") {
        let options = gloo::events::EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&skip, "click", options, |event| {
            event.prevent_default();
            focus_content();
        })
        .forget();
    }
    // Without this the browser would leave the page to show a dropped file.
    let options = gloo::events::EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window(), "dragover", options, |event| {
        event.prevent_default();
    })
    .forget();
    EventListener::new_with_options(&window(), "drop", options, move |event| {
        event.prevent_default();
        if let Some(event) = event.dyn_ref::<DragEvent>() {
            let files = data::dropped_files(event);
            if !files.is_empty() {
                desk.with_value(|d| d.open(Source::Files(files)));
            }
        }
    })
    .forget();
}

/// Tells style sheets and tests where the page stands, and takes the unchecked table away once the checked one is
/// there. It stays when its run could not be opened: what it says is still what was published.
fn mark_body(state: &State, foreign: bool) {
    if let Some(body) = document().body() {
        // The name is a valid one, so this cannot fail.
        let _ = body.set_attribute("data-state", state.name());
    }
    if (foreign || matches!(state, State::Ready(_)))
        && let Some(published) = document().get_element_by_id("published")
    {
        published.remove();
    }
}

/// Moves keyboard and screen reader to the content.
fn focus_content() {
    if let Some(main) = document().get_element_by_id("content")
        && let Ok(main) = main.dyn_into::<web_sys::HtmlElement>()
    {
        // A failure leaves the focus where it was.
        let _ = main.focus();
    }
}

/// Brings what the address names into view, once it has been drawn.
fn go_to(fragment: &Fragment) {
    match fragment {
        Fragment::Top => {}
        Fragment::Figure(_) => {
            focus_content();
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
        Fragment::Section(name) => {
            if let Some(section) = document().get_element_by_id(name) {
                section.scroll_into_view();
            }
        }
    }
}
