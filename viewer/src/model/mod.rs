//! What the page shows, as plain values: tables, sentences, plot specifications. No browser, no framework, all of it
//! tested natively; the site builder renders the published table from the same model.

pub mod calibration;
pub mod check;
pub mod comparisons;
pub mod definitions;
pub mod entry;
pub mod evidence;
#[cfg(test)]
pub(crate) mod example;
pub mod files;
pub mod forest;
pub mod glance;
pub mod lift;
pub mod metric;
pub mod number;
pub mod reason;
pub mod receipt;
pub mod retrieval;
pub mod sheet;
pub mod spread;
mod static_html;
pub mod table;
pub mod what_if;

pub use static_html::{BAR_BOX, bar_shape, escape, static_html, static_html_with_run};
pub use table::{Table, results_table};
