//! The site in a real browser.

mod accessibility;
mod budgets;
mod changed;
mod files;
mod hostile;
mod keyboard;
mod long;
mod network;
mod published;
mod reading;
mod sizes;
mod tampering;
mod views;
