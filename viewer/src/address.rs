//! The browser's address: the only code that reads or changes it.

use gloo::events::EventListener;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::url_state::{Fragment, Query};

/// What the address says now, as signals. Copies share them.
#[derive(Clone, Copy)]
pub struct Address {
    /// The part after the question mark.
    pub query: RwSignal<Query>,
    /// The part after the hash sign.
    pub fragment: RwSignal<Fragment>,
}

impl Address {
    /// Reads the address, and follows it from then on.
    #[must_use]
    pub fn follow() -> Self {
        let address =
            Self { query: RwSignal::new(query_now()), fragment: RwSignal::new(fragment_now()) };
        for event in ["hashchange", "popstate"] {
            EventListener::new(&window(), event, move |_| address.read()).forget();
        }
        address
    }

    fn read(self) {
        let (query, fragment) = (query_now(), fragment_now());
        if query != self.query.get_untracked() {
            self.query.set(query);
        }
        // These are places on every page of the app; the browser goes there by itself.
        let in_place = ["open", "published"].contains(&fragment.name());
        if !in_place && fragment != self.fragment.get_untracked() {
            self.fragment.set(fragment);
        }
    }

    /// Changes the query string, as a step that the browser's back button takes back.
    pub fn set_query(self, change: impl FnOnce(&mut Query)) {
        let mut query = self.query.get_untracked();
        change(&mut query);
        if query == self.query.get_untracked() {
            return;
        }
        let path = window().location().pathname().unwrap_or_default();
        let url = format!("{path}{}{}", query.to_search(), self.fragment.get_untracked().to_hash());
        if let Ok(history) = window().history() {
            // A refusal (a browser may limit how often) leaves the old address, and the page still follows.
            let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&url));
        }
        self.query.set(query);
    }

    /// Narrows a view down without leaving a step for every letter typed.
    pub fn narrow(self, fragment: Fragment) {
        let search = self.query.get_untracked().to_search();
        let path = window().location().pathname().unwrap_or_default();
        if let Ok(history) = window().history() {
            let url = format!("{path}{search}{}", fragment.to_hash());
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&url));
        }
        self.fragment.set(fragment);
    }
}

fn query_now() -> Query {
    Query::parse(&window().location().search().unwrap_or_default())
}

fn fragment_now() -> Fragment {
    Fragment::parse(&window().location().hash().unwrap_or_default())
}
