use gloo::events::EventListener;
use leptos::{html::Canvas, prelude::*};

use super::{data_table::DataTable, save};
use crate::{
    chart::{
        Painter,
        canvas::{paint, theme_of},
        svg,
    },
    model::sheet::Sheet,
};

/// Width of a plot that is saved as SVG, in CSS pixels.
const SVG_WIDTH: u32 = 720;

/// A plot with its text alternative, its numbers as a table, and ways to save all of them: a sharp canvas that is drawn
/// again when its content, its width or the colour scheme changes.
#[component]
pub fn Plot(
    /// The current plot.
    #[prop(into)]
    painter: Signal<Painter>,
    /// Its numbers.
    #[prop(into)]
    sheet: Signal<Sheet>,
    /// What the table holds.
    caption: &'static str,
    /// The name of saved files, without its ending.
    name: &'static str,
) -> impl IntoView {
    let canvas = NodeRef::<Canvas>::new();
    let changed = RwSignal::new(0_u32);
    let listeners = StoredValue::new_local(watch(changed));
    on_cleanup(move || listeners.dispose());
    Effect::new(move |_| {
        changed.get();
        let painter = painter.get();
        if let Some(canvas) = canvas.get() {
            // The element gets its width from the style sheet, and has none before it is in the page.
            request_animation_frame(move || paint(&canvas, &painter));
        }
    });
    let summary = Signal::derive(move || painter.get().describe());
    let save_svg = move |_| {
        let theme = canvas.get_untracked().and_then(|c| theme_of(&c));
        let text = theme.and_then(|theme| svg(&painter.get_untracked(), SVG_WIDTH, &theme));
        if let Some(text) = text {
            save::text(&format!("{name}.svg"), "image/svg+xml", &text);
        }
    };
    let save_png = move |_| {
        let canvas = canvas.get_untracked();
        if let Some(url) = canvas.and_then(|c| c.to_data_url_with_type("image/png").ok()) {
            save::link(&format!("{name}.png"), &url);
        }
    };
    view! {
        <figure>
            <canvas class="plot" role="img" aria-label=summary node_ref=canvas></canvas>
            <figcaption class="summary">{summary}</figcaption>
            <p class="saves">
                <button type="button" on:click=save_svg>"Plot as SVG"</button>
                <button type="button" on:click=save_png>"as PNG"</button>
            </p>
            {move || view! { <DataTable caption name sheet=sheet.get()/> }}
        </figure>
    }
    .into_any()
}

/// Calls for a new drawing when the window's size or the colour scheme changes.
fn watch(changed: RwSignal<u32>) -> Vec<EventListener> {
    let again = move |_: &web_sys::Event| changed.update(|n| *n = n.wrapping_add(1));
    let mut listeners = vec![EventListener::new(&window(), "resize", again)];
    for query in ["(prefers-color-scheme: dark)", "print"] {
        if let Ok(Some(media)) = window().match_media(query) {
            listeners.push(EventListener::new(&media, "change", again));
        }
    }
    listeners
}
