//! What an exchange with a provider means: the failure taxonomy of the harness, and how long to wait before the next
//! call. Pure.
//!
//! | what came back | `error.kind` | then |
//! |---|---|---|
//! | no answer in time | `timeout` | try again |
//! | no connection, or one that broke | `connection` | try again |
//! | 429 | `rate_limited` | try again |
//! | 408, 409, 425, 5xx | `server_error` | try again |
//! | 200, but not what the API promises | `bad_response` | try again |
//! | more than any answer is | `too_large` | unserved at once |
//! | 3xx | `redirected` | harness fault at once |
//! | anything else, such as 400, 401, 403, 404, 413, 422 | `rejected_request` | harness fault at once |

use std::time::{Duration, SystemTime};

use records::{ErrorInfo, FailureKind, Interaction, Response, Status, Usage};
use serde_json::Value;

use crate::{
    provider::{Api, Reply, TokenLogprob},
    retry_after,
};

/// Longest wait before the second call; twice that before the third, and so on.
const BACKOFF: Duration = Duration::from_secs(1);
/// Longest wait of all, whatever the server asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Share of a wait that the server asked for which is added at random, so that many callers do not come back at once.
const SPREAD: f64 = 0.1;
/// Characters of a message that are kept.
const LONGEST_MESSAGE: usize = 300;

/// What an exchange brought.
pub(super) enum Read {
    /// A completion.
    Completion {
        text: String,
        usage: Option<Usage>,
        version: Option<String>,
        logprobs: Vec<TokenLogprob>,
    },
    /// None, and asking again cannot help.
    Final(NoCompletion),
    /// None yet; the wait is what the server asked for, and the tokens are paid for.
    TryAgain(ErrorInfo, Option<Duration>, Option<Usage>),
}

/// Why a call brought no completion.
pub(super) struct NoCompletion {
    pub status: Status,
    pub error: Option<ErrorInfo>,
    /// Tokens, when reported: a refusal is paid for.
    pub usage: Option<Usage>,
}

impl NoCompletion {
    /// No completion for the reason `error`.
    pub(super) fn because(status: Status, error: Option<ErrorInfo>) -> Self {
        Self { status, error, usage: None }
    }
}

/// What an exchange means.
pub(super) fn read(api: &dyn Api, interaction: &Interaction) -> Read {
    let Some(response) = &interaction.response else {
        return no_response(interaction.failure.as_ref().map(|f| f.kind));
    };
    let status = response.status;
    let said = || said(&response.body);
    let info = |kind: &str, message: String| ErrorInfo {
        kind: kind.to_owned(),
        http_status: Some(status),
        message: shorten(&message),
    };
    let paid_in_vain = |kind: &str, message: String, usage: Option<Usage>| {
        let asked = asked_wait(response, came_at(interaction));
        let asked = asked.or_else(|| api.asked_wait(&response.body));
        Read::TryAgain(info(kind, message), asked, usage)
    };
    let try_again = |kind: &str, message: String| paid_in_vain(kind, message, None);
    let fault = |kind: &str, message: String| {
        Read::Final(NoCompletion::because(Status::HarnessFault, Some(info(kind, message))))
    };
    let message = || said().unwrap_or_else(|| "no message".to_owned());
    match status {
        200 => match api.read(&response.body) {
            Ok(Reply::Completion { text, usage, version, logprobs }) => {
                Read::Completion { text, usage, version, logprobs }
            }
            Ok(Reply::Refused { usage }) => {
                Read::Final(NoCompletion { status: Status::Refused, error: None, usage })
            }
            // Gateways report a failure behind them with status 200.
            Ok(Reply::Empty { problem, usage }) => {
                paid_in_vain("bad_response", with(problem, said()), usage)
            }
            Err(problem) => try_again("bad_response", with(&problem, said())),
        },
        429 => try_again("rate_limited", message()),
        408 | 409 | 425 | 500..=599 => try_again("server_error", message()),
        300..=399 => fault(
            "redirected",
            "the server sends to another address, which is not followed with a key; correct base_url"
                .to_owned(),
        ),
        _ => fault("rejected_request", message()),
    }
}

fn with(problem: &str, said: Option<String>) -> String {
    said.map_or_else(|| problem.to_owned(), |said| format!("{problem}: {said}"))
}

