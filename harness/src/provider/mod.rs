//! What differs between model APIs: the shape of a request and of a response. Pure; the calls themselves are made by
//! [`crate::cassette::Transport`].

mod anthropic;
pub mod baseline;
mod google;
pub mod lexical;
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
    /// The address of the provider itself, used when `data/models.toml` names none.
    fn base_url(&self) -> &'static str;
    /// The headers that carry `key`; never written anywhere.
    fn headers(&self, key: &str) -> Vec<(&'static str, String)>;
    /// The request that continues `conversation`.
    fn request(&self, model: &ModelConfig, conversation: &[Message], seed: Option<u64>) -> Request;
    /// Reads the body of a response with status 200.
    ///
    /// # Errors
    /// The body is not what the API promises: what is wrong with it.
    fn read(&self, body: &Value) -> Result<Reply, String>;
}

/// Every API; adding one is a file and a line here.
const APIS: [&dyn Api; 3] = [&openai::OpenAi, &google::Google, &anthropic::Anthropic];

/// The API called `name`.
///
/// # Errors
/// There is none of that name; the message lists those that exist.
pub fn api(name: &str) -> Result<&'static dyn Api, Error> {
    APIS.into_iter().find(|a| a.name() == name).ok_or_else(|| {
        let known: Vec<_> = APIS.iter().map(|a| a.name()).collect();
        Error::Usage(format!(
            "there is no provider \"{name}\"; it can be {} or {}",
            known.join(", "),
            baseline::PROVIDER
        ))
    })
}
