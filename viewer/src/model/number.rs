use records::{Better, BinStrategy, Figure, Plan, Reliability, Results};

use super::{glance, metric, reason, table};
use crate::format;

/// What the page of a figure says besides its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberPage {
    /// Name of the metric.
    pub title: String,
    /// Model, arm and slice.
    pub of: String,
    /// The value as cells show it, or a dash.
    pub value: String,
    /// Its interval, or why there is none.
    pub interval: String,
    /// Why there is no value.
    pub withheld: Option<String>,
    /// What the metric means.
    pub meaning: String,
    /// Which direction is good.
    pub direction: &'static str,
    /// The definition in words.
    pub formula: String,
    /// The definition with this figure's numbers put in, a line each.
    pub filled: Vec<String>,
    /// What went in, what did not, and why.
    pub counts: Vec<(String, String)>,
}

/// The page of `figure`, which stands in `results`. The numbers in its formula are those of `recomputed`, where that is
/// there: put into a formula, published numbers that do not agree would make a false equation.
#[must_use]
pub fn number_page(results: &Results, figure: &Figure, recomputed: Option<&Results>) -> NumberPage {
    let source = recomputed
        .and_then(|r| r.figures.iter().find(|f| f.id == figure.id).map(|f| (r, f)))
        .unwrap_or((results, figure));
    let known = metric::describe(&figure.metric);
    NumberPage {
        title: metric::label(&figure.metric),
        of: series(figure),
        value: table::value_text(figure),
        interval: interval(figure, &results.plan),
        withheld: figure.withheld.as_deref().map(|c| reason::withheld(c, &results.plan)),
        meaning: known.map_or_else(
            || "This build has no description of this metric.".to_owned(),
            |m| {
                let undefined = if m.undefined.is_empty() {
                    String::new()
                } else {
                    format!(" It does not exist when {}.", m.undefined)
                };
                format!("{}{undefined}", m.meaning)
            },
        ),
        direction: match figure.better {
            Better::Higher => "Higher is better.",
            Better::Lower => "Lower is better.",
            Better::None => "Neither direction is better by itself.",
        },
        formula: known.map_or_else(String::new, |m| format!("{} = {}", m.label, m.formula)),
        filled: filled(source.0, source.1),
        counts: counts(results, figure),
    }
}

fn series(figure: &Figure) -> String {
    let mut parts =
        vec![format::cut(&figure.model, 60), format!("arm {}", format::cut(&figure.arm, 40))];
    if let Some(control) = &figure.control {
        parts.push(format!("against {}", format::cut(control, 40)));
    }
    if let Some(slice) = &figure.slice {
        parts.push(format!("slice {}", format::cut(slice, 40)));
    }
    parts.join(", ")
}

fn interval(figure: &Figure, plan: &Plan) -> String {
    let Some(i) = &figure.interval else {
        return "No interval is published for this number.".into();
    };
    if let Some(code) = &i.withheld {
        return format!("Its interval is withheld: {}.", reason::withheld(code, plan));
    }
    let (Some(lower), Some(upper)) = (i.lower, i.upper) else {
        return "Its interval has no ends.".into();
    };
    let ends = if figure.metric == "evidence_lift" {
        format!("{} to {}", format::signed(lower), format::signed(upper))
    } else {
        format!(
            "{} to {}",
            format::in_unit(lower, &figure.unit),
            format::in_unit(upper, &figure.unit)
        )
    };
    let resamples = match (i.n_resamples, i.undefined_resamples) {
        (Some(n), Some(0) | None) => format!(", {} resamples", format::count(n.into())),
        (Some(n), Some(u)) => format!(
            ", {} resamples, in {} of which the figure does not exist",
            format::count(n.into()),
            format::count(u.into())
        ),
        _ => String::new(),
    };
    format!(
        "{} interval {ends} ({}{resamples}).",
        format::percent(i.level),
        format::cut(&i.method, 60)
    )
}

