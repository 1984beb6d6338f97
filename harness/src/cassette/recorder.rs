use std::{
    fs::File,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use records::Interaction;

use super::Player;
use crate::{
    error::{Error, io_text},
    run_folder::Log,
};

/// Waiting for the disk takes longer than a fast server's answer, so it is not done more often than this.
const SYNC_EVERY: Duration = Duration::from_millis(200);

/// Bytes of the disk that are held for the answers that are under way when it fills up.
const RESERVE: usize = 1 << 20;

/// Appends exchanges to one cassette file, each written before anything else is done with it, so that a call that was
/// paid for is not paid for again when this process ends; and it waits for the disk often enough that little is lost
/// when the machine does.
#[derive(Debug)]
pub struct Recorder {
    log: Log,
    synced: Option<Instant>,
    /// A file without a name, gone with this process however it ends; given up when the disk is full.
    reserve: Option<File>,
    /// Why the reserve was given up.
    full: Option<String>,
}

impl Recorder {
    /// Opens or creates `path`, with a player of what is recorded there; no other process can record there meanwhile.
    ///
    /// # Errors
    /// The file cannot be written, holds a wrong line, or is being written to by another process, or the disk is full.
    pub fn open(path: &Path) -> Result<(Self, Player), Error> {
        let mut player = Player::empty(path);
        let log = Log::open(path, |exchange: Interaction| player.add(exchange))?;
        let reserve = reserve(path)
            .map_err(|e| Error::Input(format!("{}: {}", path.display(), io_text(&e))))?;
        Ok((Self { log, synced: None, reserve: Some(reserve), full: None }, player))
    }

    /// Why nothing more should be asked: the disk is full but for what is held for the answers under way.
    #[must_use]
    pub fn full(&self) -> Option<&str> {
        self.full.as_deref()
    }

    /// Writes one exchange down.
    ///
    /// # Errors
    /// The disk is full or the file is gone.
    pub fn append(&mut self, interaction: &Interaction) -> Result<(), Error> {
        if let Err(error) = self.log.append(interaction) {
            if self.reserve.take().is_none() {
                return Err(error);
            }
            self.log.append(interaction)?;
            self.full = Some(error.to_string());
        }
        if self.synced.is_none_or(|synced| synced.elapsed() >= SYNC_EVERY) {
            self.log.sync()?;
            self.synced = Some(Instant::now());
        }
        Ok(())
    }
}

/// Room on the disk beside `path`.
fn reserve(path: &Path) -> std::io::Result<File> {
    let mut file = tempfile::tempfile_in(path.parent().unwrap_or(path))?;
    file.write_all(&vec![0; RESERVE])?;
    file.sync_data()?;
    Ok(file)
}
