//! A real browser and the sites that are opened in it.
//!
//! Everything a test needs is here, so that a test says only what a reader does and sees: [`Browser`] starts Chromium
//! and ends it whatever happens, [`TestSite`] publishes a folder of runs and serves it, [`fixture`] makes a run from the
//! records that the statistics are tested with.

pub mod axe;
mod browser;
mod driver;
pub mod fixture;
mod logs;
mod npm;
pub mod programs;
mod site_under_test;
pub mod views;

pub use browser::{Browser, Key, Medium, Shown, View};
pub use logs::Activity;
pub use site_under_test::TestSite;
