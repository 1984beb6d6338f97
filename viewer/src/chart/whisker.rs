use plotters::prelude::*;

use super::{
    marks::{Area, Hold, Outcome, line, mark, rounded, text},
    spec::{Whisker, WhiskerSpec},
    theme::Theme,
};
use crate::format;

/// Height of one row in CSS pixels: its label stands above its whisker, so that long names fit a phone.
pub const ROW_HEIGHT: f64 = 52.0;
/// Middle of a row's label, from the top of the row.
const LABEL: f64 = 11.0;
/// Middle of a row's whisker.
const MIDDLE: f64 = 34.0;
/// From there to the edges of the row's lane, which holds everything but its label: nothing is drawn through words.
const HALF_LANE: f64 = 11.0;
/// Height of what is not rows: the axis below them.
pub const AXIS_HEIGHT: f64 = 52.0;
const EDGE: f64 = 14.0;
/// Most rows that the summary says one by one.
const MAX_SAID: usize = 4;

/// Draws values with intervals around a zero line; a band shows what is too small to be seen with this many items.
///
/// # Errors
/// Whatever the backend fails with.
pub fn draw_whiskers<DB: DrawingBackend>(
    area: &Area<DB>,
    spec: &WhiskerSpec,
    theme: &Theme,
) -> Outcome<DB> {
    let (width, height) = area.dim_in_pixel();
    let (left, right) = (theme.px(EDGE), width.cast_signed() - theme.px(EDGE));
    let (top, bottom) = (theme.px(4.0), height.cast_signed() - theme.px(AXIS_HEIGHT - 4.0));
    let (low, high) = spec.domain;
    let x = |v: f64| {
        let share = ((v - low) / (high - low)).clamp(0.0, 1.0);
        left + rounded(f64::from(right - left) * share)
    };
    let row_top = |i: usize| {
        top + rounded(theme.scale * ROW_HEIGHT * f64::from(u32::try_from(i).unwrap_or(u32::MAX)))
    };
    // Bands first, so that lines and marks lie on them.
    for (i, row) in spec.rows.iter().enumerate() {
        if let Some(d) = row.detectable {
            let (from, to) = lane(row_top(i), theme);
            area.draw(&Rectangle::new([(x(-d), from), (x(d), to)], theme.band.filled()))?;
        }
    }
    for tick in ticks(low, high) {
        let colour = if tick == 0.0 && spec.differences { theme.muted } else { theme.rule };
        let lanes = (0..spec.rows.len()).map(|i| lane(row_top(i), theme));
        for (from, to) in lanes.chain([(bottom - theme.px(5.0), bottom)]) {
            line(area, (x(tick), from), (x(tick), to), colour, theme.stroke(1.0))?;
        }
        let label = if spec.differences && tick != 0.0 {
            short_signed(tick)
        } else {
            format::short_decimals(tick)
        };
        text(area, theme, &label, (x(tick), bottom + theme.px(13.0)), Hold::Centre, theme.muted)?;
    }
    let middle = ((left + right) / 2, bottom + theme.px(34.0));
    text(area, theme, &spec.axis, middle, Hold::Centre, theme.ink)?;
    for (i, row) in spec.rows.iter().enumerate() {
        draw_row(area, (row, number(spec, row.point)), theme, (left, right), row_top(i), &x)?;
    }
    Ok(())
}

/// Top and bottom of the lane of the row that begins at `top`.
fn lane(top: i32, theme: &Theme) -> (i32, i32) {
    (top + theme.px(MIDDLE - HALF_LANE), top + theme.px(MIDDLE + HALF_LANE))
}

fn draw_row<DB: DrawingBackend>(
    area: &Area<DB>,
    (row, value): (&Whisker, String),
    theme: &Theme,
    (left, right): (i32, i32),
    top: i32,
    x: &impl Fn(f64) -> i32,
) -> Outcome<DB> {
    let colour = theme.colour(row.slot);
    text(area, theme, &row.label, (left, top + theme.px(LABEL)), Hold::Left, theme.ink)?;
    text(area, theme, &value, (right, top + theme.px(LABEL)), Hold::Right, theme.ink)?;
    let y = top + theme.px(MIDDLE);
    if let (Some(lower), Some(upper)) = (row.lower, row.upper) {
        line(area, (x(lower), y), (x(upper), y), colour, theme.stroke(2.0))?;
        for end in [lower, upper] {
            let half = theme.px(4.0);
            line(area, (x(end), y - half), (x(end), y + half), colour, theme.stroke(2.0))?;
        }
    }
    mark(area, theme, row.slot, (x(row.point), y), theme.px(5.0))
}

/// Five ticks at equal distances; around zero these are both edges, both halves and zero.
fn ticks(low: f64, high: f64) -> [f64; 5] {
    [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| low + (high - low) * share)
}

/// A value as the plot writes it.
fn number(spec: &WhiskerSpec, value: f64) -> String {
    if spec.differences { format::signed(value) } else { format::decimals(value) }
}

fn short_signed(value: f64) -> String {
    let text = format::signed(value);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The plot in words, for readers who cannot see it.
#[must_use]
pub fn describe_whiskers(spec: &WhiskerSpec) -> String {
    let clear = |r: &&Whisker| {
        r.lower.zip(r.upper).is_some_and(|(lower, upper)| lower > 0.0 || upper < 0.0)
    };
    let small = |r: &&Whisker| r.detectable.is_some_and(|d| r.point.abs() < d);
    let rows = format::plural(spec.rows.len() as u64, "row", "rows");
    let mut parts = if spec.differences {
        let n_clear = spec.rows.iter().filter(clear).count();
        vec![format!("{rows}; the interval leaves out zero in {n_clear}.")]
    } else {
        vec![format!("{rows}.")]
    };
    let n_small = spec.rows.iter().filter(small).count();
    if n_small > 0 {
        parts.push(format!(
            "{n_small} of the values lie inside the band of differences that this many items cannot show.",
        ));
    }
    // A longer list is read more easily in the table below the plot.
    for r in spec.rows.iter().take(MAX_SAID) {
        let ends = r.lower.zip(r.upper).map_or_else(String::new, |(l, u)| {
            format!(" ({} to {})", number(spec, l), number(spec, u))
        });
        parts.push(format!("{}: {}{ends}.", r.label, number(spec, r.point)));
    }
    if spec.rows.len() > MAX_SAID {
        parts.push("The others stand in the table.".into());
    }
    parts.join(" ")
}
