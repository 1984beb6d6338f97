//! The whole site in one zip, for whoever wants to audit it without a network.

use std::{
    collections::BTreeMap,
    io::{Cursor, Write},
};

use zip::{CompressionMethod, DateTime, ZipWriter, result::ZipResult, write::SimpleFileOptions};

/// Name of the archive in the site, and of the folder it unpacks to.
pub(crate) const NAME: &str = "recount-site";

/// A zip of `files`, all of them below one `folder` so that unpacking litters nothing. The same files give the same
/// bytes: no entry carries the time at which it was written.
///
/// # Errors
/// More bytes than a zip holds.
pub fn archive(folder: &str, files: &BTreeMap<String, Vec<u8>>) -> ZipResult<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        zip.start_file(format!("{folder}/{path}"), options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn the_archive_holds_every_file_below_one_folder_and_is_the_same_each_time() {
        let files = BTreeMap::from([
            ("index.html".to_owned(), b"<p>page</p>".to_vec()),
            ("runs/main/records.jsonl".to_owned(), b"{}\n".repeat(1000)),
        ]);
        let bytes = archive(NAME, &files).unwrap();
        assert_eq!(bytes, archive(NAME, &files).unwrap());
        let mut zip = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
        assert_eq!(zip.len(), files.len());
        for (path, expected) in &files {
            let mut found = Vec::new();
            zip.by_name(&format!("{NAME}/{path}")).unwrap().read_to_end(&mut found).unwrap();
            assert_eq!(&found, expected, "{path}");
        }
    }
}
