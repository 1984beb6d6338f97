use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use records::{Failure, FailureKind, Interaction, Request, Response, Versioned};
use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
    redirect, retry,
};
use serde_json::Value;

use crate::{error::Error, provider::Api, secret::Secret};

/// A larger response is not an answer to a question.
const MAX_BODY_BYTES: usize = 8 << 20;
/// A body nested deeper is kept as text: within a line of a cassette it would be too deep to be read again.
const MAX_DEPTH: usize = 100;
/// Types of a body that are written down; any other is left out.
const KNOWN_TYPES: [&str; 4] = ["application/json", "text/html", "text/plain", "text/event-stream"];

/// The only place that talks to a provider.
///
/// It holds the key; nothing that it returns or prints does.
#[derive(Debug)]
pub struct Http {
    client: reqwest::Client,
    base_url: String,
    key: Option<Secret>,
    headers: HeaderMap,
}

impl Http {
    /// A client of `api` at `base_url`; `key` is sent in the header that the API wants and never written anywhere. A
    /// call fails when its answer is not there, whole, after `timeout`.
    ///
    /// # Errors
    /// The address is no http or https URL or more than an address, the key cannot be used, or no TLS library could be
    /// set up.
    pub fn new(
        api: &dyn Api,
        base_url: &str,
        key: Option<String>,
        timeout: Duration,
    ) -> Result<Self, Error> {
        check_address(base_url)?;
        let key = key.map(|k| Secret::new(api.key_variable(), k)).transpose()?;
        // A second installation in one process is refused and harmless.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .timeout(timeout)
            // A redirect would carry the key to whatever address a server names.
            .redirect(redirect::Policy::none())
            // Every call that is made is written down.
            .retry(retry::never())
            .build()
            .map_err(|e| Error::Provider(format!("no HTTP client: {e}")))?;
        let headers = headers(api, key.as_ref())?;
        Ok(Self { client, base_url: base_url.trim_end_matches('/').to_owned(), key, headers })
    }

