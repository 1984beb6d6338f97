use std::collections::BTreeMap;

use futures_util::future::join_all;
use js_sys::ArrayBuffer;
use records::{FileEntry, Run};

use super::{fetch::get, origin::sibling};
use crate::{
    model::files::Role,
    url_state::encode,
    worker::{
        prompt::{SYSTEM_FILE, system_file},
        protocol::{FileHead, Files},
    },
};

/// Where the files that question pages are made from come from: data set, completions, prompts. They are fetched when
/// the first such page is opened, since no number needs them.
#[derive(Default)]
pub enum Parts {
    /// Nowhere, or they have been handed over already.
    #[default]
    Nowhere,
    /// Beside a `results.json`: completions in its folder, the data set and the prompts below `root`.
    Beside {
        /// Address of the `results.json`.
        results: String,
        /// What stands before `data/` and `arms/`.
        root: String,
        /// What the site's index says about the run's files.
        expected: BTreeMap<String, FileEntry>,
    },
    /// Given by the reader.
    Here(Files, Vec<ArrayBuffer>),
}

impl Parts {
    /// Of one of this site's runs.
    pub(super) fn of_site(results: String, expected: BTreeMap<String, FileEntry>) -> Self {
        Self::Beside { results, root: String::new(), expected }
    }

    /// Of a run elsewhere, which stands as it does in a checkout: `results/RUN/results.json` and `data/` side by side.
    pub(super) fn beside(results: &str) -> Self {
        let root = sibling(results, "../../");
        Self::Beside { results: results.to_owned(), root, expected: BTreeMap::new() }
    }

    /// What is there, handed over once.
    #[must_use]
    pub fn take(&mut self) -> Self {
        std::mem::take(self)
    }

    /// Fetches what there is. A file that is not there is left out: the pages say what is missing.
    pub async fn load(self, dataset_id: &str, run: Option<&Run>) -> (Files, Vec<ArrayBuffer>) {
        let (results, root, expected) = match self {
            Self::Nowhere => return Default::default(),
            Self::Here(files, buffers) => return (files, buffers),
            Self::Beside { results, root, expected } => (results, root, expected),
        };
        let responses = Role::Responses;
        let mut wanted = vec![(
            sibling(&results, responses.file_name()),
            responses.file_name().into(),
            responses,
        )];
        for role in Role::DATA_SET {
            let url = format!("{root}data/{}/{}", encode(dataset_id), role.file_name());
            wanted.push((url, role.file_name().to_owned(), role));
        }
        for file in prompt_files(run) {
            wanted.push((format!("{root}arms/{file}"), file, Role::Prompt));
        }
        let fetched = join_all(wanted.iter().map(|(url, ..)| get(url))).await;
        let (mut files, mut buffers) = (Files { expected, ..Files::default() }, Vec::new());
        for ((_, name, role), outcome) in wanted.into_iter().zip(fetched) {
            if let Ok(Some(buffer)) = outcome {
                files.heads.push(FileHead { name, role });
                buffers.push(buffer);
            }
        }
        (files, buffers)
    }
}

/// The prompt files of a run's arms, as far as their names are plain ones: a name from a file becomes part of an
/// address.
fn prompt_files(run: Option<&Run>) -> Vec<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let mut files = vec![SYSTEM_FILE.to_owned()];
    let arms = run.iter().flat_map(|run| &run.arms).take(60);
    for name in arms.flat_map(|arm| [arm.prompt.as_str(), system_file(arm)]) {
        let usual = name.ends_with(".md") && !name.starts_with('.') && name.chars().all(plain);
        if usual && !files.iter().any(|f| f == name) {
            files.push(name.to_owned());
        }
    }
    files
}
