use std::{collections::BTreeMap, path::Path};

use crate::{error::read_file, pieces::digest_of, run_folder::RUN_FILES};

/// What does not agree between `SHA256SUMS` and the run's files, a sentence each.
#[must_use]
pub fn run_sums(folder: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let path = folder.join("SHA256SUMS");
    let text = match read_file(&path).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => return vec![format!("{}: is not UTF-8 text", path.display())],
        Err(e) => return vec![e.to_string()],
    };
    let mut listed = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        match line.split_once("  ") {
            Some((sum, name)) if RUN_FILES.contains(&name) => {
                listed.insert(name.to_owned(), sum.to_owned());
            }
            _ => problems.push(format!(
                "{}, line {}: is not a digest, two spaces and the name of a file of the run",
                path.display(),
                i + 1
            )),
        }
    }
    for name in RUN_FILES {
        let Some(sum) = listed.get(name) else {
            problems.push(format!("{}: does not list {name}", path.display()));
            continue;
        };
        match digest_of(&folder.join(name)) {
            Ok(entry) if entry.sha256 == *sum => {}
            Ok(_) => problems.push(format!(
                "{}: its digest is not the one in SHA256SUMS",
                folder.join(name).display()
            )),
            Err(e) => problems.push(e.to_string()),
        }
    }
    problems
}
