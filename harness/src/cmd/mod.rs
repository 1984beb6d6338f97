//! One file per verb.

mod bundle;
mod completions;
mod dataset;
mod doctor;
pub(crate) mod markets;
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
    let json = cli.json;
    match cli.verb {
        Verb::Run(args) => run::run(&args, json),
        Verb::Report(args) => report::run(&args, json),
        Verb::Verify(args) => verify::run(&args, json),
        Verb::Bundle(BundleVerb::Check(args)) => bundle::check(&args, json),
        Verb::Dataset(DatasetVerb::Sign(args)) => dataset::sign(&args, json),
        Verb::Dataset(DatasetVerb::Markets(verb)) => markets::run(&verb, json),
        Verb::Schema(args) => schema::run(&args),
        Verb::Doctor(args) => doctor::run(&args, json),
        Verb::Completions(args) => completions::run(&args),
    }
}
