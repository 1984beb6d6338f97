use std::{fs::File, io::Write, path::Path};

use records::Interaction;

use crate::{
    error::{Error, io_text},
    run_folder::open_log,
};

/// Appends exchanges to one cassette file, each flushed before the next call.
#[derive(Debug)]
pub struct Recorder {
    path: String,
    file: File,
}

impl Recorder {
    /// Opens or creates `path`; a last line that was cut off by a crash is removed.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Ok(Self { path: path.display().to_string(), file: open_log(path)? })
    }

    /// Writes one exchange down.
    ///
    /// # Errors
    /// The disk is full or the file is gone.
    pub fn append(&mut self, interaction: &Interaction) -> Result<(), Error> {
        let mut line = serde_json::to_string(interaction)
            .map_err(|e| Error::Input(format!("{}: {e}", self.path)))?;
        line.push('\n');
        self.file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|e| Error::Input(format!("{}: {}", self.path, io_text(&e))))
    }
}
