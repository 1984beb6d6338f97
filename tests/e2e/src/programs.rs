//! The browser and its driver on this machine.

use std::{
    env,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, Result};
use site::packages;

static INSTALLING: Mutex<()> = Mutex::new(());

/// The two programs, which must be of one version.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    pub(crate) chromium: PathBuf,
    pub(crate) chromedriver: PathBuf,
}

impl Programs {
    /// Finds both, installing them where this process may.
    pub(crate) fn find_or_install() -> Result<Self> {
        // Tests look for it side by side; one of them installs it, and the others find it.
        let _one_at_a_time = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        let wanted = |_: &[&str]| vec!["chromium".to_owned(), "chromium-driver".to_owned()];
        packages::install(wanted, &mut |line| eprintln!("{line}"))
            .context("the browser tests need Chromium and ChromeDriver")?;
        Self::find().context("Chromium was installed and is not found")
    }

    fn find() -> Option<Self> {
        let chromium =
            ["chromium", "chromium-browser", "google-chrome"].iter().find_map(on_path)?;
        // Where build machines of GitHub keep the driver of their Chrome.
        let given = env::var_os("CHROMEWEBDRIVER").map(|dir| Path::new(&dir).join("chromedriver"));
        let chromedriver =
            on_path(&"chromedriver").or_else(|| given.filter(|path| path.is_file()))?;
        Some(Self { chromium, chromedriver })
    }
}

/// The browser, installed where this process may.
///
/// # Errors
/// There is none, and none could be installed.
pub fn chromium() -> Result<PathBuf> {
    Ok(Programs::find_or_install()?.chromium)
}

/// Is there such a program on the search path?
#[must_use]
pub fn is_there(name: &str) -> bool {
    on_path(&name).is_some()
}

fn on_path(name: &&str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|path| path.is_file())
}
