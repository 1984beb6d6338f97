//! Which compiler builds the page.
//!
//! Three sources, in this order, and the first that serves is taken:
//! 1. a compiler that already has the standard library for wasm32;
//! 2. the same after `rustup target add`, given at most a minute, since without a network it may hang;
//! 3. the distribution's own toolchain with its library source, from which the standard library is built along.
//!
//! Names and versions are found at run time and nothing is written into a compiler's own folders except by rustup or
//! apt themselves.

mod distribution;
mod probe;
mod rustup;

use std::{
    env, fmt,
    path::{Path, PathBuf},
    process::Command,
};

pub use distribution::{newest_linker, newest_lld_package};
pub use probe::{Compiler, parse_version};

use crate::packages::PackageError;

/// The target that the page is compiled for.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Folder of everything that is compiled for wasm32, below the project: apart from the native one, so that neither
/// build throws the other's work away.
pub const TARGET_DIR: &str = "target-wasm";

/// Variables that are about the build that this process came from.
const NATIVE_ONLY: [&str; 4] =
    ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "LD_LIBRARY_PATH"];

/// Flags of every build for wasm32, since other flags would compile everything anew. Views of one type instead of one
/// type a view: a fifth of the page's program less. And instructions on 128 bits at a time, which every browser has had
/// since March 2023, for the statistics. The linker keeps its notes on what refers to what: by them the page is split.
const FLAGS: &str = "--cfg=erase_components -C target-feature=+simd128 -C link-args=--emit-relocs";

/// [`FLAGS`], and one that keeps the folders of whoever builds the page out of it: messages about faults of the program
/// name the source files of packages.
fn flags() -> String {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let sources = home.map(|home| home.join("registry").join("src").display().to_string());
    // Flags are told apart by spaces.
    match sources.filter(|sources| !sources.contains(char::is_whitespace)) {
        Some(sources) => format!("{FLAGS} --remap-path-prefix={sources}=packages"),
        None => FLAGS.to_owned(),
    }
}

/// Which source to take instead of trying them in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Choice {
    /// The first that serves.
    #[default]
    Auto,
    /// Only a compiler that has the library already, or gets it through rustup.
    Installed,
    /// Only the distribution's toolchain with its library source.
    Distribution,
}

/// Where the standard library for wasm32 comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Library {
    /// It is installed beside the compiler.
    Installed,
    /// It is compiled along, from the distribution's source, and linked by this program.
    FromSource {
        /// The wasm linker, e.g. `/usr/bin/wasm-ld-22`.
        linker: PathBuf,
    },
}

/// A compiler that can build for wasm32.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    /// The cargo that goes with the compiler.
    pub cargo: PathBuf,
    /// The compiler.
    pub compiler: Compiler,
    /// Where its library comes from.
    pub library: Library,
}

/// Why no toolchain could be had.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// The distribution's toolchain is needed and could not be installed.
    #[error(
        "no compiler here can build for {TARGET}; `rustup target add {TARGET}` or the distribution's toolchain is needed"
    )]
    Install(#[source] PackageError),
    /// Only an installed library was asked for and there is none.
    #[error(
        "no compiler here has the standard library for {TARGET}: run `rustup target add {TARGET}`"
    )]
    NotInstalled,
    /// What apt installed is not what a build needs.
    #[error("the distribution's toolchain is installed but {0}")]
    Unusable(String),
}

impl Toolchain {
    /// Finds a toolchain for the project in `root`, installing one where that is allowed and needed.
    ///
    /// `say` gets a sentence about each step that takes time or that a reader would want to know.
    ///
    /// # Errors
    /// None is there and none could be installed; the message holds the command to run.
    pub fn resolve(
        root: &Path,
        choice: Choice,
        say: &mut dyn FnMut(&str),
    ) -> Result<Self, ToolchainError> {
        if choice != Choice::Distribution {
            let found = probe::with_installed_library().or_else(|| {
                rustup::add_target(&root.join(TARGET_DIR), say)
                    .then(probe::with_installed_library)
                    .flatten()
            });
            if let Some(toolchain) = found {
                return Ok(toolchain);
            }
            if choice == Choice::Installed {
                return Err(ToolchainError::NotInstalled);
            }
        }
        distribution::find_or_install(say)
    }

    /// A cargo command for wasm32 with everything set that this toolchain needs, to be run in the project's `root`.
    #[must_use]
    pub fn cargo(&self, root: &Path, subcommand: &str) -> Command {
        self.command(&self.cargo, root, subcommand)
    }

    /// As [`Toolchain::cargo`] for `clippy`, installed first where the distribution keeps it in a package of its own.
    ///
    /// # Errors
    /// It is not there and could not be installed.
    pub fn clippy(
        &self,
        root: &Path,
        say: &mut dyn FnMut(&str),
    ) -> Result<Command, ToolchainError> {
        if self.library == Library::Installed {
            return Ok(self.cargo(root, "clippy"));
        }
        // Called by its path: cargo would find the one of another toolchain on the search path.
        let program = distribution::find_or_install_clippy(say)?;
        let mut command = self.command(&program, root, "clippy");
        command.env("CARGO", &self.cargo);
        Ok(command)
    }

    fn command(&self, program: &Path, root: &Path, subcommand: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(root).arg(subcommand).args(["--locked", "--target", TARGET]);
        command.arg("--target-dir").arg(root.join(TARGET_DIR));
        // Flags meant for the native build, and the library path that `cargo run` sets for its own compiler.
        for name in NATIVE_ONLY {
            command.env_remove(name);
        }
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags());
        if let Library::FromSource { linker } = &self.library {
            command.args(["-Z", "build-std=std,panic_abort"]);
            command.env("RUSTC", &self.compiler.rustc).env_remove("RUSTUP_TOOLCHAIN");
            // A released compiler accepts `-Z build-std` only with this; nothing else here uses unstable features.
            command.env("RUSTC_BOOTSTRAP", "1");
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        command
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.compiler.rustc.display(), self.compiler.version)?;
        match &self.library {
            Library::Installed => write!(f, ", with its own standard library for {TARGET}"),
            Library::FromSource { linker } => {
                write!(f, ", standard library built from its source, linker {}", linker.display())
            }
        }
    }
}
