//! Puts the whole site together in a folder.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use records::sha256_hex;

use crate::{
    archive,
    budget::{self, OverBudget, Weight},
    page::{FirstGlance, PageError, Sources, assemble},
    publication::{self, PublicationError, PublishedRun},
    toolchain::{Choice, Toolchain, ToolchainError},
    wasm::{self, Program, WasmError},
};

/// Package that is the page.
const PAGE_PACKAGE: &str = "viewer";

/// Files of every site that nothing is put into.
const STATIC_FILES: [(&str, &str); 4] = [
    ("404.html", include_str!("../static/404.html")),
    ("offline.html", include_str!("../static/offline.html")),
    ("robots.txt", include_str!("../static/robots.txt")),
    // GitHub Pages would otherwise leave out what it takes for its own.
    (".nojekyll", ""),
];

/// Where everything is and goes.
#[derive(Debug, Clone)]
pub struct Places {
    /// The project.
    pub root: PathBuf,
    /// The folder of the runs.
    pub results: PathBuf,
    /// The runs to publish, by name; every run that has results when none is named.
    pub runs: Vec<String>,
    /// The data sets to publish.
    pub data: PathBuf,
    /// The texts of the arms' prompts.
    pub arms: PathBuf,
    /// The site, replaced as a whole.
    pub out: PathBuf,
}

impl Places {
    /// The project's own folders.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            results: root.join("results"),
            runs: Vec::new(),
            data: root.join("data"),
            arms: root.join("harness/arms"),
            out: root.join("site/dist"),
        }
    }
}

/// What was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// Number of runs.
    pub runs: usize,
    /// Number of data sets.
    pub data_sets: usize,
    /// Number of files.
    pub files: usize,
    /// Bytes of all files together.
    pub bytes: usize,
    /// How much of it a reader downloads before the first verdict, and later.
    pub weight: Weight,
}

