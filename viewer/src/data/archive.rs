//! What is in a zip archive: its directory, read from bytes. Pure; the browser unpacks what is listed here.

use crate::{
    format,
    model::files::{Role, base_name, role},
    worker::protocol::Problem,
};

/// Bytes at the end of a file in which the end of its directory is looked for: the record and the longest comment.
pub const TAIL: u64 = 22 + 65_535;
/// Most bytes of a directory: some ten thousand files.
const MAX_DIRECTORY: u64 = 4_000_000;
/// Most bytes that the files of one archive may unpack to.
const MAX_TOTAL: u64 = 1_500_000_000;
/// Length of what stands before a file's bytes, without name and extra field.
pub const LOCAL_HEADER: u64 = 30;

/// Where the directory stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directory {
    /// Its first byte in the file.
    pub offset: u64,
    /// Its length in bytes.
    pub size: u64,
}

/// A file of a run or data set in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name with its folders.
    pub path: String,
    /// What it is.
    pub role: Role,
    /// Where its local header stands in the file.
    pub header: u64,
    /// Packed bytes.
    pub packed: u64,
    /// Bytes that the archive says it unpacks to.
    pub size: u64,
    /// Is it packed (deflate), or does it stand as it is?
    pub deflated: bool,
}

fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
}

fn broken() -> Problem {
    Problem::new(
        "is no zip archive, or a damaged one",
        "zip the run's folder again, or give its files",
    )
}

/// The directory of an archive of `file_size` bytes, from its last bytes.
///
/// # Errors
/// There is none, or it is larger than this page reads.
pub fn directory(tail: &[u8], file_size: u64) -> Result<Directory, Problem> {
    const END: [u8; 4] = *b"PK\x05\x06";
    let at = tail.windows(4).rposition(|w| w == END).ok_or_else(broken)?;
    let field = |offset: usize, length| number(tail, at + offset, length).ok_or_else(broken);
    let (disk, size, offset) = (field(4, 2)?, field(12, 4)?, field(16, 4)?);
    if size == 0xffff_ffff || offset == 0xffff_ffff {
        return Err(Problem::new(
            "is a zip64 archive, which this page does not read",
            "give the run's files themselves",
        ));
    }
    if disk != 0 || offset + size > file_size {
        return Err(broken());
    }
    if size > MAX_DIRECTORY {
        return Err(Problem::new(
            "lists more files than this page reads",
            "zip the run's folder alone",
        ));
    }
    Ok(Directory { offset, size })
}

/// The files of a run in an archive's directory. Files that belong to none are left out.
///
/// # Errors
/// The directory is damaged, a file is encrypted or packed in another way than deflate, or the archive holds several
/// runs, or more than this page unpacks.
pub fn entries(directory: &[u8]) -> Result<Vec<Entry>, Problem> {
    const HEAD: u64 = 0x0201_4b50;
    let mut entries: Vec<Entry> = Vec::new();
    let mut at = 0;
    while number(directory, at, 4) == Some(HEAD) {
        let field =
            |offset: usize, length| number(directory, at + offset, length).ok_or_else(broken);
        let lengths = [field(28, 2)?, field(30, 2)?, field(32, 2)?].map(|n| n as usize);
        let name = directory.get(at + 46..at + 46 + lengths[0]).ok_or_else(broken)?;
        let path = String::from_utf8_lossy(name).into_owned();
        let entry = Entry {
            role: wanted(&path),
            path,
            header: field(42, 4)?,
            packed: field(20, 4)?,
            size: field(24, 4)?,
            deflated: field(10, 2)? == 8,
        };
        if entry.role != Role::Other {
            check(&entry, field(8, 2)?, field(10, 2)?)?;
            entries.push(entry);
        }
        at += 46 + lengths.iter().sum::<usize>();
    }
    if at == 0 && !directory.is_empty() {
        return Err(broken());
    }
    one_run(&entries)?;
    if entries.iter().map(|e| e.size).sum::<u64>() > MAX_TOTAL {
        return Err(Problem::new(
            format!("unpacks to more than {}", format::bytes(MAX_TOTAL)),
            "check it with the command-line tool instead",
        ));
    }
    Ok(entries)
}

/// What a file is, by its name alone: its bytes are still packed.
fn wanted(path: &str) -> Role {
    let name = base_name(path);
    // What a Mac packs beside each file looks like it and is something else.
    if path.ends_with('/') || name.starts_with("._") || path.starts_with("__MACOSX/") {
        return Role::Other;
    }
    match role(name, b"") {
        // Any text file could be a prompt; those of a run's arms stand in a folder of that name.
        Role::Prompt if !path.contains("arms/") => Role::Other,
        role => role,
    }
}

