//! Addresses of a run's files, and what is likely to be wrong when one of them cannot be fetched. Pure.

use crate::{format, worker::protocol::Problem};

/// How a fetch failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The browser gave no response to the page at all.
    NoResponse,
    /// The server answered with this status.
    Status(u16),
}

/// Address of the file called `name` beside the one at `url`; query and fragment of `url` are dropped for it.
#[must_use]
pub fn sibling(url: &str, name: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let after_scheme = path.find("://").map_or(0, |i| i + 3);
    match path.rfind('/') {
        Some(at) if at >= after_scheme => format!("{}/{name}", &path[..at]),
        _ if after_scheme > 0 => format!("{path}/{name}"),
        _ => name.to_owned(),
    }
}

/// Scheme, host and port of an absolute address; `None` for a relative one.
#[must_use]
pub fn origin(url: &str) -> Option<&str> {
    let start = url.find("://")? + 3;
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |i| start + i);
    (end > start).then(|| &url[..end])
}

/// What to tell a reader when `url` could not be fetched by a page of `page_origin`.
#[must_use]
pub fn explain(url: &str, page_origin: &str, failure: Failure) -> Problem {
    let shown = format::short(url);
    let foreign = origin(url).filter(|o| *o != page_origin);
    match (failure, foreign) {
        (Failure::Status(404 | 410), _) => Problem::new(
            format!("{shown} does not exist (the server answered 404)"),
            "check the address; it must be that of a results.json",
        ),
        (Failure::Status(status @ (401 | 403)), _) => Problem::new(
            format!("the server refuses to hand out {shown} (status {status})"),
            "the file must be public: this page sends no credentials",
        ),
        (Failure::Status(status), _) => Problem::new(
            format!("the server answered status {status} for {shown}"),
            "try again later, or download the files and drop them here",
        ),
        (Failure::NoResponse, Some(other)) if other.starts_with("http://") => Problem::new(
            format!(
                "{shown} was not fetched: this page may connect to other hosts over https only"
            ),
            "use an https address, or download the files and drop them here",
        ),
        (Failure::NoResponse, Some(other)) => Problem::new(
            format!(
                "{shown} could not be fetched. Most likely {} does not allow other sites to read it (CORS), or it cannot be reached",
                format::cut(other, 80)
            ),
            "the server must send Access-Control-Allow-Origin; or download the files and drop them here",
        ),
        (Failure::NoResponse, None) => Problem::new(
            format!("{shown} could not be fetched: the server cannot be reached"),
            "check the connection and reload; a page opened from a file:// address cannot fetch at all",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_stand_in_the_same_folder() {
        let base = "https://a.example/x/results.json?v=1#f=2";
        assert_eq!(sibling(base, "records.jsonl"), "https://a.example/x/records.jsonl");
        assert_eq!(sibling("runs/main/results.json", "run.json"), "runs/main/run.json");
        assert_eq!(sibling("results.json", "run.json"), "run.json");
        assert_eq!(sibling("https://a.example", "run.json"), "https://a.example/run.json");
    }

    #[test]
    fn the_likely_cause_is_named() {
        let here = "https://me.example";
        let say = |url, failure| explain(url, here, failure).what;
        assert!(say("https://you.example/results.json", Failure::NoResponse).contains("CORS"));
        assert!(say("http://you.example/results.json", Failure::NoResponse).contains("https only"));
        assert!(say("https://you.example/results.json", Failure::Status(404)).contains("404"));
        assert!(!say("https://me.example/results.json", Failure::NoResponse).contains("CORS"));
        assert!(!say("results.json", Failure::NoResponse).contains("CORS"));
    }

    #[test]
    fn origins_end_where_the_path_begins() {
        assert_eq!(origin("https://a.example:8080/x"), Some("https://a.example:8080"));
        assert_eq!(origin("https://a.example"), Some("https://a.example"));
        assert_eq!(origin("runs/x"), None);
        assert_eq!(origin("https://"), None);
    }
}
