//! Records in, every figure out, as text: once compiled for this machine and once for wasm32.

use std::sync::{Mutex, PoisonError};

use metrics::{Log, OneThread, compute, default_plan};
use records::{Computed, Interval, Plan, Record, parse_jsonl};

/// What the host writes into and what it reads from; a module has one caller at a time.
static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A log and the plan for it, read once and computed any number of times.
static PREPARED: Mutex<Option<(Log, Plan)>> = Mutex::new(None);

/// Every value computed from a `records.jsonl` as JSON, and below it one line for each float with its bits in hex.
///
/// A file that cannot be read or computed gives a single line that begins with `error: `.
#[must_use]
pub fn report(records: &[u8], control: Option<&str>) -> String {
    let computed = parse_jsonl::<Record>("records.jsonl", records)
        .map_err(|e| e.to_string())
        .and_then(|parsed| {
            let plan = default_plan(&parsed.rows, control);
            compute(&parsed.rows, &plan).map_err(|e| e.to_string())
        });
    match computed {
        Ok(computed) => format!("{}\n{}", serde_json::json!(computed), bits(&computed).join("\n")),
        Err(error) => format!("error: {error}"),
    }
}

/// JSON writes a float so that it is read back exactly, but has one text for several NaNs: hence the bits.
fn bits(computed: &Computed) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |id: &str, part: &str, value: Option<f64>| {
        if let Some(value) = value {
            lines.push(format!("{id} {part} {:016x}", value.to_bits()));
        }
    };
    for figure in &computed.figures {
        line(&figure.id, "value", figure.value);
        line(&figure.id, "numerator", figure.numerator);
        line(&figure.id, "denominator", figure.denominator);
        interval(&figure.id, figure.interval.as_ref(), &mut line);
    }
    for diagram in &computed.reliability {
        line(&diagram.id, "ece", diagram.ece);
        for (i, bin) in diagram.bins.iter().enumerate() {
            let id = format!("{}[{i}]", diagram.id);
            line(&id, "lower_edge", Some(bin.lower_edge));
            line(&id, "upper_edge", Some(bin.upper_edge));
            line(&id, "mean_predicted", Some(bin.mean_predicted));
            line(&id, "observed_frequency", Some(bin.observed_frequency));
            line(&id, "lower", Some(bin.lower));
            line(&id, "upper", Some(bin.upper));
        }
    }
    for comparison in &computed.comparisons {
        line(&comparison.id, "difference", comparison.difference);
        line(&comparison.id, "p_value", comparison.p_value);
        line(&comparison.id, "p_holm", comparison.p_holm);
        line(&comparison.id, "mde", comparison.minimum_detectable_effect);
        interval(&comparison.id, comparison.interval.as_ref(), &mut line);
    }
    lines
}

fn interval(id: &str, interval: Option<&Interval>, line: &mut impl FnMut(&str, &str, Option<f64>)) {
    if let Some(interval) = interval {
        line(id, "interval lower", interval.lower);
        line(id, "interval upper", interval.upper);
    }
}

fn lock(buffer: &'static Mutex<Vec<u8>>) -> std::sync::MutexGuard<'static, Vec<u8>> {
    // A panic ends the module, so a poisoned buffer is never seen by anyone.
    buffer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for `len` bytes of input and returns where the host is to write them.
#[expect(unsafe_code, reason = "the name must reach the host as it is")]
#[unsafe(no_mangle)]
pub extern "C" fn alloc(len: usize) -> *mut u8 {
    let mut input = lock(&INPUT);
    *input = vec![0; len];
    input.as_mut_ptr()
}

/// Computes the report of the input: the records, after the first `control_len` bytes, which name the control arm.
/// Returns the report's length.
#[expect(unsafe_code, reason = "the name must reach the host as it is")]
#[unsafe(no_mangle)]
pub extern "C" fn run(control_len: usize) -> usize {
    let input = lock(&INPUT);
    let (control, records) = input.split_at(control_len.min(input.len()));
    let control = std::str::from_utf8(control).ok().filter(|name| !name.is_empty());
    let text = report(records, control).into_bytes();
    let mut output = lock(&OUTPUT);
    *output = text;
    output.len()
}

/// Reads a `records.jsonl` and makes the plan for it: what [`figures_of`] computes from.
///
/// # Errors
/// It cannot be read.
pub fn prepare(records: &[u8], control: Option<&str>) -> Result<(Log, Plan), String> {
    let parsed = parse_jsonl::<Record>("records.jsonl", records).map_err(|e| e.to_string())?;
    let log = Log::new(&parsed.rows).map_err(|e| e.to_string())?;
    let plan = log.default_plan(control);
    Ok((log, plan))
}

/// Computes the whole report on one thread and returns the number of its figures; 0 where it cannot be computed.
#[must_use]
pub fn figures_of((log, plan): &(Log, Plan)) -> usize {
    log.compute(plan, &OneThread).map_or(0, |computed| computed.figures.len())
}

/// As `run`, up to the plan; returns 1, or 0 when the records cannot be read.
#[expect(unsafe_code, reason = "the name must reach the host as it is")]
#[unsafe(no_mangle)]
pub extern "C" fn load(control_len: usize) -> usize {
    let input = lock(&INPUT);
    let (control, records) = input.split_at(control_len.min(input.len()));
    let control = std::str::from_utf8(control).ok().filter(|name| !name.is_empty());
    let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    *prepared = prepare(records, control).ok();
    usize::from(prepared.is_some())
}

/// Computes what was loaded, and returns the number of figures: what a clock outside is held against.
#[expect(unsafe_code, reason = "the name must reach the host as it is")]
#[unsafe(no_mangle)]
pub extern "C" fn figures() -> usize {
    let prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    prepared.as_ref().map_or(0, figures_of)
}

/// Where the report is.
#[expect(unsafe_code, reason = "the name must reach the host as it is")]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    lock(&OUTPUT).as_ptr()
}
