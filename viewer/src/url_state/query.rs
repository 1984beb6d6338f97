use super::{
    edits::Edits,
    escape::{encode, pairs},
    settings::Settings,
};

/// Most characters of one value; longer ones are nobody's settings.
const MAX_VALUE: usize = 4000;

/// The part after `?`: which run is open, and under which settings it is looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// Address of a `results.json` elsewhere.
    pub results: Option<String>,
    /// Name of one of the site's own runs.
    pub run: Option<String>,
    /// The reader's own settings; none of them are those of the publication.
    pub settings: Settings,
    /// Records that the reader has changed or dropped.
    pub edits: Edits,
    /// The metric that the main table is sorted by, and whether from the largest down.
    pub sort: Option<(String, bool)>,
    /// The part of the data set that the main table shows.
    pub slice: Option<String>,
}

impl Query {
    /// Reads a query string, with or without its question mark. Unknown parameters and values that cannot be read are
    /// ignored.
    #[must_use]
    pub fn parse(search: &str) -> Self {
        let mut query = Self::default();
        for (key, value) in pairs(search.trim_start_matches('?')) {
            if value.is_empty() || value.len() > MAX_VALUE {
                continue;
            }
            match key {
                "results" => query.results = Some(value),
                "run" => query.run = Some(value),
                "slice" => query.slice = Some(value),
                "sort" => {
                    let (metric, down) =
                        value.strip_prefix('-').map_or((value.as_str(), false), |m| (m, true));
                    query.sort = Some((metric.to_owned(), down));
                }
                _ if query.edits.read(key, &value) => {}
                _ => query.settings.read(key, &value),
            }
        }
        query
    }

    /// A query that opens one of the site's runs as it was published.
    #[must_use]
    pub fn of_run(run_id: &str) -> Self {
        Self { run: Some(run_id.to_owned()), ..Self::default() }
    }

    /// The same run as it was published: without settings and edits.
    #[must_use]
    pub fn as_published(&self) -> Self {
        Self { settings: Settings::default(), edits: Edits::default(), ..self.clone() }
    }

    /// The query string with its question mark; empty when nothing is set.
    #[must_use]
    pub fn to_search(&self) -> String {
        let mut parts: Vec<(&str, String)> = Vec::new();
        let own = [("results", &self.results), ("run", &self.run), ("slice", &self.slice)];
        parts.extend(own.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))));
        if let Some((metric, down)) = &self.sort {
            parts.push(("sort", format!("{}{metric}", if *down { "-" } else { "" })));
        }
        parts.extend(self.settings.parts());
        parts.extend(self.edits.parts());
        let parts: Vec<_> = parts.iter().map(|(k, v)| format!("{k}={}", encode(v))).collect();
        if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url_state::edits::{Edit, RowKey};

    #[test]
    fn a_query_survives_the_round_trip() {
        let row = RowKey {
            model: "a/b & c".into(),
            arm: "a0".into(),
            repeat: 2,
            item_id: "naïve +1 %".into(),
        };
        let mut edits = Edits::default();
        edits.toggle(Edit::Drop(row.clone()));
        edits.toggle(Edit::Flip(row));
        edits.toggle(Edit::DropItem("q/1".into()));
        for query in [
            Query::default(),
            Query {
                results: Some("https://a.example/x/results.json?v=1&w=2#z".into()),
                ..Query::default()
            },
            Query {
                run: Some("naïve run+1 %".into()),
                sort: Some(("accuracy".into(), true)),
                slice: Some("tags.domain=law".into()),
                settings: Settings { seed: Some(7), ..Settings::default() },
                edits,
                ..Query::default()
            },
        ] {
            assert_eq!(Query::parse(&query.to_search()), query);
        }
    }

    #[test]
    fn one_click_leads_back_to_what_was_published() {
        let query = Query::parse("?run=main&seed=7&level=0.9&drop=q1&sort=brier");
        assert_ne!(query.settings, Settings::default());
        assert_eq!(query.as_published().to_search(), "?run=main&sort=brier");
    }

    #[test]
    fn what_cannot_be_read_is_ignored() {
        assert_eq!(Query::parse("?results="), Query::default());
        assert_eq!(Query::parse("?&&=&seed=x&level=&what=ever"), Query::default());
        assert_eq!(Query::parse(&format!("?run={}", "x".repeat(MAX_VALUE + 1))), Query::default());
    }
}
