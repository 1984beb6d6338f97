use std::{collections::BTreeMap, path::Path, time::Duration};

use records::{Interaction, Request, Response, Versioned};
use serde_json::Value;

use super::settings::Sources;
use crate::{cassette::Pace, error::Error, models::Limits, run_folder::Log};

/// A larger answer is not taken; a page of markets has about one megabyte.
const MAX_BODY_BYTES: usize = 32 << 20;
/// Attempts at one call.
const ATTEMPTS: u32 = 5;
/// The longest wait that a server may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// Headers that are written down.
const KEPT_HEADERS: [&str; 2] = ["content-type", "retry-after"];

/// An answer, from the log or from the network.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// HTTP status: 200 to 299, 400 or 404.
    pub status: u16,
    /// The body.
    pub body: Value,
}

/// One public API: every answer is written down and no question is asked twice.
///
/// Calls are made one after the other, held back to the rate of the settings; `Retry-After` is obeyed, and so is
/// MediaWiki's `maxlag`. robots.txt is not read: it speaks to crawlers of pages, and these are interfaces for programs.
pub struct Api {
    name: &'static str,
    base_url: String,
    client: reqwest::Client,
    pace: Pace,
    log: Log,
    known: BTreeMap<String, Answer>,
    fetched: u64,
    latest: String,
}

impl Api {
    /// The API called `name` at `base_url`, with the log of its answers in `folder`.
    ///
    /// # Errors
    /// The address or the contact is unusable, or the log cannot be read or written.
    pub fn open(
        name: &'static str,
        base_url: &str,
        sources: &Sources,
        folder: &Path,
    ) -> Result<Self, Error> {
        if !(base_url.starts_with("http://") || base_url.starts_with("https://")) {
            return Err(Error::Usage(format!(
                "`sources.{name}` is \"{base_url}\", which is no http:// or https:// address"
            )));
        }
        let contact = sources.contact.trim();
        if contact.is_empty() || contact.bytes().any(|b| !(b' '..=b'~').contains(&b)) {
            return Err(Error::Usage(
                "`sources.contact` is empty or not plain text; write an address or a page at which the operators of the APIs can reach you".to_owned(),
            ));
        }
        // A second installation in one process is refused and harmless.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(60))
            .user_agent(format!(
                "recount/{} ({contact}; builds evaluation data sets)",
                env!("CARGO_PKG_VERSION")
            ))
            .build()
            .map_err(|e| Error::Provider(format!("no HTTP client: {e}")))?;
        let mut known = BTreeMap::new();
        let mut latest = String::new();
        let log = Log::open(&folder.join(format!("{name}.jsonl")), |row: Interaction| {
            if let Some(response) = row.response {
                let answer = Answer { status: response.status, body: response.body };
                known.insert(row.request_key, answer);
                latest = latest.clone().max(row.recorded_at);
            }
        })?;
        Ok(Self {
            name,
            base_url: base_url.trim_end_matches('/').to_owned(),
            client,
            pace: Pace::new(&Limits {
                requests_per_minute: Some(sources.requests_per_minute),
                ..Limits::default()
            }),
            log,
            known,
            fetched: 0,
            latest,
        })
    }

    /// Calls that went to the network so far.
    #[must_use]
    pub fn fetched(&self) -> u64 {
        self.fetched
    }

    /// When the latest answer was fetched, RFC 3339; empty when none was.
    #[must_use]
    pub fn latest(&self) -> &str {
        &self.latest
    }

