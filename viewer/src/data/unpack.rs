//! Takes the files of a run out of a zip archive, a slice at a time: the archive itself is never in memory as a whole.

use js_sys::{Array, ArrayBuffer, Function, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, ReadableStreamDefaultReader, ReadableWritablePair};

use super::archive::{Entry, LOCAL_HEADER, TAIL, data_start, directory, entries};
use crate::{format, worker::protocol::Problem};

/// Name and bytes of each file of a run in `archive`.
///
/// # Errors
/// It is no archive of a run, or one that this page does not read.
pub(super) async fn unpack(archive: &File) -> Result<Vec<(String, ArrayBuffer)>, Problem> {
    let name = format::cut(&archive.name(), 80);
    let inside = |problem: Problem| match &problem.file {
        Some(file) => Problem { file: Some(format!("{name}: {file}")), ..problem },
        None => problem.in_file(name.clone()),
    };
    let size = archive.size() as u64;
    let tail = slice(archive, size.saturating_sub(TAIL), size).await.map_err(inside)?;
    let place = directory(&tail, size).map_err(inside)?;
    let listing = slice(archive, place.offset, place.offset + place.size).await.map_err(inside)?;
    let mut files = Vec::new();
    for entry in entries(&listing).map_err(inside)? {
        let bytes = one(archive, &entry).await.map_err(inside)?;
        files.push((entry.path, bytes));
    }
    if files.is_empty() {
        return Err(inside(Problem::new(
            "holds no file of a run",
            "zip the folder that results.json and records.jsonl are in",
        )));
    }
    Ok(files)
}

fn unreadable() -> Problem {
    Problem::new("could not be read", "zip the run's folder again, or give its files")
}

#[expect(clippy::cast_precision_loss, reason = "places in a file, far below 2^53")]
fn part(blob: &Blob, from: u64, to: u64) -> Result<Blob, Problem> {
    blob.slice_with_f64_and_f64(from as f64, to as f64).map_err(|_| unreadable())
}

async fn slice(blob: &Blob, from: u64, to: u64) -> Result<Vec<u8>, Problem> {
    let buffer = JsFuture::from(part(blob, from, to)?.array_buffer()).await;
    Ok(Uint8Array::new(&buffer.map_err(|_| unreadable())?).to_vec())
}

async fn one(archive: &Blob, entry: &Entry) -> Result<ArrayBuffer, Problem> {
    let named = |problem: Problem| problem.in_file(format::cut(&entry.path, 80));
    let header = slice(archive, entry.header, entry.header + LOCAL_HEADER).await?;
    let start = data_start(entry, &header)?;
    let packed = part(archive, start, start + entry.packed)?;
    if !entry.deflated {
        let buffer =
            JsFuture::from(packed.array_buffer()).await.map_err(|_| named(unreadable()))?;
        return buffer.dyn_into().map_err(|_| named(unreadable()));
    }
    inflate(&packed, entry.size).await.map_err(named)
}

/// The browser's `DecompressionStream`, by its name: web-sys does not count it among what is stable.
fn unpacking_stream() -> Option<ReadableWritablePair> {
    let name = JsValue::from_str("DecompressionStream");
    let class: Function = Reflect::get(&js_sys::global(), &name).ok()?.dyn_into().ok()?;
    let format = Array::of1(&JsValue::from_str("deflate-raw"));
    Reflect::construct(&class, &format).ok().map(JsCast::unchecked_into)
}

/// Unpacks by the browser's own means, and stops as soon as more comes out than the archive said.
async fn inflate(packed: &Blob, size: u64) -> Result<ArrayBuffer, Problem> {
    let through = unpacking_stream().ok_or_else(|| {
        Problem::new("this browser does not unpack archives", "give the run's files themselves")
    })?;
    let reader = ReadableStreamDefaultReader::new(&packed.stream().pipe_through(&through))
        .map_err(|_| unreadable())?;
    let out = Uint8Array::new_with_length(u32::try_from(size).map_err(|_| unreadable())?);
    let mut at = 0_u64;
    loop {
        let read = JsFuture::from(reader.read()).await.map_err(|_| {
            Problem::new("is damaged: it cannot be unpacked", "zip the run's folder again")
        })?;
        let field = |name: &str| Reflect::get(&read, &JsValue::from_str(name));
        if field("done").is_ok_and(|done| done.is_truthy()) {
            break;
        }
        let chunk: Uint8Array =
            field("value").ok().and_then(|v| v.dyn_into().ok()).ok_or_else(unreadable)?;
        let end = at + u64::from(chunk.length());
        if end > size {
            // The rest of a bomb is never unpacked; that it cannot be told so changes nothing.
            let _ = reader.cancel();
            return Err(Problem::new(
                "unpacks to more than the archive says",
                "zip the run's folder again",
            ));
        }
        out.set(&chunk, u32::try_from(at).map_err(|_| unreadable())?);
        at = end;
    }
    if at < size {
        return Err(Problem::new(
            "is damaged: it is shorter than the archive says",
            "zip it again",
        ));
    }
    Ok(out.buffer())
}
