use leptos::prelude::*;

use crate::{format, worker::protocol::Problem};

/// That something is still being computed.
pub fn computing() -> AnyView {
    view! { <p class="progress" role="status">"computing…"</p> }.into_any()
}

/// What went wrong, where, and what to do about it.
pub fn problem_view(problem: &Problem) -> impl IntoView + use<> {
    view! {
        <div class="problem" role="alert">
            <p>{problem.sentence()} "."</p>
            {problem
                .remedy
                .as_ref()
                .map(|r| view! { <p class="remedy">"What to do: " {format::cut(r, 300)} "."</p> })}
        </div>
    }
}
