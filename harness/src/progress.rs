//! How far a run is, on a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::{models::ModelConfig, runner::Tally};

/// A progress bar for one model; nothing when standard error is no terminal. Without colours, so that `NO_COLOR` is
/// kept.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for `rows` rows of `model`.
    #[must_use]
    pub fn new(model: &ModelConfig, rows: u64, quiet: bool) -> Self {
        let template = "{prefix} {bar:24} {pos}/{len} rows, {per_sec}, {eta} left, {msg}";
        Self { bar: bar(Some(rows), template, model.name.clone(), quiet) }
    }

    /// A row was added.
    pub fn row(&mut self, tally: &Tally, arm: &str) {
        self.bar.inc(1);
        self.bar.set_message(message(tally, arm));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A count of things fetched, with the last one's name; nothing when standard error is no terminal.
pub struct Counter {
    bar: ProgressBar,
}

impl Counter {
    /// A count of `what`, out of `total` when that is known.
    #[must_use]
    pub fn new(what: &'static str, total: Option<u64>, quiet: bool) -> Self {
        let template = match total {
            Some(_) => "{prefix} {bar:24} {pos}/{len}, {per_sec}, {eta} left, {msg}",
            None => "{prefix} {spinner} {pos}, {per_sec}, {msg}",
        };
        Self { bar: bar(total, template, what.to_owned(), quiet) }
    }

    /// One more, called `name`.
    pub fn advance(&mut self, name: &str) {
        self.bar.inc(1);
        self.bar.set_message(name.to_owned());
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar in the form of `template`; nothing when it is not wanted or standard error is no terminal.
fn bar(total: Option<u64>, template: &str, prefix: String, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_prefix(prefix);
    bar
}

fn message(tally: &Tally, arm: &str) -> String {
    let cost = tally.cost_usd.map(|c| format!(", ${c:.4}")).unwrap_or_default();
    format!("{} failed{cost}, now {arm}", tally.failed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_and_failures_so_far_are_shown() {
        let mut tally = Tally { cost_usd: Some(0.25), ..Tally::default() };
        tally.added.insert("unserved", 2);
        tally.added.insert("answered", 7);
        assert_eq!(message(&tally, "a0"), "2 failed, $0.2500, now a0");
        tally.cost_usd = None;
        assert_eq!(message(&tally, "a0"), "2 failed, now a0");
    }
}
