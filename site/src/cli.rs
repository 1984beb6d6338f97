//! The command line.

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};

use crate::{
    assembly::{Places, build},
    budget::AIM,
    demo, project, serve,
    toolchain::Choice,
};

/// Builds and serves the site that recomputes every published number in its reader's browser.
#[derive(Debug, Parser)]
#[command(name = "site", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Compile the page and write the site
    #[command(
        after_help = "Examples:\n  site build --results results --out site/dist\n  site build --runs main,2026-11"
    )]
    Build(BuildArgs),
    /// Serve a site that is built, on this machine only
    #[command(after_help = "Examples:\n  site serve\n  site serve --port 9000 --sub-path /recount")]
    Serve(ServeArgs),
    /// Replay the recorded run, verify every number, build the site and serve it
    Demo(DemoArgs),
}

#[derive(Debug, Args)]
struct BuildArgs {
    /// Folder to write, replaced as a whole [default: site/dist in the project]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Folder of the runs [default: results in the project]
    #[arg(long)]
    results: Option<PathBuf>,
    /// Runs to publish, by name, with commas between them [default: every run with results]
    #[arg(long, value_delimiter = ',')]
    runs: Vec<String>,
    /// Folder of the data sets [default: data in the project]
    #[arg(long)]
    data: Option<PathBuf>,
    /// Which compiler to use
    #[arg(long, value_enum, default_value_t)]
    toolchain: Choice,
}

#[derive(Debug, Args)]
struct ServeArgs {
    /// Folder of the site [default: site/dist in the project]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Port on 127.0.0.1; 0 takes any free one [default: 8080, or the next free one]
    #[arg(long)]
    port: Option<u16>,
    /// Path that the site stands below, as on a host that holds several
    #[arg(long, default_value = "")]
    sub_path: String,
}

#[derive(Debug, Args)]
struct DemoArgs {
    /// Stop after the verdict instead of serving the site
    #[arg(long)]
    no_serve: bool,
    /// Port on 127.0.0.1; 0 takes any free one [default: 8080, or the next free one]
    #[arg(long)]
    port: Option<u16>,
}

/// Runs the command.
///
/// # Errors
/// What went wrong, with its causes.
pub async fn run(cli: Cli) -> Result<()> {
    let here = env::current_dir().context("the current folder cannot be read")?;
    let places = || {
        project::root(&here)
            .map(|root| Places::of(&root))
            .context("no workspace here: run this inside the project's checkout")
    };
    match cli.command {
        Verb::Build(args) => {
            let mut places = places()?;
            let set = |place: &mut PathBuf, given: Option<PathBuf>| {
                if let Some(given) = given {
                    *place = here.join(given);
                }
            };
            set(&mut places.out, args.out);
            set(&mut places.results, args.results);
            set(&mut places.data, args.data);
            places.runs = args.runs;
            print_line(&build_and_describe(&places, args.toolchain)?)?;
        }
        Verb::Serve(args) => {
            let dir = match args.dir {
                Some(dir) => dir,
                None => places()?.out,
            };
            serve_folder(&dir, args.port, &args.sub_path).await?;
        }
        Verb::Demo(args) => {
            let places = places()?;
            let verdict = demo::replay_and_verify(&places.root, &mut say)?;
            say(&build_and_describe(&places, Choice::Auto)?);
            if args.no_serve {
                print_line(&verdict)?;
            } else {
                serve_folder(&places.out, args.port, "").await?;
            }
        }
    }
    Ok(())
}

/// Progress. That nobody can read it is no reason to stop.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "site: {line}");
}

/// Prints a line of the command's result. A reader that has seen enough (`| head`) is no error; a full disk is.
fn print_line(line: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(e).context("standard output cannot be written to")
        }
        _ => Ok(()),
    }
}

fn build_and_describe(places: &Places, toolchain: Choice) -> Result<String> {
    let built = build(places, toolchain, &mut say)?;
    let kilo = |bytes: u64| bytes.div_ceil(1000);
    Ok(format!(
        "{}: {} runs, {} data sets, {} files, {} bytes; gzipped, {} kB come before the first verdict (aim {}) and {} later",
        places.out.display(),
        built.runs,
        built.data_sets,
        built.files,
        built.bytes,
        kilo(built.weight.first),
        kilo(AIM),
        kilo(built.weight.later)
    ))
}

async fn serve_folder(dir: &Path, port: Option<u16>, sub_path: &str) -> Result<()> {
    let sub_path = serve::sub_path(sub_path)?;
    let router = serve::router(dir, &sub_path)?;
    let listener = serve::listen(port).await?;
    print_line(&serve::address(&listener, &sub_path)?)?;
    say("Ctrl-C ends it");
    Ok(serve::until_interrupted(listener, router).await?)
}