fn no_response(kind: Option<FailureKind>) -> Read {
    let info = |kind: &str, message: &str| ErrorInfo {
        kind: kind.to_owned(),
        http_status: None,
        message: message.to_owned(),
    };
    match kind {
        Some(FailureKind::Timeout) => {
            Read::TryAgain(info("timeout", "no answer in time"), None, None)
        }
        Some(FailureKind::TooLarge) => {
            let error = info("too_large", "the response was larger than any answer is");
            Read::Final(NoCompletion::because(Status::Unserved, Some(error)))
        }
        Some(FailureKind::Connection) | None => {
            let message = "the connection could not be made or broke";
            Read::TryAgain(info("connection", message), None, None)
        }
    }
}

/// The time to wait between call number `attempt` (from 1) and the next one.
///
/// What the server asked for, and up to a tenth more; else between nothing and 2^(attempt − 1) seconds, drawn evenly
/// ("full jitter"). `random` lies in [0, 1). Never more than 60 seconds.
pub(super) fn wait(attempt: u32, asked: Option<Duration>, random: f64) -> Duration {
    let wait = match asked {
        Some(asked) => {
            let asked = asked.min(LONGEST_WAIT);
            asked + asked.mul_f64(SPREAD * random)
        }
        None => {
            let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1));
            BACKOFF.saturating_mul(doubled).min(LONGEST_WAIT).mul_f64(random)
        }
    };
    wait.min(LONGEST_WAIT)
}

/// What the header Retry-After asks for, if it is there.
fn asked_wait(response: &Response, came_at: Option<SystemTime>) -> Option<Duration> {
    let header = |name: &str| response.headers.get(name).map(String::as_str);
    retry_after::asked_wait(header("retry-after")?, header("date"), came_at)
}

/// The time at which an answer came.
fn came_at(interaction: &Interaction) -> Option<SystemTime> {
    let sent: jiff::Timestamp = interaction.recorded_at.parse().ok()?;
    let took = Duration::try_from_secs_f64(interaction.latency_ms / 1000.0).ok()?;
    SystemTime::from(sent).checked_add(took)
}

