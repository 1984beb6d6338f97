//! The data part of the site: runs, data sets, schemas and the index that lists them.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use records::{
    FileEntry, Index, IndexEntry, Manifest, ReadError, Results, Run, SCHEMAS, Versioned,
    file_entry, parse_json, sha256_hex,
};

/// The metric whose values stand in the index.
const HEADLINE_METRIC: &str = "accuracy";

/// Name of a run's list of digests, in the form that `sha256sum -c` reads.
const SUMS: &str = "SHA256SUMS";

/// One folder and its files.
#[derive(Debug, Clone)]
pub struct Folder {
    /// Its name.
    pub name: String,
    /// Its files by path below it, with `/` between the parts.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A run that is complete enough to be published.
#[derive(Debug, Clone)]
pub struct PublishedRun {
    /// Its files.
    pub folder: Folder,
    /// What was run.
    pub run: Run,
    /// What is published about it.
    pub results: Results,
}

/// Why a folder cannot be published.
#[derive(Debug, thiserror::Error)]
pub enum PublicationError {
    /// A file or folder cannot be read.
    #[error("{0} could not be read")]
    Io(PathBuf, #[source] io::Error),
    /// A file is not what it should be.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file a run or data set needs is missing.
    #[error("{folder} has no {file}")]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: &'static str,
    },
    /// A file is not the one that was published.
    #[error("{folder}: {file} is not the file that {by} names: {found} instead of {expected}")]
    Digest {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: String,
        /// Where the digest stands.
        by: &'static str,
        /// The digest of what is there.
        found: String,
        /// The digest that should be.
        expected: String,
    },
    /// A run that was asked for is not there.
    #[error("{results} has no run `{name}` with results; it has {}", or_none(.there))]
    NoSuchRun {
        /// The folder of the runs.
        results: PathBuf,
        /// The name that was given.
        name: String,
        /// The names that could have been.
        there: Vec<String>,
    },
    /// A folder's name and the id in its files differ.
    #[error("{folder} holds `{id}`; the folder must have that name")]
    Name {
        /// The folder.
        folder: PathBuf,
        /// The id.
        id: String,
    },
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The runs below `results` that are named by `only`, or all of them when it names none; newest first. A folder without
/// `results.json` is a run in progress and is left out.
///
/// # Errors
/// A run that is named is not there, or a run's files are missing, unreadable or not those of its list of digests.
pub fn runs(results: &Path, only: &[String]) -> Result<Vec<PublishedRun>, PublicationError> {
    let mut folders = folders_with(results, "results.json")?;
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let there: Vec<_> = folders.iter().map(name).collect();
    if let Some(missing) = only.iter().find(|wanted| !there.contains(wanted)) {
        let results = results.to_owned();
        return Err(PublicationError::NoSuchRun { results, name: missing.clone(), there });
    }
    folders.retain(|path| only.is_empty() || only.contains(&name(path)));
    let mut runs = Vec::new();
    for path in folders {
        runs.push(published_run(&path)?);
    }
    runs.sort_by(|a, b| {
        (&b.run.finished_at, &a.run.run_id).cmp(&(&a.run.finished_at, &b.run.run_id))
    });
    Ok(runs)
}

/// Every data set below `data`, by name.
///
/// # Errors
/// A file is missing, unreadable, or not the one that the manifest names.
pub fn data_sets(data: &Path) -> Result<Vec<Folder>, PublicationError> {
    let mut sets = Vec::new();
    for path in folders_with(data, "manifest.json")? {
        let folder = read_folder(&path)?;
        let manifest: Manifest = only(&path, &folder, "manifest.json")?;
        let expected =
            manifest.files.iter().map(|(name, entry)| (name.clone(), entry.sha256.clone()));
        check_digests(&path, &folder, "manifest.json", expected)?;
        check_name(&path, &folder, &manifest.dataset_id)?;
        sets.push(folder);
    }
    Ok(sets)
}

/// The texts of the arms' prompts by path below the site. A run names them and their digests; with them at hand the page
/// makes a row's prompt again.
///
/// # Errors
/// One of them cannot be read.
pub fn prompts(arms: &Path) -> Result<BTreeMap<String, Vec<u8>>, PublicationError> {
    let mut prompts = BTreeMap::new();
    let Ok(entries) = fs::read_dir(arms) else { return Ok(prompts) };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|e| e == "md") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = fs::read(&path).map_err(|e| PublicationError::Io(path.clone(), e))?;
            prompts.insert(format!("arms/{name}"), text);
        }
    }
    Ok(prompts)
}

/// The schemas by path below the site, from the types themselves.
#[must_use]
pub fn schemas() -> BTreeMap<String, Vec<u8>> {
    SCHEMAS
        .iter()
        .map(|(name, make)| {
            (format!("schema/v1/{name}.json"), format!("{:#}\n", make()).into_bytes())
        })
        .collect()
}

