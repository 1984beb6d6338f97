//! What a compiler that is already here can do.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Library, TARGET, Toolchain};

/// A compiler and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// The program, as it is called.
    pub rustc: PathBuf,
    /// Its release, e.g. `1.96.0`.
    pub version: String,
}

impl Compiler {
    /// Asks `rustc` for its version; `None` when there is no such program.
    pub(super) fn ask(rustc: &Path) -> Option<Self> {
        let version = parse_version(&print(rustc, &["-vV"])?)?;
        Some(Self { rustc: rustc.to_owned(), version })
    }

    /// Its folder of libraries and sources.
    pub(super) fn sysroot(&self) -> Option<PathBuf> {
        Some(PathBuf::from(print(&self.rustc, &["--print", "sysroot"])?.trim()))
    }

    fn has_library(&self) -> bool {
        print(&self.rustc, &["--print", "target-libdir", "--target", TARGET])
            .is_some_and(|dir| holds_std(Path::new(dir.trim())))
    }
}

/// A compiler of the search path, or the distribution's, with the library for wasm32.
pub(super) fn with_installed_library() -> Option<Toolchain> {
    [("rustc", "cargo"), ("/usr/bin/rustc", "/usr/bin/cargo")].into_iter().find_map(
        |(rustc, cargo)| {
            let compiler = Compiler::ask(Path::new(rustc))?;
            let toolchain =
                Toolchain { cargo: cargo.into(), compiler, library: Library::Installed };
            toolchain.compiler.has_library().then_some(toolchain)
        },
    )
}

/// True when `dir` holds the standard library: a folder may be there without it.
fn holds_std(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        })
    })
}

/// The release that `rustc -vV` names.
#[must_use]
pub fn parse_version(verbose: &str) -> Option<String> {
    verbose.lines().find_map(|line| line.strip_prefix("release: ")).map(|v| v.trim().to_owned())
}

fn print(program: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(args)
        .env_remove("LD_LIBRARY_PATH")
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_read_from_the_verbose_version() {
        let text = "rustc 1.96.0 (ac68faa20 2026-05-25)\nbinary: rustc\nrelease: 1.96.0\n";
        assert_eq!(parse_version(text).as_deref(), Some("1.96.0"));
        assert_eq!(parse_version("sh: rustc: not found\n"), None);
    }

    #[test]
    fn a_folder_counts_only_with_the_library_itself() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!holds_std(&dir.path().join("missing")));
        fs::write(dir.path().join("libcore-1.rlib"), "").unwrap();
        fs::write(dir.path().join("libstd-1.rmeta"), "").unwrap();
        assert!(!holds_std(dir.path()), "neither file is the compiled standard library");
        fs::write(dir.path().join("libstd-1.rlib"), "").unwrap();
        assert!(holds_std(dir.path()));
    }

    #[test]
    fn a_missing_compiler_is_no_compiler() {
        assert_eq!(Compiler::ask(Path::new("/no/such/rustc")), None);
    }
}
