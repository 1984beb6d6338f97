use clap::CommandFactory;

use crate::{
    cli::{Cli, CompletionsArgs},
    error::Error,
    terminal::print,
};

/// `recount completions`
pub fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "recount", &mut text);
    let text = String::from_utf8(text).map_err(|e| Error::Input(e.to_string()))?;
    Ok(print(&text)?)
}
