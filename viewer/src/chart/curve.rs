use plotters::prelude::*;

use super::{
    marks::{Area, Hold, Outcome, line, mark, rounded, text},
    theme::Theme,
};
use crate::format;

/// One point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Along the horizontal axis, from 0.
    pub x: f64,
    /// Along the vertical axis, from 0.
    pub y: f64,
}

/// A curve over non-negative numbers; both axes begin at zero.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CurveSpec {
    /// The points, from the left.
    pub points: Vec<CurvePoint>,
    /// What the horizontal axis measures.
    pub x_axis: String,
    /// What the vertical axis measures.
    pub y_axis: String,
}

/// The largest value of an axis: the next of 1, 2 and 5 times a power of ten.
fn axis_end(largest: f64) -> f64 {
    if !(largest > 0.0 && largest.is_finite()) {
        return 1.0;
    }
    let power = 10_f64.powi(rounded(largest.log10().floor()));
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|s| s * power).find(|e| *e >= largest).unwrap_or(largest)
}

/// Draws a curve with a dot at each point.
///
/// # Errors
/// Whatever the backend fails with.
pub fn draw_curve<DB: DrawingBackend>(
    area: &Area<DB>,
    spec: &CurveSpec,
    theme: &Theme,
) -> Outcome<DB> {
    let (width, height) = area.dim_in_pixel();
    let (left, right) = (theme.px(46.0), width.cast_signed() - theme.px(16.0));
    let (top, bottom) = (theme.px(26.0), height.cast_signed() - theme.px(44.0));
    let largest = |of: fn(&CurvePoint) -> f64| spec.points.iter().map(of).fold(0.0, f64::max);
    let (end_x, end_y) = (axis_end(largest(|p| p.x)), axis_end(largest(|p| p.y)));
    let x = |v: f64| left + rounded(f64::from(right - left) * (v / end_x).clamp(0.0, 1.0));
    let y = |v: f64| bottom - rounded(f64::from(bottom - top) * (v / end_y).clamp(0.0, 1.0));
    for step in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (at_x, at_y) = (end_x * step, end_y * step);
        line(area, (left, y(at_y)), (right, y(at_y)), theme.rule, theme.stroke(1.0))?;
        let label = format::short_decimals(at_y);
        text(area, theme, &label, (left - theme.px(8.0), y(at_y)), Hold::Right, theme.muted)?;
        let label = format::short_decimals(at_x);
        text(area, theme, &label, (x(at_x), bottom + theme.px(13.0)), Hold::Centre, theme.muted)?;
    }
    let middle = ((left + right) / 2, bottom + theme.px(33.0));
    text(area, theme, &spec.x_axis, middle, Hold::Centre, theme.ink)?;
    text(area, theme, &spec.y_axis, (theme.px(2.0), theme.px(9.0)), Hold::Left, theme.ink)?;
    for pair in spec.points.windows(2) {
        let ends = [pair[0], pair[1]].map(|p| (x(p.x), y(p.y)));
        line(area, ends[0], ends[1], theme.colour(0), theme.stroke(2.0))?;
    }
    for point in &spec.points {
        mark(area, theme, 0, (x(point.x), y(point.y)), theme.px(4.0))?;
    }
    Ok(())
}

/// The plot in words.
#[must_use]
pub fn describe_curve(spec: &CurveSpec) -> String {
    let Some((first, last)) = spec.points.first().zip(spec.points.last()) else {
        return "There is nothing to draw.".into();
    };
    let at = |p: &CurvePoint| {
        format!("{} on {} {}", format::decimals(p.y), format::short_decimals(p.x), spec.x_axis)
    };
    format!("{}: {}, {}.", spec.y_axis, at(first), at(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_on_a_round_number_that_holds_every_point() {
        for (largest, end) in [(50.0, 50.0), (51.0, 100.0), (0.31, 0.5), (1.0, 1.0), (0.0, 1.0)] {
            assert!((axis_end(largest) - end).abs() < 1e-12, "{largest}");
        }
        assert!((axis_end(f64::NAN) - 1.0).abs() < 1e-12);
    }
}
