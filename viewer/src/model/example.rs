//! A small publication for tests, written by hand; its numbers are made up.

use std::collections::BTreeMap;

use records::{
    Better, Comparison, Family, Figure, Inputs, Interval, Reliability, ReliabilityBin, Results,
    RowCounts, Series, Versioned,
};

pub(crate) use super::reason::tests::plan;

/// An interval of the default method.
pub(crate) fn interval(lower: f64, upper: f64) -> Interval {
    Interval {
        lower: Some(lower),
        upper: Some(upper),
        level: 0.95,
        method: "percentile-cluster-bootstrap/1".into(),
        n_resamples: Some(10_000),
        undefined_resamples: Some(0),
        withheld: None,
    }
}

/// A figure over 150 rows of 50 items.
pub(crate) fn figure(model: &str, arm: &str, metric: &str, ratio: Option<(f64, f64)>) -> Figure {
    let value = ratio.map(|(top, bottom)| top / bottom);
    Figure {
        id: format!("{model}/{arm}/{metric}"),
        metric: metric.into(),
        model: model.into(),
        arm: arm.into(),
        slice: None,
        control: None,
        value,
        interval: value.map(|v| interval(v - 0.1, v + 0.1)),
        numerator: ratio.map(|r| r.0),
        denominator: ratio.map(|r| r.1),
        n_rows: 150,
        n_items: 50,
        n_clusters: 47,
        excluded: BTreeMap::new(),
        withheld: value.is_none().then(|| "below_floor".into()),
        unit: "rate".into(),
        better: Better::Higher,
    }
}

fn lift(model: &str, arm: &str, value: f64) -> Figure {
    Figure {
        control: Some("closed_book_forced".into()),
        value: Some(value),
        interval: Some(interval(value - 0.1, value + 0.1)),
        numerator: None,
        denominator: None,
        ..figure(model, arm, "evidence_lift", Some((1.0, 1.0)))
    }
}

fn bin(count: u64, mean_predicted: f64, observed_frequency: f64) -> ReliabilityBin {
    ReliabilityBin {
        lower_edge: mean_predicted - 0.05,
        upper_edge: mean_predicted + 0.05,
        count,
        mean_predicted,
        observed_frequency,
        lower: observed_frequency - 0.1,
        upper: observed_frequency + 0.1,
    }
}

/// A series with a diagram, one below the floor, a control and a baseline.
pub(crate) fn results() -> Results {
    let series = |model: &str, arm: &str| Series { model: model.into(), arm: arm.into() };
    let mut figures = vec![];
    for (model, arm) in [("alpha", "a0"), ("alpha", "closed_book_forced")] {
        figures.push(Figure {
            unit: "rows".into(),
            interval: None,
            ..figure(model, arm, "served", Some((150.0, 1.0)))
        });
        figures.push(Figure {
            unit: "items".into(),
            interval: None,
            ..figure(model, arm, "n_items", Some((50.0, 1.0)))
        });
        figures.push(figure(model, arm, "accuracy", Some((75.0, 150.0))));
        figures.push(figure(model, arm, "ece", Some((30.0, 150.0))));
        figures.push(figure(model, arm, "latency_p50_ms", Some((1794.0, 1.0))));
    }
    figures.push(lift("alpha", "a0", 0.2));
    figures.push(Figure { n_items: 9, ..figure("beta", "a0", "accuracy", None) });
    figures.push(figure("always_no", "baseline", "accuracy", Some((25.0, 50.0))));
    Results {
        schema: Results::tag(),
        metrics_version: 1,
        run_id: "example".into(),
        dataset_id: "example-set".into(),
        title: "An example".into(),
        signature: "recount.results/1|records:none".into(),
        plan: plan(),
        inputs: Inputs { files: vec![], rows: RowCounts::default() },
        figures,
        reliability: vec![Reliability {
            id: "alpha/a0/reliability_quantile_5".into(),
            model: "alpha".into(),
            arm: "a0".into(),
            slice: None,
            strategy: records::BinStrategy::Quantile,
            n_bins: 5,
            n_rows: 150,
            ece: Some(0.2),
            bins: vec![bin(60, 0.3, 0.2), bin(90, 0.8, 0.5)],
            withheld: None,
        }],
        comparisons: vec![Comparison {
            id: "alpha/a0~alpha/closed_book_forced".into(),
            family: Family::Lift,
            a: series("alpha", "a0"),
            b: series("alpha", "closed_book_forced"),
            n_items: 50,
            n_clusters: 47,
            both: Some(20),
            only_a: Some(15),
            only_b: Some(5),
            neither: Some(10),
            p_value: Some(0.041),
            p_holm: Some(0.041),
            difference: Some(0.2),
            interval: Some(interval(0.1, 0.3)),
            minimum_detectable_effect: Some(0.25),
            is_result: Some(false),
            withheld: None,
        }],
    }
}
