use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Versioned, canonical_json, read::FieldProblem, sha256_hex};

/// A request as it is recorded: never a host, a header or a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// HTTP method.
    pub method: String,
    /// Path of the endpoint below the base URL.
    pub path: String,
    /// The body.
    pub body: Value,
}

/// A response as it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Headers from a short list of harmless ones.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body; a string when it was not JSON.
    pub body: Value,
}

/// Why no response came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// No answer in time.
    Timeout,
    /// The connection could not be made or broke.
    Connection,
    /// The response was larger than any answer is, and was not read to its end.
    TooLarge,
}

/// A call that brought no response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// What kind of failure.
    pub kind: FailureKind,
}

/// One recorded exchange: a line of a cassette.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interaction {
    /// "recount.cassette/1".
    pub schema: String,
    /// SHA-256 of the canonical JSON of provider, endpoint path and body.
    pub request_key: String,
    /// Which provider's API.
    pub provider: String,
    /// The repeat that asked, from 0. It tells repeats apart whose requests are equal because the provider takes no
    /// seed; null where the request alone tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// The attempt at the row that asked, from 1; null for the first. A row that no attempt served is tried again when
    /// its run is resumed, and a replay must tell the one from the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// What was asked.
    pub request: Request,
    /// What came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Response>,
    /// What went wrong instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Duration in milliseconds.
    pub latency_ms: f64,
    /// When the call was made, RFC 3339 UTC.
    pub recorded_at: String,
}

impl Request {
    /// The key under which an exchange with `provider` is found again.
    #[must_use]
    pub fn key(&self, provider: &str) -> String {
        let identity = json!({"provider": provider, "path": self.path, "body": self.body});
        sha256_hex(canonical_json(&identity).as_bytes())
    }
}

impl Versioned for Interaction {
    const NAME: &'static str = "recount.cassette";
    fn schema(&self) -> &str {
        &self.schema
    }
    fn check(&self) -> Result<(), FieldProblem> {
        if self.request_key != self.request.key(&self.provider) {
            return Err(FieldProblem::new(
                "request_key",
                "is not the digest of the request beside it",
                "the line was edited; restore it from version control".into(),
            ));
        }
        if self.response.is_some() == self.failure.is_some() {
            return Err(FieldProblem::new(
                "response",
                "and `failure` must not both be there or both be missing",
                "the line was edited; restore it from version control".into(),
            ));
        }
        Ok(())
    }
}
