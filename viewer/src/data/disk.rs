use js_sys::ArrayBuffer;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, File, FileList};

use super::unpack::unpack;
use crate::{format, worker::protocol::Problem};

/// Most files that are read of one drop.
const MAX_FILES: usize = 20;
/// Largest file that is read.
const MAX_BYTES: u64 = 1_000_000_000;

/// The files of a drop.
#[must_use]
pub fn dropped_files(event: &DragEvent) -> Vec<File> {
    event.data_transfer().and_then(|d| d.files()).map(|l| listed(&l)).unwrap_or_default()
}

/// The files of a list.
#[must_use]
pub fn listed(list: &FileList) -> Vec<File> {
    (0..list.length()).filter_map(|i| list.get(i)).collect()
}

/// Name and bytes of each file; of an archive those of its files.
///
/// # Errors
/// A file that is too large or cannot be read.
pub async fn read_files(files: Vec<File>) -> Result<Vec<(String, ArrayBuffer)>, Problem> {
    let mut out = Vec::new();
    for file in files.into_iter().take(MAX_FILES) {
        if file.name().to_ascii_lowercase().ends_with(".zip") {
            out.extend(unpack(&file).await?);
            continue;
        }
        // gloo's readers copy into this module's memory; the buffer itself can be moved to the worker.
        let blob = gloo::file::File::from(file);
        let name = blob.name();
        if blob.size() > MAX_BYTES {
            return Err(Problem::new(
                format!("is larger than {}", format::bytes(MAX_BYTES)),
                "check it with the command-line tool instead",
            )
            .in_file(name));
        }
        let unreadable = || {
            Problem::new("could not be read", "a folder cannot be read: choose the files in it")
                .in_file(name.clone())
        };
        let raw: &File = blob.as_ref();
        let buffer = JsFuture::from(raw.array_buffer()).await.map_err(|_| unreadable())?;
        out.push((name.clone(), buffer.dyn_into().map_err(|_| unreadable())?));
    }
    Ok(out)
}
