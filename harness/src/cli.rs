//! The command line, as types only.

use std::{num::NonZeroU32, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Run evaluations over frozen evidence, publish every record, and recompute every number.
#[derive(Debug, Parser)]
#[command(
    name = "recount",
    version,
    after_help = "Exit codes: 0 ok, 1 something does not agree or is not finished, 2 usage, 3 input, 4 provider,\n130 stopped by hand. Keys come from the environment: OPENAI_API_KEY, GEMINI_API_KEY, ANTHROPIC_API_KEY."
)]
pub struct Cli {
    /// Print JSON instead of text, one object a line, for programs; a failure ends with an object that says it
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

fn usd(text: &str) -> Result<f64, String> {
    let amount: f64 = text.parse().map_err(|_| "is no number".to_owned())?;
    if amount.is_finite() && amount >= 0.0 {
        Ok(amount)
    } else {
        Err("must be zero or more".to_owned())
    }
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run models over a data set and append to the run's records
    #[command(
        after_help = "Examples:\n  recount run --dataset control --models qwen2.5-coder-0.5b --arms a0:3,a1 --run main\n  recount run --dataset control --models always_no,market_price --run main\n  recount run --dataset control --models lexical --arms a0,closed_book_forced --run mine\n  OPENAI_API_KEY=… recount run --dataset control --models gpt --arms a0:3 --mode record --run mine --max-cost-usd 2\n\nReplay, the default, answers from cassettes alone and needs no key and no network. A run can be stopped at any\nmoment and taken up again with the same command: rows that stand are not made again, unserved ones are tried again.\n\nArms for yes/no items: a0 (question, criteria, documents), a1 (and what each document states), a2 (and an offer to\nabstain), closed_book (no documents), closed_book_forced (no documents, must answer). For choices and spans:\nno_context, oracle (the documents that hold the answer), no_search. More in arms.toml of the data folder."
    )]
    Run(RunArgs),
    /// Compute every number of a run and print the table
    #[command(
        after_help = "Examples:\n  recount report --run main\n  recount report --run main --format markdown\n  recount report --run main --slice tags.domain --method bca --out sliced.json\n  recount report --records records.jsonl --control closed_book_forced --out results.json"
    )]
    Report(ReportArgs),
    /// Recompute every published number and check every hash
    #[command(
        after_help = "Examples:\n  recount verify results/main\n  recount verify main\n\nEnds with `N of N published numbers agree` and exit code 0 only when everything agrees."
    )]
    Verify(VerifyArgs),
    /// Check a data set
    #[command(subcommand)]
    Bundle(BundleVerb),
    /// Make or sign a data set
    #[command(subcommand)]
    Dataset(DatasetVerb),
    /// Print the JSON Schema of a file format, or list the formats
    #[command(
        after_help = "Examples:\n  recount schema\n  recount schema recount.record\n  recount schema --write schema/v1"
    )]
    Schema(SchemaArgs),
    /// Say which models, keys, data sets and recordings are here, and what each missing one would enable
    #[command(
        after_help = "Examples:\n  recount doctor\n  recount doctor --json\n\nLooks at servers on this machine only; calls no provider and reads keys only to see whether they are set."
    )]
    Doctor(DoctorArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Examples:\n  recount completions bash > /etc/bash_completion.d/recount\n  recount completions zsh > ~/.zfunc/_recount\n  recount completions fish > ~/.config/fish/completions/recount.fish"
    )]
    Completions(CompletionsArgs),
}

/// Arguments of `recount doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "flattened; documented on the type")]
    pub folders: Folders,
}

/// Arguments of `recount completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Which shell
    pub shell: clap_complete::Shell,
}

/// Where things lie.
#[derive(Debug, Clone, Args)]
pub struct Folders {
    /// Folder of the data sets and of models.toml
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// Folder of the recordings
    #[arg(long, value_name = "DIR", default_value = "cassettes")]
    pub cassettes: PathBuf,
    /// Folder of the runs
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
}

/// How calls are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// From cassettes alone; a miss is an error
    Replay,
    /// From cassettes where recorded, else from the provider, written down
    Record,
    /// From the provider, not written down
    Live,
}

