//! What a MediaWiki API answers (format version 2), read without trust.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::time;

/// A page that search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Id of the page.
    pub pageid: u64,
    /// Title of the page.
    pub title: String,
}

/// One edit of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// The revision that it made.
    pub revid: u64,
    /// When, seconds since 1970.
    pub at: i64,
    /// Size of the page after it, in bytes.
    pub size: u64,
}

/// The wiki itself: how to name and to link it, and its licence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Name, such as Wikipedia.
    pub name: String,
    /// Address of `index.php`.
    pub script: String,
    /// Licence, as an SPDX identifier where the address is known, else in the wiki's own words.
    pub licence: String,
    /// Address of the licence.
    pub licence_url: String,
}

impl Site {
    /// Reads the answer to `meta=siteinfo` with `siprop=general|rightsinfo`; None when it names no licence.
    #[must_use]
    pub fn read(answer: &Value) -> Option<Self> {
        let general = answer.pointer("/query/general")?;
        let rights = answer.pointer("/query/rightsinfo")?;
        let text = |value: &Value, field: &str| {
            let text = value.get(field)?.as_str()?.trim();
            (!text.is_empty() && text.len() <= 500).then(|| text.to_owned())
        };
        let server = text(general, "server")?;
        // A wiki that is served both ways leaves the scheme out.
        let server = if server.starts_with("//") { format!("https:{server}") } else { server };
        let licence_url = text(rights, "url").unwrap_or_default();
        let words = text(rights, "text").unwrap_or_default();
        let licence = spdx(&licence_url).unwrap_or(words);
        (!licence.is_empty()).then_some(Self {
            name: text(general, "sitename")?,
            script: format!("{server}{}", text(general, "script")?),
            licence,
            licence_url,
        })
    }

    /// Address at which a revision stays readable.
    #[must_use]
    pub fn permalink(&self, title: &str, revid: u64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("title", &title.replace(' ', "_"));
        query.append_pair("oldid", &revid.to_string());
        format!("{}?{}", self.script, query.finish())
    }

    /// Whom to name for a revision, and where its authors are listed.
    #[must_use]
    pub fn attribution(&self, title: &str, revid: u64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("title", &title.replace(' ', "_"));
        query.append_pair("action", "history");
        format!(
            "{} contributors, \"{title}\", revision {revid}; authors: {}?{}",
            self.name,
            self.script,
            query.finish()
        )
    }
}

/// `CC-BY-SA-4.0` for `https://creativecommons.org/licenses/by-sa/4.0/…`.
fn spdx(url: &str) -> Option<String> {
    let rest = url.split_once("creativecommons.org/")?.1;
    let mut parts = rest.split('/');
    let (kind, name, version) = (parts.next()?, parts.next()?, parts.next()?);
    let plain = |s: &str| {
        !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.')
    };
    match kind {
        _ if !plain(name) || !plain(version) => None,
        "licenses" => Some(format!("CC-{}-{version}", name.to_uppercase())),
        "publicdomain" if name == "zero" => Some(format!("CC0-{version}")),
        _ => None,
    }
}

/// The pages of `list=search`, best first.
#[must_use]
pub fn hits(answer: &Value) -> Option<Vec<Hit>> {
    let rows = answer.pointer("/query/search")?.as_array()?;
    let hit = |row: &Value| {
        let title = row.get("title")?.as_str()?;
        (!title.is_empty() && title.len() <= 1000)
            .then(|| Some(Hit { pageid: row.get("pageid")?.as_u64()?, title: title.to_owned() }))?
    };
    Some(rows.iter().filter_map(hit).collect())
}

