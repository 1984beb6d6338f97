//! What does not exist is a reason: never NaN, never 0.

use metrics::{compute, default_plan};
use records::{Better, Computed, Figure, Kind, Plan, Record, Series, Status, Usage};

use crate::made_up::{record, two_arms, with_status, wrong};

fn ids(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("i{i:02}")).collect()
}

/// One series on `n` items, each row changed by `change`.
fn arm(n: usize, change: impl Fn(Record) -> Record) -> Vec<Record> {
    ids(n).iter().map(|id| change(record("m", "a0", id, 0))).collect()
}

fn computed(records: &[Record], control: Option<&str>) -> Computed {
    let plan = Plan { n_resamples: 100, ..default_plan(records, control) };
    compute(records, &plan).unwrap()
}

fn figure(computed: &Computed, id: &str) -> Figure {
    computed.figures.iter().find(|f| f.id == id).unwrap_or_else(|| panic!("no {id}")).clone()
}

/// The reason why a figure of the series `m/a0` has no value.
fn reason(records: &[Record], metric: &str) -> Option<String> {
    let figure = figure(&computed(records, None), &format!("m/a0/{metric}"));
    assert_eq!(figure.value.is_none(), figure.withheld.is_some());
    assert!(figure.value.is_some() || (figure.interval.is_none() && figure.numerator.is_none()));
    figure.withheld
}

fn withheld(records: &[Record], metric: &str, expected: &str) {
    assert_eq!(reason(records, metric).as_deref(), Some(expected), "{metric}");
}

#[test]
fn below_the_floor_counts_stand_and_quality_does_not() {
    let computed = computed(&arm(19, |r| r), None);
    let counts = ["attempted", "served", "n_items", "coverage", "harness_fault_rate"];
    for f in &computed.figures {
        let stands = counts.contains(&f.metric.as_str())
            || f.metric.starts_with("status_")
            || f.metric == "cost_usd_total";
        let expected = if stands {
            None
        } else if f.metric.ends_with("_tokens_total") {
            Some("no_usage")
        } else {
            Some("below_floor")
        };
        assert_eq!(f.withheld.as_deref(), expected, "{}", f.id);
    }
    for r in &computed.reliability {
        assert_eq!((r.withheld.as_deref(), r.ece, r.bins.len()), (Some("below_floor"), None, 0));
    }
    assert_eq!(reason(&arm(20, |r| r), "accuracy"), None);
}

#[test]
fn the_floor_counts_items_not_rows() {
    let mut records = Vec::new();
    for repeat in 0..10 {
        records.extend(arm(10, |mut r| {
            r.repeat = repeat;
            r
        }));
    }
    withheld(&records, "accuracy", "below_floor");
}

#[test]
fn nothing_answered() {
    let records = arm(25, |r| with_status(r, Status::HardFail));
    withheld(&records, "accuracy_when_answered", "no_answered_rows");
    withheld(&records, "confident_wrong_rate", "no_confident_rows");
    withheld(&records, "citation_grounding_rate", "nothing_cited");
    assert_eq!(figure(&computed(&records, None), "m/a0/accuracy").value, Some(0.0));
    // A failure is worth a coin toss to the Brier score of a yes-or-no question.
    assert_eq!(figure(&computed(&records, None), "m/a0/brier").value, Some(0.25));
}

#[test]
fn no_confidence_stated() {
    let records = arm(25, |mut r| {
        r.confidence = None;
        r
    });
    for metric in ["brier", "ece", "mce", "ece_uniform_10"] {
        withheld(&records, metric, "no_predicted_rows");
        let figure = figure(&computed(&records, None), &format!("m/a0/{metric}"));
        assert_eq!(figure.excluded["no_confidence"], 25, "{metric}");
    }
    withheld(&records, "confident_wrong_rate", "no_confident_rows");
    let diagram = &computed(&records, None).reliability[0];
    assert_eq!(diagram.withheld.as_deref(), Some("no_predicted_rows"));
}

#[test]
fn rows_without_confidence_are_excluded_and_counted() {
    let mut records = arm(25, |r| r);
    records[3].confidence = None;
    let brier = figure(&computed(&records, None), "m/a0/brier");
    assert_eq!((brier.denominator, brier.excluded["no_confidence"]), (Some(24.0), 1));
}

#[test]
fn choice_rows_without_an_answer_predict_nothing() {
    let mut records = arm(25, |mut r| {
        r.kind = Kind::Choice;
        r
    });
    records[0] = with_status(records[0].clone(), Status::Refused);
    // Nor does one that says how sure it is of not knowing.
    records[1] = with_status(records[1].clone(), Status::Abstained);
    records[1].confidence = Some(0.9);
    let brier = figure(&computed(&records, None), "m/a0/brier");
    assert_eq!((brier.denominator, brier.excluded["not_answered"]), (Some(23.0), 2));
}

