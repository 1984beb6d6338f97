use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::FileEntry;

/// SHA-256 of `bytes` as 64 lower-case hex digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// Digest of a document: SHA-256 of `title`, `as_of` and `text` joined by newlines.
#[must_use]
pub fn document_digest(title: &str, as_of: &str, text: &str) -> String {
    sha256_hex(format!("{title}\n{as_of}\n{text}").as_bytes())
}

/// Digest of a bundle: SHA-256 of its documents' digests, in prompt order, joined by newlines.
#[must_use]
pub fn bundle_digest<'a>(document_digests: impl IntoIterator<Item = &'a str>) -> String {
    let joined: Vec<_> = document_digests.into_iter().collect();
    sha256_hex(joined.join("\n").as_bytes())
}

/// What a manifest or a results file says about a file: its digest, size and number of non-blank lines.
#[must_use]
pub fn file_entry(bytes: &[u8]) -> FileEntry {
    let lines = bytes.split(|b| *b == b'\n').filter(|l| !l.trim_ascii().is_empty()).count();
    FileEntry { sha256: sha256_hex(bytes), bytes: bytes.len() as u64, lines: lines as u64 }
}

/// Digest of a set of files: SHA-256 of `name`, a space and the file's digest, one a line, sorted by name.
#[must_use]
pub fn files_digest(files: &BTreeMap<String, FileEntry>) -> String {
    let lines: Vec<_> = files.iter().map(|(n, f)| format!("{n} {}", f.sha256)).collect();
    sha256_hex(lines.join("\n").as_bytes())
}
