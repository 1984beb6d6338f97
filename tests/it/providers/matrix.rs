//! What every provider must do with every way in which a server can answer.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::{
    Api, Job, KEY,
    server::{Act, Server, serve},
    side_by_side,
    workplace::Workplace,
};

const VALID: &str = r#"{"reasoning": "r", "outcome": "NO", "confidence": 0.75, "sources": [], "conflicts_detected": []}"#;
/// Longer than any call of these tests takes.
const PATIENT: f64 = 60.0;
const BRIEF: f64 = 0.4;

/// One way to answer, and what must come of it.
pub struct Case {
    /// Name, for messages.
    pub name: String,
    /// What the server does.
    pub acts: Vec<Act>,
    /// The client's time limit in seconds.
    pub timeout: f64,
    /// Calls that must be made.
    pub calls: usize,
    /// Seconds that must at least lie between them.
    pub waits: Vec<f64>,
    /// Status that the row must have.
    pub status: &'static str,
    /// The row's `error.kind`, `error.http_status` and a part of `error.message`, when it must have an error.
    pub error: Option<(&'static str, Option<u16>, &'static str)>,
    /// The row's `usage`.
    pub usage: Value,
    /// Least `latency_ms`.
    pub latency_ms: f64,
}

impl Case {
    /// A case in which one call is answered.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            acts: Vec::new(),
            timeout: PATIENT,
            calls: 1,
            waits: Vec::new(),
            status: "answered",
            error: None,
            usage: Value::Null,
            latency_ms: 0.0,
        }
    }

    fn failing(
        name: &str,
        acts: Vec<Act>,
        error: (&'static str, Option<u16>, &'static str),
    ) -> Self {
        Self { acts, calls: 3, status: "unserved", error: Some(error), ..Self::new(name) }
    }
}

/// A valid answer.
pub fn served(api: &Api) -> Act {
    Act::json(200, &[], &(api.answer)(VALID))
}