/// The index of `runs`, which are listed in the order given.
#[must_use]
pub fn index(runs: &[PublishedRun]) -> Index {
    Index { schema: Index::tag(), runs: runs.iter().map(index_entry).collect() }
}

fn index_entry(run: &PublishedRun) -> IndexEntry {
    let files: BTreeMap<String, FileEntry> =
        run.folder.files.iter().map(|(name, bytes)| (name.clone(), file_entry(bytes))).collect();
    let headline = run
        .results
        .figures
        .iter()
        .filter(|figure| figure.metric == HEADLINE_METRIC && figure.slice.is_none())
        .filter_map(|figure| Some((figure.id.clone(), figure.value?)))
        .collect();
    IndexEntry {
        run_id: run.run.run_id.clone(),
        title: run.results.title.clone(),
        dataset_signature: run.run.dataset_signature.clone(),
        date: run.run.finished_at.clone(),
        path: format!("runs/{}", run.folder.name),
        files,
        headline,
    }
}

fn published_run(path: &Path) -> Result<PublishedRun, PublicationError> {
    let folder = read_folder(path)?;
    let run: Run = only(path, &folder, "run.json")?;
    let results: Results = only(path, &folder, "results.json")?;
    file(path, &folder, "records.jsonl")?;
    let sums = String::from_utf8_lossy(file(path, &folder, SUMS)?).into_owned();
    check_digests(path, &folder, SUMS, parse_sums(&sums))?;
    check_name(path, &folder, &run.run_id)?;
    Ok(PublishedRun { folder, run, results })
}

/// Lines of `DIGEST  NAME`, with the `*` that marks binary mode left out.
fn parse_sums(text: &str) -> impl Iterator<Item = (String, String)> {
    text.lines().filter_map(|line| {
        let (digest, name) = line.split_once(char::is_whitespace)?;
        Some((name.trim_start().trim_start_matches('*').to_owned(), digest.to_owned()))
    })
}

fn check_digests(
    path: &Path,
    folder: &Folder,
    by: &'static str,
    expected: impl Iterator<Item = (String, String)>,
) -> Result<(), PublicationError> {
    for (name, expected) in expected {
        let found = folder.files.get(&name).map_or("no file".to_owned(), |b| sha256_hex(b));
        if found != expected {
            return Err(PublicationError::Digest {
                folder: path.to_owned(),
                file: name,
                by,
                found,
                expected,
            });
        }
    }
    Ok(())
}

fn check_name(path: &Path, folder: &Folder, id: &str) -> Result<(), PublicationError> {
    if folder.name == id {
        return Ok(());
    }
    Err(PublicationError::Name { folder: path.to_owned(), id: id.to_owned() })
}

fn file<'a>(
    path: &Path,
    folder: &'a Folder,
    name: &'static str,
) -> Result<&'a [u8], PublicationError> {
    folder
        .files
        .get(name)
        .map(Vec::as_slice)
        .ok_or_else(|| PublicationError::Missing { folder: path.to_owned(), file: name })
}

fn only<T: serde::de::DeserializeOwned + Versioned>(
    path: &Path,
    folder: &Folder,
    name: &'static str,
) -> Result<T, PublicationError> {
    let shown = path.join(name).display().to_string();
    let mut rows = parse_json(&shown, file(path, folder, name)?)?.rows;
    rows.pop().ok_or_else(|| PublicationError::Missing { folder: path.to_owned(), file: name })
}

/// The folders directly below `parent` that hold `file`, by name; none when `parent` is not there.
fn folders_with(parent: &Path, file: &str) -> Result<Vec<PathBuf>, PublicationError> {
    if !parent.exists() {
        return Ok(Vec::new());
    }
    Ok(entries(parent)?.into_iter().filter(|path| path.join(file).is_file()).collect())
}

fn read_folder(path: &Path) -> Result<Folder, PublicationError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = BTreeMap::new();
    collect(path, "", &mut files)?;
    Ok(Folder { name, files })
}

/// Reads everything below `path` but hidden files.
fn collect(
    path: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), PublicationError> {
    for entry in entries(path)? {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if entry.is_dir() {
            collect(&entry, &format!("{prefix}{name}/"), files)?;
        } else {
            let bytes = fs::read(&entry).map_err(|e| PublicationError::Io(entry.clone(), e))?;
            files.insert(format!("{prefix}{name}"), bytes);
        }
    }
    Ok(())
}

fn entries(path: &Path) -> Result<Vec<PathBuf>, PublicationError> {
    let failed = |e| PublicationError::Io(path.to_owned(), e);
    let mut paths = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}