fn filled(results: &Results, figure: &Figure) -> Vec<String> {
    let Some(value) = figure.value else {
        return Vec::new();
    };
    match figure.metric.as_str() {
        "ece" => calibration_error(results, figure, value),
        "evidence_lift" => lift(results, figure, value),
        _ => match (figure.numerator, figure.denominator) {
            (Some(top), Some(bottom)) => {
                let known = metric::describe(&figure.metric);
                let words = |side: fn(&metric::Metric) -> &'static str| {
                    known.map(side).filter(|w| !w.is_empty())
                };
                let mut lines = Vec::new();
                if let (Some(t), Some(b)) = (words(|m| m.numerator), words(|m| m.denominator)) {
                    lines.push(format!("{t} / {b}"));
                }
                lines.push(format!("= {} / {}", format::plain(top), format::plain(bottom)));
                lines.push(format!("= {}", format::full(value)));
                lines
            }
            _ => vec![format!("= {}", format::full(value))],
        },
    }
}

/// The diagram that a calibration figure is computed from: the same series under the plan's bin rule.
#[must_use]
pub fn diagram_of<'a>(results: &'a Results, figure: &Figure) -> Option<&'a Reliability> {
    results.reliability.iter().find(|r| {
        r.model == figure.model
            && r.arm == figure.arm
            && r.slice == figure.slice
            && r.strategy == results.plan.bin_strategy
            && r.n_bins == results.plan.n_bins
    })
}

fn calibration_error(results: &Results, figure: &Figure, value: f64) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(diagram) = diagram_of(results, figure)
        && diagram.bins.len() <= 30
    {
        for (i, b) in diagram.bins.iter().enumerate() {
            lines.push(format!(
                "{} {} / {} · |{} − {}|",
                if i == 0 { " " } else { "+" },
                b.count,
                diagram.n_rows,
                format::full(b.mean_predicted),
                format::full(b.observed_frequency)
            ));
        }
    }
    lines.push(format!("= {}", format::full(value)));
    lines
}

fn lift(results: &Results, figure: &Figure, value: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let accuracy = |arm: &str| {
        results.figures.iter().find(|f| {
            f.metric == "accuracy"
                && f.model == figure.model
                && f.arm == arm
                && f.slice == figure.slice
        })
    };
    // The two accuracies are those of the difference only when both arms served the same items.
    if let Some(control) = &figure.control
        && let (Some(a), Some(b)) = (accuracy(&figure.arm), accuracy(control))
        && let (Some(x), Some(y)) = (a.value, b.value)
        && (x - y).to_bits() == value.to_bits()
    {
        lines.push(format!(
            "accuracy in {} − accuracy in {}",
            format::cut(&figure.arm, 40),
            format::cut(control, 40)
        ));
        lines.push(format!("= {} − {}", format::full(x), format::full(y)));
    } else {
        lines.push(format!(
            "on the {} that both arms served",
            format::plural(figure.n_items, "item", "items")
        ));
    }
    lines.push(format!("= {}", format::full(value)));
    lines
}

fn counts(results: &Results, figure: &Figure) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let sibling = |name: &str| {
        results
            .figures
            .iter()
            .find(|f| {
                f.metric == name
                    && f.model == figure.model
                    && f.arm == figure.arm
                    && f.slice == figure.slice
            })
            .and_then(|f| f.value)
    };
    if let Some(attempted) = sibling("attempted") {
        out.push(("rows attempted".into(), format::in_unit(attempted, "rows")));
    }
    out.push(("rows served".into(), format::count(figure.n_rows)));
    out.push(("distinct items (the sample size)".into(), format::count(figure.n_items)));
    out.push(("distinct clusters (what is resampled)".into(), format::count(figure.n_clusters)));
    if let Some(bottom) = figure.denominator {
        let what = metric::describe(&figure.metric).map_or("", |m| m.denominator);
        let what = if what.is_empty() { "denominator" } else { what };
        out.push((format!("in the denominator: {what}"), format::in_unit(bottom, "rows")));
    }
    for (code, n) in figure.excluded.iter().take(20) {
        out.push((format!("left out: {}", reason::excluded(code)), format::count(*n)));
    }
    if figure.excluded.is_empty() {
        out.push(("left out of this number".into(), "none".into()));
    }
    out
}

