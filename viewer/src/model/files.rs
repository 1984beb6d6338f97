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
    /// Raw completions, `responses.jsonl`.
    Responses,
    /// A data set's manifest.
    Manifest,
    /// A data set's questions.
    Items,
    /// A data set's documents.
    Documents,
    /// Which documents stand beside which question.
    Bundles,
    /// The text of an arm's prompt, `a0.md` and the like.
    Prompt,
    /// Anything else.
    Other,
}

impl Role {
    /// The roles that a run's page is made from, in the order in which they are fetched.
    pub const FETCHED: [Self; 4] = [Self::Results, Self::Records, Self::Run, Self::Sums];

    /// The files of a data set.
    pub const DATA_SET: [Self; 4] = [Self::Manifest, Self::Items, Self::Documents, Self::Bundles];

    /// Every role that a name or a `schema` tells, with that name and schema.
    const KNOWN: [(Self, &'static str, &'static str); 9] = [
        (Self::Results, "results.json", "\"recount.results/"),
        (Self::Records, "records.jsonl", "\"recount.record/"),
        (Self::Run, "run.json", "\"recount.run/"),
        (Self::Sums, "SHA256SUMS", ""),
        (Self::Responses, "responses.jsonl", "\"recount.response/"),
        (Self::Manifest, "manifest.json", "\"recount.manifest/"),
        (Self::Items, "items.jsonl", "\"recount.item/"),
        (Self::Documents, "documents.jsonl", "\"recount.document/"),
        (Self::Bundles, "bundles.jsonl", "\"recount.bundle/"),
    ];

    /// The usual name of such a file; prompts have many names.
    #[must_use]
    pub fn file_name(self) -> &'static str {
        Self::KNOWN.iter().find(|(role, ..)| *role == self).map_or("", |(_, name, _)| name)
    }

    /// True for what question pages are made from, and numbers are not.
    #[must_use]
    pub fn is_evidence(self) -> bool {
        Self::DATA_SET.contains(&self) || matches!(self, Self::Responses | Self::Prompt)
    }

    /// The most bytes that the page reads of such a file: the address space of wasm32 is 4 GiB, and rows take more
    /// room in memory than in the file.
    #[must_use]
    pub fn max_bytes(self) -> u64 {
        match self {
            Self::Records => 1_000_000_000,
            Self::Responses | Self::Documents => 500_000_000,
            Self::Prompt => 1_000_000,
            _ => 64_000_000,
        }
    }
}

/// What a file is: by its usual name, else by the `schema` that it begins with.
#[must_use]
pub fn role(name: &str, head: &[u8]) -> Role {
    let base = base_name(name);
    if let Some((role, ..)) = Role::KNOWN.iter().find(|(_, name, _)| *name == base) {
        return *role;
    }
    if base.ends_with(".md") {
        return Role::Prompt;
    }
    let head = String::from_utf8_lossy(&head[..head.len().min(4096)]);
    Role::KNOWN
        .iter()
        .filter(|(.., schema)| !schema.is_empty())
        .filter_map(|(role, _, schema)| Some((head.find(schema)?, *role)))
        .min_by_key(|(at, _)| *at)
        .map_or(Role::Other, |(_, role)| role)
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
    let mut sums = BTreeMap::new();
    sums.extend(text.lines().filter_map(line));
    sums
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
