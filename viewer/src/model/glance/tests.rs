//! The sentences of the first glance.

use super::*;
use crate::model::{check::Check, example};

fn checks(verdicts: &[(&str, Verdict)]) -> Checks {
    let check = |(id, verdict): &(&str, Verdict)| Check {
        id: (*id).into(),
        section: "figures".into(),
        verdict: *verdict,
        reason: (*verdict == Verdict::CannotBeChecked).then(|| "no records".into()),
        differences: vec![],
    };
    Checks::new(verdicts.iter().map(check).collect())
}

fn sentence(verdicts: &[(&str, Verdict)], n_records: Option<u64>) -> String {
    let checks = checks(verdicts);
    plain(&verdict_sentence(Recount {
        published: &example::results(),
        checks: &checks,
        n_records,
        compute_ms: 38.2,
    }))
}

#[test]
fn agreement_names_its_kind_its_records_and_its_time() {
    assert_eq!(
        sentence(&[("a", Verdict::Identical), ("b", Verdict::Withheld)], Some(1100)),
        "1 of 1 published number agrees bit for bit with what this page recomputed from 1,100 records in 38 ms. None differs. 1 is withheld: fewer than 20 items."
    );
    let text = sentence(&[("a", Verdict::Identical), ("b", Verdict::EqualAsPrinted)], Some(7));
    assert!(
        text.starts_with(
            "2 of 2 published numbers agree (1 bit for bit, 1 to the three decimals printed)"
        ),
        "{text}"
    );
}

#[test]
fn a_difference_comes_first_and_is_linked() {
    let checks = checks(&[("m/a/accuracy", Verdict::Differs), ("b", Verdict::Identical)]);
    let pieces = verdict_sentence(Recount {
        published: &example::results(),
        checks: &checks,
        n_records: Some(7),
        compute_ms: 1.0,
    });
    assert!(
        plain(&pieces)
            .starts_with("1 of 2 published numbers differs from what this page recomputed")
    );
    assert!(pieces.iter().any(|p| matches!(p, Piece::Figure { id, .. } if id == "m/a/accuracy")));
    assert!(!plain(&pieces).contains("None differs"));
}

#[test]
fn many_differences_are_named_in_part_and_counted_whole() {
    let ids: Vec<String> = (0..9).map(|i| format!("f{i}")).collect();
    let verdicts: Vec<_> = ids.iter().map(|id| (id.as_str(), Verdict::Differs)).collect();
    let text = sentence(&verdicts, Some(7));
    assert!(text.starts_with("9 of 9 published numbers differ from"), "{text}");
    assert!(text.contains("f0, f1, f2 and 6 more."), "{text}");
    assert!(text.contains(" 0 agree."), "{text}");
}

#[test]
fn without_records_nothing_is_said_to_agree() {
    let text = sentence(&[("a", Verdict::CannotBeChecked), ("b", Verdict::CannotBeChecked)], None);
    // The example withholds one entry of its own.
    assert_eq!(text, "None of the 1 published number can be checked: no records.");
}

#[test]
fn an_unknown_state_of_the_data_set_is_said() {
    assert!(data_state(None)[0].contains("not known here"));
}
