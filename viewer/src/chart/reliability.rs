use plotters::prelude::*;

use super::{
    marks::{Area, Hold, Outcome, dashed, line, mark, rounded, text},
    spec::ReliabilitySpec,
    theme::Theme,
};
use crate::format;

/// Radius of the dot that holds every row of its series, in CSS pixels; area is proportional to weight.
const FULL_RADIUS: f64 = 16.0;
const TICKS: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];

/// Draws a reliability diagram into `area`: both axes from 0 to 1, the diagonal dashed, a Wilson bar through each dot.
///
/// # Errors
/// Whatever the backend fails with.
pub fn draw_reliability<DB: DrawingBackend>(
    area: &Area<DB>,
    spec: &ReliabilitySpec,
    theme: &Theme,
) -> Outcome<DB> {
    let (width, height) = area.dim_in_pixel();
    let (left, right) = (theme.px(46.0), width.cast_signed() - theme.px(12.0));
    let (top, bottom) = (theme.px(12.0), height.cast_signed() - theme.px(44.0));
    let x = |v: f64| left + rounded(f64::from(right - left) * v.clamp(0.0, 1.0));
    let y = |v: f64| bottom - rounded(f64::from(bottom - top) * v.clamp(0.0, 1.0));
    for tick in TICKS {
        line(area, (x(tick), top), (x(tick), bottom), theme.rule, theme.stroke(1.0))?;
        line(area, (left, y(tick)), (right, y(tick)), theme.rule, theme.stroke(1.0))?;
        let label = format!("{tick:.1}");
        text(area, theme, &label, (x(tick), bottom + theme.px(13.0)), Hold::Centre, theme.muted)?;
        text(area, theme, &label, (left - theme.px(8.0), y(tick)), Hold::Right, theme.muted)?;
    }
    let middle = ((left + right) / 2, bottom + theme.px(33.0));
    text(area, theme, "predicted probability", middle, Hold::Centre, theme.ink)?;
    upright(area, theme, "observed frequency", (theme.px(9.0), (top + bottom) / 2))?;
    dashed(area, (x(0.0), y(0.0)), (x(1.0), y(1.0)), theme.muted, theme)?;
    for series in &spec.series {
        let colour = theme.colour(series.slot);
        for dot in &series.dots {
            let at = x(dot.predicted);
            line(area, (at, y(dot.lower)), (at, y(dot.upper)), colour, theme.stroke(1.5))?;
            for end in [dot.lower, dot.upper] {
                let half = theme.px(3.0);
                line(area, (at - half, y(end)), (at + half, y(end)), colour, theme.stroke(1.5))?;
            }
        }
        for dot in &series.dots {
            let radius = theme.px(FULL_RADIUS * dot.weight.clamp(0.0, 1.0).sqrt());
            mark(area, theme, series.slot, (x(dot.predicted), y(dot.observed)), radius)?;
        }
    }
    if spec.series.is_empty() {
        let centre = ((left + right) / 2, (top + bottom) / 2);
        text(area, theme, "no series chosen", centre, Hold::Centre, theme.muted)?;
    }
    Ok(())
}

/// Text that runs upwards, centred on `at`.
fn upright<DB: DrawingBackend>(
    area: &Area<DB>,
    theme: &Theme,
    words: &str,
    at: (i32, i32),
) -> Outcome<DB> {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let style = TextStyle::from((theme.family.as_str(), 12.0 * theme.scale))
        .color(&theme.ink)
        .transform(FontTransform::Rotate270)
        .pos(Pos::new(HPos::Center, VPos::Center));
    area.draw_text(words, &style, at)
}

/// The plot in words, for readers who cannot see it.
#[must_use]
pub fn describe_reliability(spec: &ReliabilitySpec) -> String {
    if spec.series.is_empty() {
        return "No series is chosen.".into();
    }
    let one = |s: &super::spec::DotSeries| {
        let gap = |d: &super::spec::Dot| (d.predicted - d.observed).abs();
        let worst = s.dots.iter().max_by(|a, b| gap(a).total_cmp(&gap(b)));
        let off = s.dots.iter().filter(|d| d.predicted < d.lower || d.predicted > d.upper).count();
        let worst = worst.map_or_else(String::new, |d| {
            format!(
                " The widest gap: {} predicted, {} observed, over {} of its rows.",
                format::decimals(d.predicted),
                format::decimals(d.observed),
                format::percent((d.weight * 100.0).round() / 100.0),
            )
        });
        format!(
            "{}: the interval of the observed frequency leaves out the predicted probability in {} of {}.{worst}",
            s.label,
            off,
            format::plural(s.dots.len() as u64, "bin", "bins"),
        )
    };
    spec.series.iter().map(one).collect::<Vec<_>>().join(" ")
}