fn check(entry: &Entry, flags: u64, method: u64) -> Result<(), Problem> {
    let name = format::cut(&entry.path, 80);
    let fail = |what: String, remedy: &str| Err(Problem::new(what, remedy).in_file(name.clone()));
    if flags & 1 != 0 {
        return fail("is encrypted".into(), "zip it without a password");
    }
    if method != 8 && method != 0 {
        return fail(
            format!("is packed by method {method}, which this page does not read"),
            "zip it in the usual way (deflate)",
        );
    }
    if entry.size > entry.role.max_bytes() {
        return fail(
            format!(
                "unpacks to {}, and this page reads at most {}",
                format::bytes(entry.size),
                format::bytes(entry.role.max_bytes())
            ),
            "check it with the command-line tool instead",
        );
    }
    Ok(())
}

/// Two files of one role would be two runs.
fn one_run(entries: &[Entry]) -> Result<(), Problem> {
    for role in [Role::Results, Role::Records, Role::Items] {
        let mut of_role = entries.iter().filter(|e| e.role == role);
        if let (Some(first), Some(second)) = (of_role.next(), of_role.next()) {
            return Err(Problem::new(
                format!(
                    "holds {} as well as {}",
                    format::cut(&first.path, 80),
                    format::cut(&second.path, 80)
                ),
                "zip the folder of one run",
            ));
        }
    }
    Ok(())
}

/// Where a file's bytes begin, from its local header.
///
/// # Errors
/// There is no such header.
pub fn data_start(entry: &Entry, header: &[u8]) -> Result<u64, Problem> {
    let is_header = number(header, 0, 4) == Some(0x0403_4b50);
    let lengths = number(header, 26, 2).zip(number(header, 28, 2));
    match lengths {
        Some((name, extra)) if is_header => Ok(entry.header + LOCAL_HEADER + name + extra),
        _ => Err(broken().in_file(format::cut(&entry.path, 80))),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An archive of files that stand as they are, as `zip -0` writes it.
    pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut out, mut list) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            let offset = (out.len() as u32).to_le_bytes();
            let size = (bytes.len() as u32).to_le_bytes();
            let length = (name.len() as u16).to_le_bytes();
            let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &size, &size, &length];
            out.extend_from_slice(b"PK\x03\x04");
            out.extend(common.concat());
            out.extend_from_slice(&[0, 0]);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(bytes);
            list.extend_from_slice(b"PK\x01\x02\x14\x00");
            list.extend(common.concat());
            list.extend_from_slice(&[0; 12]);
            list.extend_from_slice(&offset);
            list.extend_from_slice(name.as_bytes());
        }
        let (at, size) = ((out.len() as u32).to_le_bytes(), (list.len() as u32).to_le_bytes());
        let n = (files.len() as u16).to_le_bytes();
        out.extend(list);
        out.extend([&b"PK\x05\x06\0\0\0\0"[..], &n, &n, &size, &at, &[0, 0]].concat());
        out
    }

    fn listed(bytes: &[u8]) -> Result<Vec<Entry>, Problem> {
        let tail = &bytes[bytes.len().saturating_sub(TAIL as usize)..];
        let found = directory(tail, bytes.len() as u64)?;
        entries(&bytes[found.offset as usize..(found.offset + found.size) as usize])
    }

    #[test]
    fn the_files_of_a_run_are_found_with_their_bytes() {
        let bytes = zip(&[
            ("main/results.json", b"{}"),
            ("main/notes.txt", b"x"),
            ("__MACOSX/main/._records.jsonl", b"x"),
            ("main/records.jsonl", b"row\n"),
            ("README.md", b"# x"),
        ]);
        let entries = listed(&bytes).unwrap();
        let names: Vec<_> = entries.iter().map(|e| e.path.as_str()).collect();
        assert_eq!(names, ["main/results.json", "main/records.jsonl"]);
        let entry = &entries[1];
        let start = data_start(entry, &bytes[entry.header as usize..]).unwrap() as usize;
        assert_eq!(&bytes[start..start + entry.size as usize], b"row\n");
    }

    #[test]
    fn two_runs_in_one_archive_are_refused() {
        let problem =
            listed(&zip(&[("a/results.json", b""), ("b/results.json", b"")])).unwrap_err();
        assert!(problem.what.contains("a/results.json as well as b/results.json"));
    }

    #[test]
    fn a_bomb_is_refused_by_what_it_says_of_itself() {
        let mut bytes = zip(&[("results.json", b"{}")]);
        let at = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        bytes[at + 24..at + 28].copy_from_slice(&0xf000_0000_u32.to_le_bytes());
        assert!(listed(&bytes).unwrap_err().what.contains("unpacks to"));
        bytes[at + 8] = 1;
        assert!(listed(&bytes).unwrap_err().what.contains("encrypted"));
    }

    #[test]
    fn damage_is_a_message() {
        let good = zip(&[("results.json", b"{}"), ("records.jsonl", b"x")]);
        for n in 0..good.len() {
            // Cut short, and each byte turned: a message or a list, never a panic.
            let _ = listed(&good[..n]);
            let mut turned = good.clone();
            turned[n] ^= 0xff;
            if let Ok(entries) = listed(&turned) {
                for entry in entries {
                    let header = turned.get(entry.header as usize..).unwrap_or_default();
                    let _ = data_start(&entry, header);
                }
            }
        }
        assert!(listed(b"").is_err() && listed(b"not a zip").is_err());
    }
}