/// What an error body says, in the shapes in which APIs and gateways say it.
fn said(body: &Value) -> Option<String> {
    let places =
        [&body["error"]["message"], &body["error"], &body["message"], &body["detail"], body];
    let text = places.into_iter().find_map(Value::as_str)?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// At most 300 characters of a message on one line, without what could disturb a terminal.
fn shorten(message: &str) -> String {
    let harmful = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    // No more is read than needed: a body may be megabytes of one word.
    let start: String = message
        .chars()
        .take(4 * LONGEST_MESSAGE)
        .map(|c| if harmful(c) { ' ' } else { c })
        .collect();
    let line = start.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST_MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use records::{Failure, Request, Versioned};
    use serde_json::json;

    use super::*;
    use crate::provider::Provider;

    fn api(name: &str) -> &'static dyn Api {
        Provider::of(name).unwrap().api().unwrap()
    }

    fn interaction(outcome: Result<Response, FailureKind>) -> Interaction {
        let request =
            Request { method: "POST".into(), path: "/chat/completions".into(), body: json!({}) };
        Interaction {
            schema: Interaction::tag(),
            request_key: request.key("openai"),
            provider: "openai".into(),
            repeat: None,
            attempt: None,
            request,
            failure: outcome.as_ref().err().map(|kind| Failure { kind: *kind }),
            response: outcome.ok(),
            latency_ms: 2000.0,
            recorded_at: "2026-11-30T20:58:00Z".into(),
        }
    }

    fn response(status: u16, headers: &[(&str, &str)], body: Value) -> Response {
        let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Response { status, headers, body }
    }

    fn read_of(status: u16, headers: &[(&str, &str)], body: Value) -> Read {
        read(api("openai"), &interaction(Ok(response(status, headers, body))))
    }

    #[test]
    fn statuses_that_pass_are_tried_again_and_no_others() {
        for status in 201..=999 {
            let read = read_of(status, &[], json!({"error": {"message": "m"}}));
            let expected = match status {
                429 => "rate_limited",
                408 | 409 | 425 | 500..=599 => "server_error",
                300..=399 => "redirected",
                _ => "rejected_request",
            };
            let error = match read {
                Read::TryAgain(error, None, _)
                    if matches!(status, 408 | 409 | 425 | 429 | 500..=599) =>
                {
                    error
                }
                Read::Final(none) => {
                    assert_eq!(none.status, Status::HarnessFault, "{status}");
                    none.error.unwrap()
                }
                _ => panic!("{status}"),
            };
            assert_eq!((error.kind.as_str(), error.http_status), (expected, Some(status)));
            assert!(error.message == "m" || expected == "redirected");
        }
    }

    #[test]
    fn failures_without_a_response_have_their_own_kinds() {
        for (kind, name) in
            [(FailureKind::Timeout, "timeout"), (FailureKind::Connection, "connection")]
        {
            match read(api("openai"), &interaction(Err(kind))) {
                Read::TryAgain(error, None, _) => {
                    assert_eq!((error.kind.as_str(), error.http_status), (name, None))
                }
                _ => panic!("{name}"),
            }
        }
        match read(api("openai"), &interaction(Err(FailureKind::TooLarge))) {
            Read::Final(none) => {
                assert_eq!(none.status, Status::Unserved);
                assert_eq!(none.error.unwrap().kind, "too_large");
            }
            _ => panic!("too large"),
        }
    }

    #[test]
    fn a_wait_is_read_as_seconds_or_as_a_date() {
        let asked = |headers: &[(&str, &str)]| match read_of(429, headers, json!({})) {
            Read::TryAgain(_, asked, _) => asked.map(|d| d.as_secs()),
            _ => panic!("429 is tried again"),
        };
        let until = ("retry-after", "Mon, 30 Nov 2026 20:58:40 GMT");
        assert_eq!(asked(&[("retry-after", " 7 ")]), Some(7));
        assert_eq!(asked(&[until, ("date", "Mon, 30 Nov 2026 20:58:10 GMT")]), Some(30));
        // Sent at 20:58:00, answered two seconds later.
        assert_eq!(asked(&[until]), Some(38));
        assert_eq!(asked(&[("retry-after", "Mon, 30 Nov 2026 20:00:00 GMT")]), Some(0));
        for nonsense in ["-1", "soon", "", "99999999999999999999"] {
            assert_eq!(asked(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
        assert_eq!(asked(&[]), None);
    }

    #[test]
    fn a_wait_asked_for_is_kept_and_any_other_is_drawn_evenly() {
        let seconds = |attempt, asked: Option<u64>, random| {
            wait(attempt, asked.map(Duration::from_secs), random).as_secs_f64()
        };
        assert_eq!(seconds(1, Some(7), 0.0), 7.0);
        assert!((seconds(1, Some(10), 0.5) - 10.5).abs() < 1e-9);
        assert_eq!(seconds(1, Some(0), 0.9), 0.0);
        assert_eq!(seconds(1, Some(3600), 0.0), 60.0);
        assert_eq!(seconds(1, Some(60), 0.9), 60.0);
        assert_eq!(seconds(1, Some(u64::MAX), 0.9), 60.0);
        for (attempt, most) in [(1, 1.0), (2, 2.0), (3, 4.0), (7, 60.0), (u32::MAX, 60.0)] {
            assert_eq!(seconds(attempt, None, 0.0), 0.0);
            assert!((seconds(attempt, None, 0.5) - most / 2.0).abs() < 1e-9, "{attempt}");
        }
    }

    #[test]
    fn a_message_is_one_short_harmless_line() {
        let message = |body: Value| match read_of(400, &[], body) {
            Read::Final(none) => none.error.unwrap().message,
            _ => panic!("400 is final"),
        };
        assert_eq!(
            message(json!({"error": {"message": "a\u{1b}[31m\r\n\tb\u{202e}"}})),
            "a [31m b"
        );
        assert_eq!(message(json!({"error": "flat"})), "flat");
        assert_eq!(message(json!({"object": "error", "message": "top"})), "top");
        assert_eq!(message(json!({"detail": "Not Found"})), "Not Found");
        assert_eq!(message(json!("<html>Bad gateway</html>")), "<html>Bad gateway</html>");
        for nothing in
            [json!({}), json!([]), json!(null), json!(" \n"), json!({"error": {"message": 3}})]
        {
            assert_eq!(message(nothing), "no message");
        }
        assert_eq!(message(json!("ü".repeat(1 << 20))), "ü".repeat(300));
    }

    #[test]
    fn a_response_that_is_no_answer_says_why_in_few_words() {
        let message = |body: Value| match read_of(200, &[], body) {
            Read::TryAgain(error, _, _) => {
                assert_eq!((error.kind.as_str(), error.http_status), ("bad_response", Some(200)));
                error.message
            }
            _ => panic!("no answer"),
        };
        let behind = message(json!({"error": {"message": "upstream is down", "code": 502}}));
        assert!(behind.contains("`choices`") && behind.ends_with("upstream is down"), "{behind}");
        assert!(message(json!("{\"choices\": [".repeat(1000))).chars().count() <= 300);
    }
}
