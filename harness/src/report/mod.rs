//! From a run's files to its published results.

mod compute;
mod log_file;
mod table;

pub use compute::{RunFiles, compute_results, default_control, inputs_of, load_run, sums_text};
pub use log_file::{LogFile, read_log_file};
pub use table::{csv_table, json_table, markdown_table, text_table};
