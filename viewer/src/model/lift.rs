use records::{Comparison, Family, Figure, Results, Series};
use serde_json::json;

use super::{reason, sheet::Sheet, table::BASELINE_ARM};
use crate::{
    chart::{Whisker, WhiskerSpec},
    format,
};

/// Most rows of the plot.
const MAX_ROWS: usize = 60;

/// One lift that is withheld.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// Id of its figure.
    pub id: String,
    /// Model and arm.
    pub label: String,
    /// Why.
    pub reason: String,
}

/// Evidence lift of every arm that has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Lift {
    /// The plot.
    pub spec: WhiskerSpec,
    /// Ids of its figures, row by row.
    pub ids: Vec<String>,
    /// The arms that lift is measured against.
    pub controls: Vec<String>,
    /// The plot's numbers.
    pub table: Sheet,
    /// Each drawn arm and its control.
    pub pairs: Vec<[Series; 2]>,
    /// Lifts without a value.
    pub withheld: Vec<Withheld>,
}

/// The lifts of a publication; `None` when it has none at all.
#[must_use]
pub fn lift(results: &Results) -> Option<Lift> {
    let figures: Vec<&Figure> = results
        .figures
        .iter()
        // A baseline reads no documents, so that it has no lift says nothing.
        .filter(|f| f.metric == "evidence_lift" && f.slice.is_none() && f.arm != BASELINE_ARM)
        .take(MAX_ROWS)
        .collect();
    if figures.is_empty() {
        return None;
    }
    let mut models: Vec<&str> = Vec::new();
    let mut controls: Vec<String> = Vec::new();
    let (mut rows, mut ids, mut withheld, mut pairs) = (vec![], vec![], vec![], vec![]);
    let mut table =
        Sheet::new(&["arm", "control", "items", "lift", "lower", "upper", "detectable"]);
    for f in figures {
        if let Some(control) = &f.control
            && !controls.contains(control)
        {
            controls.push(format::cut(control, 40));
        }
        let label = format!("{} · {}", format::cut(&f.model, 40), format::cut(&f.arm, 30));
        let Some(point) = f.value else {
            let code = f.withheld.as_deref().unwrap_or("no value");
            withheld.push(Withheld {
                id: f.id.clone(),
                label,
                reason: reason::withheld(code, &results.plan),
            });
            continue;
        };
        let detectable = comparison(results, f).and_then(|c| c.minimum_detectable_effect);
        let ends = f.interval.as_ref().map(|i| (i.lower, i.upper));
        let (lower, upper) = ends.unwrap_or_default();
        table.rows.push(vec![
            json!(label),
            json!(f.control),
            json!(f.n_items),
            json!(point),
            json!(lower),
            json!(upper),
            json!(detectable),
        ]);
        if let Some(control) = &f.control {
            let series = |arm: &String| Series { model: f.model.clone(), arm: arm.clone() };
            pairs.push([series(&f.arm), series(control)]);
        }
        if !models.contains(&f.model.as_str()) {
            models.push(&f.model);
        }
        let slot = models.iter().position(|m| *m == f.model).unwrap_or(0);
        ids.push(f.id.clone());
        rows.push(Whisker { label, point, lower, upper, detectable, slot });
    }
    let over = if controls.is_empty() { "the control".to_owned() } else { format::list(&controls) };
    Some(Lift {
        spec: WhiskerSpec::around_zero(rows, format!("accuracy minus accuracy in {over}")),
        ids,
        controls,
        table,
        pairs,
        withheld,
    })
}

/// The paired comparison that belongs to a lift.
#[must_use]
pub fn comparison<'a>(results: &'a Results, lift: &Figure) -> Option<&'a Comparison> {
    results.comparisons.iter().find(|c| {
        c.family == Family::Lift
            && c.a.model == lift.model
            && c.a.arm == lift.arm
            && Some(&c.b.arm) == lift.control.as_ref()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    #[test]
    fn a_lift_carries_its_control_and_what_could_be_detected() {
        let lift = lift(&example::results()).unwrap();
        assert_eq!(lift.controls, ["closed_book_forced"]);
        assert_eq!(lift.spec.rows[0].detectable, Some(0.25));
        assert_eq!(lift.spec.axis, "accuracy minus accuracy in closed_book_forced");
        assert_eq!(lift.table.rows[0].len(), lift.table.head.len());
        assert_eq!(lift.pairs[0][1].arm, "closed_book_forced");
    }

    #[test]
    fn a_withheld_lift_is_listed_and_not_drawn() {
        let mut results = example::results();
        let figure = results.figures.iter_mut().find(|f| f.metric == "evidence_lift").unwrap();
        figure.value = None;
        figure.interval = None;
        figure.withheld = Some("no_forced_control".into());
        let lift = lift(&results).unwrap();
        assert!(lift.spec.rows.is_empty());
        assert_eq!(lift.withheld[0].reason, "no control arm that forces an answer");
    }

    #[test]
    fn a_run_without_lifts_has_no_plot() {
        let mut results = example::results();
        results.figures.retain(|f| f.metric != "evidence_lift");
        assert_eq!(lift(&results), None);
    }
}
