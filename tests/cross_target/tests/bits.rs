//! The statistics, compiled for wasm32 and run in an interpreter, give the bits that they give natively.

#![expect(clippy::unwrap_used, reason = "a test that cannot run its guest should stop there")]

use std::{fs, path::Path, sync::OnceLock};

use cross_target::Guest;
use cross_target_guest::report;

fn guest() -> &'static Guest {
    static GUEST: OnceLock<Guest> = OnceLock::new();
    GUEST.get_or_init(|| Guest::compile().unwrap())
}

fn golden(name: &str) -> Vec<u8> {
    let root = site::project::root(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    fs::read(root.join("harness/metrics/tests/golden").join(name).join("records.jsonl")).unwrap()
}

/// Fails at the first line that differs, which names the figure and the part of it.
fn assert_same_bits(name: &str, control: Option<&str>, at_least: usize) {
    let records = golden(name);
    let native = report(&records, control);
    let wasm = guest().report(&records, control).unwrap();
    assert!(!native.starts_with("error"), "{native}");
    for (n, w) in native.lines().zip(wasm.lines()).skip(1) {
        assert_eq!(n, w, "native on the left, wasm32 on the right");
    }
    assert!(native == wasm, "the reports differ in their JSON or in length");
    let compared = native.lines().count() - 1;
    assert!(compared >= at_least, "only {compared} floats were compared");
    println!("{name}: {compared} floats have the same bits");
}

#[test]
fn binary_items_have_the_same_bits() {
    assert_same_bits("binary", Some("closed_book_forced"), 300);
}

#[test]
fn choice_items_have_the_same_bits() {
    assert_same_bits("choice", Some("no_context"), 50);
}

/// The comparison above would be worth nothing if the guest did not look at its input.
#[test]
fn one_changed_confidence_shows() {
    let records = String::from_utf8(golden("binary")).unwrap();
    let changed = records.replacen("\"confidence\": 0.7,", "\"confidence\": 0.75,", 1);
    assert_ne!(records, changed, "no golden record states this confidence");
    let native = report(records.as_bytes(), None);
    let wasm = guest().report(changed.as_bytes(), None).unwrap();
    assert!(!wasm.starts_with("error"), "{wasm}");
    assert_ne!(native, wasm);
}

#[test]
fn a_broken_file_gives_the_same_message() {
    let broken = b"{\"schema\":\"recount.record/1\"\n";
    let wasm = guest().report(broken, None).unwrap();
    assert!(wasm.starts_with("error: records.jsonl, line 1"), "{wasm}");
    assert_eq!(wasm, report(broken, None));
}
