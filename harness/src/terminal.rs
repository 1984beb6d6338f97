//! Words to and from the person at the terminal.

use std::io::{BufRead, IsTerminal, Write};

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

/// Says `text` on standard error. Nothing is lost when nobody listens there.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Asks a question that yes or no answers; `None` when there is nobody to ask.
///
/// # Errors
/// The answer cannot be read.
pub fn ask(question: &str) -> Result<Option<bool>, Error> {
    let input = std::io::stdin();
    if !input.is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(None);
    }
    let _ = write!(std::io::stderr().lock(), "{question} [y/N] ");
    let mut answer = String::new();
    input
        .lock()
        .read_line(&mut answer)
        .map_err(|e| Error::Input(format!("standard input: {}", io_text(&e))))?;
    Ok(Some(["y", "yes"].contains(&answer.trim().to_lowercase().as_str())))
}
