//! Writing to standard output.

use std::io::Write;

use crate::error::{Error, io_text};

/// Prints `text` as it stands. A reader that has seen enough (`| head`) is no error; a full disk is.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::Input(format!("standard output: {}", io_text(&e))))
        }
        _ => Ok(()),
    }
}

/// Prints `text` as a line.
///
/// # Errors
/// As [`print`].
pub fn print_line(text: &str) -> Result<(), Error> {
    print(&format!("{text}\n"))
}