/// Why a site cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// No compiler.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The page does not compile.
    #[error(transparent)]
    Wasm(#[from] WasmError),
    /// The page is too large to load.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// The page's files do not fit together.
    #[error(transparent)]
    Page(#[from] PageError),
    /// A run or data set cannot be published.
    #[error(transparent)]
    Publication(#[from] PublicationError),
    /// The site is too large for one archive.
    #[error("the site's archive could not be made")]
    Archive(#[from] zip::result::ZipError),
    /// A file cannot be read or written.
    #[error("{0} could not be read or written")]
    Io(PathBuf, #[source] io::Error),
    /// The folder to write to holds something else.
    #[error("{0} holds something that is not a site; choose an empty folder, or remove it")]
    Occupied(PathBuf),
}

/// Compiles the page and writes the site.
///
/// # Errors
/// See [`SiteError`]; what was in the output folder is then still there.
pub fn build(
    places: &Places,
    choice: Choice,
    say: &mut dyn FnMut(&str),
) -> Result<Built, SiteError> {
    // Whatever can be refused is refused before minutes are spent on the compiler.
    refuse_foreign(&places.out)?;
    let publication = Publication::read(places)?;
    let program = compile_page(&places.root, choice, say)?;
    write_site(places, publication, &program)
}

/// What is published, read and checked.
#[derive(Debug)]
pub struct Publication {
    runs: Vec<PublishedRun>,
    data_sets: Vec<publication::Folder>,
    prompts: BTreeMap<String, Vec<u8>>,
}

impl Publication {
    /// Reads every run and data set.
    ///
    /// # Errors
    /// One of them cannot be published.
    pub fn read(places: &Places) -> Result<Self, SiteError> {
        let runs = publication::runs(&places.results, &places.runs)?;
        let prompts = publication::prompts(&places.arms)?;
        Ok(Self { runs, data_sets: publication::data_sets(&places.data)?, prompts })
    }
}

/// Compiles the page of the project in `root`.
///
/// # Errors
/// There is no toolchain, or the page does not compile.
pub fn compile_page(
    root: &Path,
    choice: Choice,
    say: &mut dyn FnMut(&str),
) -> Result<Program, SiteError> {
    let toolchain = Toolchain::resolve(root, choice, say)?;
    say(&format!("compiling the page with {toolchain}"));
    let path = wasm::compile(root, &toolchain, PAGE_PACKAGE)?;
    Ok(wasm::bind(&path)?)
}

/// Writes the site of a page that is compiled.
///
/// # Errors
/// The page's files do not fit together or are too large, or the folder cannot be written.
pub fn write_site(
    places: &Places,
    publication: Publication,
    program: &Program,
) -> Result<Built, SiteError> {
    refuse_foreign(&places.out)?;
    let Publication { runs, data_sets, prompts } = publication;
    let sources = read_sources(&places.root.join("viewer"))?;
    let page = assemble(&sources, program, &first_glance(&runs))?;
    let weight = budget::weigh(&page, budget::LIMIT)?;
    let mut files = page.files;
    files.extend(STATIC_FILES.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())));
    files.extend(publication::schemas());
    files.extend(prompts);
    let index = serde_json::json!(publication::index(&runs));
    files.insert("index.json".to_owned(), format!("{index:#}\n").into_bytes());
    let (n_runs, n_data_sets) = (runs.len(), data_sets.len());
    for run in runs {
        put_folder(&mut files, "runs", run.folder);
    }
    for set in data_sets {
        put_folder(&mut files, "data", set);
    }
    put_archive(&mut files)?;
    write(&places.out, &files)?;
    let bytes = files.values().map(Vec::len).sum();
    Ok(Built { runs: n_runs, data_sets: n_data_sets, files: files.len(), bytes, weight })
}

/// Puts the archive of all the files among them, with its digest in the form that `sha256sum --check` reads.
fn put_archive(files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), SiteError> {
    let bytes = archive::archive(archive::NAME, files)?;
    let name = format!("{}.zip", archive::NAME);
    let sum = format!("{}  {name}\n", sha256_hex(&bytes));
    files.insert(format!("{name}.sha256"), sum.into_bytes());
    files.insert(name, bytes);
    Ok(())
}

fn put_folder(files: &mut BTreeMap<String, Vec<u8>>, below: &str, folder: publication::Folder) {
    for (path, bytes) in folder.files {
        files.insert(format!("{below}/{}/{path}", folder.name), bytes);
    }
}

fn first_glance(runs: &[PublishedRun]) -> FirstGlance {
    runs.first().map_or_else(
        || FirstGlance {
            title: "No run yet".to_owned(),
            table: "<p>No run is published here yet.</p>".to_owned(),
        },
        |run| FirstGlance {
            title: run.results.title.clone(),
            table: viewer::model::static_html_with_run(
                &run.results,
                Some(&run.run),
                &run.folder.files.get("results.json").map(|b| sha256_hex(b)).unwrap_or_default(),
            ),
        },
    )
}

fn read_sources(viewer: &Path) -> Result<Sources, SiteError> {
    let read =
        |path: &Path| fs::read_to_string(path).map_err(|e| SiteError::Io(path.to_owned(), e));
    let folder = viewer.join("styles");
    let listing = fs::read_dir(&folder).map_err(|e| SiteError::Io(folder.clone(), e))?;
    let mut styles = BTreeMap::new();
    for entry in listing.flatten().map(|entry| entry.path()) {
        if entry.extension().is_some_and(|e| e == "css") {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            styles.insert(name, read(&entry)?);
        }
    }
    Ok(Sources {
        index_html: read(&viewer.join("index.html"))?,
        boot_js: read(&viewer.join("boot.js"))?,
        worker_js: read(&viewer.join("worker.js"))?,
        styles,
    })
}

/// Only an empty folder or an earlier site is replaced.
fn refuse_foreign(out: &Path) -> Result<(), SiteError> {
    let Ok(mut entries) = fs::read_dir(out) else { return Ok(()) };
    let ours = out.join("index.json").is_file() && out.join(".nojekyll").is_file();
    if ours || entries.next().is_none() { Ok(()) } else { Err(SiteError::Occupied(out.to_owned())) }
}

/// Writes beside the old site first, so that a full disk leaves the old one whole.
fn write(out: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), SiteError> {
    let mut new = out.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let gone = |path: &Path| match fs::remove_dir_all(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(SiteError::Io(path.to_owned(), e)),
        _ => Ok(()),
    };
    gone(&new)?;
    for (name, bytes) in files {
        let path = new.join(name);
        let parent = path.parent().unwrap_or(&new);
        fs::create_dir_all(parent).map_err(|e| SiteError::Io(parent.to_owned(), e))?;
        fs::write(&path, bytes).map_err(|e| SiteError::Io(path.clone(), e))?;
    }
    gone(out)?;
    fs::rename(&new, out).map_err(|e| SiteError::Io(out.to_owned(), e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_someone_elses_files_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("dist");
        assert!(refuse_foreign(&out).is_ok(), "not there yet");
        fs::create_dir(&out).unwrap();
        assert!(refuse_foreign(&out).is_ok(), "empty");
        fs::write(out.join("thesis.txt"), "years of work").unwrap();
        assert!(matches!(refuse_foreign(&out), Err(SiteError::Occupied(_))));
    }

    #[test]
    fn a_site_is_replaced_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("dist");
        let file = |name: &str| BTreeMap::from([(name.to_owned(), b"x".to_vec())]);
        write(&out, &file("runs/old/run.json")).unwrap();
        write(&out, &file("runs/new/run.json")).unwrap();
        assert!(out.join("runs/new/run.json").is_file());
        assert!(!out.join("runs/old").exists());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
    }
}
