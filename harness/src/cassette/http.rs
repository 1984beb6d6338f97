use std::{collections::BTreeMap, time::Duration};

use records::{Failure, FailureKind, Interaction, Request, Response, Versioned};
use serde_json::Value;

use crate::{error::Error, provider::Api};

/// A larger response is not an answer to a question.
const MAX_BODY_BYTES: usize = 8 << 20;
/// Headers that are written down: harmless, and needed to understand a failure.
const KEPT_HEADERS: [&str; 2] = ["content-type", "retry-after"];

/// The only place that talks to a provider.
#[derive(Debug)]
pub struct Http {
    client: reqwest::Client,
    base_url: String,
    key: Option<String>,
    headers: Vec<(&'static str, String)>,
}

impl Http {
    /// A client of `api` at `base_url`; `key` is sent in the headers that the API wants and never written anywhere.
    ///
    /// # Errors
    /// The address is no http or https URL, or no TLS library could be set up.
    pub fn new(
        api: &dyn Api,
        base_url: &str,
        key: Option<String>,
        timeout: Duration,
    ) -> Result<Self, Error> {
        if !(base_url.starts_with("http://") || base_url.starts_with("https://")) {
            return Err(Error::Usage(format!(
                "base_url \"{base_url}\" is no http:// or https:// address"
            )));
        }
        // A second installation in one process is refused and harmless.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .timeout(timeout)
            .build()
            .map_err(|e| Error::Provider(format!("no HTTP client: {e}")))?;
        let headers = key.as_deref().map(|k| api.headers(k)).unwrap_or_default();
        Ok(Self { client, base_url: base_url.trim_end_matches('/').to_owned(), key, headers })
    }

    /// Makes one call. Whatever happens is part of the exchange.
    pub async fn call(&self, provider: &str, request: &Request, repeat: u32) -> Interaction {
        let recorded_at = jiff::Timestamp::now()
            .round(jiff::Unit::Second)
            .map_or_else(|_| jiff::Timestamp::now().to_string(), |t| t.to_string());
        let start = std::time::Instant::now();
        let outcome = self.send(request).await;
        let latency_ms = start.elapsed().as_millis() as f64;
        let (response, failure) = match outcome {
            Ok(response) => (Some(response), None),
            Err(failure) => (None, Some(failure)),
        };
        Interaction {
            schema: Interaction::tag(),
            request_key: request.key(provider),
            provider: provider.to_owned(),
            repeat: Some(repeat),
            attempt: None,
            request: request.clone(),
            response,
            failure,
            latency_ms,
            recorded_at,
        }
    }

    async fn send(&self, request: &Request) -> Result<Response, Failure> {
        let failed = |e: reqwest::Error| Failure {
            kind: if e.is_timeout() { FailureKind::Timeout } else { FailureKind::Connection },
        };
        let mut call =
            self.client.post(format!("{}{}", self.base_url, request.path)).json(&request.body);
        for (name, value) in &self.headers {
            call = call.header(*name, value);
        }
        let mut answer = call.send().await.map_err(failed)?;
        let status = answer.status().as_u16();
        let headers: BTreeMap<_, _> = KEPT_HEADERS
            .iter()
            .filter_map(|name| {
                let value = answer.headers().get(*name)?.to_str().ok()?;
                Some(((*name).to_owned(), value.to_owned()))
            })
            .collect();
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(failed)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_BODY_BYTES {
                return Err(Failure { kind: FailureKind::Connection });
            }
        }
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some(key) = &self.key {
            // A server may echo the key in its complaint about it.
            text = text.replace(key.as_str(), "[key removed]");
        }
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(Response { status, headers, body })
    }
}
