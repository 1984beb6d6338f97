//! Running the binary, and throw-away folders to run it in.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The checkout.
pub fn root() -> PathBuf {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR"));
    harness.parent().expect("harness lies in the checkout").to_owned()
}

/// A run of the binary in the checkout.
pub fn recount(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command.args(arguments).current_dir(root()).env("NO_COLOR", "1");
    command
}

/// What the binary printed and how it ended.
pub struct Told {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Told {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("ended by itself"),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs the binary to its end.
pub fn tell(arguments: &[&str]) -> Told {
    recount(arguments).output().expect("the binary starts").into()
}

/// Copies a folder and everything in it.
pub fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("folder");
    for entry in std::fs::read_dir(from).expect("readable folder") {
        let path = entry.expect("entry").path();
        let target = to.join(path.file_name().expect("name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("copied");
        }
    }
}

/// The path as text.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain text")
}
