//! Every definition of a number, with the parameters that this publication puts into it.

use records::{Plan, Results};

use super::{
    metric::{self, Metric},
    number::bin_rule,
};
use crate::{format, url_state::method_word};

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The metric's name in sentences.
    pub label: String,
    /// What it measures.
    pub meaning: &'static str,
    /// Its formula in words.
    pub formula: &'static str,
    /// When it does not exist.
    pub undefined: &'static str,
    /// Its name in files.
    pub name: String,
}

/// The definitions of all metrics that the publication has, in the order of the file, and the names of those that this
/// build does not know.
#[must_use]
pub fn definitions(results: &Results) -> (Vec<Definition>, Vec<String>) {
    let (mut known, mut unknown): (Vec<Definition>, Vec<String>) = (Vec::new(), Vec::new());
    for f in &results.figures {
        let listed = known.iter().any(|d| d.name == f.metric) || unknown.contains(&f.metric);
        if listed || known.len() + unknown.len() > 200 {
            continue;
        }
        match metric::describe(&f.metric) {
            Some(Metric { meaning, formula, undefined, .. }) => known.push(Definition {
                label: metric::label(&f.metric),
                meaning,
                formula,
                undefined,
                name: f.metric.clone(),
            }),
            None => unknown.push(f.metric.clone()),
        }
    }
    (known, unknown.iter().map(|n| format::cut(n, 60)).collect())
}

/// The choices in the definitions, name and value.
#[must_use]
pub fn parameters(plan: &Plan) -> Vec<(&'static str, String)> {
    let control = plan.control.as_deref().map_or("none".to_owned(), |c| format::cut(c, 60));
    let cuts: Vec<_> = plan.slices.iter().map(|s| format::cut(s, 40)).collect();
    vec![
        ("seed of the resampling", plan.seed.to_string()),
        ("resamples", format::count(plan.n_resamples.into())),
        ("level of the intervals", format::percent(plan.confidence_level)),
        ("method of the intervals", method_word(plan.interval_method).to_owned()),
        ("what is resampled", format::cut(&plan.cluster_field, 40)),
        ("fewest questions for a quality figure", plan.min_items.to_string()),
        ("confident from", format::plain(plan.confident_threshold)),
        ("bins", bin_rule(plan.bin_strategy, plan.n_bins)),
        ("control arm of the lift", control),
        (
            "parts of the data set",
            if cuts.is_empty() { "none".into() } else { format::list(&cuts) },
        ),
        ("planned comparisons", format::count(plan.comparisons.len() as u64)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn every_metric_of_the_file_is_defined_once_or_said_to_be_unknown() {
        let mut results = example::results();
        results.figures.push(example::figure("alpha", "a0", "moon_phase", Some((1.0, 2.0))));
        let (known, unknown) = definitions(&results);
        assert_eq!(unknown, ["moon_phase"]);
        let names: std::collections::BTreeSet<_> = known.iter().map(|d| &d.name).collect();
        assert_eq!(names.len(), known.len());
        assert!(known.iter().all(|d| !d.meaning.is_empty() && !d.formula.is_empty()));
    }

    #[test]
    fn every_parameter_of_the_plan_is_there() {
        let parameters = parameters(&example::plan());
        assert_eq!(parameters.len(), 11);
        assert!(parameters.iter().all(|(_, value)| !value.is_empty()));
    }
}