/// Arguments of `recount run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Name of the data set, a folder below --data
    #[arg(long)]
    pub dataset: String,
    /// Names of models in models.toml
    #[arg(long, value_delimiter = ',', required = true)]
    pub models: Vec<String>,
    /// Arms, each with its own number of repeats if wanted: a0:3,a1 (baselines need none)
    #[arg(long, value_delimiter = ',')]
    pub arms: Vec<String>,
    /// Repeats of the arms that name no number
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
    /// How calls are made
    #[arg(long, value_enum, default_value_t = Mode::Replay)]
    pub mode: Mode,
    /// Name of the run, a folder below --results
    #[arg(long, default_value = "main")]
    pub run: String,
    /// A line for people, kept in run.json
    #[arg(long)]
    pub title: Option<String>,
    /// A sentence that readers should know, kept in run.json; may be given several times
    #[arg(long = "note")]
    pub notes: Vec<String>,
    /// Calls under way at one time (default: of the model, else of its provider, else 8)
    #[arg(long, value_name = "N")]
    pub concurrency: Option<NonZeroU32>,
    /// Stop before a row that might take the cost of this command above so many US dollars, at list price, as estimated: a
    /// server that writes more than it was allowed can take it beyond
    #[arg(long, value_name = "USD", value_parser = usd, allow_negative_numbers = true)]
    pub max_cost_usd: Option<f64>,
    /// Try again rows that were rejected (wrong key, unknown model); unserved ones are always tried again
    #[arg(long)]
    pub retry_faults: bool,
    /// Make the calls of a live run without asking first
    #[arg(long, short)]
    pub yes: bool,
    /// Show no progress and no summary
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "flattened; documented on the type")]
    pub folders: Folders,
}

/// Form of a printed table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Columns, for a terminal
    Text,
    /// For a README
    Markdown,
    /// Every figure, unrounded
    Csv,
    /// One object, unrounded
    Json,
}

/// How intervals are found from resamples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Their quantiles
    Percentile,
    /// Their quantiles, corrected for bias and skewness
    Bca,
}

/// How the bins of the calibration error are formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bins {
    /// Equal counts, equal probabilities never split
    Quantile,
    /// Equal widths
    Uniform,
    /// Equal counts, equal probabilities split
    QuantileSplit,
}

/// Arguments of `recount report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folder of the run, or its name below --results
    #[arg(long, conflicts_with = "records", default_value = "main")]
    pub run: PathBuf,
    /// A bare records file instead of a run
    #[arg(long, value_name = "FILE", requires = "out")]
    pub records: Option<PathBuf>,
    /// Arm that evidence lift is measured against; closed_book_forced or no_context when the run has it
    #[arg(long, value_name = "ARM")]
    pub control: Option<String>,
    /// Where to write the results (default: results.json of the run)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Number of resamples
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub resamples: u32,
    /// Seed of the resampling
    #[arg(long, default_value_t = 20_261_130)]
    pub seed: u64,
    /// How intervals are found from the resamples
    #[arg(long, value_enum, default_value_t = Method::Percentile)]
    pub method: Method,
    /// Level of every interval, between 0 and 1
    #[arg(long, default_value_t = 0.95)]
    pub level: f64,
    /// Withhold quality figures below so many items
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true)]
    pub min_items: u32,
    /// Number of bins of the calibration error
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub bins: u32,
    /// How the bins are formed
    #[arg(long, value_enum, default_value_t = Bins::Quantile)]
    pub bin_strategy: Bins,
    /// Repeat every figure for each part of the data set: set, split, model or tags.NAME; may be given several times
    #[arg(long = "slice", value_name = "FIELD")]
    pub slices: Vec<String>,
    /// Form of the printed table; csv has every figure, with its interval
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Print no table
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "flattened; documented on the type")]
    pub folders: Folders,
}

/// Arguments of `recount verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Folder of a run, or its name below --results
    #[arg(value_name = "RUN", default_value = "main")]
    pub run: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "flattened; documented on the type")]
    pub folders: Folders,
}

/// `recount bundle …`
#[derive(Debug, Subcommand)]
pub enum BundleVerb {
    /// Check every constraint and hash of a data set
    Check(DatasetArgs),
}

