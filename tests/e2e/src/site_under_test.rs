//! A site of a few runs, built and served for one test.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use anyhow::{Context, Result, anyhow};
use site::{
    assembly::{Places, Publication, compile_page, write_site},
    project, serve,
    toolchain::Choice,
    wasm::Program,
};
use tempfile::TempDir;

use crate::fixture;

/// The page, compiled once for all tests.
static PAGE: OnceLock<Result<Program, String>> = OnceLock::new();

/// A served site; it is gone when this is dropped.
#[derive(Debug)]
pub struct TestSite {
    /// Its address, which ends in a slash.
    pub address: String,
    folder: TempDir,
    server: tokio::task::JoinHandle<()>,
}

impl TestSite {
    /// A site of one run.
    ///
    /// # Errors
    /// It cannot be built or served.
    pub async fn of(files: &BTreeMap<String, Vec<u8>>) -> Result<Self> {
        Self::below("", files).await
    }

    /// A site of one run below a path.
    ///
    /// # Errors
    /// It cannot be built or served.
    pub async fn below(sub_path: &str, files: &BTreeMap<String, Vec<u8>>) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let results = folder.path().join("results");
        fixture::write(files, &results.join(fixture::RUN_ID))?;
        let places = Places { results, data: folder.path().join("data"), ..places(folder.path())? };
        Self::serve(folder, &places, sub_path).await
    }

    /// The project's own runs and data sets.
    ///
    /// # Errors
    /// It cannot be built or served.
    pub async fn of_the_project() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let places = places(folder.path())?;
        Self::serve(folder, &places, "").await
    }

    /// The site as whoever unpacks this one's archive serves it.
    ///
    /// # Errors
    /// The archive is not there, cannot be unpacked, or does not unpack to one folder.
    pub async fn unpacked(&self) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let archive = fs::File::open(self.file("recount-site.zip"))?;
        zip::ZipArchive::new(archive)?.extract(folder.path())?;
        let dist = folder.path().join("dist");
        fs::rename(folder.path().join("recount-site"), &dist)?;
        Self::serve_files(folder, &dist, "").await
    }

    async fn serve(folder: TempDir, places: &Places, sub_path: &str) -> Result<Self> {
        let page = PAGE.get_or_init(|| {
            compile_page(&places.root, Choice::Auto, &mut |line| eprintln!("{line}"))
                .map_err(|e| format!("{:#}", anyhow!(e)))
        });
        let page = page.as_ref().map_err(|e| anyhow!("the page cannot be compiled: {e}"))?;
        write_site(places, Publication::read(places)?, page)?;
        Self::serve_files(folder, &places.out, sub_path).await
    }

    async fn serve_files(folder: TempDir, dist: &Path, sub_path: &str) -> Result<Self> {
        let router = serve::router(dist, sub_path)?;
        let listener = serve::listen(Some(0)).await?;
        let address = serve::address(&listener, sub_path)?;
        let server = tokio::spawn(async move {
            if let Err(error) = serve::until_interrupted(listener, router).await {
                eprintln!("{error}");
            }
        });
        Ok(Self { address, folder, server })
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> String {
        self.address.splitn(4, '/').take(3).collect::<Vec<_>>().join("/")
    }

    /// A file of the site on disk.
    #[must_use]
    pub fn file(&self, path: &str) -> PathBuf {
        self.folder.path().join("dist").join(path)
    }

    /// Takes a module of the page's program away.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn lose(&self, module: &str) -> Result<()> {
        let folders = fs::read_dir(self.file(""))?.flatten().map(|entry| entry.path());
        let mut modules = folders.map(|folder| folder.join(module));
        let path = modules.find(|path| path.is_file()).context("no such module")?;
        Ok(fs::remove_file(path)?)
    }

    /// Puts a file beside the site's own.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&self, path: &str, bytes: &[u8]) -> Result<()> {
        let path = self.file(path);
        fs::create_dir_all(path.parent().context("a path in the site has a folder")?)?;
        Ok(fs::write(path, bytes)?)
    }
}

impl Drop for TestSite {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The project whose page is tested.
///
/// # Errors
/// This is not built in a checkout.
pub(crate) fn root() -> Result<PathBuf> {
    project::root(Path::new(env!("CARGO_MANIFEST_DIR"))).context("no workspace here")
}

fn places(folder: &Path) -> Result<Places> {
    Ok(Places { out: folder.join("dist"), ..Places::of(&root()?) })
}
