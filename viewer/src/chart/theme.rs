use plotters::style::RGBColor;

/// Number of colours and shapes by which series are told apart.
pub const SLOTS: usize = 6;

/// The look of every plot: colours of `styles/tokens.css`, sizes in CSS pixels times the device pixel ratio.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// Text and the main marks.
    pub ink: RGBColor,
    /// Axis text.
    pub muted: RGBColor,
    /// Grid and frame.
    pub rule: RGBColor,
    /// Bands behind the marks.
    pub band: RGBColor,
    /// The page behind the plot.
    pub paper: RGBColor,
    /// One per slot.
    pub series: [RGBColor; SLOTS],
    /// Font family, as CSS has it.
    pub family: String,
    /// Device pixels per CSS pixel.
    pub scale: f64,
}

impl Theme {
    /// A length in CSS pixels as device pixels.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "lengths of a plot, far below the limits")]
    pub fn px(&self, css: f64) -> i32 {
        (css * self.scale).round() as i32
    }

    /// The same, at least one.
    #[must_use]
    pub fn stroke(&self, css: f64) -> u32 {
        self.px(css).max(1).unsigned_abs()
    }

    /// Colour of a slot; colours begin again after [`SLOTS`], with other shapes.
    #[must_use]
    pub fn colour(&self, slot: usize) -> RGBColor {
        self.series[slot % SLOTS]
    }
}

/// Shape of a slot, below [`SLOTS`]: no two of the first 36 slots have both colour and shape in common.
#[must_use]
pub fn shape(slot: usize) -> usize {
    (slot + slot / SLOTS) % SLOTS
}

/// A colour written as `#rrggbb`.
#[must_use]
pub fn parse_colour(text: &str) -> Option<RGBColor> {
    let hex = text.trim().strip_prefix('#').filter(|h| h.len() == 6 && h.is_ascii())?;
    let part = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).ok();
    Some(RGBColor(part(0)?, part(2)?, part(4)?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_series_look_the_same() {
        let looks: BTreeSet<_> = (0..36).map(|slot| (slot % SLOTS, shape(slot))).collect();
        assert_eq!(looks.len(), 36);
    }

    #[test]
    fn colours_are_read_from_six_digits_only() {
        assert_eq!(parse_colour(" #0a7Bff"), Some(RGBColor(10, 123, 255)));
        assert_eq!(parse_colour("#fff"), None);
        assert_eq!(parse_colour("red"), None);
        assert_eq!(parse_colour("#ééé"), None);
    }
}
