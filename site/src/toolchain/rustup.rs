//! Asking rustup for the library, without waiting for a server that never answers.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::TARGET;

/// How long rustup may take. Where it works at all it needs a few seconds.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs `rustup target add` and says whether it succeeded.
///
/// A failure is remembered in a file below `target_dir`, so that only the first build on a machine without a network
/// waits; removing that folder forgets it.
pub(super) fn add_target(target_dir: &Path, say: &mut dyn FnMut(&str)) -> bool {
    let marker = marker(target_dir);
    if marker.exists() {
        return false;
    }
    let mut command = Command::new("rustup");
    command.args(["target", "add", TARGET]);
    say(&format!(
        "asking rustup for the standard library of {TARGET} (at most {} s)",
        LIMIT.as_secs()
    ));
    match run_within(&mut command, LIMIT) {
        Outcome::Succeeded => true,
        Outcome::NotThere => false,
        outcome @ (Outcome::Failed | Outcome::TimedOut) => {
            let what = if outcome == Outcome::Failed { "failed" } else { "did not answer in time" };
            say(&format!(
                "rustup {what}; it is not asked again until {} is removed",
                marker.display()
            ));
            // Without the marker the next build merely waits again, so a failure to write it is no failure.
            let _ = fs::create_dir_all(target_dir)
                .and_then(|()| fs::write(&marker, format!("{what}\n")));
            false
        }
    }
}

fn marker(target_dir: &Path) -> PathBuf {
    target_dir.join("rustup-target-add-failed")
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Succeeded,
    Failed,
    TimedOut,
    NotThere,
}

/// Runs `command` to its end, or kills it when `limit` is over.
fn run_within(command: &mut Command, limit: Duration) -> Outcome {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = quiet.spawn() else { return Outcome::NotThere };
    let deadline = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Outcome::Succeeded,
            Ok(Some(_)) | Err(_) => return Outcome::Failed,
            Ok(None) if Instant::now() >= deadline => {
                // It may have ended by itself in between; either way it is gone after `wait`.
                let _ = child.kill();
                let _ = child.wait();
                return Outcome::TimedOut;
            }
            Ok(None) => thread::sleep(Duration::from_millis(50)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_command_that_hangs_is_killed_at_the_limit() {
        let started = Instant::now();
        let outcome = run_within(&mut sh("exec sleep 30"), Duration::from_millis(200));
        assert_eq!(outcome, Outcome::TimedOut);
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn success_failure_and_absence_are_told_apart() {
        assert_eq!(run_within(&mut sh("exit 0"), LIMIT), Outcome::Succeeded);
        assert_eq!(run_within(&mut sh("exit 3"), LIMIT), Outcome::Failed);
        assert_eq!(run_within(&mut Command::new("/no/such/program"), LIMIT), Outcome::NotThere);
    }

    #[test]
    fn a_remembered_failure_is_not_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(marker(dir.path()), "failed\n").unwrap();
        let mut said = Vec::new();
        assert!(!add_target(dir.path(), &mut |line| said.push(line.to_owned())));
        assert_eq!(said, Vec::<String>::new(), "nothing was tried, so nothing is said");
    }
}
