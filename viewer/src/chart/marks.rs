//! Shapes and text that all plots share.

use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::theme::{Theme, shape};

/// An area in device pixels.
pub(super) type Area<DB> = DrawingArea<DB, Shift>;
/// What drawing can fail with.
pub(super) type Outcome<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Where a piece of text is held.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hold {
    Left,
    Centre,
    Right,
}

/// Writes one line of text whose middle is at the height of `at`.
///
/// The backend places it: asking plotters for its width would measure it in a hidden element with an inline style,
/// which the page's security policy forbids.
pub(super) fn text<DB: DrawingBackend>(
    area: &Area<DB>,
    theme: &Theme,
    words: &str,
    at: (i32, i32),
    hold: Hold,
    colour: RGBColor,
) -> Outcome<DB> {
    let hold = match hold {
        Hold::Left => HPos::Left,
        Hold::Centre => HPos::Center,
        Hold::Right => HPos::Right,
    };
    let style = TextStyle::from((theme.family.as_str(), 12.0 * theme.scale))
        .color(&colour)
        .pos(Pos::new(hold, VPos::Center));
    area.draw_text(words, &style, at)
}

/// A straight line.
pub(super) fn line<DB: DrawingBackend>(
    area: &Area<DB>,
    from: (i32, i32),
    to: (i32, i32),
    colour: RGBColor,
    width: u32,
) -> Outcome<DB> {
    area.draw(&PathElement::new(vec![from, to], colour.stroke_width(width)))
}

/// A dashed straight line, horizontal, vertical or slanted.
pub(super) fn dashed<DB: DrawingBackend>(
    area: &Area<DB>,
    from: (i32, i32),
    to: (i32, i32),
    colour: RGBColor,
    theme: &Theme,
) -> Outcome<DB> {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let step = f64::from(theme.px(4.0).max(1));
    let length = (dx * dx + dy * dy).sqrt();
    let at = |along: f64| {
        let share = if length > 0.0 { (along / length).min(1.0) } else { 0.0 };
        (from.0 + rounded(dx * share), from.1 + rounded(dy * share))
    };
    let mut along = 0.0;
    while along < length {
        line(area, at(along), at(along + step), colour, theme.stroke(1.0))?;
        along += 2.0 * step;
    }
    Ok(())
}

/// The nearest pixel.
#[expect(clippy::cast_possible_truncation, reason = "positions inside a canvas")]
pub(super) fn rounded(value: f64) -> i32 {
    value.round() as i32
}

/// A mark of about the given radius whose shape tells its slot, so that colour is not needed.
pub(super) fn mark<DB: DrawingBackend>(
    area: &Area<DB>,
    theme: &Theme,
    slot: usize,
    (x, y): (i32, i32),
    radius: i32,
) -> Outcome<DB> {
    let colour = theme.colour(slot);
    let fill = colour.mix(0.85).filled();
    let r = radius.max(2);
    // Same area as the circle of this radius: half the side of a square, half the diagonal of a diamond.
    let (square, diamond) = (rounded(f64::from(r) * 0.886), rounded(f64::from(r) * 1.253));
    match shape(slot) {
        0 => area.draw(&Circle::new((x, y), r, fill)),
        1 => area.draw(&Rectangle::new([(x - square, y - square), (x + square, y + square)], fill)),
        2 => area.draw(&Polygon::new(
            vec![(x, y - diamond), (x + diamond, y), (x, y + diamond), (x - diamond, y)],
            fill,
        )),
        3 => area.draw(&Polygon::new(triangle(x, y, r, 1), fill)),
        4 => area.draw(&Polygon::new(triangle(x, y, r, -1), fill)),
        _ => {
            area.draw(&Circle::new((x, y), r, theme.paper.filled()))?;
            area.draw(&Circle::new((x, y), r, colour.stroke_width(theme.stroke(2.0))))
        }
    }
}

/// An upward (1) or downward (−1) triangle with the area of the circle of radius `r`.
fn triangle(x: i32, y: i32, r: i32, up: i32) -> Vec<(i32, i32)> {
    let r = f64::from(r);
    let (half, high, low) = (rounded(r * 1.347), rounded(r * 1.555), rounded(r * 0.778));
    vec![(x, y - up * high), (x + half, y + up * low), (x - half, y + up * low)]
}
