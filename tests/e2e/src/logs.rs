//! What the browser noted about a page: its console, and every request.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use fantoccini::{Client, wd::WebDriverCompatibleCommand};
use serde_json::{Value, json};
use url::{ParseError, Url};

/// Everything noted since it was last asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Activity {
    /// Errors on the console, blocked content among them.
    pub errors: Vec<String>,
    /// Addresses that were asked for, by the page or its workers.
    pub requests: BTreeSet<String>,
}

impl Activity {
    /// Takes the browser's notes, which are then forgotten.
    pub(crate) async fn take(client: &Client) -> Result<Self> {
        let mut activity = Self::default();
        for entry in entries(client, "browser").await? {
            activity.note_console(&entry);
        }
        for entry in entries(client, "performance").await? {
            activity.note_performance(&entry)?;
        }
        Ok(activity)
    }

    /// Requests that went anywhere but to `origin`.
    #[must_use]
    pub fn elsewhere(&self, origin: &str) -> Vec<&str> {
        let prefix = format!("{}/", origin.trim_end_matches('/'));
        let own = |url: &&str| {
            url.starts_with(&prefix) || url.starts_with("data:") || url.starts_with("blob:")
        };
        self.requests.iter().map(String::as_str).filter(|url| !own(url)).collect()
    }

    fn note_console(&mut self, entry: &Value) {
        if entry["level"] == "SEVERE" {
            self.errors.push(entry["message"].as_str().unwrap_or_default().to_owned());
        }
    }

    fn note_performance(&mut self, entry: &Value) -> Result<()> {
        let text = entry["message"].as_str().context("a note without a message")?;
        let note: Value = serde_json::from_str(text)?;
        let message = &note["message"];
        let url = match message["method"].as_str() {
            Some("Network.requestWillBeSent") => &message["params"]["request"]["url"],
            Some("Network.webSocketCreated") => &message["params"]["url"],
            _ => return Ok(()),
        };
        self.requests.extend(url.as_str().map(str::to_owned));
        Ok(())
    }
}

async fn entries(client: &Client, kind: &'static str) -> Result<Vec<Value>> {
    let answer = client.issue_cmd(Log { kind }).await?;
    answer.as_array().cloned().context("the driver's log is no list")
}

/// ChromeDriver's own command for its logs.
#[derive(Debug)]
struct Log {
    kind: &'static str,
}

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": self.kind }).to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(url: &str) -> Value {
        let params = json!({ "request": { "url": url } });
        let message =
            json!({ "message": { "method": "Network.requestWillBeSent", "params": params } });
        json!({ "level": "INFO", "message": message.to_string() })
    }

    #[test]
    fn a_request_to_another_origin_is_found() {
        let mut activity = Activity::default();
        for url in
            ["http://127.0.0.1:80/a", "http://127.0.0.1:8080/a", "https://cdn.example/x", "data:,1"]
        {
            activity.note_performance(&sent(url)).unwrap();
        }
        let elsewhere = activity.elsewhere("http://127.0.0.1:80");
        assert_eq!(elsewhere, ["http://127.0.0.1:8080/a", "https://cdn.example/x"]);
    }

    #[test]
    fn only_errors_count_on_the_console() {
        let mut activity = Activity::default();
        activity.note_console(&json!({ "level": "SEVERE", "message": "Refused to load" }));
        activity.note_console(&json!({ "level": "INFO", "message": "hello" }));
        assert_eq!(activity.errors, ["Refused to load"]);
    }
}
