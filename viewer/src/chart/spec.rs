/// One group of rows in a reliability diagram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// Mean predicted probability, 0 to 1.
    pub predicted: f64,
    /// Observed frequency, 0 to 1.
    pub observed: f64,
    /// Lower end of the observed frequency's interval.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Share of the series' rows in this group; the dot's area is proportional to it.
    pub weight: f64,
}

/// The groups of one series.
#[derive(Debug, Clone, PartialEq)]
pub struct DotSeries {
    /// What the legend says.
    pub label: String,
    /// Which colour and shape of the theme it takes.
    pub slot: usize,
    /// The groups, in order of predicted probability.
    pub dots: Vec<Dot>,
}

/// A reliability diagram: predicted against observed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReliabilitySpec {
    /// The series drawn over each other.
    pub series: Vec<DotSeries>,
}

/// One row of a plot of values with intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Whisker {
    /// What stands at its head.
    pub label: String,
    /// The value.
    pub point: f64,
    /// Lower end of its interval, when it has one.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
    /// Smallest difference, in either direction, that the data could show; drawn as a band around zero.
    pub detectable: Option<f64>,
    /// Which colour of the theme it takes.
    pub slot: usize,
}

/// Values with intervals, one below the other, around a line at zero.
#[derive(Debug, Clone, PartialEq)]
pub struct WhiskerSpec {
    /// The rows, from the top.
    pub rows: Vec<Whisker>,
    /// Values at the left and right edge.
    pub domain: (f64, f64),
    /// What the axis measures.
    pub axis: String,
    /// Are the values differences, written with a sign around a line at zero?
    pub differences: bool,
}

impl WhiskerSpec {
    /// Rows on a domain from zero, or from the lowest value where one is negative, to a round number.
    #[must_use]
    pub fn from_zero(rows: Vec<Whisker>, axis: impl Into<String>) -> Self {
        let all = || rows.iter().flat_map(|r| [Some(r.point), r.lower, r.upper]).flatten();
        let finite = || all().filter(|v| v.is_finite());
        let (low, high) = (finite().fold(0.0, f64::min), finite().fold(0.0, f64::max));
        // Five ticks stand at equal distances, so a quarter of the domain is made a round number.
        let power = 10_f64.powf(((high - low).max(0.04) / 4.0).log10().floor());
        let quarter = [1.0, 2.0, 2.5, 5.0, 10.0, 20.0].map(|s| s * power);
        let start = |q: f64| (low / q).floor() * q;
        let fits = |q: &f64| start(*q) + 4.0 * q >= high - 1e-12;
        let quarter = quarter.into_iter().find(fits).unwrap_or((high - low) / 4.0);
        let (from, to) = (start(quarter), start(quarter) + 4.0 * quarter);
        Self { domain: (from, to), axis: axis.into(), rows, differences: false }
    }

    /// Rows on a domain that is as wide on both sides of zero and ends on a tenth.
    #[must_use]
    pub fn around_zero(rows: Vec<Whisker>, axis: impl Into<String>) -> Self {
        let all = rows.iter().flat_map(|r| [Some(r.point), r.lower, r.upper, r.detectable]);
        let largest = all.flatten().map(f64::abs).filter(|v| v.is_finite()).fold(0.0, f64::max);
        let edge = ((largest * 10.0).ceil() / 10.0).clamp(0.1, 1.0);
        Self { rows, domain: (-edge, edge), axis: axis.into(), differences: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_domain_holds_every_row_and_is_symmetric() {
        let row = Whisker {
            label: "a".into(),
            point: 0.1,
            lower: Some(-0.32),
            upper: Some(0.2),
            detectable: None,
            slot: 0,
        };
        let spec = WhiskerSpec::around_zero(vec![row], "x");
        assert_eq!(spec.domain, (-0.4, 0.4));
        assert_eq!(WhiskerSpec::around_zero(vec![], "x").domain, (-0.1, 0.1));
    }

    #[test]
    fn values_that_are_no_differences_begin_at_zero() {
        let row = |point| Whisker {
            label: "a".into(),
            point,
            lower: None,
            upper: Some(point * 1.1),
            detectable: None,
            slot: 0,
        };
        let (low, high) = WhiskerSpec::from_zero(vec![row(0.33)], "x").domain;
        assert!(low.abs() < 1e-12 && (high - 0.4).abs() < 1e-12, "{high}");
        let (_, high) = WhiskerSpec::from_zero(vec![row(1800.0)], "x").domain;
        assert!((high - 2000.0).abs() < 1e-9, "{high}");
    }
}