fn cases(api: &Api) -> Vec<Case> {
    let served = || served(api);
    let body = || (api.answer)(VALID).to_string().into_bytes();
    let failed = |status: u16, headers: &[(&'static str, &str)]| {
        Act::json(status, headers, &(api.error)(status, "not now"))
    };
    let at_once = [("retry-after", "0")];
    let connection = ("connection", None, "broke");
    let mut cases = vec![
        Case { acts: vec![served()], ..Case::new("an answer with every field of usage") },
        Case {
            acts: vec![failed(429, &[("retry-after", "1")]), served()],
            calls: 2,
            waits: vec![1.0],
            ..Case::new("a wait in seconds")
        },
        Case {
            acts: vec![
                failed(
                    429,
                    &[
                        ("date", "Mon, 30 Nov 2026 20:58:59 GMT"),
                        ("retry-after", "Mon, 30 Nov 2026 20:59:00 GMT"),
                    ],
                ),
                served(),
            ],
            calls: 2,
            waits: vec![1.0],
            ..Case::new("a wait until a date")
        },
        Case {
            acts: vec![failed(503, &at_once), failed(529, &at_once), served()],
            calls: 3,
            ..Case::new("an answer at the third attempt")
        },
        Case::failing(
            "429 for ever",
            vec![failed(429, &at_once)],
            ("rate_limited", Some(429), "not now"),
        ),
        Case {
            timeout: BRIEF,
            latency_ms: 3000.0 * BRIEF,
            ..Case::failing("a hang", vec![Act::Hang], ("timeout", None, "in time"))
        },
        Case {
            timeout: BRIEF,
            latency_ms: 3000.0 * BRIEF,
            ..Case::failing("an endless drip", vec![Act::DripForever], ("timeout", None, "in time"))
        },
        Case { acts: vec![Act::Drip(body())], latency_ms: 500.0, ..Case::new("a drip that ends") },
        Case::failing("cut at once", vec![Act::Cut], connection),
        Case::failing("cut midway", vec![Act::CutMidway(body())], connection),
        Case { acts: vec![Act::Cut, served()], calls: 2, ..Case::new("cut, then an answer") },
        Case::failing(
            "half a JSON",
            vec![Act::Answer(200, vec![("retry-after", "0".to_owned())], body()[..150].to_vec())],
            ("bad_response", Some(200), "no answer"),
        ),
        Case {
            acts: vec![Act::json(200, &[], &(api.empty)())],
            calls: 2,
            status: "hard_fail",
            error: Some(("invalid_answer", None, "")),
            ..Case::new("no text within the limit of tokens")
        },
    ];
    for status in [409, 500, 529] {
        let error = ("server_error", Some(status), "not now");
        cases.push(Case::failing(
            &format!("{status} for ever"),
            vec![failed(status, &at_once)],
            error,
        ));
    }
    for status in [401, 403, 404, 422] {
        cases.push(Case {
            calls: 1,
            status: "harness_fault",
            ..Case::failing(
                &status.to_string(),
                vec![failed(status, &at_once)],
                ("rejected_request", Some(status), "not now"),
            )
        });
    }
    for (name, act) in [("thirty megabytes", Act::Huge), ("megabytes without end", Act::Endless)] {
        let error = ("too_large", None, "larger");
        cases.push(Case { calls: 1, ..Case::failing(name, vec![act], error) });
    }
    for (number, (refusal, usage)) in (api.refusals)().into_iter().enumerate() {
        cases.push(Case {
            acts: vec![Act::json(200, &[], &refusal)],
            status: "refused",
            usage,
            ..Case::new(&format!("refusal {number}"))
        });
    }
    cases
}

/// Plays every case against `api`.
pub fn play(api: &'static Api) {
    let mut jobs: Vec<Job> = Vec::new();
    for case in cases(api) {
        jobs.push(Box::new(move || check(api, &case)));
    }
    jobs.push(Box::new(move || a_wrong_key(api)));
    for status in [302, 307] {
        jobs.push(Box::new(move || a_redirect(api, status)));
    }
    side_by_side(jobs);
}

/// Records one case, looks at the row, and replays it.
pub fn check(api: &'static Api, case: &Case) {
    let name = format!("{}, {}", api.provider, case.name);
    let server = serve(api, KEY, &case.acts);
    let place = Workplace::new(api, &server.base_url, case.timeout, KEY);
    let row = record(&name, &server, &place);
    assert_eq!(place.exchanges(), case.calls, "{name}: calls, {row}");
    // On a busy machine a brief limit can pass before a call has reached the server.
    assert!(server.count() == case.calls || case.timeout < PATIENT, "{name}: {row}");
    for (gap, least) in server.gaps().into_iter().zip(&case.waits) {
        assert!(gap >= *least, "{name}: {gap} s between two calls, {least} s were asked for");
    }
    assert_eq!(row["status"], case.status, "{name}: {row}");
    match case.error {
        None => assert_eq!(row["error"], Value::Null, "{name}"),
        Some((kind, http_status, message)) => {
            assert_eq!(row["error"]["kind"], kind, "{name}: {row}");
            assert_eq!(row["error"]["http_status"], json!(http_status), "{name}: {row}");
            let said = row["error"]["message"].as_str().unwrap_or_default();
            assert!(said.contains(message) && said.chars().count() <= 300, "{name}: {said}");
        }
    }
    if case.status == "answered" {
        assert_eq!(row["usage"], (api.usage)(), "{name}");
        assert_eq!(place.description("record")["models"][0]["version"], api.version, "{name}");
    } else if case.status == "refused" {
        assert_eq!(row["usage"], case.usage, "{name}");
    }
    let latency = row["latency_ms"].as_f64().expect("a latency");
    assert!(latency >= case.latency_ms, "{name}: {latency} ms");
    // The client holds 8 at most; the buffers of two sockets hold the rest.
    let sent = server.sent.load(Ordering::SeqCst) >> 20;
    assert!(sent <= 64, "{name}: {sent} MB were sent");
    replay(&name, &server, &place, row);
}

fn record(name: &str, server: &Server, place: &Workplace) -> Value {
    let told = place.run("record");
    assert!(told.code <= 1, "{name}: {}", told.err);
    let complaints = server.complaints.lock().expect("complaints");
    assert!(complaints.is_empty(), "{name}: {complaints:?}");
    place.row("record")
}

/// The replay makes the same row out of the recording, and no call.
fn replay(name: &str, server: &Server, place: &Workplace, mut recorded: Value) {
    let calls = server.count();
    let told = place.run("replay");
    assert!(told.code <= 1, "{name}: {}", told.err);
    let mut replayed = place.row("replay");
    for row in [&mut recorded, &mut replayed] {
        row["run_id"] = Value::Null;
    }
    assert_eq!(recorded, replayed, "{name}");
    assert_eq!(server.count(), calls, "{name}: a replay makes no call");
}

fn a_wrong_key(api: &'static Api) {
    let name = format!("{}, a wrong key", api.provider);
    let server = serve(api, "another-key", &[served(api)]);
    let place = Workplace::new(api, &server.base_url, PATIENT, KEY);
    let row = record(&name, &server, &place);
    let (status, body) = (api.wrong_key)("another-key");
    assert_eq!(server.count(), 1, "{name}");
    assert_eq!(row["status"], "harness_fault", "{name}");
    assert_eq!(row["error"]["kind"], "rejected_request", "{name}");
    assert_eq!(row["error"]["http_status"], status, "{name}");
    let (said, played) = (row["error"]["message"].as_str(), body["error"]["message"].as_str());
    assert_eq!(said.map(|s| s.split(':').next()), played.map(|s| s.split(':').next()), "{name}");
    replay(&name, &server, &place, row);
}

/// A redirect would take the key to another host.
fn a_redirect(api: &'static Api, status: u16) {
    let name = format!("{}, {status}", api.provider);
    let elsewhere = serve(api, KEY, &[served(api)]);
    let location = format!("{}{}", elsewhere.base_url, &api.path[api.base_path.len()..]);
    let server = serve(api, KEY, &[Act::Answer(status, vec![("location", location)], Vec::new())]);
    let place = Workplace::new(api, &server.base_url, PATIENT, KEY);
    let row = record(&name, &server, &place);
    assert_eq!((server.count(), elsewhere.count()), (1, 0), "{name}");
    assert_eq!(row["status"], "harness_fault", "{name}");
    assert_eq!(row["error"]["kind"], "redirected", "{name}");
    assert_eq!(row["error"]["http_status"], status, "{name}");
    assert!(row["error"]["message"].as_str().is_some_and(|m| m.contains("base_url")), "{name}");
    replay(&name, &server, &place, row);
    assert_eq!(elsewhere.count(), 0, "{name}");
}

#[test]
fn a_limit_that_is_no_time_is_refused() {
    let api = &super::openai::OPENAI;
    let server = serve(api, KEY, &[Act::Hang]);
    for seconds in [0.0, -1.0, 1e30] {
        let told = Workplace::new(api, &server.base_url, seconds, KEY).run("record");
        assert_eq!(told.code, 2, "{}", told.err);
        assert!(told.err.contains("`timeout_seconds`"), "{}", told.err);
    }
    assert_eq!(server.count(), 0);
}
