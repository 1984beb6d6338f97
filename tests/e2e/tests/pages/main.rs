//! The site in a real browser.

#![expect(clippy::unwrap_used, reason = "a test that cannot open its page should stop there")]

mod hostile;
mod network;
mod published;
mod reading;
mod tampering;
