//! Onto a canvas of the page: the only file of this module that knows the browser.

use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use web_sys::HtmlCanvasElement;

use super::{Painter, Theme, theme::SLOTS, theme::parse_colour};

/// Most device pixels on a side; browsers draw nothing beyond their own limits.
const MAX_SIDE: f64 = 8000.0;

/// Draws `painter`, as wide as the style sheet makes the canvas, in the page's colours, one canvas pixel to a device
/// pixel.
pub fn paint(canvas: &HtmlCanvasElement, painter: &Painter) {
    let width = f64::from(canvas.client_width());
    let Some(window) = web_sys::window() else {
        return;
    };
    if width < 1.0 {
        return;
    }
    let height = painter.height(width);
    let ratio = window.device_pixel_ratio().clamp(1.0, 4.0);
    let scale = ratio.min(MAX_SIDE / width).min(MAX_SIDE / height);
    canvas.set_width(pixels(width * scale));
    canvas.set_height(pixels(height * scale));
    // A property of the object model, not an inline style of the markup: the page's policy allows it.
    let _ = canvas.style().set_property("height", &format!("{height}px"));
    let Some(theme) = theme(&window, canvas, scale) else {
        return;
    };
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else {
        return;
    };
    let area = backend.into_drawing_area();
    let drawn = painter.draw(&area, &theme);
    // A plot that failed half way would be a wrong plot.
    if drawn.is_err() {
        canvas.set_width(1);
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded, positive and below MAX_SIDE"
)]
fn pixels(length: f64) -> u32 {
    length.round().max(1.0) as u32
}

/// The look of `canvas` at this moment.
#[must_use]
pub fn theme_of(canvas: &HtmlCanvasElement) -> Option<Theme> {
    theme(&web_sys::window()?, canvas, 1.0)
}

/// Colours and font as the style sheets have them at this moment.
fn theme(window: &web_sys::Window, canvas: &HtmlCanvasElement, scale: f64) -> Option<Theme> {
    let style = window.get_computed_style(canvas).ok()??;
    let colour = |name: &str| style.get_property_value(name).ok().and_then(|v| parse_colour(&v));
    let mut series = [colour("--series-1")?; SLOTS];
    for (i, slot) in series.iter_mut().enumerate() {
        *slot = colour(&format!("--series-{}", i + 1))?;
    }
    Some(Theme {
        ink: colour("--ink")?,
        muted: colour("--muted")?,
        rule: colour("--rule")?,
        band: colour("--band")?,
        paper: colour("--paper")?,
        series,
        family: style.get_property_value("font-family").unwrap_or_else(|_| "sans-serif".into()),
        scale,
    })
}
