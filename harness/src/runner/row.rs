use records::{Item, Record, Status, Versioned};

/// Where a row stands in a run.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The run.
    pub run_id: &'a str,
    /// The data set.
    pub dataset_id: &'a str,
    /// The model.
    pub model: &'a str,
    /// The arm.
    pub arm: &'a str,
    /// The repeat, from 0.
    pub repeat: u32,
    /// Number of the row for its key, from 1.
    pub attempt: u32,
}

/// A row before anything is known about its outcome: what it copies from the item, and nothing else.
pub(super) fn blank_row(place: Place<'_>, item: &Item) -> Record {
    Record {
        schema: Record::tag(),
        run_id: place.run_id.to_owned(),
        dataset_id: place.dataset_id.to_owned(),
        model: place.model.to_owned(),
        arm: place.arm.to_owned(),
        repeat: place.repeat,
        item_id: item.item_id.clone(),
        cluster_id: item.cluster().to_owned(),
        attempt: place.attempt,
        kind: item.kind,
        target: item.target.clone(),
        set: item.set.clone(),
        split: item.split.clone(),
        tags: item.tags.clone(),
        status: Status::Unserved,
        answer: None,
        confidence: None,
        answer_logprob: None,
        correct: None,
        score_source: None,
        schema_ok: false,
        repairs: 0,
        sources: Vec::new(),
        sources_unknown: Vec::new(),
        conflicts: Vec::new(),
        conflict_labels: None,
        searches: None,
        visits: None,
        bad_actions: None,
        retrieved: None,
        gold_docs: None,
        usage: None,
        cost_usd: None,
        latency_ms: None,
        bundle_sha256: None,
        prompt_sha256: None,
        response_sha256: None,
        error: None,
        started_at: None,
    }
}

/// The row of a baseline, which needs no call.
#[must_use]
pub fn baseline_row(place: Place<'_>, item: &Item, answer: &str, confidence: f64) -> Record {
    Record {
        status: Status::Answered,
        answer: Some(answer.to_owned()),
        confidence: Some(confidence),
        correct: Some(answer == item.target),
        score_source: Some("exact".to_owned()),
        schema_ok: true,
        ..blank_row(place, item)
    }
}