    /// Makes one call. Whatever happens is part of the exchange.
    pub async fn call(&self, provider: &str, request: &Request, repeat: u32) -> Interaction {
        let recorded_at = jiff::Timestamp::now()
            .round(jiff::Unit::Second)
            .map_or_else(|_| jiff::Timestamp::now().to_string(), |t| t.to_string());
        let start = Instant::now();
        let outcome = self.send(request).await;
        let latency_ms = start.elapsed().as_millis() as f64;
        let (response, failure) = match outcome {
            Ok(response) => (Some(response), None),
            Err(kind) => (None, Some(Failure { kind })),
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

    async fn send(&self, request: &Request) -> Result<Response, FailureKind> {
        // The error itself names the address and is dropped.
        let failed = |e: reqwest::Error| {
            if e.is_timeout() { FailureKind::Timeout } else { FailureKind::Connection }
        };
        let url = format!("{}{}", self.base_url, request.path);
        let call = self.client.post(url).headers(self.headers.clone()).json(&request.body);
        let mut answer = call.send().await.map_err(failed)?;
        let status = answer.status().as_u16();
        let headers = kept(answer.headers());
        if answer.content_length().is_some_and(|n| n > MAX_BODY_BYTES as u64) {
            return Err(FailureKind::TooLarge);
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(failed)? {
            if bytes.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(FailureKind::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        let body = parse(String::from_utf8_lossy(&bytes).into_owned());
        // A server may echo the key in its complaint about it.
        let body = match &self.key {
            Some(key) => key.scrub_json(body),
            None => body,
        };
        Ok(Response { status, headers, body })
    }
}

/// Refuses what is more than the address of an API. Nothing but the scheme and what follows a login is shown.
fn check_address(base_url: &str) -> Result<(), Error> {
    let scheme = base_url.split_once("://").map_or("", |(scheme, _)| scheme);
    let shown = match base_url.rsplit_once('@') {
        Some((_, rest)) => format!("{scheme}://[login]@{rest}"),
        None => base_url.to_owned(),
    };
    let shown = shown.split(['?', '#']).next().unwrap_or_default();
    let wrong = |why: &str| Err(Error::Usage(format!("base_url \"{shown}\" {why}")));
    let Ok(url) = Url::parse(base_url) else {
        return wrong("is no http:// or https:// address");
    };
    if !matches!(url.scheme(), "http" | "https") {
        return wrong("is no http:// or https:// address");
    }
    if base_url.contains('@') {
        return wrong("holds a login; remove it: a key comes from the environment only");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return wrong("holds more than an address; end it before the ? or #");
    }
    Ok(())
}

/// The headers of every call. Their `Debug` hides the key.
fn headers(api: &dyn Api, key: Option<&Secret>) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    for (name, value) in api.headers() {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Some(key) = key {
        let (name, value) = api.key_header(key.reveal());
        // No detail: it could hold the key.
        let mut value = HeaderValue::try_from(value).map_err(|_| {
            Error::Usage(format!("the key in {} cannot be sent", api.key_variable()))
        })?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

/// The headers that are written down: those needed to understand a failure, and only with values of the form that they
/// must have, so that none can carry anything else.
fn kept(headers: &HeaderMap) -> BTreeMap<String, String> {
    let date = |text: &str| httpdate::parse_http_date(text).ok().map(httpdate::fmt_http_date);
    let value = |name: &str| {
        let text = headers.get(name)?.to_str().ok()?.trim();
        match name {
            "content-type" => {
                let essence = text.split(';').next()?.trim();
                KNOWN_TYPES.into_iter().find(|t| essence.eq_ignore_ascii_case(t)).map(str::to_owned)
            }
            "retry-after" => text.parse::<u32>().ok().map(|s| s.to_string()).or_else(|| date(text)),
            _ => date(text),
        }
    };
    ["content-type", "date", "retry-after"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), value(name)?)))
        .collect()
}

/// The body as JSON, or as text when it is none.
fn parse(text: String) -> Value {
    match serde_json::from_str(&text) {
        Ok(value) if depth(&value) <= MAX_DEPTH => value,
        _ => Value::String(text),
    }
}

fn depth(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::Provider;

    fn api(name: &str) -> &'static dyn Api {
        Provider::of(name).unwrap().api().unwrap()
    }

    const TIMEOUT: Duration = Duration::from_secs(1);

    fn client(base_url: &str, key: &str) -> Result<Http, Error> {
        Http::new(api("openai"), base_url, Some(key.to_owned()), TIMEOUT)
    }

    #[test]
    fn debug_output_hides_the_key() {
        for name in ["openai", "google", "anthropic"] {
            let key = Some("sk-planted-5f0c1e".to_owned());
            let http = Http::new(api(name), "http://127.0.0.1:1/v1", key, TIMEOUT).unwrap();
            for shown in [format!("{http:?}"), format!("{http:#?}")] {
                assert!(!shown.contains("planted"), "{shown}");
                assert!(shown.contains("[key]") && shown.contains("Sensitive"), "{shown}");
            }
        }
    }

    #[test]
    fn an_address_is_refused_without_showing_its_login() {
        for (url, word) in [
            ("http://user:passw0rd@127.0.0.1/v1", "login"),
            ("http://user:pass@w0rd@127.0.0.1/v1", "login"),
            ("https://127.0.0.1/v1?key=passw0rd", "address"),
            ("https://127.0.0.1/v1#passw0rd", "address"),
            ("ftp://user:passw0rd@127.0.0.1", "http://"),
            ("user:passw0rd@127.0.0.1", "http://"),
            ("http://user:passw0rd@:x", "http://"),
            ("127.0.0.1:8080/v1", "http://"),
            ("http://", "http://"),
            ("", "http://"),
        ] {
            let error = client(url, "sk-planted-5f0c1e").unwrap_err();
            assert_eq!(error.exit_code(), 2, "{url}");
            let text = error.to_string();
            assert!(text.contains(word), "{text}");
            assert!(!text.contains("w0rd") && !text.contains("user"), "{text}");
        }
        for url in ["http://127.0.0.1:8080/v1", "https://api.example.org/v1/", "http://[::1]:80"] {
            assert!(client(url, "sk-planted-5f0c1e").is_ok(), "{url}");
        }
    }

    #[test]
    fn a_key_that_cannot_be_scrubbed_is_refused() {
        let error = client("http://127.0.0.1:1", "abc").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("OPENAI_API_KEY"), "{error}");
    }

    #[test]
    fn headers_are_kept_only_in_the_form_that_they_must_have() {
        let date = "Mon, 30 Nov 2026 20:58:00 GMT";
        let kept_of = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(*name, HeaderValue::from_static(value));
            }
            kept(&headers).into_iter().collect::<Vec<_>>()
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            kept_of(&[
                ("content-type", "Application/JSON; charset=utf-8"),
                ("date", date),
                ("retry-after", "7")
            ]),
            [
                pair("content-type", "application/json"),
                pair("date", date),
                pair("retry-after", "7")
            ]
        );
        assert_eq!(kept_of(&[("retry-after", date)]), [pair("retry-after", date)]);
        assert_eq!(
            kept_of(&[
                ("content-type", "sk-pla"),
                ("date", "nted-5"),
                ("retry-after", "f0c1e"),
                ("retry-after", "f0c1e"),
                ("set-cookie", "a=b"),
            ]),
            []
        );
    }

    #[test]
    fn what_could_not_be_read_from_a_cassette_is_kept_as_text() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(parse(nested(90)).is_array());
        for text in [nested(120), nested(100_000), "{\"a\": 1".to_owned(), "1e999".to_owned()] {
            assert_eq!(parse(text.clone()), Value::String(text));
        }
    }
}
