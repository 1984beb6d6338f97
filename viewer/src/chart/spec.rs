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
}

impl WhiskerSpec {
    /// Rows on a domain that is as wide on both sides of zero and ends on a tenth.
    #[must_use]
    pub fn around_zero(rows: Vec<Whisker>, axis: impl Into<String>) -> Self {
        let all = rows.iter().flat_map(|r| [Some(r.point), r.lower, r.upper, r.detectable]);
        let largest = all.flatten().map(f64::abs).filter(|v| v.is_finite()).fold(0.0, f64::max);
        let edge = ((largest * 10.0).ceil() / 10.0).clamp(0.1, 1.0);
        Self { rows, domain: (-edge, edge), axis: axis.into() }
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
}
