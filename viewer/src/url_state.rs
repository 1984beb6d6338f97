//! What the address says: which run is open (query string) and what of it is looked at (fragment).
//!
//! All state of the page lives here, so that a copied address shows a colleague the same thing. Pure text to value and
//! back; the only code that touches the browser's address is in `app`.

/// The part after `?`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// Address of a `results.json` elsewhere.
    pub results: Option<String>,
    /// Name of one of the site's own runs.
    pub run: Option<String>,
}

/// The part after `#`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Fragment {
    /// The overview, from its top.
    #[default]
    Top,
    /// The page of one published number.
    Figure(String),
    /// A section of the overview.
    Section(String),
}

impl Query {
    /// Reads a query string, with or without its question mark. Unknown parameters are ignored.
    #[must_use]
    pub fn parse(search: &str) -> Self {
        let mut query = Self::default();
        for pair in search.trim_start_matches('?').split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decode(&value.replace('+', "%20"));
            match key {
                "results" if !value.is_empty() => query.results = Some(value),
                "run" if !value.is_empty() => query.run = Some(value),
                _ => {}
            }
        }
        query
    }

    /// The query string with its question mark; empty when nothing is set.
    #[must_use]
    pub fn to_search(&self) -> String {
        let mut parts = Vec::new();
        if let Some(url) = &self.results {
            parts.push(format!("results={}", encode(url)));
        }
        if let Some(run) = &self.run {
            parts.push(format!("run={}", encode(run)));
        }
        if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
    }
}

impl Fragment {
    /// Reads a fragment, with or without its hash sign.
    #[must_use]
    pub fn parse(hash: &str) -> Self {
        let hash = hash.trim_start_matches('#');
        match hash.strip_prefix("f=") {
            Some(id) if !id.is_empty() => Self::Figure(decode(id)),
            Some(_) => Self::Top,
            None if hash.is_empty() => Self::Top,
            None => Self::Section(decode(hash)),
        }
    }

    /// The fragment with its hash sign.
    #[must_use]
    pub fn to_hash(&self) -> String {
        match self {
            Self::Top => "#".into(),
            Self::Figure(id) => figure_href(id),
            Self::Section(name) => format!("#{}", encode(name)),
        }
    }
}

/// Link to the page of a published number.
#[must_use]
pub fn figure_href(id: &str) -> String {
    format!("#f={}", encode(id))
}

/// The name of a section's element for a comparison, diagram or other entry that has no page of its own.
#[must_use]
pub fn section_anchor(id: &str) -> String {
    id.chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.~/".contains(c) { c } else { '-' })
        .collect()
}

/// Percent-encodes everything but what may stand unescaped in both query and fragment.
#[must_use]
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/@:!".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Undoes [`encode`]; a broken escape stays as it is, broken UTF-8 becomes replacement characters.
#[must_use]
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = (bytes[i] == b'%')
            .then(|| bytes.get(i + 1..i + 3))
            .flatten()
            .and_then(|h| std::str::from_utf8(h).ok())
            .filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        if let Some(byte) = hex {
            out.push(byte);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_survives_the_round_trip() {
        for query in [
            Query::default(),
            Query { results: Some("https://a.example/x/results.json?v=1&w=2#z".into()), run: None },
            Query { results: None, run: Some("naïve run+1 %".into()) },
        ] {
            assert_eq!(Query::parse(&query.to_search()), query);
        }
    }

    #[test]
    fn a_fragment_survives_the_round_trip() {
        for fragment in [
            Fragment::Top,
            Fragment::Figure("qwen2.5-1.5b/a0/accuracy".into()),
            Fragment::Figure("m/a/hit_at_k@domain=news #1".into()),
            Fragment::Section("calibration".into()),
        ] {
            assert_eq!(Fragment::parse(&fragment.to_hash()), fragment);
        }
    }

    #[test]
    fn figure_links_stay_readable() {
        assert_eq!(figure_href("alpha/a0/accuracy"), "#f=alpha/a0/accuracy");
    }

    #[test]
    fn broken_escapes_do_not_break_the_page() {
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%4"), "%zz%4");
        assert_eq!(decode("%C3"), "\u{fffd}");
        assert_eq!(Query::parse("?results="), Query::default());
        assert_eq!(Fragment::parse("#f="), Fragment::Top);
    }

    #[test]
    fn anchors_have_no_blanks() {
        assert_eq!(section_anchor("a/b~c d"), "a/b~c-d");
    }
}