/// `recount dataset …`
#[derive(Debug, Subcommand)]
pub enum DatasetVerb {
    /// Print a data set's signature; with --write, put hashes and signature into its files
    Sign(SignArgs),
    /// Make a data set from settled prediction markets and Wikipedia as it stood at settlement
    #[command(
        subcommand,
        after_help = "Examples:\n  recount dataset markets init data/mine --from 2026-01-01 --to 2026-12-01 --contact you@example.org\n  recount dataset markets all data/mine\n  recount dataset markets review data/mine --reviewer NAME\n  recount dataset markets all data/mine\n\nEach step reads what the step before it wrote into the folder's work/ and can be repeated. What was fetched is kept there and not fetched again, so a stopped command is simply run again. Until a person has accepted every item, the data set, its results and the page say that it is not reviewed."
    )]
    Markets(MarketsVerb),
}

/// `recount dataset markets …`
#[derive(Debug, Subcommand)]
pub enum MarketsVerb {
    /// Write pipeline.toml, which holds every setting
    Init(MarketsInitArgs),
    /// Fetch closed markets and their price histories
    Harvest(MarketsStepArgs),
    /// Drop what is no clean yes/no question, each with its reason
    Screen(MarketsStepArgs),
    /// Leave one question per event, and one per question without its deadline
    Collapse(MarketsStepArgs),
    /// Label difficulty and domain
    Label(MarketsStepArgs),
    /// Draw the sets
    Draw(MarketsStepArgs),
    /// Find each item's documents, and write and sign the data set
    Bundle(MarketsStepArgs),
    /// All of these steps, one after the other
    All(MarketsStepArgs),
    /// Go through the items, one a screen, and accept or reject them
    Review(MarketsReviewArgs),
    /// Write review-sheet.md for a review on paper or in an editor, or read it back
    Sheet(MarketsSheetArgs),
}

/// Arguments of `recount dataset markets init`.
#[derive(Debug, Args)]
pub struct MarketsInitArgs {
    /// Folder of the data set; its name is the data set's
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// First day of closing
    #[arg(long, value_name = "DAY", value_parser = crate::cmd::markets::moment)]
    pub from: String,
    /// Day of closing that is too late
    #[arg(long, value_name = "DAY", value_parser = crate::cmd::markets::moment)]
    pub to: String,
    /// Address or page at which the operators of the APIs can reach you; sent in the User-Agent
    #[arg(long)]
    pub contact: String,
}

/// Arguments of a step of `recount dataset markets`.
#[derive(Debug, Args)]
pub struct MarketsStepArgs {
    /// Folder of the data set, with its pipeline.toml
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Show no progress and no funnel
    #[arg(long, short)]
    pub quiet: bool,
}

/// Arguments of `recount dataset markets review`.
#[derive(Debug, Args)]
pub struct MarketsReviewArgs {
    /// Folder of the data set
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Your name, as it stands in review.jsonl
    #[arg(long, value_parser = crate::cmd::markets::name)]
    pub reviewer: String,
}

/// Arguments of `recount dataset markets sheet`.
#[derive(Debug, Args)]
pub struct MarketsSheetArgs {
    /// Folder of the data set
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// A filled sheet to read back
    #[arg(long, value_name = "FILE", requires = "reviewer")]
    pub read: Option<PathBuf>,
    /// Who filled it, as it stands in review.jsonl
    #[arg(long, value_parser = crate::cmd::markets::name)]
    pub reviewer: Option<String>,
}

/// A data set on the command line.
#[derive(Debug, Args)]
pub struct DatasetArgs {
    /// Folder of the data set
    #[arg(value_name = "DIR")]
    pub dataset: PathBuf,
}

/// Arguments of `recount dataset sign`.
#[derive(Debug, Args)]
pub struct SignArgs {
    /// Folder of the data set
    #[arg(value_name = "DIR")]
    pub dataset: PathBuf,
    /// Write the hashes of documents, bundles and files, the counts and the signature
    #[arg(long)]
    pub write: bool,
}

/// Arguments of `recount schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Name of the format, such as recount.record; all names are listed when it is left out
    pub format: Option<String>,
    /// Write every schema into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "format")]
    pub write: Option<PathBuf>,
}