/// The rule by which bins are formed, in words.
#[must_use]
pub fn bin_rule(strategy: BinStrategy, n_bins: u32) -> String {
    let rule = match strategy {
        BinStrategy::Quantile => "equal counts, ties kept together",
        BinStrategy::Uniform => "equal widths",
        BinStrategy::QuantileSplit => "equal counts, ties split",
    };
    format!("{n_bins} bins, {rule}")
}

/// A line that someone can paste into a paper: the number, where it stands, and what came out of the check.
#[must_use]
pub fn citation(results: &Results, figure: &Figure, verdict: &str, address: &str) -> String {
    let full = figure.value.map_or_else(|| "withheld".to_owned(), format::full);
    let ends = figure
        .interval
        .as_ref()
        .and_then(|i| Some((i.lower?, i.upper?, i.level)))
        .map(|(l, u, level)| {
            format!(
                ", {} interval {} to {}",
                format::percent(level),
                format::full(l),
                format::full(u)
            )
        })
        .unwrap_or_default();
    let control = figure.control.as_deref().map(|c| format!(" against {}", format::cut(c, 40)));
    format!(
        "{}{}: {full}{ends}; {} items. Run {}, \"{}\", data set {}. {}. Recomputed with Recount: {verdict}. {address}",
        glance::figure_name(figure),
        control.unwrap_or_default(),
        format::count(figure.n_items),
        format::cut(&results.run_id, 60),
        glance::title(results),
        format::cut(&results.dataset_id, 60),
        format::cut(&results.signature, 400),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    fn page(id: &str) -> NumberPage {
        let results = example::results();
        let figure = results.figures.iter().find(|f| f.id == id).unwrap();
        number_page(&results, figure, None)
    }

    #[test]
    fn a_ratio_is_shown_with_its_numbers_put_in() {
        let page = page("alpha/a0/accuracy");
        assert_eq!(page.filled, ["rows with a right answer / rows served", "= 75 / 150", "= 0.5"]);
        assert!(page.interval.starts_with("95\u{a0}% interval 0.400 to 0.600 (percentile-cluster"));
    }

    #[test]
    fn a_published_value_that_does_not_follow_is_not_put_into_an_equation() {
        let recomputed = example::results();
        let mut published = example::results();
        published.figures[2].value = Some(0.9);
        let page = number_page(&published, &published.figures[2], Some(&recomputed));
        assert_eq!(page.value, "0.900");
        assert_eq!(page.filled[2], "= 0.5");
    }

    #[test]
    fn a_calibration_error_is_shown_bin_by_bin() {
        let page = page("alpha/a0/ece");
        assert_eq!(page.filled.len(), 3);
        assert_eq!(page.filled[0], "  60 / 150 · |0.3 − 0.2|");
    }

    #[test]
    fn a_lift_names_its_control_and_shows_two_accuracies_only_when_they_give_it() {
        let page = page("alpha/a0/evidence_lift");
        assert!(page.of.contains("against closed_book_forced"));
        assert_eq!(page.filled[0], "on the 50 items that both arms served");
        let mut results = example::results();
        let control =
            results.figures.iter_mut().find(|f| f.id == "alpha/closed_book_forced/accuracy");
        control.unwrap().value = Some(0.25);
        let lift = results.figures.iter_mut().find(|f| f.metric == "evidence_lift").unwrap();
        lift.value = Some(0.25);
        let lift = lift.clone();
        assert_eq!(number_page(&results, &lift, None).filled[1], "= 0.5 − 0.25");
    }

    #[test]
    fn a_withheld_number_says_why_and_shows_no_formula_result() {
        let page = page("beta/a0/accuracy");
        assert_eq!(page.withheld.as_deref(), Some("fewer than 20 items"));
        assert!(page.filled.is_empty());
    }

    #[test]
    fn a_citation_carries_full_precision_signature_and_verdict() {
        let results = example::results();
        let text = citation(&results, &results.figures[2], "identical", "https://a.example/#f=x");
        assert!(
            text.contains("accuracy, alpha, a0: 0.5, 95\u{a0}% interval 0.4 to 0.6; 50 items.")
        );
        assert!(text.contains("recount.results/1|records:none"));
        assert!(text.ends_with("Recomputed with Recount: identical. https://a.example/#f=x"));
    }
}
