use std::collections::BTreeMap;

use records::{Item, Manifest, canonical_json, files_digest};

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
