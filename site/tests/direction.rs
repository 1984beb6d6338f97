//! Which package may use which: the rule of ARCHITECTURE.md, held by cargo's own view of the workspace.

#![expect(clippy::unwrap_used, reason = "a test that cannot ask cargo should stop there")]

use std::{collections::BTreeSet, path::Path, process::Command};

use serde_json::Value;

/// Each package and the packages of the workspace that it may use outside its tests.
const MAY_USE: [(&str, &[&str]); 9] = [
    ("records", &[]),
    ("bootstrap", &["records"]),
    ("metrics", &["bootstrap", "records"]),
    ("harness", &["metrics", "records"]),
    ("viewer", &["metrics", "records"]),
    ("site", &["records", "viewer"]),
    ("cross-target-guest", &["metrics", "records"]),
    ("cross-target", &["site"]),
    ("e2e", &["cross-target-guest", "metrics", "records", "site"]),
];

/// Packages that must stay free of I/O, async, clocks, threads and randomness from outside, and what would bring them.
const PURE: [&str; 3] = ["records", "bootstrap", "metrics"];
const IMPURE: [&str; 16] = [
    "async-std",
    "axum",
    "chrono",
    "getrandom",
    "gloo",
    "hyper",
    "jiff",
    "js-sys",
    "leptos",
    "mio",
    "rayon",
    "reqwest",
    "time",
    "tokio",
    "wasm-bindgen",
    "web-sys",
];

/// What the page must not carry: another async runtime, a TLS stack, a second source of transcendental functions.
const NOT_IN_THE_PAGE: [&str; 8] =
    ["axum", "clap", "indicatif", "mio", "openssl", "reqwest", "rustls", "tempfile"];

fn cargo(arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = Command::new(env!("CARGO")).current_dir(root).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Names of everything that `package` is built from on `target`.
fn built_from(package: &str, target: &str) -> BTreeSet<String> {
    let tree = cargo(&[
        "tree", "--locked", "-p", package, "-e", "normal", "--target", target, "--prefix", "none",
        "--format", "{p}",
    ]);
    let names: BTreeSet<String> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    assert!(names.contains(package), "cargo tree says nothing of {package}: {tree}");
    names
}

#[test]
fn every_package_uses_only_what_it_may() {
    let metadata = cargo(&["metadata", "--locked", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<_> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    let known: BTreeSet<_> = MAY_USE.iter().map(|(name, _)| *name).collect();
    assert_eq!(ours, known, "a package of the workspace has no rule, or a rule no package");
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let (_, allowed) = MAY_USE.iter().find(|(n, _)| *n == name).unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            let in_tests_only = dependency["kind"] == "dev";
            if ours.contains(used) && !in_tests_only {
                assert!(allowed.contains(&used), "{name} must not use {used}");
            }
        }
    }
}

#[test]
fn the_pure_packages_are_built_from_pure_ones() {
    for package in PURE {
        for target in ["x86_64-unknown-linux-gnu", "wasm32-unknown-unknown"] {
            let found = built_from(package, target);
            let impure: Vec<_> = IMPURE.iter().filter(|name| found.contains(**name)).collect();
            assert!(impure.is_empty(), "{package} on {target} is built from {impure:?}");
        }
    }
}

#[test]
fn the_page_carries_nothing_that_only_the_harness_needs() {
    let found = built_from("viewer", "wasm32-unknown-unknown");
    assert!(found.contains("leptos"), "the page is not looked at as the browser gets it");
    let foreign: Vec<_> = NOT_IN_THE_PAGE.iter().filter(|name| found.contains(**name)).collect();
    assert!(foreign.is_empty(), "the page is built from {foreign:?}");
}
