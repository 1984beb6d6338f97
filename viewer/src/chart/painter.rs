use std::sync::Arc;

use plotters::prelude::*;

use super::{
    BarsSpec, CurveSpec, ReliabilitySpec, Theme, WhiskerSpec, describe_bars, describe_curve,
    describe_reliability, describe_whiskers, draw_bars, draw_curve, draw_reliability,
    draw_whiskers,
    marks::{Area, Outcome},
    whisker::{AXIS_HEIGHT, ROW_HEIGHT},
};

/// Any plot of the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Painter {
    /// A reliability diagram.
    Reliability(Arc<ReliabilitySpec>),
    /// Values with intervals.
    Whiskers(Arc<WhiskerSpec>),
    /// A distribution.
    Bars(Arc<BarsSpec>),
    /// A curve.
    Curve(Arc<CurveSpec>),
}

impl Painter {
    /// Draws it.
    ///
    /// # Errors
    /// Whatever the backend fails with.
    pub fn draw<DB: DrawingBackend>(&self, area: &Area<DB>, theme: &Theme) -> Outcome<DB> {
        match self {
            Self::Reliability(spec) => draw_reliability(area, spec, theme),
            Self::Whiskers(spec) => draw_whiskers(area, spec, theme),
            Self::Bars(spec) => draw_bars(area, spec, theme),
            Self::Curve(spec) => draw_curve(area, spec, theme),
        }
    }

    /// It in words, for readers who cannot see it.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Reliability(spec) => describe_reliability(spec),
            Self::Whiskers(spec) => describe_whiskers(spec),
            Self::Bars(spec) => describe_bars(spec),
            Self::Curve(spec) => describe_curve(spec),
        }
    }

    /// Its height in CSS pixels when it is `width` wide.
    #[must_use]
    pub fn height(&self, width: f64) -> f64 {
        match self {
            Self::Reliability(_) => width.min(460.0) * 0.96,
            Self::Whiskers(spec) => {
                ROW_HEIGHT * f64::from(u32::try_from(spec.rows.len()).unwrap_or(60)) + AXIS_HEIGHT
            }
            Self::Bars(_) | Self::Curve(_) => (width * 0.5).clamp(180.0, 300.0),
        }
    }
}

/// A plot as an SVG document, `width` CSS pixels wide; `None` when it cannot be drawn.
#[must_use]
pub fn svg(painter: &Painter, width: u32, theme: &Theme) -> Option<String> {
    let theme = Theme { scale: 1.0, ..theme.clone() };
    let height = theme.stroke(painter.height(f64::from(width)));
    let mut out = String::new();
    let area = SVGBackend::with_string(&mut out, (width, height)).into_drawing_area();
    area.fill(&theme.paper).ok()?;
    painter.draw(&area, &theme).ok()?;
    area.present().ok()?;
    drop(area);
    Some(out)
}
