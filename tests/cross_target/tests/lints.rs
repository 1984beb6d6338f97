//! Clippy for wasm32: the native check never sees the code that is compiled into the page alone.

#![expect(clippy::unwrap_used, reason = "a test that cannot run clippy should stop there")]

use std::{io::Write, path::Path};

use site::{
    project,
    toolchain::{Choice, Toolchain},
    wasm,
};

/// Writes past the test runner's capture: which clippy looked is part of what this test says.
fn say(line: &str) {
    let mut stderr = std::io::stderr().lock();
    stderr.write_all(format!("{line}\n").as_bytes()).unwrap();
}

#[test]
fn the_page_has_no_warning_on_wasm32() {
    let root = project::root(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let toolchain = Toolchain::resolve(&root, Choice::Auto, &mut say).unwrap();
    let said = wasm::lint(&root, &toolchain, &["viewer", "metrics", "records"], &mut say).unwrap();
    say(&said);
}
