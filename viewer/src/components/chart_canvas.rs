use gloo::events::EventListener;
use leptos::{html::Canvas, prelude::*};
use web_sys::HtmlCanvasElement;

use crate::chart::canvas::{Painter, paint};

/// A plot: a sharp canvas that is drawn again when its content, its width or the colour scheme changes. Its text
/// alternative is `summary`.
#[component]
pub fn ChartCanvas(
    /// Draws the current plot.
    #[prop(into)]
    painter: Signal<Painter, LocalStorage>,
    /// The plot in words.
    #[prop(into)]
    summary: Signal<String>,
    /// Height in CSS pixels for a width in CSS pixels.
    height: fn(f64, usize) -> f64,
    /// Number of rows, for plots that grow with them.
    #[prop(into)]
    rows: Signal<usize>,
) -> impl IntoView {
    let canvas = NodeRef::<Canvas>::new();
    let changed = RwSignal::new(0_u32);
    let listeners = StoredValue::new_local(watch(changed));
    on_cleanup(move || listeners.dispose());
    Effect::new(move |_| {
        changed.get();
        let (painter, rows) = (painter.get(), rows.get());
        if let Some(canvas) = canvas.get() {
            let canvas: HtmlCanvasElement = canvas;
            // The element gets its width from the style sheet, and has none before it is in the page.
            request_animation_frame(move || paint(&canvas, |w| height(w, rows), &painter));
        }
    });
    view! { <canvas class="plot" role="img" aria-label=summary node_ref=canvas></canvas> }
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
