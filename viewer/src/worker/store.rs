//! The files that question pages are made from: a data set, raw completions, prompt texts.

use std::collections::{BTreeMap, btree_map::Entry};

use records::{
    Bundle, Document, FileEntry, Item, Manifest, ResponseText, Versioned, files_digest, parse_json,
    parse_jsonl,
};
use serde::de::DeserializeOwned;

use super::{
    open::{Opened, too_large},
    protocol::{FileReport, Files, Problem},
};
use crate::{
    format,
    model::{
        evidence::{Attached, DataSet},
        files::Role,
    },
};

/// Most counts that a data set shows of itself.
const MAX_COUNTS: usize = 100;

/// What has been taken in so far.
#[derive(Default)]
pub struct Store {
    /// Questions by id.
    pub items: BTreeMap<String, Item>,
    /// Documents by id.
    pub documents: BTreeMap<String, Document>,
    /// Which documents stand beside a question, by its id.
    pub bundles: BTreeMap<String, Bundle>,
    /// Completions by the digest that they are filed under.
    pub responses: BTreeMap<String, String>,
    /// Texts of prompts by file name.
    pub prompts: BTreeMap<String, String>,
    /// The data set's manifest.
    pub manifest: Option<Manifest>,
    entries: Vec<(String, Role, FileEntry)>,
    expected: BTreeMap<String, FileEntry>,
}

impl Store {
    /// Takes files in. One that cannot be read is said in what is returned, and the others stand.
    ///
    /// # Errors
    /// A file that is too large to read.
    pub fn take(
        &mut self,
        files: &Files,
        buffers: Vec<Vec<u8>>,
        opened: &Opened,
        progress: &dyn Fn(String),
    ) -> Result<Attached, Problem> {
        let mut out = Attached::default();
        self.expected.extend(files.expected.clone());
        for (head, bytes) in files.heads.iter().zip(buffers) {
            let (size, most) = (bytes.len() as u64, head.role.max_bytes());
            if size > most {
                return Err(too_large(&head.name, size, most));
            }
            progress(format!("reading {}", format::cut(&head.name, 60)));
            self.entries.retain(|(name, ..)| *name != head.name);
            self.entries.push((head.name.clone(), head.role, records::file_entry(&bytes)));
            self.read(&head.name, head.role, &bytes, &mut out);
        }
        out.files = self.reports(opened);
        if let Some(manifest) = &self.manifest {
            let digest = files_digest(&manifest.files);
            out.signature_holds = Some(manifest.signature.ends_with(&format!("sha256:{digest}")));
            out.signature_fits =
                opened.run.as_ref().map(|run| run.dataset_signature == manifest.signature);
            out.data_set = Some(data_set(manifest));
        }
        out.n_items = self.items.len() as u64;
        out.n_documents = self.documents.len() as u64;
        out.n_responses = self.responses.len() as u64;
        Ok(out)
    }

    fn read(&mut self, name: &str, role: Role, bytes: &[u8], out: &mut Attached) {
        match role {
            Role::Items => {
                self.items = rows(name, bytes, out, |item: &Item| item.item_id.clone());
            }
            Role::Documents => {
                self.documents = rows(name, bytes, out, |d: &Document| d.doc_id.clone());
            }
            Role::Bundles => {
                self.bundles = rows(name, bytes, out, |b: &Bundle| b.item_id.clone());
            }
            Role::Responses => {
                let read = rows(name, bytes, out, |r: &ResponseText| r.response_sha256.clone());
                self.responses = read.into_iter().map(|(key, row)| (key, row.text)).collect();
            }
            Role::Manifest => match parse_json::<Manifest>(name, bytes) {
                Ok(parsed) => {
                    out.notes.extend(parsed.unknown_note(name));
                    self.manifest = parsed.rows.into_iter().next();
                }
                Err(error) => out.problems.push(error.into()),
            },
            Role::Prompt => match std::str::from_utf8(bytes) {
                Ok(text) => {
                    self.prompts.insert(name.to_owned(), text.to_owned());
                }
                Err(_) => out.problems.push(
                    Problem::new("is not UTF-8 text", "give the prompt file as it was published")
                        .in_file(name),
                ),
            },
            _ => {}
        }
    }

    /// Every file taken in so far, and whether its digest is the one that others name.
    fn reports(&self, opened: &Opened) -> Vec<FileReport> {
        let report = |(name, role, entry): &(String, Role, FileEntry)| {
            let mut named_by = Vec::new();
            let mut compare = |by: &str, digest: Option<&String>| {
                named_by.extend(digest.map(|d| (by.to_owned(), *d == entry.sha256)));
            };
            let listed = self.manifest.as_ref().and_then(|m| m.files.get(name));
            match role {
                Role::Responses => {
                    compare("SHA256SUMS", opened.sums.get(name));
                    compare("index.json", self.expected.get(name).map(|e| &e.sha256));
                }
                Role::Prompt => {
                    let arms = opened.run.iter().flat_map(|run| &run.arms);
                    let named = arms.into_iter().flat_map(|arm| {
                        [(&arm.prompt, &arm.prompt_sha256), (&arm.system, &arm.system_sha256)]
                    });
                    let digest = named.into_iter().find(|(file, _)| *file == name);
                    compare("run.json", digest.map(|(_, digest)| digest));
                }
                Role::Manifest => {}
                _ => compare("manifest.json", listed.map(|e| &e.sha256)),
            }
            FileReport { name: name.clone(), entry: entry.clone(), named_by }
        };
        self.entries.iter().map(report).collect()
    }
}

/// The rows of a file by their id; of two with one id the first is kept, and that is said.
fn rows<T: DeserializeOwned + Versioned>(
    name: &str,
    bytes: &[u8],
    out: &mut Attached,
    id: impl Fn(&T) -> String,
) -> BTreeMap<String, T> {
    let mut by_id = BTreeMap::new();
    match parse_jsonl::<T>(name, bytes) {
        Ok(parsed) => {
            out.notes.extend(parsed.unknown_note(name));
            let mut twice = 0_u64;
            for row in parsed.rows {
                match by_id.entry(id(&row)) {
                    Entry::Occupied(_) => twice += 1,
                    Entry::Vacant(place) => {
                        place.insert(row);
                    }
                }
            }
            if twice > 0 {
                out.notes.push(format!(
                    "{}: {} an id that stood before; the first of each is used.",
                    format::cut(name, 60),
                    format::plural(twice, "row repeats", "rows repeat")
                ));
            }
        }
        Err(error) => out.problems.push(error.into()),
    }
    by_id
}

fn data_set(m: &Manifest) -> DataSet {
    let generator = match &m.generator.version {
        Some(version) => format!("{}, version {version}", m.generator.model),
        None => m.generator.model.clone(),
    };
    DataSet {
        dataset_id: m.dataset_id.clone(),
        title: m.title.clone(),
        constructed: m.constructed,
        reviewed: m.reviewed,
        signature: m.signature.clone(),
        created_at: m.created_at.clone(),
        licence: m.licence.clone(),
        generator,
        funnel: m.funnel.iter().take(MAX_COUNTS).map(|f| (f.stage.clone(), f.remaining)).collect(),
        base_rates: m
            .base_rates
            .iter()
            .take(MAX_COUNTS)
            .map(|b| (b.pool.clone(), b.yes, b.of))
            .collect(),
        counts: m.counts.iter().take(MAX_COUNTS).map(|(k, n)| (k.clone(), *n)).collect(),
    }
}
