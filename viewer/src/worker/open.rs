//! From the bytes of a run's files to verdicts.

mod parse;

use std::collections::BTreeMap;

use metrics::{Header, MetricsError, Names, verify};
use records::{Computed, Input, Plan, Record, Results, Run};
use serde_json::Value;

pub(super) use parse::read_records;
use parse::{read_published, read_run};

use super::protocol::{FileReport, Files, Problem, Report};
use crate::{
    format,
    model::{
        check::{Check, Difference, Verdict},
        files::{self, Role},
    },
};

/// The arm that forces an answer without evidence, by its usual name; the control when nothing was published.
const USUAL_CONTROL: &str = "closed_book_forced";
/// Most fields and arms that a reader is offered.
const MAX_CUTS: usize = 60;

/// A clock and somewhere to say how far the work is: the only things that the work takes from its surroundings.
pub struct Surroundings<'a> {
    /// Milliseconds since any fixed moment.
    pub now: &'a dyn Fn() -> f64,
    /// Called with what is being done.
    pub progress: &'a dyn Fn(String),
}

/// A run whose files have been read.
#[derive(Default)]
pub struct Opened {
    /// The publication, typed and as it was written.
    pub published: Option<(Results, Value)>,
    /// The rows of the log; empty when there are none or they could not be read.
    pub records: Vec<Record>,
    /// What was run.
    pub run: Option<Run>,
    /// Digests that `SHA256SUMS` names.
    pub sums: BTreeMap<String, String>,
    /// The files.
    pub files: Vec<FileReport>,
}

impl Opened {
    /// The plan that numbers are computed under unless a reader sets another.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let published = self.published.as_ref().map(|(results, _)| results.plan.clone());
        published.unwrap_or_else(|| default_plan(&self.records))
    }

    /// What results computed from these records are called.
    #[must_use]
    pub fn header(&self) -> Header {
        if let Some((p, _)) = &self.published {
            let (run_id, dataset_id) = (p.run_id.clone(), p.dataset_id.clone());
            return Header { run_id, dataset_id, title: p.title.clone() };
        }
        let of_first = |field: fn(&Record) -> &String| {
            self.records.first().map_or_else(String::new, |r| field(r).clone())
        };
        Header {
            run_id: of_first(|r| &r.run_id),
            dataset_id: of_first(|r| &r.dataset_id),
            title: String::new(),
        }
    }

    /// The log as it was loaded, under the name that publications give it, so that the signature is about these bytes.
    #[must_use]
    pub fn inputs(&self) -> Vec<Input> {
        let log = self.files.iter().find(|f| f.name == Role::Records.file_name());
        log.map(|f| Input { name: f.name.clone(), entry: f.entry.clone() }).into_iter().collect()
    }
}

/// Records times resamples from which on computing is shared out among workers, and values are shown before intervals.
const LONG: u64 = 200_000_000;

/// Reads the files, recomputes every number and compares.
///
/// # Errors
/// As [`read`].
pub fn open(
    files: &Files,
    buffers: Vec<Vec<u8>>,
    surroundings: &Surroundings<'_>,
) -> Result<(Report, Opened), Problem> {
    let reading = read(files, buffers, surroundings)?;
    let computed = reading.compute();
    Ok(reading.concluded(computed, surroundings))
}

/// A run whose files have been read and whose numbers are still to be computed.
pub struct Reading {
    report: Report,
    opened: Opened,
    /// Why there are no records.
    lacking: Option<String>,
    /// When computing began.
    started: f64,
}

