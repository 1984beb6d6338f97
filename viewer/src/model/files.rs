use std::collections::BTreeMap;

use records::{FileEntry, Results};
use serde::{Deserialize, Serialize};

use crate::worker::protocol::FileReport;

/// What a file of a run folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// `results.json`.
    Results,
    /// `records.jsonl`.
    Records,
    /// `run.json`.
    Run,
    /// `SHA256SUMS`.
    Sums,
    /// Raw completions; this page does not read them yet.
    Responses,
    /// Anything else.
    Other,
}

impl Role {
    /// The roles that a run's page is made from, in the order in which they are fetched.
    pub const FETCHED: [Self; 4] = [Self::Results, Self::Records, Self::Run, Self::Sums];

    /// The usual name of such a file.
    #[must_use]
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Results => "results.json",
            Self::Records => "records.jsonl",
            Self::Run => "run.json",
            Self::Sums => "SHA256SUMS",
            Self::Responses => "responses.jsonl",
            Self::Other => "",
        }
    }

    /// The most bytes that the page reads of such a file: the address space of wasm32 is 4 GiB, and rows take more
    /// room in memory than in the file.
    #[must_use]
    pub fn max_bytes(self) -> u64 {
        match self {
            Self::Records => 1_000_000_000,
            _ => 64_000_000,
        }
    }
}

/// What a file is: by its usual name, else by the `schema` that it begins with.
#[must_use]
pub fn role(name: &str, head: &[u8]) -> Role {
    let base = base_name(name);
    let all = [Role::Results, Role::Records, Role::Run, Role::Sums, Role::Responses];
    if let Some(role) = all.into_iter().find(|r| r.file_name() == base) {
        return role;
    }
    let head = String::from_utf8_lossy(&head[..head.len().min(4096)]);
    let first = |needle: &str| head.find(needle);
    let found = [
        ("\"recount.results/", Role::Results),
        ("\"recount.record/", Role::Records),
        ("\"recount.run/", Role::Run),
        ("\"recount.response/", Role::Responses),
    ]
    .into_iter()
    .filter_map(|(needle, role)| first(needle).map(|at| (at, role)))
    .min_by_key(|(at, _)| *at);
    found.map_or(Role::Other, |(_, role)| role)
}

/// The last part of a path.
#[must_use]
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Reads `SHA256SUMS`: a digest, blanks, perhaps an asterisk, and a name on each line. Other lines are skipped.
#[must_use]
pub fn parse_sums(bytes: &[u8]) -> BTreeMap<String, String> {
    let text = String::from_utf8_lossy(bytes);
    let line = |l: &str| {
        let (digest, name) = l.trim_end().split_once(' ')?;
        let name = name.trim_start().trim_start_matches('*').trim_start_matches("./");
        (digest.len() == 64 && !name.is_empty()).then(|| (name.to_owned(), digest.to_owned()))
    };
    text.lines().filter_map(line).collect()
}

/// Compares the digest of each loaded file with those that the index, `results.json` and `SHA256SUMS` name.
#[must_use]
pub fn compare(
    loaded: Vec<(String, FileEntry)>,
    expected: &BTreeMap<String, FileEntry>,
    sums: &BTreeMap<String, String>,
    published: Option<&Results>,
) -> Vec<FileReport> {
    let report = |(name, entry): (String, FileEntry)| {
        let mut named_by = Vec::new();
        if let Some(e) = expected.get(&name) {
            named_by.push(("index.json".to_owned(), e.sha256 == entry.sha256));
        }
        if let Some(input) = published.and_then(|p| p.inputs.files.iter().find(|f| f.name == name))
        {
            named_by.push(("results.json".to_owned(), input.entry.sha256 == entry.sha256));
        }
        if let Some(sum) = sums.get(&name) {
            named_by.push(("SHA256SUMS".to_owned(), *sum == entry.sha256));
        }
        FileReport { name, entry, named_by }
    };
    loaded.into_iter().map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_name_or_by_its_schema() {
        assert_eq!(role("results/main/records.jsonl", b""), Role::Records);
        assert_eq!(role("SHA256SUMS", b""), Role::Sums);
        assert_eq!(role("my records.txt", br#"{"schema": "recount.record/1"}"#), Role::Records);
        assert_eq!(
            role("x.json", br#"{"schema":"recount.results/1","t":"recount.run/"}"#),
            Role::Results
        );
        assert_eq!(role("photo.jpg", &[0xff; 9000]), Role::Other);
    }

    #[test]
    fn sums_are_read_in_the_forms_that_tools_write() {
        let digest = "a".repeat(64);
        let text = format!("{digest}  results.json\r\n{digest} *./run.json\nnot a line\n");
        let sums = parse_sums(text.as_bytes());
        assert_eq!(sums.keys().collect::<Vec<_>>(), ["results.json", "run.json"]);
    }

    #[test]
    fn a_changed_file_is_seen() {
        let entry = records::file_entry(b"one\n");
        let sums = BTreeMap::from([("records.jsonl".to_owned(), records::sha256_hex(b"two\n"))]);
        let expected = BTreeMap::from([("records.jsonl".to_owned(), entry.clone())]);
        let reports = compare(vec![("records.jsonl".into(), entry)], &expected, &sums, None);
        assert_eq!(
            reports[0].named_by,
            [("index.json".to_owned(), true), ("SHA256SUMS".to_owned(), false)]
        );
    }
}
