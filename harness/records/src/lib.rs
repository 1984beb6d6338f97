//! The wire types of every Recount file.
//!
//! One type per line of a file, its version, its JSON Schema, and readers that name file, line, field and remedy
//! when a line is not what it should be. Harness and viewer read and write through this crate alone, so a file means
//! the same to both.
//!
//! # What this crate does not do
//! It opens no file, reads no clock, and computes no statistic. Callers hand it bytes and get typed rows back.

mod bundle;
mod canonical;
mod cassette;
mod dataset;
mod digest;
mod index;
mod ledger;
mod lines;
mod read;
mod record;
mod results;
mod run;
mod schema;
mod version;
mod watched;

pub use bundle::{Bundle, BundleDocument, Document, Role, Source};
pub use canonical::canonical_json;
pub use cassette::{Failure, FailureKind, Interaction, Request, Response};
pub use dataset::{
    ABSTAIN_LABEL, BaseRate, FileEntry, FunnelStage, Generator, Item, Kind, Manifest,
};
pub use digest::{
    FileDigest, bundle_digest, document_digest, file_entry, files_digest, sha256_hex,
};
pub use index::{Index, IndexEntry};
pub use ledger::{Rejected, Review, Verdict};
pub use lines::{LineReader, line_parts};
pub use read::{
    FieldProblem, Parsed, ReadError, UnknownFields, parse_json, parse_jsonl, parse_jsonl_with,
};
pub use record::{Conflict, ErrorInfo, Key, Record, ResponseText, Status, Usage};
pub use results::{
    Better, BinStrategy, Comparison, Computed, Family, Figure, Input, Inputs, Interval,
    IntervalMethod, Plan, Reliability, ReliabilityBin, Results, RowCounts, Series,
};
pub use run::{ArmSpec, Evidence, ModelSpec, Price, Run};
pub use schema::{MakeSchema, SCHEMAS, json_schema};
pub use version::Versioned;
