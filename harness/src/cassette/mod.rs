//! Recorded exchanges: played back, added to, or passed by.
//!
//! A [`Transport`] makes a call in one of three ways. A replay answers from the cassette alone and never falls through
//! to the network. Recording answers from the cassette what already succeeded, calls the provider for the rest and
//! writes each exchange down before anything else is done with it. A live run only calls.

mod http;
mod pace;
mod player;
mod recorder;

use std::{
    cell::{Cell, RefCell},
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

use records::{Interaction, Request};
use tokio::sync::Notify;

pub use http::Http;
pub use pace::Pace;
pub use player::{Player, Shelf};
pub use recorder::Recorder;

use crate::{error::Error, provider::Api};

/// The cassette of a model in an arm, below the cassettes folder: `<dataset_id>/<model>/<arm>.jsonl`.
#[must_use]
pub fn relative_path(dataset_id: &str, model: &str, arm: &str) -> PathBuf {
    Path::new(&slug(dataset_id)).join(slug(model)).join(format!("{}.jsonl", slug(arm)))
}

/// A model's name as a file name: anything but letters, digits, dots, dashes and underscores becomes a dash.
#[must_use]
pub fn slug(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let slug: String = name.chars().map(|c| if keep(c) { c } else { '-' }).collect();
    // A name of dots alone would leave the folder.
    if slug.chars().all(|c| c == '.') { format!("-{slug}") } else { slug }
}

/// True for a name that can be a folder's as it is: letters, digits, dots, dashes and underscores, and not dots alone.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && slug(name) == name
}

/// One call of a row.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Whose API.
    pub api: &'a dyn Api,
    /// What is asked.
    pub request: &'a Request,
    /// The row's repeat, from 0.
    pub repeat: u32,
    /// The attempt at the row, from 1: a row that was not served is attempted again when its run is resumed.
    pub attempt: u32,
    /// Number of the try within the attempt, from 0.
    pub number: u32,
}

/// A call's exchange and whether it was made now.
#[derive(Debug)]
pub struct Exchanged {
    /// The exchange.
    pub interaction: Interaction,
    /// True when a provider was called for it, false when it was found in a cassette.
    pub fresh: bool,
}

/// How a call is made: from the cassette where it is recorded, else from the provider, written down.
pub struct Transport {
    player: Option<Player>,
    remote: Option<Remote>,
    recorder: Option<RefCell<Recorder>>,
}

/// The way to a provider.
pub struct Remote {
    /// The client.
    pub http: Http,
    /// Holds calls back.
    pub pace: Rc<Pace>,
    /// The most tokens that an answer can have.
    pub most_output_tokens: u64,
    /// Says when no further call is to be made.
    pub stop: Rc<StopSign>,
}

/// Raised once, when the person asks to stop: calls that are under way go on, and no other is begun.
#[derive(Debug, Default)]
pub struct StopSign {
    raised: Cell<bool>,
    told: Notify,
}

impl StopSign {
    /// Raises the sign.
    pub fn raise(&self) {
        self.raised.set(true);
        self.told.notify_waiters();
    }

    /// Waits until it is raised.
    async fn asked(&self) {
        let told = self.told.notified();
        if !self.raised.get() {
            told.await;
        }
    }
}

fn stopped() -> Error {
    Error::Interrupted("stopped as asked".to_owned())
}

impl Transport {
    /// Answers from the cassette alone and never calls.
    #[must_use]
    pub fn replay(player: Player) -> Self {
        Self { player: Some(player), remote: None, recorder: None }
    }

    /// Answers from the cassette what succeeded before, calls for the rest and writes each exchange down.
    #[must_use]
    pub fn record(player: Player, remote: Remote, recorder: Recorder) -> Self {
        let recorder = Some(RefCell::new(recorder));
        Self { player: Some(player), remote: Some(remote), recorder }
    }

    /// Calls, and writes nothing down.
    #[must_use]
    pub fn live(remote: Remote) -> Self {
        Self { player: None, remote: Some(remote), recorder: None }
    }

    /// Makes one call, or finds it.
    ///
    /// # Errors
    /// A cassette miss, or the exchange could not be written down. A provider's failure is no error here: it is part
    /// of the exchange.
    pub async fn call(&self, call: Call<'_>) -> Result<Exchanged, Error> {
        let Some(remote) = &self.remote else {
            let player = self.player.as_ref();
            let player = player.ok_or_else(|| Error::Miss("there is no cassette".to_owned()))?;
            return Ok(Exchanged { interaction: player.find(&call)?.clone(), fresh: false });
        };
        if let Some(recorded) = self.recorded(&call) {
            return Ok(Exchanged { interaction: recorded.clone(), fresh: false });
        }
        let tokens = input_tokens(call.request) + remote.most_output_tokens;
        tokio::select! {
            biased;
            () = remote.stop.asked() => return Err(stopped()),
            () = remote.pace.wait(tokens) => {}
        }
        let mut interaction = remote.http.call(call.api.name(), call.request, call.repeat).await;
        interaction.attempt = (call.attempt > 1).then_some(call.attempt);
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().append(&interaction)?;
        }
        Ok(Exchanged { interaction, fresh: true })
    }

    /// Why no further call should be made: what it costs could not be written down.
    #[must_use]
    pub fn full(&self) -> Option<Error> {
        let recorder = self.recorder.as_ref()?.borrow();
        recorder.full().map(|words| Error::Input(words.to_owned()))
    }

    /// The exchange that answers a call without calling anybody, if there is one.
    #[must_use]
    pub fn recorded(&self, call: &Call<'_>) -> Option<&Interaction> {
        self.player.as_ref()?.success(call)
    }

    /// Waits before a call is tried again; a replay need not.
    ///
    /// # Errors
    /// The person asked to stop meanwhile.
    pub async fn pause(&self, pause: Duration) -> Result<(), Error> {
        let Some(remote) = &self.remote else { return Ok(()) };
        tokio::select! {
            biased;
            () = remote.stop.asked() => Err(stopped()),
            () = tokio::time::sleep(pause) => Ok(()),
        }
    }

    /// The cassette that it plays from, if there is one.
    #[must_use]
    pub fn player(&self) -> Option<&Player> {
        self.player.as_ref()
    }

    /// True when a provider may be called.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.remote.is_some()
    }
}

/// About how many tokens a request has: a token is taken to be three bytes of its text, which is on the safe side for
/// European languages.
#[must_use]
pub fn input_tokens(request: &Request) -> u64 {
    request.body.to_string().len().div_ceil(3) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_the_folder() {
        for name in ["..", ".", "../../etc", "a/b", "", "a\\b", "über"] {
            let path = relative_path("d", name, "a0");
            let parts: Vec<_> = path.components().collect();
            assert_eq!(parts.len(), 3, "{name}: {}", path.display());
            assert!(parts.iter().all(|p| matches!(p, std::path::Component::Normal(_))), "{name}");
        }
    }
}