#[test]
fn no_repeats_and_repeats_that_failed() {
    withheld(&arm(25, |r| r), "self_consistency_rate", "no_repeats");
    // A failure equals only itself: two of them agree on nothing.
    let mut failed = arm(25, |r| with_status(r, Status::HardFail));
    failed.extend(failed.clone().into_iter().map(|mut r| {
        r.repeat = 1;
        r
    }));
    let rate = figure(&computed(&failed, None), "m/a0/self_consistency_rate");
    assert_eq!((rate.value, rate.denominator), (Some(0.0), Some(25.0)));
    // An abstention is an answer.
    let mut abstained = arm(25, |r| with_status(r, Status::Abstained));
    abstained.extend(abstained.clone().into_iter().map(|mut r| {
        r.repeat = 1;
        r
    }));
    let rate = figure(&computed(&abstained, None), "m/a0/self_consistency_rate");
    assert_eq!(rate.value, Some(1.0));
}

#[test]
fn prices_tokens_latencies_and_labels_that_nobody_recorded() {
    let mut records = arm(25, |r| r);
    records[7].cost_usd = None;
    withheld(&records, "cost_usd_per_row", "no_price");
    withheld(&records, "cost_usd_total", "no_price");
    for metric in ["input_tokens_total", "output_tokens_total", "cache_hit_rate"] {
        withheld(&records, metric, "no_usage");
    }
    for metric in ["conflict_precision", "conflict_recall"] {
        withheld(&records, metric, "not_labelled");
    }
    let untimed = arm(25, |mut r| {
        r.latency_ms = None;
        r
    });
    withheld(&untimed, "latency_p50_ms", "no_latency");
    withheld(&untimed, "latency_p95_ms", "no_latency");
}

#[test]
fn tokens_and_costs_add_up() {
    let records = arm(20, |mut r| {
        let cached = if r.item_id.as_str() < "i05" { 7 } else { 0 };
        r.usage = Some(Usage {
            input_tokens: 100,
            output_tokens: 10,
            cache_read_tokens: cached,
            cache_write_tokens: 0,
        });
        r.cost_usd = Some(0.25);
        r
    });
    let computed = computed(&records, None);
    let value = |metric: &str| figure(&computed, &format!("m/a0/{metric}")).value;
    assert_eq!(value("input_tokens_total"), Some(2000.0));
    assert_eq!(value("output_tokens_total"), Some(200.0));
    assert_eq!(value("cache_hit_rate"), Some(0.25));
    assert_eq!(value("cost_usd_total"), Some(5.0));
    assert_eq!(value("cost_usd_per_row"), Some(0.25));
}

#[test]
fn a_served_row_is_needed_for_everything_but_counts() {
    let records = arm(25, |r| with_status(r, Status::Unserved));
    let computed = computed(&records, None);
    let value = |metric: &str| figure(&computed, &format!("m/a0/{metric}")).value;
    assert_eq!(
        (value("attempted"), value("served"), value("coverage")),
        (Some(25.0), Some(0.0), Some(0.0))
    );
    withheld(&records, "accuracy", "below_floor");
    let plan = Plan { min_items: 0, n_resamples: 10, ..default_plan(&records, None) };
    let without_floor = compute(&records, &plan).unwrap();
    for (metric, reason) in [
        ("accuracy", "no_served_rows"),
        ("majority_accuracy", "no_served_rows"),
        ("ece", "no_predicted_rows"),
        ("latency_p50_ms", "no_latency"),
        ("cost_usd_total", "no_price"),
        ("input_tokens_total", "no_usage"),
    ] {
        let figure = figure(&without_floor, &format!("m/a0/{metric}"));
        assert_eq!(figure.withheld.as_deref(), Some(reason), "{metric}");
    }
}

#[test]
fn lift_needs_a_control_of_the_same_model_above_the_floor() {
    let mut records = two_arms(24);
    records.extend(arm(24, |mut r| {
        r.model = "without".into();
        r
    }));
    let lifts = computed(&records, Some("closed_book_forced"));
    let of = |id: &str| figure(&lifts, id);
    assert!(of("m/a0/evidence_lift").value.is_some());
    assert_eq!(of("m/a0/evidence_lift").control.as_deref(), Some("closed_book_forced"));
    assert_eq!(of("without/a0/evidence_lift").withheld.as_deref(), Some("no_forced_control"));
    assert!(!lifts.figures.iter().any(|f| f.id == "m/closed_book_forced/evidence_lift"));
    let unnamed = figure(&computed(&records, None), "m/a0/evidence_lift");
    assert_eq!(unnamed.withheld.as_deref(), Some("no_forced_control"));

    records.retain(|r| r.arm != "closed_book_forced" || r.item_id.as_str() < "i10");
    let short = computed(&records, Some("closed_book_forced"));
    let lift = figure(&short, "m/a0/evidence_lift");
    assert_eq!((lift.withheld.as_deref(), lift.n_items), (Some("below_floor"), 10));
    assert_eq!(lift.excluded["not_in_control"], 14);
    let comparison = &short.comparisons[0];
    assert_eq!((comparison.withheld.as_deref(), comparison.p_value), (Some("below_floor"), None));
}

