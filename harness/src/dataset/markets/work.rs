use std::{
    io::Write,
    path::{Path, PathBuf},
};

use records::{Rejected, Review};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    error::{Error, io_text, read_file, write_file},
    run_folder::read_log,
};

/// The folder of a data set and, in it, `work/`: one file a step, each made from those before it and made again by
/// repeating its step.
#[derive(Debug, Clone)]
pub struct Work {
    folder: PathBuf,
}

/// What the steps write below `work/`, and the step that writes it.
const STEPS: [(&str, &str); 9] = [
    ("harvested.jsonl", "harvest"),
    ("screened.jsonl", "screen"),
    ("rejected.screen.jsonl", "screen"),
    ("collapsed.jsonl", "collapse"),
    ("rejected.collapse.jsonl", "collapse"),
    ("labelled.jsonl", "label"),
    ("drawn.jsonl", "draw"),
    ("rejected.draw.jsonl", "draw"),
    ("readings.jsonl", "bundle"),
];

impl Work {
    /// The data set in `folder`.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The data set's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where fetched answers are kept.
    #[must_use]
    pub fn fetched(&self) -> PathBuf {
        self.folder.join("work/fetched")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join("work").join(name)
    }

    /// True when a file of `work/` is there.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The rows of a file of `work/`.
    ///
    /// # Errors
    /// The step that writes it was not made yet, or a line is wrong.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, Error> {
        let path = self.path(name);
        if !path.exists() {
            let step = STEPS.iter().find(|(file, _)| *file == name).map_or("all", |(_, step)| step);
            return Err(Error::Input(format!(
                "{}: is not there yet; run `recount dataset markets {step} {}` first",
                path.display(),
                self.folder.display()
            )));
        }
        let bytes = read_file(&path)?;
        let lines = bytes.split(|b| *b == b'\n').enumerate();
        let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
        lines
            .map(|(at, line)| {
                serde_json::from_slice(line).map_err(|e| {
                    Error::Input(format!(
                        "{}, line {}: {e}; repeat the step that wrote it",
                        path.display(),
                        at + 1
                    ))
                })
            })
            .collect()
    }

    /// Writes a file of `work/` whole.
    ///
    /// # Errors
    /// The disk is full or the folder read-only.
    pub fn write<T: Serialize>(&self, name: &str, rows: &[T]) -> Result<(), Error> {
        let path = self.path(name);
        self.make_folder(&path)?;
        write_file(&path, lines(&path, rows)?.as_bytes())
    }

    /// Writes a file of the data set whole.
    ///
    /// # Errors
    /// As [`Work::write`].
    pub fn publish<T: Serialize>(&self, name: &str, rows: &[T]) -> Result<(), Error> {
        let path = self.folder.join(name);
        write_file(&path, lines(&path, rows)?.as_bytes())
    }

    /// The candidates that left after they were drawn, in the order in which they left.
    ///
    /// # Errors
    /// A line is wrong.
    pub fn removed(&self) -> Result<Vec<Rejected>, Error> {
        let path = self.path("removed.jsonl");
        if path.exists() { read_log(&path) } else { Ok(Vec::new()) }
    }

    /// The review log; where there is none yet, the log that the data set was published with.
    ///
    /// # Errors
    /// A line is wrong.
    pub fn reviews(&self) -> Result<Vec<Review>, Error> {
        let paths = [self.path("review.jsonl"), self.folder.join("review.jsonl")];
        match paths.iter().find(|path| path.exists()) {
            Some(path) => read_log(path),
            None => Ok(Vec::new()),
        }
    }

    /// Adds a verdict to the review log.
    ///
    /// # Errors
    /// As [`Work::write`].
    pub fn add_review(&self, review: &Review) -> Result<(), Error> {
        let path = self.path("review.jsonl");
        if !path.exists() {
            self.write("review.jsonl", &self.reviews()?)?;
        }
        let problem =
            |e: &std::io::Error| Error::Input(format!("{}: {}", path.display(), io_text(e)));
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|e| problem(&e))?;
        file.write_all(lines(&path, std::slice::from_ref(review))?.as_bytes())
            .map_err(|e| problem(&e))
    }

    fn make_folder(&self, path: &Path) -> Result<(), Error> {
        let parent = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(parent)
            .map_err(|e| Error::Input(format!("{}: {}", parent.display(), io_text(&e))))
    }
}

fn lines<T: Serialize>(path: &Path, rows: &[T]) -> Result<String, Error> {
    let mut text = String::new();
    for row in rows {
        let line = serde_json::to_string(row)
            .map_err(|e| Error::Input(format!("{}: {e}", path.display())))?;
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}
