//! Plots: what is drawn (`spec`), how it looks (`theme`), and drawing it on any backend of plotters.
//!
//! Everything but `canvas` is free of the browser and tested natively with a backend that records what was drawn.
//! Positions are counted in device pixels from the top left; lengths in the code are CSS pixels and go through
//! [`Theme::px`], so that a plot is sharp at any device pixel ratio. No axis is left to plotters' own mesh, because
//! that measures text through an inline style, which the page's security policy forbids.

mod bars;
#[cfg(target_arch = "wasm32")]
pub mod canvas;
mod curve;
mod marks;
mod painter;
mod reliability;
mod spec;
mod theme;
mod whisker;

#[cfg(test)]
mod tests;

pub use bars::{Bars, BarsSpec, describe_bars, draw_bars};
pub use curve::{CurvePoint, CurveSpec, describe_curve, draw_curve};
pub use painter::{Painter, svg};
pub use reliability::{describe_reliability, draw_reliability};
pub use spec::{Dot, DotSeries, ReliabilitySpec, Whisker, WhiskerSpec};
pub use theme::{SLOTS, Theme, parse_colour, shape};
pub use whisker::{AXIS_HEIGHT, ROW_HEIGHT, describe_whiskers, draw_whiskers};
