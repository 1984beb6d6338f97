use records::Plan;

use crate::format;

/// Why a number is withheld, in words; a reason that this build does not know stands as the file has it.
#[must_use]
pub fn withheld(code: &str, plan: &Plan) -> String {
    match code {
        "below_floor" => format!("fewer than {} items", plan.min_items),
        "unstable" => "the figure does not exist in more than 5\u{a0}% of the resamples".into(),
        "no_forced_control" => "no control arm that forces an answer".into(),
        "not_labelled" => "no item has conflict labels".into(),
        "no_price" => "no price is known".into(),
        "no_usage" => "the provider reported no token usage".into(),
        "no_latency" => "no latency was recorded".into(),
        "no_common_items" => "the two arms share no item".into(),
        "no_confidence" => "no confidence was stated".into(),
        "no_served_rows" => "no row was served".into(),
        "no_answered_rows" => "no row was answered".into(),
        "no_predicted_rows" => "no row states a probability".into(),
        "no_confident_rows" => format!(
            "no row states a confidence of {} or more",
            format::full(plan.confident_threshold)
        ),
        "nothing_cited" => "no document was cited".into(),
        "degenerate" => {
            "the correction of its interval cannot be estimated from these resamples".into()
        }
        "no_conflict_named" => "no pair of documents was named as conflicting".into(),
        "no_conflict_labelled" => "no labelled item has a conflict".into(),
        "no_gold_documents" => "no item has a document that is known to hold the answer".into(),
        "no_actions_recorded" => "no row records its actions".into(),
        "no_such_series" => "the log has no such model and arm".into(),
        "overflow" => "the sum is too large for a number".into(),
        "no_repeats" => "no item was asked twice".into(),
        other => format::cut(&other.replace('_', " "), 80),
    }
}

/// Why rows or items were left out of a number, in words.
#[must_use]
pub fn excluded(code: &str) -> String {
    match code {
        "no_confidence" => "answered without a stated confidence".into(),
        "not_answered" => "not answered, so there is no probability to score".into(),
        "unserved" => "not served (timeout, rate limit or server error)".into(),
        "harness_fault" => "the request itself was wrong".into(),
        "no_gold_document" | "no_gold_docs" => "no document is known to hold the answer".into(),
        "no_price" => "no price is known".into(),
        "no_latency" => "no latency was recorded".into(),
        other => format::cut(&other.replace('_', " "), 80),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn plan() -> Plan {
        Plan {
            seed: 20_261_130,
            n_resamples: 10_000,
            confidence_level: 0.95,
            min_items: 20,
            confident_threshold: 0.9,
            n_bins: 5,
            bin_strategy: records::BinStrategy::Quantile,
            control: Some("closed_book_forced".into()),
            cluster_field: "cluster_id".into(),
            comparisons: vec![],
            slices: vec![],
            interval_method: records::IntervalMethod::Percentile,
        }
    }

    #[test]
    fn the_floor_is_named_with_its_number() {
        assert_eq!(withheld("below_floor", &plan()), "fewer than 20 items");
    }

    #[test]
    fn an_unknown_reason_is_shown_and_not_hidden() {
        assert_eq!(withheld("moon_phase", &plan()), "moon phase");
        assert_eq!(excluded("moon_phase"), "moon phase");
    }
}
