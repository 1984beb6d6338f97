//! Recorded exchanges: played back, added to, or passed by.
//!
//! A [`Transport`] makes a call in one of three ways. `Replay` answers from the cassette alone and never falls through
//! to the network. `Record` answers from the cassette what already succeeded, calls the provider for the rest and
//! writes each exchange down before anything else is done with it. `Live` only calls.

mod http;
mod player;
mod recorder;

use std::path::{Path, PathBuf};

use records::{Interaction, Request};

pub use http::Http;
pub use player::Player;
pub use recorder::Recorder;

use crate::error::Error;

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

/// How a call is made.
pub enum Transport {
    /// From the cassette alone.
    Replay(Player),
    /// From the cassette where it succeeded before, else from the provider, written down.
    Record(Player, Http, Recorder),
    /// From the provider.
    Live(Http),
}

impl Transport {
    /// Makes one call, or finds it.
    ///
    /// # Errors
    /// A cassette miss, or the exchange could not be written down. A provider's failure is no error here: it is part
    /// of the exchange.
    pub async fn call(
        &mut self,
        provider: &str,
        request: &Request,
        repeat: u32,
    ) -> Result<Interaction, Error> {
        match self {
            Self::Replay(player) => player.next(provider, request, repeat),
            Self::Record(player, http, recorder) => {
                if let Some(recorded) = player.success(provider, request, repeat) {
                    return Ok(recorded);
                }
                let interaction = http.call(provider, request, repeat).await;
                recorder.append(&interaction)?;
                Ok(interaction)
            }
            Self::Live(http) => Ok(http.call(provider, request, repeat).await),
        }
    }

    /// True when waiting between attempts makes sense.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        !matches!(self, Self::Replay(_))
    }
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
