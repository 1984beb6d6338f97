//! The site in a real browser.

mod changed;
mod files;
mod hostile;
mod network;
mod published;
mod reading;
mod tampering;
mod views;
