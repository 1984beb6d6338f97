//! One file per verb.

mod bundle;
mod dataset;
mod report;
mod run;
mod schema;
mod verify;

use crate::cli::{BundleVerb, Cli, DatasetVerb, Verb};

/// Runs the verb of a command line.
///
/// # Errors
/// Whatever the verb reports; see [`crate::error::Error`] for the exit codes.
pub fn dispatch(cli: Cli) -> anyhow::Result<()> {
    match cli.verb {
        Verb::Run(args) => run::run(&args),
        Verb::Report(args) => report::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::Bundle(BundleVerb::Check(args)) => bundle::check(&args),
        Verb::Dataset(DatasetVerb::Sign(args)) => dataset::sign(&args),
        Verb::Schema(args) => schema::run(&args),
    }
}
