//! What an exchange with a provider means: the failure taxonomy of the harness. Pure.

use std::time::Duration;

use records::{ErrorInfo, FailureKind, Interaction, Status, Usage};

use crate::provider::{Api, Reply};

/// What an exchange brought.
pub(super) enum Read {
    /// A completion.
    Completion { text: String, usage: Option<Usage>, version: Option<String> },
    /// None, and asking again cannot help.
    Final(NoCompletion),
    /// None yet; the wait is what the server asked for.
    TryAgain(ErrorInfo, Option<Duration>),
}

/// Why a call brought no completion.
pub(super) struct NoCompletion {
    pub status: Status,
    pub error: Option<ErrorInfo>,
}

/// What an exchange means: the failure taxonomy of the harness.
pub(super) fn read(api: &dyn Api, interaction: &Interaction) -> Read {
    let info = |kind: &str, http_status, message: String| ErrorInfo {
        kind: kind.to_owned(),
        http_status,
        message,
    };
    let Some(response) = &interaction.response else {
        let timeout = interaction.failure.as_ref().is_some_and(|f| f.kind == FailureKind::Timeout);
        let (kind, message) = if timeout {
            ("timeout", "no answer in time")
        } else {
            ("connection", "the connection could not be made or broke")
        };
        return Read::TryAgain(info(kind, None, message.to_owned()), None);
    };
    let status = response.status;
    let wait = response.headers.get("retry-after").and_then(|s| s.trim().parse().ok());
    let wait = wait.map(Duration::from_secs);
    match status {
        200 => match api.read(&response.body) {
            Ok(Reply::Completion { text, usage, version }) => {
                Read::Completion { text, usage, version }
            }
            Ok(Reply::Refused) => {
                Read::Final(NoCompletion { status: Status::Refused, error: None })
            }
            Err(message) => Read::TryAgain(info("bad_response", Some(status), message), wait),
        },
        408 | 429 | 500.. => {
            let kind = if status == 429 { "rate_limited" } else { "server_error" };
            let error = info(kind, Some(status), message_of(&response.body));
            Read::TryAgain(error, wait)
        }
        _ => Read::Final(NoCompletion {
            status: Status::HarnessFault,
            error: Some(info("rejected_request", Some(status), message_of(&response.body))),
        }),
    }
}

/// The message of an error body, at most 300 characters of it.
fn message_of(body: &serde_json::Value) -> String {
    let text = body["error"]["message"].as_str().or(body["error"].as_str()).or(body.as_str());
    text.unwrap_or("no message").chars().take(300).collect()
}
