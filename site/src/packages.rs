//! Installing what the distribution carries, where this process may.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long to wait for another process that is installing packages.
const PATIENCE: Duration = Duration::from_secs(180);
/// Between two looks whether it has finished.
const PAUSE: Duration = Duration::from_secs(2);

/// Why packages could not be installed. Each message ends with what to do.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// Only root may, and this process is someone else.
    #[error(
        "not running as root, so nothing was installed; run: sudo apt-get install -y --no-install-recommends {0}"
    )]
    NotRoot(String),
    /// Neither Debian nor one of its descendants.
    #[error(
        "this is not a Debian system, so nothing was installed; install the counterparts of: {0}"
    )]
    NotDebian(String),
    /// A command of apt's could not be started.
    #[error("`{command}` could not be started")]
    Start {
        /// The command.
        command: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A command of apt's failed.
    #[error("`{command}` failed:\n{output}")]
    Failed {
        /// The command.
        command: String,
        /// The end of what it wrote.
        output: String,
    },
}

/// Installs the packages that `choose` picks, given every package name that apt knows.
///
/// # Errors
/// This process may not, this is no Debian system, or apt failed.
pub fn install(
    choose: impl Fn(&[&str]) -> Vec<String>,
    say: &mut dyn FnMut(&str),
) -> Result<(), PackageError> {
    let os_release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    if !is_debian(&os_release) {
        return Err(PackageError::NotDebian(choose(&[]).join(" ")));
    }
    if !is_root() {
        let known = apt("apt-cache", &["pkgnames"]).unwrap_or_default();
        return Err(PackageError::NotRoot(choose(&known.lines().collect::<Vec<_>>()).join(" ")));
    }
    say("reading the distribution's package lists");
    apt("apt-get", &["update", "-qq"])?;
    let known = apt("apt-cache", &["pkgnames"])?;
    let packages = choose(&known.lines().collect::<Vec<_>>());
    say(&format!("installing {} from the distribution", packages.join(" ")));
    let mut args = vec!["install", "-y", "-qq", "--no-install-recommends"];
    args.extend(packages.iter().map(String::as_str));
    apt("apt-get", &args).map(drop)
}

/// What the command writes. While another process has the lock of the package lists or of the packages, as a machine's
/// own upgrades do, it is tried again: apt waits for one of the two at most.
fn apt(program: &str, args: &[&str]) -> Result<String, PackageError> {
    let command = format!("{program} {}", args.join(" "));
    let start = Instant::now();
    let text = loop {
        let output = Command::new(program)
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .map_err(|source| PackageError::Start { command: command.clone(), source })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if !text.contains("Could not get lock") || start.elapsed() > PATIENCE {
            break text;
        }
        thread::sleep(PAUSE);
    };
    let from = text.char_indices().rev().nth(2000).map_or(0, |(i, _)| i);
    Err(PackageError::Failed { command, output: text[from..].trim().to_owned() })
}

/// Debian itself, or a system that says it is like it.
fn is_debian(os_release: &str) -> bool {
    os_release
        .lines()
        .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")))
        .flat_map(|value| value.trim_matches('"').split_whitespace())
        .any(|id| id == "debian")
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_and_its_descendants_are_recognised() {
        assert!(is_debian("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"));
        assert!(is_debian("ID=ubuntu\nID_LIKE=debian\n"));
        assert!(is_debian("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian("ID=fedora\nVARIANT_ID=debian-like\n"));
        assert!(!is_debian(""));
    }

    #[test]
    fn a_failing_command_is_quoted_with_what_it_said() {
        let error = apt("sh", &["-c", "echo no space left >&2; exit 1"]).unwrap_err();
        assert!(error.to_string().contains("no space left"), "{error}");
    }

    #[test]
    fn a_lock_that_another_process_has_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let first = dir.path().join("first").display().to_string();
        // It fails as apt does, until it has been called before.
        let script = r#"[ -e "$0" ] && echo installed && exit 0
            touch "$0"; echo "E: Could not get lock /var/lib/apt/lists/lock." >&2; exit 100"#;
        assert_eq!(apt("sh", &["-c", script, &first]).unwrap(), "installed\n");
    }
}