    /// The answer to GET `path` with these parameters.
    ///
    /// # Errors
    /// The API cannot be reached, refuses, or answers something other than JSON; nothing of that is written down, so
    /// that the same command takes up where it stopped.
    pub async fn get(&mut self, path: &str, parameters: &[(&str, &str)]) -> Result<Answer, Error> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        let path = format!("{path}?{}", query.finish());
        let request = Request { method: "GET".to_owned(), path, body: Value::Null };
        let key = request.key(self.name);
        if let Some(answer) = self.known.get(&key) {
            return Ok(answer.clone());
        }
        let (response, latency_ms) = self.fetch(&request.path).await?;
        self.latest = now();
        let answer = Answer { status: response.status, body: response.body.clone() };
        self.log.append(&Interaction {
            schema: Interaction::tag(),
            request_key: key.clone(),
            provider: self.name.to_owned(),
            repeat: None,
            attempt: None,
            request,
            response: Some(response),
            failure: None,
            latency_ms,
            recorded_at: self.latest.clone(),
        })?;
        self.known.insert(key, answer.clone());
        Ok(answer)
    }

    async fn fetch(&mut self, path: &str) -> Result<(Response, f64), Error> {
        let mut complaint = String::new();
        for attempt in 0..ATTEMPTS {
            self.pace.wait(0).await;
            let start = std::time::Instant::now();
            self.fetched += 1;
            let mut wait = Duration::from_secs(1 << attempt);
            match self.send(path).await {
                Ok(response) => {
                    let lagging = response.body.pointer("/error/code")
                        == Some(&Value::String("maxlag".to_owned()));
                    let busy = matches!(response.status, 429 | 500 | 502 | 503 | 504) || lagging;
                    if !busy {
                        self.check(path, &response)?;
                        return Ok((response, start.elapsed().as_millis() as f64));
                    }
                    complaint = format!("answers {} again and again", response.status);
                    if let Some(asked) = retry_after(&response) {
                        wait = asked.min(LONGEST_WAIT);
                    }
                }
                Err(Unsent::Later(text)) => complaint = text,
                Err(Unsent::Never(text)) => return Err(self.problem(path, &text)),
            }
            if attempt + 1 < ATTEMPTS {
                tokio::time::sleep(wait).await;
            }
        }
        Err(self.problem(path, &complaint))
    }

    async fn send(&self, path: &str) -> Result<Response, Unsent> {
        let later =
            |e: reqwest::Error| Unsent::Later(format!("cannot be reached ({})", e.without_url()));
        let url = format!("{}{path}", self.base_url);
        let mut answer = self.client.get(url).send().await.map_err(later)?;
        let status = answer.status().as_u16();
        let headers = KEPT_HEADERS
            .iter()
            .filter_map(|name| {
                let value = answer.headers().get(*name)?.to_str().ok()?;
                Some(((*name).to_owned(), value.to_owned()))
            })
            .collect();
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(later)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_BODY_BYTES {
                let text = format!("answers more than {} MB", MAX_BODY_BYTES >> 20);
                return Err(Unsent::Never(text));
            }
        }
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        Ok(Response { status, headers, body })
    }

    fn check(&self, path: &str, response: &Response) -> Result<(), Error> {
        if let Some(error) = response.body.pointer("/error/info").and_then(Value::as_str) {
            return Err(self.problem(path, &format!("says \"{}\"", start_of(error))));
        }
        match (response.status, &response.body) {
            (200..=299, Value::String(text)) => {
                let text = format!("answers something that is no JSON: `{}`", start_of(text));
                Err(self.problem(path, &text))
            }
            // About one market or page, and as final as a success.
            (200..=299 | 400 | 404, _) => Ok(()),
            (status, body) => {
                Err(self
                    .problem(path, &format!("answers {status}: `{}`", start_of(&body.to_string()))))
            }
        }
    }

    fn problem(&self, path: &str, text: &str) -> Error {
        Error::Provider(format!(
            "{} {}: {text}; what was fetched is kept, run the same command again to go on",
            self.name,
            start_of(path)
        ))
    }
}

enum Unsent {
    Later(String),
    Never(String),
}

fn retry_after(response: &Response) -> Option<Duration> {
    response.headers.get("retry-after")?.trim().parse().ok().map(Duration::from_secs)
}

fn start_of(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(160).collect()
}

fn now() -> String {
    super::time::rfc3339(jiff::Timestamp::now().as_second())
}
