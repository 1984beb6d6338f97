//! ChromeDriver as a process that ends with its owner.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::programs::Programs;

/// What the browser is started with: no window, no sandbox (which root cannot have), and nothing that would ask the
/// network for anything by itself.
const FLAGS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// A running driver on a port of its own, with a profile folder of its own.
#[derive(Debug)]
pub(crate) struct Driver {
    process: Child,
    pub(crate) address: String,
    profile: TempDir,
    // Kept open: a driver that cannot write to its output may end.
    output: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts the driver and waits until it listens. A driver takes a free port of one kind of address and ends when
    /// another program has the same port of the other kind, so that it may have to be started again.
    pub(crate) fn start(programs: &Programs) -> Result<Self> {
        let profile = tempfile::tempdir()?;
        let mut process = Command::new(&programs.chromedriver)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} could not be started", programs.chromedriver.display()))?;
        let stdout = process.stdout.take().context("the driver has no output")?;
        let output = BufReader::new(stdout);
        let mut driver = Self { process, address: String::new(), profile, output };
        let mut line = String::new();
        while driver.output.read_line(&mut line)? > 0 {
            if let Some(port) = port_of(line.trim()) {
                driver.address = format!("http://127.0.0.1:{port}");
                return Ok(driver);
            }
            line.clear();
        }
        bail!("the driver ended without listening")
    }

    /// The browser's flags, with its profile folder.
    pub(crate) fn flags(&self) -> Vec<String> {
        let profile = format!("--user-data-dir={}", self.profile.path().display());
        FLAGS.iter().map(|flag| (*flag).to_owned()).chain([profile]).collect()
    }
}

impl Drop for Driver {
    /// Ends the driver and every process of the browser that it started, also when a test has panicked.
    fn drop(&mut self) {
        // A process that is gone already is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
        for pid in processes_with(self.profile.path()) {
            let _ = Command::new("kill").args(["-KILL", &pid]).stderr(Stdio::null()).status();
        }
    }
}

/// The port in "ChromeDriver was started successfully on port 12345."
fn port_of(line: &str) -> Option<u16> {
    line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
}

/// Processes whose command line names `folder`: nobody else's does, since its name is random.
fn processes_with(folder: &Path) -> Vec<String> {
    let needle = folder.to_string_lossy().into_owned();
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().to_string_lossy().into_owned();
            pid.parse::<u32>().ok()?;
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            String::from_utf8_lossy(&line).contains(&needle).then_some(pid)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read_from_the_drivers_own_line() {
        assert_eq!(port_of("ChromeDriver was started successfully on port 43117."), Some(43117));
        assert_eq!(
            port_of("Starting ChromeDriver 156.0 (abc) on port 0"),
            None,
            "what was asked for"
        );
        assert_eq!(port_of("Only local connections are allowed."), None);
    }
}
