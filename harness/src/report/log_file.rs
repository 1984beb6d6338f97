//! A records file that stands alone, of which no more is held than figures need.

use std::path::Path;

use metrics::{Log, LogBuilder};
use records::{FileEntry, Record};

use crate::{
    error::Error,
    pieces::{Seen, read_rows},
};

/// What stands in a records file.
#[derive(Debug)]
pub struct LogFile {
    /// The rows that count.
    pub log: Log,
    /// Digest and size of the file.
    pub entry: FileEntry,
    /// Run of the first row.
    pub run_id: String,
    /// Data set of the first row.
    pub dataset_id: String,
    /// A sentence about unknown fields.
    pub note: Option<String>,
}

/// Reads a records file piece by piece.
///
/// # Errors
/// The file cannot be read, holds no row, or has a line that is wrong; the first such line is named.
pub fn read_log_file(path: &Path) -> Result<LogFile, Error> {
    let mut builder = LogBuilder::default();
    let mut first = None;
    let Seen { entry, note } = read_rows(path, |row: Record| {
        builder.push(&row).map_err(|e| Error::Input(e.to_string()))?;
        first.get_or_insert((row.run_id, row.dataset_id));
        Ok(())
    })?;
    let Some((run_id, dataset_id)) = first else {
        return Err(Error::Input(format!("{}: holds no record", path.display())));
    };
    let log = builder.finish().map_err(|e| Error::Input(e.to_string()))?;
    Ok(LogFile { log, entry, run_id, dataset_id, note })
}