#[test]
fn comparisons_that_cannot_be_made_are_withheld_and_not_adjusted_for() {
    let records = two_arms(24);
    let series = |arm: &str| Series { model: "m".into(), arm: arm.into() };
    let mut plan = Plan { n_resamples: 100, ..default_plan(&records, None) };
    assert_eq!(plan.comparisons, [[series("a0"), series("a1")]]);
    plan.comparisons.push([series("a0"), series("nowhere")]);
    let computed = compute(&records, &plan).unwrap();
    let [made, missing] = &computed.comparisons[..] else { panic!("two comparisons") };
    assert_eq!(missing.withheld.as_deref(), Some("no_such_series"));
    assert_eq!((missing.p_value, missing.p_holm, missing.difference), (None, None, None));
    assert_eq!(made.p_holm, made.p_value);
}

#[test]
fn without_a_discordant_item_nothing_is_known_about_what_could_be_seen() {
    let records = two_arms(24);
    let a0 = Series { model: "m".into(), arm: "a0".into() };
    let mut plan = Plan { n_resamples: 100, ..default_plan(&records, None) };
    plan.comparisons = vec![[a0.clone(), a0]];
    let comparison = &compute(&records, &plan).unwrap().comparisons[0];
    assert_eq!((comparison.difference, comparison.p_value), (Some(0.0), Some(1.0)));
    assert_eq!((comparison.minimum_detectable_effect, comparison.is_result), (None, None));
}

#[test]
fn an_interval_with_too_many_undefined_replicates_is_unstable() {
    // One confident row: some 37 % of the replicates do not draw it.
    let mut records = arm(25, |r| r);
    records[4].confidence = Some(0.95);
    let rate = figure(&computed(&records, None), "m/a0/confident_wrong_rate");
    assert_eq!(rate.value, Some(0.0));
    let interval = rate.interval.unwrap();
    assert_eq!((interval.lower, interval.upper), (None, None));
    assert_eq!(interval.withheld.as_deref(), Some("unstable"));
    assert!(interval.undefined_resamples.unwrap() > 5);
}

#[test]
fn retrieval_figures_count_what_they_leave_out() {
    let mut records = arm(22, |mut r| {
        r.retrieved = Some(vec!["x".into(), "gold".into(), "y".into()]);
        r.gold_docs = Some(vec!["gold".into()]);
        r
    });
    records[0].gold_docs = Some(Vec::new());
    records[1].retrieved = None;
    let computed = computed(&records, None);
    for (metric, value) in
        [("hit_at_1", 0.0), ("hit_at_3", 1.0), ("mrr_at_1", 0.0), ("mrr_at_10", 0.5)]
    {
        let figure = figure(&computed, &format!("m/a0/{metric}"));
        assert_eq!(figure.value, Some(value), "{metric}");
        assert_eq!(figure.denominator, Some(20.0), "{metric}");
        assert_eq!(figure.excluded["no_gold_documents"], 1);
        assert_eq!(figure.excluded["no_retrieval"], 1);
        assert_eq!(figure.better, Better::Higher);
    }
    let none = arm(22, |mut r| {
        r.retrieved = Some(Vec::new());
        r
    });
    withheld(&none, "hit_at_1", "no_gold_documents");
    assert!(!self::computed(&arm(22, |r| r), None).figures.iter().any(|f| f.metric == "hit_at_1"));
}

#[test]
fn agent_figures_stand_only_where_agents_act() {
    let mut records = arm(20, |mut r| {
        r.searches = Some(3);
        r.visits = Some(1);
        r.bad_actions = Some(0);
        r
    });
    records[0].bad_actions = Some(2);
    let computed = computed(&records, None);
    let value = |metric: &str| figure(&computed, &format!("m/a0/{metric}")).value;
    assert_eq!((value("searches_mean"), value("visits_mean")), (Some(3.0), Some(1.0)));
    assert_eq!(value("bad_action_rate"), Some(0.05));
    let excluded = |records: &[Record]| {
        let computed = self::computed(records, None);
        figure(&computed, "m/a0/searches_mean").excluded.clone()
    };
    assert!(excluded(&records).is_empty());
    (records[1].searches, records[1].visits, records[1].bad_actions) = (None, None, None);
    assert_eq!(excluded(&records), [("no_actions_recorded".to_owned(), 1)].into());
    // Whichever of the three is recorded makes an agent's row.
    records[2].searches = None;
    (records[3].visits, records[3].bad_actions) = (None, None);
    (records[4].searches, records[4].visits) = (None, None);
    (records[5].searches, records[5].bad_actions) = (None, None);
    assert_eq!(excluded(&records), [("no_actions_recorded".to_owned(), 1)].into());
    assert!(!self::computed(&arm(22, |r| r), None).figures.iter().any(|f| f.unit == "searches"));
}

#[test]
fn majority_needs_more_than_half() {
    let mut records = arm(20, |r| r);
    records.extend(arm(20, |mut r| {
        r.repeat = 1;
        wrong(r)
    }));
    assert_eq!(figure(&computed(&records, None), "m/a0/majority_accuracy").value, Some(0.0));
}
