use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::FileEntry;

/// SHA-256 of `bytes` as 64 lower-case hex digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
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

/// Bytes that are digested in one call. A browser translates a function well only after it has been called some times, and
/// a call that is under way stays as it is: of one call for a whole file all is done slowly.
const PIECE: usize = 1 << 16;

/// What a manifest or a results file says about a file: its digest, size and number of non-blank lines.
#[must_use]
pub fn file_entry(bytes: &[u8]) -> FileEntry {
    let mut digest = FileDigest::default();
    bytes.chunks(PIECE).for_each(|piece| digest.push(piece));
    digest.finish()
}

/// [`file_entry`] of a file that arrives in pieces of any size.
#[derive(Debug, Clone, Default)]
pub struct FileDigest {
    sha256: Sha256,
    bytes: u64,
    lines: u64,
    /// The line that the last piece ended in holds more than white space.
    is_line: bool,
}

impl FileDigest {
    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.sha256.update(piece);
        self.bytes += piece.len() as u64;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', piece) {
            self.is_line |= !is_blank(&piece[start..end]);
            self.lines += u64::from(std::mem::take(&mut self.is_line));
            start = end + 1;
        }
        self.is_line |= !is_blank(&piece[start..]);
    }

    /// Digest, size and lines of all pieces together.
    #[must_use]
    pub fn finish(self) -> FileEntry {
        FileEntry {
            sha256: hex(&self.sha256.finalize()),
            bytes: self.bytes,
            lines: self.lines + u64::from(self.is_line),
        }
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().is_empty()
}

/// Digest of a set of files: SHA-256 of `name`, a space and the file's digest, one a line, sorted by name.
#[must_use]
pub fn files_digest(files: &BTreeMap<String, FileEntry>) -> String {
    let lines: Vec<_> = files.iter().map(|(n, f)| format!("{n} {}", f.sha256)).collect();
    sha256_hex(lines.join("\n").as_bytes())
}
