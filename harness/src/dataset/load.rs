use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use records::{Bundle, Document, FileEntry, Item, Manifest, file_entry, parse_json, parse_jsonl};

use crate::error::{Error, read_file};

/// The line files of a data set that a run needs.
pub const DATA_FILES: [&str; 3] = ["items.jsonl", "documents.jsonl", "bundles.jsonl"];

/// Files of a data set that a run does not need; those that are there are signed with it.
pub const EXTRA_FILES: [&str; 3] = ["LICENSE-DATA.md", "rejected.jsonl", "review.jsonl"];

/// A data set as read.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// Name of the folder that it lies in, when that has one.
    pub folder_name: Option<String>,
    /// The manifest.
    pub manifest: Manifest,
    /// Items in file order.
    pub items: Vec<Item>,
    /// Documents by id.
    pub documents: BTreeMap<String, Document>,
    /// Bundles by item id.
    pub bundles: BTreeMap<String, Bundle>,
    /// Digest and size of each file as it lies there, `manifest.json` included.
    pub files: BTreeMap<String, FileEntry>,
    /// Sentences about unknown fields.
    pub notes: Vec<String>,
}

impl Dataset {
    /// The documents of an item's bundle, in prompt order; empty when it has none.
    #[must_use]
    pub fn shown(&self, item_id: &str) -> Vec<&Document> {
        let Some(bundle) = self.bundles.get(item_id) else { return Vec::new() };
        bundle.documents.iter().filter_map(|d| self.documents.get(&d.doc_id)).collect()
    }
}

/// Reads the data set in `folder`.
///
/// # Errors
/// A file is missing or a line is wrong; two items, documents or bundles share an id.
pub fn load(folder: &Path) -> Result<Dataset, Error> {
    let mut files = BTreeMap::new();
    let mut notes = Vec::new();
    let mut bytes_of = |name: &str| -> Result<(String, Vec<u8>), Error> {
        let path = folder.join(name);
        let bytes = read_file(&path)?;
        files.insert(name.to_owned(), file_entry(&bytes));
        Ok((path.display().to_string(), bytes))
    };
    let (name, bytes) = bytes_of("manifest.json")?;
    let manifest = parse_json::<Manifest>(&name, &bytes)?;
    notes.extend(manifest.unknown_note(&name));
    let (name, bytes) = bytes_of("items.jsonl")?;
    let items = parse_jsonl::<Item>(&name, &bytes)?;
    notes.extend(items.unknown_note(&name));
    unique(&name, "item_id", items.rows.iter().map(|i| i.item_id.as_str()))?;
    let (name, bytes) = bytes_of("documents.jsonl")?;
    let documents = parse_jsonl::<Document>(&name, &bytes)?;
    notes.extend(documents.unknown_note(&name));
    unique(&name, "doc_id", documents.rows.iter().map(|d| d.doc_id.as_str()))?;
    let (name, bytes) = bytes_of("bundles.jsonl")?;
    let bundles = parse_jsonl::<Bundle>(&name, &bytes)?;
    notes.extend(bundles.unknown_note(&name));
    unique(&name, "item_id", bundles.rows.iter().map(|b| b.item_id.as_str()))?;
    for name in EXTRA_FILES {
        if folder.join(name).exists() {
            bytes_of(name)?;
        }
    }
    let Some(manifest) = manifest.rows.into_iter().next() else {
        return Err(Error::Input(format!("{}: is empty", folder.join("manifest.json").display())));
    };
    let whole = folder.canonicalize().ok();
    let folder_name = whole.and_then(|f| Some(f.file_name()?.to_str()?.to_owned()));
    Ok(Dataset {
        folder_name,
        manifest,
        items: items.rows,
        documents: documents.rows.into_iter().map(|d| (d.doc_id.clone(), d)).collect(),
        bundles: bundles.rows.into_iter().map(|b| (b.item_id.clone(), b)).collect(),
        files,
        notes,
    })
}

fn unique<'a>(file: &str, field: &str, ids: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for (row, id) in ids.enumerate() {
        if !seen.insert(id) {
            return Err(Error::Input(format!(
                "{file}, row {}, field `{field}`: \"{id}\" stands there twice; give each its own id",
                row + 1
            )));
        }
    }
    Ok(())
}
