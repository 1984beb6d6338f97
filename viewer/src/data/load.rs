use futures_util::future::join_all;
use js_sys::{ArrayBuffer, Uint8Array};
use records::{Index, IndexEntry};

use super::{
    disk::read_files,
    fetch::get,
    origin::{Failure, explain, origin, sibling},
    parts::Parts,
};
use crate::{
    format,
    model::files::{Role, base_name, role},
    worker::protocol::{FileHead, Files, Problem},
};

/// Files that are ready for the worker.
#[derive(Default)]
pub struct Loaded {
    /// What each buffer is.
    pub files: Files,
    /// Their bytes.
    pub buffers: Vec<ArrayBuffer>,
    /// Where they come from, in words.
    pub origin: String,
    /// The site's runs, when they come from this site.
    pub runs: Vec<IndexEntry>,
    /// Where question pages get their files from.
    pub parts: Parts,
}

/// One of this site's own runs: the one called `run_id`, or the newest.
///
/// # Errors
/// No index, no such run, or a file that cannot be fetched.
pub async fn from_site(run_id: Option<&str>) -> Result<Loaded, Problem> {
    const INDEX: &str = "index.json";
    let buffer = get(INDEX).await?.ok_or_else(|| {
        Problem::new(
            "this site's index.json is not there, so its runs cannot be found",
            "reload the page, or open the files of a run folder from your disk",
        )
    })?;
    let bytes = Uint8Array::new(&buffer).to_vec();
    let index = records::parse_json::<Index>(INDEX, &bytes)?;
    let runs = index.rows.into_iter().next().map(|i| i.runs).unwrap_or_default();
    let entry = match run_id {
        Some(id) => runs.iter().find(|r| r.run_id == id).ok_or_else(|| {
            Problem::new(
                format!("this site has no run called \"{}\"", format::cut(id, 60)),
                "choose one of its runs, or open files from your disk",
            )
        })?,
        None => runs.first().ok_or_else(|| {
            Problem::new(
                "this site publishes no run",
                "open the files of a run folder from your disk",
            )
        })?,
    };
    let base = format!("{}/results.json", entry.path.trim_end_matches('/'));
    let mut loaded = fetch_run(&base).await?;
    loaded.files.expected = entry.files.clone();
    loaded.origin = "this site".into();
    loaded.parts = Parts::of_site(base, entry.files.clone());
    loaded.runs = runs;
    Ok(loaded)
}

/// The run whose `results.json` is at `url`.
///
/// # Errors
/// When it cannot be fetched, with the likely cause.
pub async fn from_url(url: &str) -> Result<Loaded, Problem> {
    let mut loaded = fetch_run(url).await?;
    let place = origin(url).map_or_else(|| "this site".to_owned(), |o| format::cut(o, 80));
    loaded.origin = place;
    loaded.parts = Parts::beside(url);
    Ok(loaded)
}

/// The files of the run whose `results.json` is at `results_url`.
///
/// # Errors
/// That file cannot be fetched; the others may be missing.
pub async fn fetch_run(results_url: &str) -> Result<Loaded, Problem> {
    let urls: Vec<String> = Role::FETCHED
        .iter()
        .map(|role| match role {
            Role::Results => results_url.to_owned(),
            other => sibling(results_url, other.file_name()),
        })
        .collect();
    let fetched = join_all(urls.iter().map(|url| get(url))).await;
    let mut loaded = Loaded::default();
    for ((role, url), outcome) in Role::FETCHED.into_iter().zip(&urls).zip(fetched) {
        match (role, outcome) {
            (_, Ok(Some(buffer))) => {
                loaded.files.heads.push(FileHead { name: role.file_name().into(), role });
                loaded.buffers.push(buffer);
            }
            (Role::Results, Ok(None)) => return Err(explain(url, "", Failure::Status(404))),
            (Role::Results, Err(problem)) => return Err(problem),
            // A run without these is a partial one, and the page says what that means.
            (_, Ok(None) | Err(_)) => {}
        }
    }
    Ok(loaded)
}

/// Files from the reader's disk.
///
/// # Errors
/// When none of them can be used.
pub async fn from_files(files: Vec<web_sys::File>) -> Result<Loaded, Problem> {
    let mut loaded = Loaded::default();
    let (mut more, mut more_buffers) = (Files::default(), Vec::new());
    let names = files.len();
    for (name, buffer) in read_files(files).await? {
        let head =
            Uint8Array::new_with_byte_offset_and_length(&buffer, 0, buffer.byte_length().min(4096))
                .to_vec();
        let role = role(&name, &head);
        if role == Role::Other {
            continue;
        }
        // Under its usual name a file can be compared with the digests that others name for it.
        let known = base_name(&name) == role.file_name();
        let name = if known || role == Role::Records { role.file_name() } else { base_name(&name) };
        let head = FileHead { name: name.into(), role };
        if role.is_evidence() {
            more.heads.push(head);
            more_buffers.push(buffer);
        } else {
            loaded.files.heads.push(head);
            loaded.buffers.push(buffer);
        }
    }
    loaded.parts = Parts::Here(more, more_buffers);
    if loaded.files.heads.is_empty() {
        return Err(Problem::new(
            format!(
                "{} given, and none is part of a run",
                format::plural(names as u64, "file", "files")
            ),
            "give results.json and records.jsonl, with run.json and SHA256SUMS where they are there, or a zip of the run's folder",
        ));
    }
    loaded.origin = "files on your disk; nothing was uploaded".into();
    Ok(loaded)
}
