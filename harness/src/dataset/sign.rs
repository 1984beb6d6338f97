use std::{collections::BTreeMap, path::Path};

use records::{Item, Manifest, canonical_json, file_entry, files_digest};

use super::{DATA_FILES, EXTRA_FILES};
use crate::{
    error::{Error, read_file, write_file},
    run_folder::read_log,
};

/// The line that identifies a data set: its name, who wrote it and how, when, whether its facts are made up and a person
/// has reviewed them, and the digest of its files.
///
/// Two data sets with the same content have the same digest, and changing one byte changes it.
#[must_use]
pub fn signature(manifest: &Manifest) -> String {
    let generator = &manifest.generator;
    let decoding = generator.decoding.as_ref().map_or_else(|| "-".to_owned(), canonical_json);
    format!(
        "{}|generator:{}|version:{}|decoding:{decoding}|created:{}|constructed:{}|reviewed:{}|sha256:{}",
        manifest.dataset_id,
        generator.model,
        generator.version.as_deref().unwrap_or("-"),
        manifest.created_at,
        manifest.constructed,
        manifest.reviewed,
        files_digest(&manifest.files)
    )
}

/// Number of items by `set=…`, `target=…` and each tag.
#[must_use]
pub fn counts(items: &[Item]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for item in items {
        let mut add = |tag: &str, value: &str| {
            *counts.entry(format!("{tag}={value}")).or_insert(0) += 1;
        };
        add("target", &item.target);
        if let Some(set) = &item.set {
            add("set", set);
            add("set,target", &format!("{set},{}", item.target));
        }
        for (tag, value) in &item.tags {
            add(tag, value);
        }
    }
    counts
}

/// The manifest with the digests of the files as they lie in `folder`, with the counts and with the signature.
///
/// # Errors
/// A file cannot be read, or a line of `items.jsonl` is wrong.
pub fn signed(folder: &Path, mut manifest: Manifest) -> Result<Manifest, Error> {
    let extra = EXTRA_FILES.into_iter().filter(|name| folder.join(name).exists());
    manifest.files = DATA_FILES
        .into_iter()
        .chain(extra)
        .map(|name| Ok((name.to_owned(), file_entry(&read_file(&folder.join(name))?))))
        .collect::<Result<_, Error>>()?;
    manifest.counts = counts(&read_log::<Item>(&folder.join("items.jsonl"))?);
    manifest.signature = signature(&manifest);
    Ok(manifest)
}

/// Writes the signed manifest into `folder` and returns its signature.
///
/// # Errors
/// As [`signed`], or the file cannot be written.
pub fn sign_folder(folder: &Path, manifest: Manifest) -> Result<String, Error> {
    let manifest = signed(folder, manifest)?;
    let path = folder.join("manifest.json");
    let text = serde_json::to_string_pretty(&manifest)
        .map_err(|e| Error::Input(format!("{}: {e}", path.display())))?;
    write_file(&path, format!("{text}\n").as_bytes())?;
    Ok(manifest.signature)
}
