//! Two runs on the questions that both have.

use std::collections::BTreeSet;

use records::{Record, Series};

use super::{
    compute::refused,
    open::{Opened, Surroundings, open},
    protocol::{Computation, Files, Problem},
};
use crate::format;

/// Most pairs of series that are compared.
const MAX_PAIRS: usize = 100;

/// Compares every series that both runs have, on their common questions, with the plan of the open run. The models of
/// the results are called `RUN: MODEL`, so that the two sides can be told apart; `a` is the open run.
///
/// # Errors
/// One of the runs has no records, they are of two data sets, or they share no series.
pub fn pair(
    opened: &Opened,
    files: &Files,
    buffers: Vec<Vec<u8>>,
    surroundings: &Surroundings<'_>,
) -> Result<Computation, Problem> {
    let started = (surroundings.now)();
    let (_, other) = open(files, buffers, surroundings)?;
    for run in [opened, &other] {
        if run.records.is_empty() {
            return Err(Problem::new(
                "one of the two runs has no readable records",
                "compare runs whose records.jsonl is there",
            ));
        }
    }
    let [first, second] = names(opened, &other);
    let series = |run: &Opened| -> BTreeSet<Series> {
        let of = |r: &Record| Series { model: r.model.clone(), arm: r.arm.clone() };
        run.records.iter().map(of).collect()
    };
    let shared: Vec<Series> = series(opened).intersection(&series(&other)).cloned().collect();
    if shared.is_empty() {
        return Err(Problem::new(
            "the two runs have no model and arm of the same names",
            "compare runs that share a model and an arm",
        ));
    }
    let mut plan = opened.plan();
    plan.control = None;
    plan.slices.clear();
    let named =
        |run: &str, s: &Series| Series { model: format!("{run}: {}", s.model), arm: s.arm.clone() };
    plan.comparisons =
        shared.iter().take(MAX_PAIRS).map(|s| [named(&first, s), named(&second, s)]).collect();
    let rename = |run: &str, records: &[Record]| -> Vec<Record> {
        let of_pair = |r: &&Record| shared.iter().any(|s| s.model == r.model && s.arm == r.arm);
        let renamed = |r: &Record| Record { model: format!("{run}: {}", r.model), ..r.clone() };
        records.iter().filter(of_pair).map(renamed).collect()
    };
    let mut records = rename(&first, &opened.records);
    records.extend(rename(&second, &other.records));
    (surroundings.progress)("comparing the two runs".into());
    let computed = metrics::compute(&records, &plan).map_err(refused)?;
    Ok(Computation {
        n_records: records.len() as u64,
        compute_ms: (surroundings.now)() - started,
        results: Some(metrics::results(opened.header(), Vec::new(), computed, plan)),
        ..Computation::default()
    })
}

/// What the two runs are called; never the same.
fn names(opened: &Opened, other: &Opened) -> [String; 2] {
    let [first, second] = [opened, other].map(|run| format::cut(&run.header().run_id, 40));
    if first == second {
        [format!("{first} (open)"), format!("{second} (other)")]
    } else {
        [first, second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::files::Role,
        worker::{
            open::tests::{QUIET, log, opened},
            protocol::FileHead,
        },
    };

    fn paired(other: &[u8]) -> Result<Computation, Problem> {
        let heads = vec![FileHead { name: "records.jsonl".into(), role: Role::Records }];
        let files = Files { heads, ..Files::default() };
        pair(&opened(&log()), &files, vec![other.to_vec()], &QUIET)
    }

    #[test]
    fn a_run_differs_from_itself_by_nothing() {
        let results = paired(&log()).unwrap().results.unwrap();
        assert_eq!(results.comparisons.len(), 2);
        for c in &results.comparisons {
            assert_eq!(c.difference, Some(0.0));
            assert_eq!(c.n_items, 25);
            assert_ne!(c.a.model, c.b.model);
        }
    }

    #[test]
    fn a_changed_answer_is_one_discordant_question() {
        let text = String::from_utf8(log()).unwrap();
        let changed = text.replacen(
            "\"answer\":\"NO\",\"confidence\":0.8,\"correct\":false",
            "\"answer\":\"YES\",\"confidence\":0.8,\"correct\":true",
            1,
        );
        assert_ne!(text, changed);
        let results = paired(changed.as_bytes()).unwrap().results.unwrap();
        let c = results.comparisons.iter().find(|c| c.only_b == Some(1)).unwrap();
        assert_eq!((c.only_a, c.n_items), (Some(0), 25));
    }

    #[test]
    fn runs_that_share_nothing_are_a_message() {
        let text = String::from_utf8(log()).unwrap();
        let other = text.replace("\"dataset_id\":\"d\"", "\"dataset_id\":\"e\"");
        assert!(paired(other.as_bytes()).unwrap_err().what.contains("data sets"));
        let other = text.replace("\"model\":\"m\"", "\"model\":\"n\"");
        assert!(paired(other.as_bytes()).unwrap_err().what.contains("same names"));
        assert!(paired(b"").is_err());
    }
}
