//! The site in a real browser.

mod hostile;
mod network;
mod published;
mod reading;
mod tampering;