/// The edits of the one page that was asked for, newest first; empty when the page has none in the window.
#[must_use]
pub fn edits(answer: &Value) -> Option<Vec<Edit>> {
    let page = answer.pointer("/query/pages")?.as_array()?.first()?;
    let Some(rows) = page.get("revisions").and_then(Value::as_array) else {
        return Some(Vec::new());
    };
    let edit = |row: &Value| {
        Some(Edit {
            revid: row.get("revid")?.as_u64()?,
            at: time::parse(row.get("timestamp")?.as_str()?)?,
            size: row.get("size").and_then(Value::as_u64).unwrap_or(0),
        })
    };
    let mut edits: Vec<Edit> = rows.iter().filter_map(edit).collect();
    edits.sort_by_key(|e| std::cmp::Reverse((e.at, e.revid)));
    Some(edits)
}

/// Where the list of edits goes on, if it does.
#[must_use]
pub fn more_edits(answer: &Value) -> Option<&str> {
    answer.pointer("/continue/rvcontinue")?.as_str()
}

/// The wikitext of revision `revid`; None when the answer holds another, or a hidden one.
#[must_use]
pub fn wikitext(answer: &Value, revid: u64) -> Option<&str> {
    let pages = answer.pointer("/query/pages")?.as_array()?;
    let revisions =
        pages.iter().filter_map(|p| p.get("revisions").and_then(Value::as_array)).flatten();
    let row =
        revisions.into_iter().find(|r| r.get("revid").and_then(Value::as_u64) == Some(revid))?;
    row.pointer("/slots/main/content")?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn licence_and_attribution_come_from_the_answer() {
        let site = Site::read(&json!({"query": {
            "general": {"sitename": "Wikipedia", "server": "//en.wikipedia.org", "script": "/w/index.php"},
            "rightsinfo": {"url": "https://creativecommons.org/licenses/by-sa/4.0/deed.en", "text": "Creative Commons"},
        }}))
        .unwrap();
        assert_eq!(site.licence, "CC-BY-SA-4.0");
        assert_eq!(
            site.permalink("Treaty of Ö & P", 7),
            "https://en.wikipedia.org/w/index.php?title=Treaty_of_%C3%96_%26_P&oldid=7"
        );
        assert!(
            site.attribution("A", 7)
                .starts_with("Wikipedia contributors, \"A\", revision 7; authors: https://")
        );
        assert_eq!(
            spdx("https://creativecommons.org/publicdomain/zero/1.0/"),
            Some("CC0-1.0".into())
        );
        assert_eq!(spdx("https://example.org/terms"), None);
        let nothing = json!({"query": {"general": {"sitename": "W", "server": "//w", "script": "/"}, "rightsinfo": {}}});
        assert_eq!(Site::read(&nothing), None, "no licence, no documents");
    }

    #[test]
    fn answers_are_read_and_odd_ones_are_no_panic() {
        let found = json!({"query": {"search": [{"pageid": 1, "title": "A"}, {"title": "B"}, 4]}});
        assert_eq!(hits(&found).unwrap(), [Hit { pageid: 1, title: "A".into() }]);
        let page = json!({"continue": {"rvcontinue": "x|1"}, "query": {"pages": [{"pageid": 1, "revisions": [
            {"revid": 5, "timestamp": "2026-01-01T00:00:00Z", "size": 10}, {"revid": "6"},
            {"revid": 7, "timestamp": "2026-01-02T00:00:00Z", "size": 12,
             "slots": {"main": {"content": "Text."}}},
        ]}]}});
        let ids: Vec<_> = edits(&page).unwrap().iter().map(|e| e.revid).collect();
        assert_eq!(ids, [7, 5]);
        assert_eq!(more_edits(&page), Some("x|1"));
        assert_eq!(
            (wikitext(&page, 7), wikitext(&page, 5), wikitext(&page, 9)),
            (Some("Text."), None, None)
        );
        assert_eq!(edits(&json!({"query": {"pages": [{"missing": true}]}})), Some(Vec::new()));
        for odd in [json!(null), json!([]), json!({"error": {"code": "x"}}), json!({"query": 3})] {
            assert_eq!((hits(&odd), edits(&odd), wikitext(&odd, 1)), (None, None, None));
        }
    }
}
