use std::{
    collections::BTreeMap,
    path::Path,
    time::{Duration, SystemTime},
};

use records::{Interaction, Request, Response, Versioned};
use serde_json::Value;

use super::settings::Sources;
use crate::{
    cassette::Pace, error::Error, retry_after::asked_wait, run_folder::Log, terminal::note,
};

/// A larger answer is not taken; a page of markets has about one megabyte.
const MAX_BODY_BYTES: usize = 32 << 20;
/// Attempts at one call.
const ATTEMPTS: u32 = 5;
/// The longest wait that is waited out; a server that asks for more is left alone.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// A wait from which on it is said that there is one.
const TOLD_WAIT: Duration = Duration::from_secs(10);
/// Headers that are written down.
const KEPT_HEADERS: [&str; 2] = ["content-type", "retry-after"];

/// An answer, from the log or from the network.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// HTTP status: 200 to 299, or one that the caller takes for an answer.
    pub status: u16,
    /// The body.
    pub body: Value,
}

impl Answer {
    /// True for a status from 200 to 299.
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// One public API: every answer is written down and no question is asked twice of the same address.
///
/// Only what the caller takes for an answer is written down, so that a server which is ill for an hour, or an address
/// with a slip in it, does not stay in the data set for ever. Calls are made one after the other, held back to the rate
/// of the settings; `Retry-After` is obeyed, and so is MediaWiki's `maxlag`. robots.txt is not read: it speaks to
/// crawlers of pages, and these are interfaces for programs.
pub struct Api {
    name: &'static str,
    base_url: String,
    client: reqwest::Client,
    pace: Pace,
    log: Log,
    known: BTreeMap<String, (Answer, String)>,
    fetched: u64,
    latest: String,
}

impl Api {
    /// The API called `name` at `base_url`, with the log of its answers in `folder`.
    ///
    /// # Errors
    /// The contact cannot be sent, or the log cannot be read or written.
    pub fn open(
        name: &'static str,
        base_url: &str,
        sources: &Sources,
        folder: &Path,
    ) -> Result<Self, Error> {
        let contact = sources.contact.trim();
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
        let log = Log::open(&folder.join(format!("{name}.jsonl")), |row: Interaction| {
            if let Some(response) = row.response {
                let answer = Answer { status: response.status, body: response.body };
                known.insert(row.request_key, (answer, row.recorded_at));
            }
        })?;
        Ok(Self {
            name,
            base_url: base_url.trim_end_matches('/').to_owned(),
            client,
            pace: Pace::even(sources.requests_per_minute),
            log,
            known,
            fetched: 0,
            latest: String::new(),
        })
    }

    /// Calls that went to the network so far.
    #[must_use]
    pub fn fetched(&self) -> u64 {
        self.fetched
    }

    /// When the latest of the answers that were asked for was fetched, RFC 3339; empty when none was.
    #[must_use]
    pub fn latest(&self) -> &str {
        &self.latest
    }

    /// The answer to GET `path` with these parameters, if it is what `is_answer` takes for one.
    ///
    /// # Errors
    /// The API cannot be reached, refuses, or answers something else; nothing of that is written down, so that the same
    /// command takes up where it stopped.
    pub async fn get(
        &mut self,
        path: &str,
        parameters: &[(&str, &str)],
        is_answer: impl Fn(&Answer) -> bool,
    ) -> Result<Answer, Error> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        let path = format!("{path}?{}", query.finish());
        // Another address is another API, whose answers are other answers.
        let address = format!("{}{path}", self.base_url);
        let request = Request { method: "GET".to_owned(), path: address, body: Value::Null };
        let key = request.key(self.name);
        if let Some((answer, at)) = self.known.get(&key).filter(|(answer, _)| is_answer(answer)) {
            self.latest = std::mem::take(&mut self.latest).max(at.clone());
            return Ok(answer.clone());
        }
        let (response, latency_ms) = self.fetch(&path).await?;
        let answer = Answer { status: response.status, body: response.body.clone() };
        if !is_answer(&answer) {
            return Err(self.problem(&path, &refusal(&response)));
        }
        self.latest = now();
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
        self.known.insert(key, (answer.clone(), self.latest.clone()));
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
                Ok((response, asked)) => {
                    let lagging = response.body.pointer("/error/code")
                        == Some(&Value::String("maxlag".to_owned()));
                    let busy = matches!(response.status, 429 | 500 | 502 | 503 | 504) || lagging;
                    if !busy {
                        return Ok((response, start.elapsed().as_millis() as f64));
                    }
                    complaint = format!("answers {} again and again", response.status);
                    wait = asked.unwrap_or(wait);
                }
                Err(Unsent::Later(text)) => complaint = text,
                Err(Unsent::Never(text)) => return Err(self.problem(path, &text)),
            }
            if wait > LONGEST_WAIT {
                let text = format!("asks to be left alone for {} seconds", wait.as_secs());
                return Err(self.problem(path, &text));
            }
            if attempt + 1 < ATTEMPTS {
                if wait >= TOLD_WAIT {
                    note(&format!("{} asks for a wait of {} seconds", self.name, wait.as_secs()));
                }
                tokio::time::sleep(wait).await;
            }
        }
        Err(self.problem(path, &complaint))
    }

    /// One call: the response, and the wait that it asks for.
    async fn send(&self, path: &str) -> Result<(Response, Option<Duration>), Unsent> {
        let later =
            |e: reqwest::Error| Unsent::Later(format!("cannot be reached ({})", e.without_url()));
        let url = format!("{}{path}", self.base_url);
        let mut answer = self.client.get(url).send().await.map_err(later)?;
        let status = answer.status().as_u16();
        let header = |name: &str| answer.headers().get(name)?.to_str().ok();
        let asked = header("retry-after")
            .and_then(|text| asked_wait(text, header("date"), Some(SystemTime::now())));
        let headers = KEPT_HEADERS
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), header(name)?.to_owned())))
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
        Ok((Response { status, headers, body }, asked))
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

/// What a response says that is no answer.
fn refusal(response: &Response) -> String {
    let said = response.body.pointer("/error/info").and_then(Value::as_str);
    match (response.status, &response.body, said) {
        (_, _, Some(said)) => format!("says \"{}\"", start_of(said)),
        (200..=299, Value::String(text), _) => {
            format!("answers something that is no JSON: `{}`", start_of(text))
        }
        (200..=299, body, _) => {
            format!("answers something else than was asked for: `{}`", start_of(&body.to_string()))
        }
        (status, body, _) => format!("answers {status}: `{}`", start_of(&body.to_string())),
    }
}

fn start_of(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(160).collect()
}

fn now() -> String {
    super::time::rfc3339(jiff::Timestamp::now().as_second())
}
