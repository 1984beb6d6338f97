//! What differs between model APIs: the shape of a request and of a response. Pure; the calls themselves are made by
//! [`crate::cassette::Transport`].

pub mod baseline;
mod openai;

use records::{Request, Usage};
use serde_json::Value;

use crate::{error::Error, models::ModelConfig, prompt::Message};

/// What a model said, as far as the harness cares.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A completion.
    Completion {
        /// The text.
        text: String,
        /// Tokens, when reported.
        usage: Option<Usage>,
        /// The version that the provider reports for the model.
        version: Option<String>,
    },
    /// Declined by a safety classifier.
    Refused,
}

/// One model API.
pub trait Api: Sync {
    /// Name as in `data/models.toml` and in cassettes.
    fn name(&self) -> &'static str;
    /// The environment variable that holds the key.
    fn key_variable(&self) -> &'static str;
    /// The request that continues `conversation`.
    fn request(&self, model: &ModelConfig, conversation: &[Message], seed: Option<u64>) -> Request;
    /// Reads the body of a response with status 200.
    ///
    /// # Errors
    /// The body is not what the API promises: what is wrong with it.
    fn read(&self, body: &Value) -> Result<Reply, String>;
}

/// The API called `name`.
///
/// # Errors
/// There is none of that name.
pub fn api(name: &str) -> Result<&'static dyn Api, Error> {
    match name {
        "openai" => Ok(&openai::OpenAi),
        _ => Err(Error::Usage(format!(
            "there is no provider \"{name}\"; it can be openai or {}",
            baseline::PROVIDER
        ))),
    }
}