/// Reads the files.
///
/// # Errors
/// When there is nothing to show: `results.json` cannot be read, or neither it nor records are there. Whatever else
/// goes wrong is said in the report.
pub fn read(
    files: &Files,
    buffers: Vec<Vec<u8>>,
    surroundings: &Surroundings<'_>,
) -> Result<Reading, Problem> {
    let started = (surroundings.now)();
    let mut report = Report::default();
    let mut opened = Opened::default();
    let mut loaded = Vec::new();
    let mut bytes_of: Vec<(Role, (String, Vec<u8>))> = Vec::new();
    for (head, bytes) in files.heads.iter().zip(buffers) {
        if bytes.len() as u64 > head.role.max_bytes() {
            return Err(too_large(&head.name, bytes.len() as u64, head.role.max_bytes()));
        }
        (surroundings.progress)(format!("hashing {}", format::cut(&head.name, 60)));
        loaded.push((head.name.clone(), records::file_entry(&bytes)));
        if head.role != Role::Other && bytes_of.iter().any(|(role, _)| *role == head.role) {
            report.notes.push(format!(
                "Several files look like {}; the first one is used.",
                head.role.file_name()
            ));
        } else {
            bytes_of.push((head.role, (head.name.clone(), bytes)));
        }
    }
    let mut take = |role| {
        let at = bytes_of.iter().position(|(other, _)| *other == role)?;
        Some(bytes_of.swap_remove(at).1)
    };
    if let Some((name, bytes)) = take(Role::Results) {
        opened.published = Some(read_published(&name, &bytes, &mut report)?);
    }
    if let Some((name, bytes)) = take(Role::Run) {
        opened.run = read_run(&name, &bytes, &mut report);
    }
    if let Some((_, bytes)) = take(Role::Sums) {
        opened.sums = files::parse_sums(&bytes);
    }
    let published = opened.published.as_ref().map(|p| &p.0);
    opened.files = files::compare(loaded, &files.expected, &opened.sums, published);
    let read = match take(Role::Records) {
        Some((name, bytes)) => read_records(&name, &bytes, &mut report, surroundings.progress),
        None => Err("no records.jsonl was loaded".to_owned()),
    };
    report.read_ms = (surroundings.now)() - started;
    if opened.published.is_none() && read.is_err() {
        return Err(report.problems.into_iter().next().unwrap_or_else(|| {
            Problem::new(
                "there is neither a results.json nor a records.jsonl",
                "give the files of a run folder: results.json, records.jsonl and, where there is one, run.json",
            )
        }));
    }
    (surroundings.progress)("recomputing every number".into());
    let started = (surroundings.now)();
    let mut lacking = None;
    match read {
        Ok(records) => opened.records = records,
        Err(why) => lacking = Some(why),
    }
    report.n_records = opened.records.len() as u64;
    describe_records(&opened.records, &mut report);
    Ok(Reading { report, opened, lacking, started })
}

/// True where so many records and resamples take long enough to share the work out.
#[must_use]
pub fn takes_long(n_records: usize, plan: &Plan) -> bool {
    n_records as u64 * u64::from(plan.n_resamples) >= LONG
}

impl Reading {
    /// The records, and the plan under which numbers are computed: the published one, or the default when nothing was
    /// published.
    #[must_use]
    pub fn work(&self) -> (&[Record], Plan) {
        (&self.opened.records, self.opened.plan())
    }

    /// True where there is enough to compute to share it out.
    #[must_use]
    pub fn takes_long(&self) -> bool {
        takes_long(self.opened.records.len(), &self.opened.plan())
    }

    /// The numbers.
    ///
    /// # Errors
    /// As [`metrics::compute`].
    pub fn compute(&self) -> Result<Computed, MetricsError> {
        let (records, plan) = self.work();
        metrics::compute(records, &plan)
    }

    /// What can be said when the values are there and their intervals are not.
    #[must_use]
    pub fn so_far(&self, points: Computed, surroundings: &Surroundings<'_>) -> Report {
        let mut report = Report { awaits_intervals: true, ..self.report.clone() };
        let recomputed = self.results(points);
        if let Some((typed, value)) = &self.opened.published {
            report.checks = checks(&without_intervals(value), Some(&recomputed));
            report.published = Some(typed.clone());
        }
        report.recomputed = Some(recomputed);
        report.run.clone_from(&self.opened.run);
        report.files.clone_from(&self.opened.files);
        report.compute_ms = (surroundings.now)() - self.started;
        report
    }

    /// Compares what was computed with what was published.
    #[must_use]
    pub fn concluded(
        self,
        computed: Result<Computed, MetricsError>,
        surroundings: &Surroundings<'_>,
    ) -> (Report, Opened) {
        let recomputed = match &self.lacking {
            Some(why) => Err(why.clone()),
            None => computed
                .map(|computed| self.results(computed))
                .map_err(|error| format!("the numbers could not be recomputed: {error}")),
        };
        let Self { mut report, opened, lacking, started } = self;
        if let Err(what) = &recomputed
            && lacking.is_none()
        {
            report.problems.push(Problem::new(
                what.clone(),
                "check that records.jsonl belongs to this results.json",
            ));
        }
        if let Some((typed, value)) = &opened.published {
            (surroundings.progress)("comparing with what was published".into());
            report.checks = checks(value, recomputed.as_ref().ok());
            match &recomputed {
                Ok(recomputed) => notes_on_fit(typed, recomputed, &mut report.notes),
                Err(reason) => {
                    for check in &mut report.checks {
                        check.reason = Some(reason.clone());
                    }
                }
            }
            report.published = Some(typed.clone());
        }
        report.recomputed = recomputed.ok();
        report.run.clone_from(&opened.run);
        report.files.clone_from(&opened.files);
        report.compute_ms = (surroundings.now)() - started;
        (report, opened)
    }

