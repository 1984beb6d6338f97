//! `recount`: parses the command line, runs one verb, turns an error into an exit code.

use std::process::ExitCode;

use clap::Parser;
use harness::{cli::Cli, cmd, error::Error, terminal};

fn main() -> ExitCode {
    match cmd::dispatch(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::note(&format!("recount: {error}"));
            ExitCode::from(match error.downcast_ref::<Error>() {
                Some(known) => known.exit_code(),
                None => 1,
            })
        }
    }
}
