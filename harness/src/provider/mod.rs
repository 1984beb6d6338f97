//! What differs between model APIs: the shape of a request and of a response. Pure; the calls themselves are made by
//! [`crate::cassette::Transport`].

mod anthropic;
pub mod baseline;
mod google;
mod lexical;
mod openai;

use std::time::Duration;

use records::{Document, Item, Request, Usage};
use serde_json::Value;

use crate::{error::Error, models::ModelConfig, prompt::Message};

/// What a model said, as far as the harness cares.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A completion.
    Completion {
        /// The text; empty when the model wrote none, or nothing but thoughts.
        text: String,
        /// Tokens, when reported.
        usage: Option<Usage>,
        /// The version that the provider reports for the model.
        version: Option<String>,
        /// The tokens of the text with their probabilities, when the model's parameters ask for them and the provider
        /// has them; else empty.
        logprobs: Vec<TokenLogprob>,
    },
    /// An envelope without an answer in it.
    Empty {
        /// What is missing, as a sentence.
        problem: &'static str,
        /// Tokens, when reported: it is paid for all the same.
        usage: Option<Usage>,
    },
    /// Declined by a safety classifier, whatever text came before it stepped in.
    Refused {
        /// Tokens, when reported: a refusal is paid for.
        usage: Option<Usage>,
    },
}

/// One token of a completion.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenLogprob {
    /// Its text.
    pub token: String,
    /// Natural logarithm of the probability that the model gave it: at most 0.
    pub logprob: f64,
}

/// One model API.
pub trait Api: Sync {
    /// Name as in `data/models.toml` and in cassettes.
    fn name(&self) -> &'static str;
    /// The environment variable that holds the key.
    fn key_variable(&self) -> &'static str;
    /// The address of the provider itself, used when `data/models.toml` names none.
    fn base_url(&self) -> &'static str;
    /// The header that carries `key`; never written anywhere.
    fn key_header(&self, key: &str) -> (&'static str, String);
    /// Headers that every call carries, with a key or without.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// The request that continues `conversation`.
    fn request(&self, model: &ModelConfig, conversation: &[Message], seed: Option<u64>) -> Request;
    /// Reads the body of a response with status 200.
    ///
    /// # Errors
    /// The body is not what the API promises: what is wrong with it.
    fn read(&self, body: &Value) -> Result<Reply, String>;
    /// How long the body of a failure asks to wait, where the API says so there and not in a header.
    fn asked_wait(&self, _body: &Value) -> Option<Duration> {
        None
    }
}

/// A reader that is part of the harness: it needs no key, no network and no model, and says the same every time.
pub struct Reader {
    /// Name as in `data/models.toml`.
    pub name: &'static str,
    /// Changes whenever it might answer otherwise than before.
    pub version: &'static str,
    /// The completion for an item, the documents shown, and whether it may abstain.
    pub answer: fn(&Item, &[&Document], bool) -> String,
}

/// The reader that needs nothing but the documents.
const LEXICAL: Reader =
    Reader { name: "lexical", version: lexical::VERSION, answer: lexical::answer };

/// Where completions come from.
#[derive(Clone, Copy)]
pub enum Provider {
    /// From a model behind an API.
    Api(&'static dyn Api),
    /// From the harness itself.
    Embedded(&'static Reader),
}

/// Every provider; adding one is a file and a line here. The baselines stand apart, since they answer no prompt.
const PROVIDERS: [Provider; 4] = [
    Provider::Api(&openai::OpenAi),
    Provider::Api(&google::Google),
    Provider::Api(&anthropic::Anthropic),
    Provider::Embedded(&LEXICAL),
];

impl Provider {
    /// The provider called `name`.
    ///
    /// # Errors
    /// There is none of that name; the message lists those that exist.
    pub fn of(name: &str) -> Result<Self, Error> {
        PROVIDERS.into_iter().find(|p| p.name() == name).ok_or_else(|| {
            let known: Vec<_> = PROVIDERS.iter().map(Self::name).collect();
            Error::Usage(format!(
                "there is no provider \"{name}\"; it can be {} or {}",
                known.join(", "),
                baseline::PROVIDER
            ))
        })
    }

    /// The API, unless the provider is part of the harness.
    #[must_use]
    pub fn api(&self) -> Option<&'static dyn Api> {
        match self {
            Self::Api(api) => Some(*api),
            Self::Embedded(_) => None,
        }
    }

    /// Name as in `data/models.toml`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Api(api) => api.name(),
            Self::Embedded(reader) => reader.name,
        }
    }
}
