//! What can go wrong, as one of the documented exit codes.

use std::path::Path;

/// A failure with the exit code that the command ends with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Figures or hashes do not agree, or a check failed (exit code 1).
    #[error("{0}")]
    Disagrees(String),
    /// The command line asks for something that does not exist (exit code 2).
    #[error("{0}")]
    Usage(String),
    /// A file is missing, unreadable or wrong (exit code 3).
    #[error("{0}")]
    Input(String),
    /// A replay asks for an exchange that was never recorded (exit code 3).
    #[error("cassette miss: {0}")]
    Miss(String),
    /// A provider could not be used (exit code 4).
    #[error("{0}")]
    Provider(String),
    /// The person asked to stop (exit code 130, as shells have it).
    #[error("{0}")]
    Interrupted(String),
}

impl Error {
    /// The exit code: 1 differs or not finished, 2 usage, 3 input, 4 provider, 130 stopped by hand.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Disagrees(_) => 1,
            Self::Usage(_) => 2,
            Self::Input(_) | Self::Miss(_) => 3,
            Self::Provider(_) => 4,
            Self::Interrupted(_) => 130,
        }
    }
}

impl From<records::ReadError> for Error {
    fn from(error: records::ReadError) -> Self {
        Self::Input(error.to_string())
    }
}

/// Reads a file; the error names it and says what to do.
///
/// # Errors
/// The file is missing or cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|e| Error::Input(format!("{}: {}", path.display(), io_text(&e))))
}

/// Reads a text file; the error names it and says what to do.
///
/// # Errors
/// The file is missing, cannot be read, or is no UTF-8 text.
pub fn read_text(path: &Path) -> Result<String, Error> {
    String::from_utf8(read_file(path)?)
        .map_err(|_| Error::Input(format!("{}: is not UTF-8 text", path.display())))
}

/// Writes a file whole: beside its place first, then moved there, so that a crash leaves the old file or the new one.
///
/// # Errors
/// The folder is missing or read-only, or the disk is full.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let problem = |e: &std::io::Error| Error::Input(format!("{}: {}", path.display(), io_text(e)));
    if !path.exists() || path.is_file() {
        let mut part = path.as_os_str().to_owned();
        part.push(format!(".{}.part", std::process::id()));
        let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path));
        if written.is_err() {
            // Best effort: the error that matters is the first one.
            let _ = std::fs::remove_file(&part);
        }
        return written.map_err(|e| problem(&e));
    }
    // A device or a pipe, such as /dev/stdout, is written in place.
    std::fs::write(path, bytes).map_err(|e| problem(&e))
}

/// An I/O error as a sentence with a remedy.
#[must_use]
pub fn io_text(error: &std::io::Error) -> String {
    use std::io::ErrorKind as K;
    match error.kind() {
        K::NotFound => "there is no such file; check the path".to_owned(),
        K::PermissionDenied | K::ReadOnlyFilesystem => {
            format!("not allowed ({error}); check the permissions, or choose another folder")
        }
        K::StorageFull => format!("the disk is full ({error}); free some space and run again"),
        K::IsADirectory => "this is a folder, not a file".to_owned(),
        _ => error.to_string(),
    }
}
