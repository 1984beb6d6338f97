use std::{
    path::Path,
    time::{Duration, Instant},
};

use records::Interaction;

use super::Player;
use crate::{error::Error, run_folder::Log};

/// Waiting for the disk takes longer than a fast server's answer, so it is not done more often than this.
const SYNC_EVERY: Duration = Duration::from_millis(200);

/// Appends exchanges to one cassette file, each written before anything else is done with it, so that a call that was
/// paid for is not paid for again when this process ends; and it waits for the disk often enough that little is lost
/// when the machine does.
#[derive(Debug)]
pub struct Recorder {
    log: Log,
    synced: Option<Instant>,
}

impl Recorder {
    /// Opens or creates `path`, with a player of what is recorded there; no other process can record there meanwhile.
    ///
    /// # Errors
    /// The file cannot be written, holds a wrong line, or is being written to by another process.
    pub fn open(path: &Path) -> Result<(Self, Player), Error> {
        let mut player = Player::empty(path);
        let log = Log::open(path, |exchange: Interaction| player.add(exchange))?;
        Ok((Self { log, synced: None }, player))
    }

    /// Writes one exchange down.
    ///
    /// # Errors
    /// The disk is full or the file is gone.
    pub fn append(&mut self, interaction: &Interaction) -> Result<(), Error> {
        self.log.append(interaction)?;
        if self.synced.is_none_or(|synced| synced.elapsed() >= SYNC_EVERY) {
            self.log.sync()?;
            self.synced = Some(Instant::now());
        }
        Ok(())
    }
}