    fn results(&self, computed: Computed) -> Results {
        metrics::results(self.opened.header(), self.opened.inputs(), computed, self.opened.plan())
    }
}

/// A publication without its intervals.
fn without_intervals(published: &Value) -> Value {
    let mut values = published.clone();
    for section in ["figures", "comparisons"] {
        let entries = values.get_mut(section).and_then(Value::as_array_mut);
        for entry in entries.into_iter().flatten().filter_map(Value::as_object_mut) {
            entry.remove("interval");
        }
    }
    values
}

/// Verdicts on a publication.
#[must_use]
pub fn checks(published: &Value, recomputed: Option<&Results>) -> Vec<Check> {
    verify::verify(published, recomputed).checks.into_iter().map(check).collect()
}

/// What a reader can set: the fields by which the records can be cut, the arms, and whether clusters hold more than one
/// question.
fn describe_records(records: &[Record], report: &mut Report) {
    let (mut tags, mut arms, mut clusters) = (Names::default(), Names::default(), Names::default());
    let (mut set, mut split) = (false, false);
    let mut first_of: Vec<&str> = Vec::new();
    for r in records {
        for tag in r.tags.keys().filter(|tag| tag.len() < 60) {
            if tags.count() < MAX_CUTS {
                tags.number(tag);
            }
        }
        arms.number(&r.arm);
        (set, split) = (set || r.set.is_some(), split || r.split.is_some());
        match first_of.get(clusters.number(&r.cluster_id) as usize) {
            Some(first) => report.grouped |= *first != r.item_id,
            None => first_of.push(&r.item_id),
        }
    }
    let named = [("set", set), ("split", split)].into_iter().filter(|(_, there)| *there);
    report.cuts = named.map(|(name, _)| name.to_owned()).collect();
    report.cuts.extend(tags.in_order().0.into_iter().map(|t| format!("tags.{t}")));
    report.arms = arms.in_order().0.into_iter().take(MAX_CUTS).collect();
}

pub(super) fn too_large(name: &str, size: u64, most: u64) -> Problem {
    Problem::new(
        format!("is {}, and this page reads at most {}", format::bytes(size), format::bytes(most)),
        "check it with the command-line tool instead",
    )
    .in_file(name)
}

fn default_plan(records: &[Record]) -> Plan {
    let control = records.iter().any(|r| r.arm == USUAL_CONTROL).then_some(USUAL_CONTROL);
    metrics::default_plan(records, control)
}

/// What does not fit together between publication and records although both could be read.
fn notes_on_fit(published: &Results, recomputed: &Results, notes: &mut Vec<String>) {
    if published.metrics_version != metrics::METRICS_VERSION {
        notes.push(format!(
            "The publication uses version {} of the metrics, this page computes version {}: definitions may differ.",
            published.metrics_version,
            metrics::METRICS_VERSION
        ));
    }
    if published.signature != recomputed.signature {
        notes.push(format!(
            "The published signature is not the one that follows from the loaded records and the plan. Published: {}. From what was loaded: {}.",
            format::cut(&published.signature, 300),
            format::cut(&recomputed.signature, 300)
        ));
    }
}

fn check(check: verify::Check) -> Check {
    Check {
        id: check.id,
        section: check.section,
        verdict: match check.verdict {
            verify::Verdict::Identical => Verdict::Identical,
            verify::Verdict::EqualAsPrinted => Verdict::EqualAsPrinted,
            verify::Verdict::Differs => Verdict::Differs,
            verify::Verdict::CannotBeChecked => Verdict::CannotBeChecked,
            verify::Verdict::Withheld => Verdict::Withheld,
        },
        reason: check.reason,
        differences: check
            .differences
            .into_iter()
            .map(|d| Difference { path: d.path, published: d.published, recomputed: d.recomputed })
            .collect(),
    }
}

#[cfg(test)]
pub(super) mod tests;
