//! Records made up for tests.

use records::{Kind, Record, Status, Versioned};

/// An answered binary row about an item that settles as YES, with confidence 0.8 in YES.
pub fn record(model: &str, arm: &str, item_id: &str, repeat: u32) -> Record {
    Record {
        schema: Record::tag(),
        run_id: "r".into(),
        dataset_id: "d".into(),
        model: model.into(),
        arm: arm.into(),
        repeat,
        item_id: item_id.into(),
        cluster_id: format!("cluster of {item_id}"),
        attempt: 1,
        kind: Kind::Binary,
        target: "YES".into(),
        set: None,
        split: None,
        tags: Default::default(),
        status: Status::Answered,
        answer: Some("YES".into()),
        confidence: Some(0.8),
        answer_logprob: None,
        correct: Some(true),
        score_source: None,
        schema_ok: true,
        repairs: 0,
        sources: vec!["d1".into()],
        sources_unknown: Vec::new(),
        conflicts: Vec::new(),
        conflict_labels: None,
        searches: None,
        visits: None,
        bad_actions: None,
        retrieved: None,
        gold_docs: None,
        usage: None,
        cost_usd: Some(0.001),
        latency_ms: Some(1000.0),
        bundle_sha256: None,
        prompt_sha256: None,
        response_sha256: None,
        error: None,
        started_at: None,
    }
}

/// The same row with the wrong answer.
pub fn wrong(mut record: Record) -> Record {
    record.answer = Some("NO".into());
    record.correct = Some(false);
    record
}

/// The same row with another status, and no answer.
pub fn with_status(mut record: Record, status: Status) -> Record {
    record.status = status;
    record.confidence = None;
    record.answer = (status == Status::Abstained).then(|| records::ABSTAIN_LABEL.to_owned());
    record.correct = status.is_served().then_some(false);
    record.sources.clear();
    record
}

/// Arms a0 and a1 of one model on `n` items, mostly right and partly wrong in different places, and a control that is
/// mostly wrong.
pub fn two_arms(n: usize) -> Vec<Record> {
    let mut records = Vec::new();
    for i in 0..n {
        let item = format!("i{i:02}");
        let mut a0 = record("m", "a0", &item, 0);
        a0.confidence = Some([0.55, 0.7, 0.9, 1.0][i % 4]);
        let a1 = record("m", "a1", &item, 0);
        let control = record("m", "closed_book_forced", &item, 0);
        records.push(if i % 6 == 0 { wrong(a0) } else { a0 });
        records.push(if i % 5 == 1 { wrong(a1) } else { a1 });
        records.push(if i % 3 == 2 { control } else { wrong(control) });
    }
    records
}
