//! The distribution's toolchain: compiler, cargo, library source and linker as packages.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{Compiler, Library, Toolchain, ToolchainError};
use crate::packages;

const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const CLIPPY: &str = "/usr/bin/cargo-clippy";
const BIN: &str = "/usr/bin";

/// The toolchain if it is complete, else after installing what it takes.
pub(super) fn find_or_install(say: &mut dyn FnMut(&str)) -> Result<Toolchain, ToolchainError> {
    if let Ok(toolchain) = find() {
        return Ok(toolchain);
    }
    packages::install(
        |available| {
            let lld = newest_lld_package(available.iter().copied()).unwrap_or("lld").to_owned();
            ["rustc-web", "cargo-web", "rust-web-src"]
                .map(str::to_owned)
                .into_iter()
                .chain([lld])
                .collect()
        },
        say,
    )
    .map_err(ToolchainError::Install)?;
    find().map_err(ToolchainError::Unusable)
}

/// The distribution's clippy, whose package is not part of the toolchain.
pub(super) fn find_or_install_clippy(say: &mut dyn FnMut(&str)) -> Result<PathBuf, ToolchainError> {
    let program = PathBuf::from(CLIPPY);
    if !program.exists() {
        packages::install(|_| vec!["rust-web-clippy".to_owned()], say)
            .map_err(ToolchainError::Install)?;
    }
    Ok(program)
}

/// Checks every part; the message names the first that is missing.
fn find() -> Result<Toolchain, String> {
    let compiler =
        Compiler::ask(Path::new(RUSTC)).ok_or_else(|| format!("{RUSTC} does not run"))?;
    if !Path::new(CARGO).exists() {
        return Err(format!("{CARGO} is missing"));
    }
    let sysroot = compiler.sysroot().ok_or_else(|| format!("{RUSTC} names no sysroot"))?;
    let source = sysroot.join("lib/rustlib/src/rust");
    if !source.join("library/std/Cargo.toml").exists() {
        return Err(format!("{} does not hold the library's source", source.display()));
    }
    // The library uses compiler internals of its own version, so another version's source cannot be compiled.
    if let Ok(version) = fs::read_to_string(source.join("src/version"))
        && version.trim() != compiler.version
    {
        return Err(format!(
            "its source is of version {}, the compiler of {}",
            version.trim(),
            compiler.version
        ));
    }
    let names = fs::read_dir(BIN).map_err(|e| format!("{BIN} cannot be listed: {e}"))?;
    let names: Vec<_> =
        names.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let linker = newest_linker(names.iter().map(String::as_str))
        .map(|name| PathBuf::from(BIN).join(name))
        .ok_or_else(|| format!("there is no wasm-ld in {BIN}"))?;
    Ok(Toolchain { cargo: CARGO.into(), compiler, library: Library::FromSource { linker } })
}

/// The wasm linker of the newest version among file names; one without a version counts as the oldest.
pub fn newest_linker<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    newest(names, "wasm-ld")
}

/// The linker package of the newest version among package names.
pub fn newest_lld_package<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    newest(names, "lld")
}

fn newest<'a>(names: impl IntoIterator<Item = &'a str>, stem: &str) -> Option<&'a str> {
    names
        .into_iter()
        .filter_map(|name| match name.strip_prefix(stem)? {
            "" => Some((0, name)),
            version => Some((version.strip_prefix('-')?.parse::<u32>().ok()?, name)),
        })
        .max()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let names =
            ["wasm-ld-9", "wasm-ld-22", "wasm-ld", "wasm-ld-19", "wasm-ld-22.bak", "wasm-opt"];
        assert_eq!(newest_linker(names), Some("wasm-ld-22"));
        assert_eq!(newest_linker(["wasm-ld"]), Some("wasm-ld"));
        assert_eq!(newest_linker(["lld-22"]), None);
        assert_eq!(
            newest_lld_package(["lld-16", "lld-22", "lldb-23", "lld-22-dev"]),
            Some("lld-22")
        );
    }
}
