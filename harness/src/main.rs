//! `recount`: parses the command line, runs one verb, turns an error into an exit code.

use std::process::ExitCode;

use clap::Parser;
use harness::{cli::Cli, cmd, error::Error, terminal};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let json = cli.json;
    let Err(error) = cmd::dispatch(cli) else { return ExitCode::SUCCESS };
    let code = error.downcast_ref::<Error>().map_or(1, Error::exit_code);
    if json {
        // A second object only where the verb printed one: what came of it, then why that is not well.
        print_json(&error.to_string(), code);
    }
    terminal::note(&format!("recount: {error}"));
    ExitCode::from(code)
}

/// Says what is wrong with a command line, or prints the help or version that it asks for.
fn refuse(error: &clap::Error) -> ExitCode {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    // The line was not understood, so that it is not known as what this word was meant; a machine reads what it asked for.
    if error.use_stderr() && std::env::args().any(|word| word == "--json") {
        print_json(error.render().to_string().trim_end(), code);
    }
    // Nothing is left to be done about a terminal that is gone.
    let _ = error.print();
    ExitCode::from(code)
}

fn print_json(error: &str, exit_code: u8) {
    let object = serde_json::json!({"error": error, "exit_code": exit_code});
    // Nothing is left to be done about an output that takes nothing more.
    let _ = terminal::print_line(&object.to_string());
}
