use plotters::prelude::*;

use super::{
    marks::{Area, Hold, Outcome, line, rounded, text},
    theme::Theme,
};
use crate::format;

/// One class of a distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bars {
    /// Left end.
    pub from: f64,
    /// Right end.
    pub to: f64,
    /// How many values lie in it.
    pub count: u64,
}

/// A distribution as bars, with a value and the ends of an interval.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BarsSpec {
    /// The classes, from the left.
    pub bars: Vec<Bars>,
    /// The value.
    pub point: f64,
    /// Both ends of its interval.
    pub ends: Option<(f64, f64)>,
    /// What the axis measures.
    pub axis: String,
}

/// Draws a distribution: bars of equal width, the value as a line, the interval as a bracket below.
///
/// # Errors
/// Whatever the backend fails with.
#[expect(clippy::cast_precision_loss, reason = "counts of resamples, far below 2^53")]
pub fn draw_bars<DB: DrawingBackend>(
    area: &Area<DB>,
    spec: &BarsSpec,
    theme: &Theme,
) -> Outcome<DB> {
    let (width, height) = area.dim_in_pixel();
    let (left, right) = (theme.px(14.0), width.cast_signed() - theme.px(14.0));
    let (top, bottom) = (theme.px(10.0), height.cast_signed() - theme.px(58.0));
    let (Some(first), Some(last)) = (spec.bars.first(), spec.bars.last()) else {
        let middle = ((left + right) / 2, (top + bottom) / 2);
        return text(area, theme, "no values", middle, Hold::Centre, theme.muted);
    };
    let (low, high) = (first.from, last.to);
    let span = if high > low { high - low } else { 1.0 };
    let x = |v: f64| left + rounded(f64::from(right - left) * ((v - low) / span).clamp(0.0, 1.0));
    let most = spec.bars.iter().map(|b| b.count).max().unwrap_or(1).max(1) as f64;
    for bar in spec.bars.iter().filter(|b| b.count > 0) {
        let up = rounded(f64::from(bottom - top) * (bar.count as f64 / most));
        let corners = [(x(bar.from), bottom - up), (x(bar.to) - theme.px(1.0), bottom)];
        area.draw(&Rectangle::new(corners, theme.colour(0).mix(0.55).filled()))?;
    }
    line(area, (left, bottom), (right, bottom), theme.muted, theme.stroke(1.0))?;
    line(area, (x(spec.point), top), (x(spec.point), bottom), theme.ink, theme.stroke(1.5))?;
    if let Some((lower, upper)) = spec.ends {
        let y = bottom + theme.px(7.0);
        line(area, (x(lower), y), (x(upper), y), theme.ink, theme.stroke(2.0))?;
        for end in [lower, upper] {
            let half = theme.px(4.0);
            line(area, (x(end), y - half), (x(end), y + half), theme.ink, theme.stroke(2.0))?;
        }
    }
    for (value, hold) in [(low, Hold::Left), (high, Hold::Right)] {
        let at = (x(value), bottom + theme.px(24.0));
        text(area, theme, &format::decimals(value), at, hold, theme.muted)?;
    }
    let middle = ((left + right) / 2, bottom + theme.px(44.0));
    text(area, theme, &spec.axis, middle, Hold::Centre, theme.ink)
}

/// The plot in words.
#[must_use]
pub fn describe_bars(spec: &BarsSpec) -> String {
    let total: u64 = spec.bars.iter().map(|b| b.count).sum();
    let range = spec.bars.first().zip(spec.bars.last()).map_or_else(String::new, |(a, b)| {
        format!(" They run from {} to {}.", format::decimals(a.from), format::decimals(b.to))
    });
    let ends = spec.ends.map_or_else(
        || " They give no interval.".to_owned(),
        |(l, u)| format!(" The bracket is the percentile interval, {}.", format::range(l, u)),
    );
    format!(
        "{} around the value {}.{range}{ends}",
        format::plural(total, "resample", "resamples"),
        format::decimals(spec.point)
    )
}
