use std::collections::BTreeMap;

use super::escape::{decode, encode, pairs};

/// The part after `#`: what of the run is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Fragment {
    /// The overview, from its top.
    #[default]
    Top,
    /// The page of one published number.
    Figure(String),
    /// The page of one question.
    Question(String),
    /// A view, or a section of the overview, and what it is narrowed to.
    Section(String, BTreeMap<String, String>),
}

impl Fragment {
    /// A view or section as such.
    #[must_use]
    pub fn section(name: &str) -> Self {
        Self::Section(name.to_owned(), BTreeMap::new())
    }

    /// Reads a fragment, with or without its hash sign.
    #[must_use]
    pub fn parse(hash: &str) -> Self {
        let hash = hash.trim_start_matches('#');
        if let Some(id) = hash.strip_prefix("f=") {
            return if id.is_empty() { Self::Top } else { Self::Figure(decode(id)) };
        }
        if let Some(id) = hash.strip_prefix("q=") {
            return if id.is_empty() {
                Self::section("questions")
            } else {
                Self::Question(decode(id))
            };
        }
        let (name, parameters) = hash.split_once('&').unwrap_or((hash, ""));
        if name.is_empty() {
            return Self::Top;
        }
        let mut kept = BTreeMap::new();
        for (key, value) in pairs(parameters).filter(|(_, value)| !value.is_empty()) {
            kept.insert(decode(key), value);
        }
        Self::Section(decode(name), kept)
    }

    /// The fragment with its hash sign.
    #[must_use]
    pub fn to_hash(&self) -> String {
        match self {
            Self::Top => "#".into(),
            Self::Figure(id) => figure_href(id),
            Self::Question(id) => question_href(id),
            Self::Section(name, parameters) => {
                let each = parameters.iter().map(|(k, v)| format!("&{}={}", encode(k), encode(v)));
                format!("#{}{}", encode(name), each.collect::<String>())
            }
        }
    }

    /// The name of the view or section; empty for the pages of numbers and questions.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Section(name, _) => name,
            _ => "",
        }
    }

    /// What a view is narrowed to by the parameter `key`; empty when it is not.
    #[must_use]
    pub fn parameter(&self, key: &str) -> &str {
        match self {
            Self::Section(_, parameters) => parameters.get(key).map_or("", String::as_str),
            _ => "",
        }
    }
}

/// Link to the page of a published number.
#[must_use]
pub fn figure_href(id: &str) -> String {
    format!("#f={}", encode(id))
}

/// Link to the page of a question.
#[must_use]
pub fn question_href(item_id: &str) -> String {
    format!("#q={}", encode(item_id))
}

/// The name of a section's element for a comparison, diagram or other entry that has no page of its own.
#[must_use]
pub fn section_anchor(id: &str) -> String {
    id.chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.~/".contains(c) { c } else { '-' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_survives_the_round_trip() {
        let narrowed = [("find", "harbour & levy=1"), ("show", "wrong")];
        let narrowed = narrowed.map(|(k, v)| (k.to_owned(), v.to_owned()));
        for fragment in [
            Fragment::Top,
            Fragment::Figure("qwen2.5-1.5b/a0/accuracy".into()),
            Fragment::Figure("m/a/hit_at_k@domain=news #1".into()),
            Fragment::Question("q 1&2".into()),
            Fragment::section("calibration"),
            Fragment::Section("questions".into(), BTreeMap::from(narrowed)),
        ] {
            assert_eq!(Fragment::parse(&fragment.to_hash()), fragment);
        }
    }

    #[test]
    fn links_stay_readable() {
        assert_eq!(figure_href("alpha/a0/accuracy"), "#f=alpha/a0/accuracy");
        assert_eq!(question_href("a01"), "#q=a01");
    }

    #[test]
    fn empty_parts_name_nothing() {
        assert_eq!(Fragment::parse("#f="), Fragment::Top);
        assert_eq!(Fragment::parse("#"), Fragment::Top);
        assert_eq!(Fragment::parse("#q="), Fragment::section("questions"));
        assert_eq!(Fragment::parse("#questions&find=").parameter("find"), "");
    }

    #[test]
    fn anchors_have_no_blanks() {
        assert_eq!(section_anchor("a/b~c d"), "a/b~c-d");
    }
}
