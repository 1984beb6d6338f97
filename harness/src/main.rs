//! `recount`: parses the command line, runs one verb, turns an error into an exit code.

use std::process::ExitCode;

use clap::Parser;
use harness::{cli::Cli, cmd, error::Error, terminal};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let json = cli.json;
    let Err(error) = cmd::dispatch(cli) else { return ExitCode::SUCCESS };
    let code = error.downcast_ref::<Error>().map_or(1, Error::exit_code);
    if json {
        // A second object only where the verb printed one: what came of it, then why that is not well.
        let object = serde_json::json!({"error": error.to_string(), "exit_code": code});
        // Nothing is left to be done about an output that takes nothing more.
        let _ = terminal::print_line(&object.to_string());
    }
    terminal::note(&format!("recount: {error}"));
    ExitCode::from(code)
}
