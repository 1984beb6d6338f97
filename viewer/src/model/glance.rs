use records::{Results, Run};

use super::{
    check::{Checks, Verdict},
    metric, reason,
    table::BASELINE_ARM,
};
use crate::format;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words.
    Text(String),
    /// A link to a number's own page, and its words.
    Figure {
        /// Id of the figure or other entry.
        id: String,
        /// What the link says.
        text: String,
    },
}

/// Most numbers that a sentence names; the rest is counted.
const MAX_NAMED: usize = 3;

/// The words of a sentence without its links.
#[must_use]
pub fn plain(pieces: &[Piece]) -> String {
    let word = |p: &Piece| match p {
        Piece::Text(text) | Piece::Figure { text, .. } => text.clone(),
    };
    pieces.iter().map(word).collect()
}

/// What the verdict sentence needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Recount<'a> {
    /// The publication.
    pub published: &'a Results,
    /// Verdicts on it.
    pub checks: &'a Checks,
    /// Records read; `None` when there were none to read.
    pub n_records: Option<u64>,
    /// Time for computing and comparing, in milliseconds.
    pub compute_ms: f64,
}

/// The verdict on the whole publication in one or a few sentences, the worst first.
#[must_use]
pub fn verdict_sentence(recount: Recount<'_>) -> Vec<Piece> {
    let totals = recount.checks.totals();
    let (all, agree) = (totals.published(), totals.agree());
    let mut out = Vec::new();
    let say = |out: &mut Vec<Piece>, text: String| out.push(Piece::Text(text));
    let Some(n_records) = recount.n_records else {
        say(
            &mut out,
            format!(
                "None of the {} can be checked: {}.",
                format::plural(with_values(recount), "published number", "published numbers"),
                first_reason(recount.checks)
            ),
        );
        return out;
    };
    let from = format!(
        "what this page recomputed from {} in {}",
        format::plural(n_records, "record", "records"),
        format::elapsed(recount.compute_ms)
    );
    if totals.differs > 0 {
        let verb = if totals.differs == 1 { "differs" } else { "differ" };
        say(
            &mut out,
            format!(
                "{} of {} {verb} from {from}: ",
                format::count(totals.differs),
                format::plural(all, "published number", "published numbers")
            ),
        );
        name_some(&mut out, recount.checks, totals.differs);
        say(&mut out, format!(" {} agree{}.", format::count(agree), in_detail(recount.checks)));
    } else {
        let verb = if all == 1 { "agrees" } else { "agree" };
        say(
            &mut out,
            format!(
                "{} of {} {verb}{} with {from}. None differs.",
                format::count(agree),
                format::plural(all, "published number", "published numbers"),
                in_detail(recount.checks)
            ),
        );
    }
    if totals.cannot_be_checked > 0 {
        say(
            &mut out,
            format!(
                " {} cannot be checked: {}.",
                format::count(totals.cannot_be_checked),
                first_reason(recount.checks)
            ),
        );
    }
    say(&mut out, withheld_sentence(recount.published, totals.withheld));
    out
}

/// Checks of entries that publish a value: what would be counted if the withheld ones could be told by checking them.
fn with_values(recount: Recount<'_>) -> u64 {
    recount.checks.totals().published().saturating_sub(count_withheld(recount.published))
}

/// Figures, diagrams and comparisons that have a value.
fn count_values(results: &Results) -> u64 {
    let entries = results.figures.len() + results.reliability.len() + results.comparisons.len();
    (entries as u64).saturating_sub(count_withheld(results))
}

fn count_withheld(published: &Results) -> u64 {
    withheld_codes(published).count() as u64
}

/// The reason of every withheld entry.
fn withheld_codes(published: &Results) -> impl Iterator<Item = &str> {
    let figures = published.figures.iter().filter_map(|f| f.withheld.as_deref());
    let diagrams = published.reliability.iter().filter_map(|r| r.withheld.as_deref());
    let comparisons = published.comparisons.iter().filter_map(|c| c.withheld.as_deref());
    figures.chain(diagrams).chain(comparisons)
}

/// ` bit for bit`, or how many do and how many only as printed.
fn in_detail(checks: &Checks) -> String {
    let totals = checks.totals();
    if totals.agree() == 0 {
        String::new()
    } else if totals.equal_as_printed == 0 {
        " bit for bit".into()
    } else {
        format!(
            " ({} bit for bit, {} to the three decimals printed)",
            format::count(totals.identical),
            format::count(totals.equal_as_printed)
        )
    }
}

fn name_some(out: &mut Vec<Piece>, checks: &Checks, all: u64) {
    for (i, check) in checks.with(Verdict::Differs).take(MAX_NAMED).enumerate() {
        if i > 0 {
            out.push(Piece::Text(", ".into()));
        }
        out.push(Piece::Figure { id: check.id.clone(), text: format::cut(&check.id, 80) });
    }
    let rest = all.saturating_sub(MAX_NAMED as u64);
    out.push(Piece::Text(if rest > 0 {
        format!(" and {} more.", format::count(rest))
    } else {
        ".".into()
    }));
}

fn first_reason(checks: &Checks) -> String {
    let mut reasons: Vec<_> =
        checks.with(Verdict::CannotBeChecked).filter_map(|c| c.reason.as_deref()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    match reasons.as_slice() {
        [] => "nothing to compare them with".into(),
        [one] => format::cut(one.trim_end_matches('.'), 300),
        [one, rest @ ..] => {
            let others = format::plural(rest.len() as u64, "other reason", "other reasons");
            format!("{} (and {others})", format::cut(one.trim_end_matches('.'), 300))
        }
    }
}

/// How many numbers are withheld and why; empty when none is.
fn withheld_sentence(published: &Results, withheld: u64) -> String {
    if withheld == 0 {
        return String::new();
    }
    let mut codes: Vec<_> = withheld_codes(published).collect();
    codes.sort_unstable();
    let counts = codes.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64));
    let mut reasons: Vec<_> = counts.collect();
    // The most frequent first; of several as frequent ones, the order of their codes stays.
    reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let several = reasons.len() > 1;
    let rest: u64 = reasons.iter().skip(MAX_NAMED).map(|(_, n)| n).sum();
    let mut words: Vec<String> = reasons
        .iter()
        .take(MAX_NAMED)
        .map(|(code, n)| {
            let words = reason::withheld(code, &published.plan);
            if several { format!("{words} ({})", format::count(*n)) } else { words }
        })
        .collect();
    if rest > 0 {
        words.push(format!("other reasons ({})", format::count(rest)));
    }
    let verb = if withheld == 1 { "is" } else { "are" };
    let why = if words.is_empty() { String::new() } else { format!(": {}", words.join("; ")) };
    format!(" {} {verb} withheld{why}.", format::count(withheld))
}

/// The sentence of a page that has only records: nothing was published, so nothing agrees or differs.
#[must_use]
pub fn records_only_sentence(computed: &Results, n_records: u64, compute_ms: f64) -> Vec<Piece> {
    vec![Piece::Text(format!(
        "Nothing published was loaded to compare with. {} computed here from {} in {} with the default plan.",
        format::plural(count_values(computed), "number was", "numbers were"),
        format::plural(n_records, "record", "records"),
        format::elapsed(compute_ms)
    ))]
}

/// The sentence of a page that has recomputed the values but not yet their intervals.
#[must_use]
pub fn values_sentence(checks: &Checks, n_records: u64, compute_ms: f64) -> Vec<Piece> {
    let totals = checks.totals();
    let intervals =
        " Their intervals are still being computed, and no number is marked before they are there.";
    if totals.published() == 0 {
        return vec![Piece::Text(format!(
            "So far: values were computed from {} in {}.{intervals}",
            format::plural(n_records, "record", "records"),
            format::elapsed(compute_ms),
        ))];
    }
    let mut out = vec![Piece::Text(format!(
        "So far: the values of {} of {} agree with what this page recomputed from {} in {}",
        format::count(totals.agree()),
        format::plural(totals.published(), "published number", "published numbers"),
        format::plural(n_records, "record", "records"),
        format::elapsed(compute_ms),
    ))];
    if totals.differs > 0 {
        let verb = if totals.differs == 1 { "differs" } else { "differ" };
        out.push(Piece::Text(format!(", {} {verb}: ", format::count(totals.differs))));
        name_some(&mut out, checks, totals.differs);
    } else {
        out.push(Piece::Text(".".into()));
    }
    out.push(Piece::Text(intervals.into()));
    out
}

/// The sentence of a page whose reader has changed the records; what the changes do is listed elsewhere.
#[must_use]
pub fn what_if_sentence(checks: &Checks, n_records: u64, compute_ms: f64) -> Vec<Piece> {
    let totals = checks.totals();
    vec![Piece::Text(format!(
        "With the records as you have changed them: {} of {} differ from what this page recomputed from {} in {}. {} agree{}.",
        format::count(totals.differs),
        // With other rows behind them withheld entries change, too.
        format::plural(
            totals.published() + totals.withheld,
            "published entry",
            "published entries"
        ),
        format::plural(n_records, "record", "records"),
        format::elapsed(compute_ms),
        format::count(totals.agree()),
        in_detail(checks)
    ))]
}

/// The sentence of a page under a reader's own settings: nothing is compared.
#[must_use]
pub fn own_settings_sentence(computed: &Results, n_records: u64, compute_ms: f64) -> Vec<Piece> {
    vec![Piece::Text(format!(
        "{} computed here from {} in {} with your own settings. None of them is compared with anything published.",
        format::plural(count_values(computed), "number was", "numbers were"),
        format::plural(n_records, "record", "records"),
        format::elapsed(compute_ms)
    ))]
}

/// The sentence of the page before anything was recomputed.
#[must_use]
pub fn unchecked_sentence(published: &Results) -> String {
    // The counts of rows and the signature are checked, too.
    let all = count_values(published) + 2;
    format!(
        "Not yet checked: {}. This page recomputes them from the records once its program has loaded, which needs JavaScript and WebAssembly.{}",
        format::plural(all, "published number", "published numbers"),
        withheld_sentence(published, count_withheld(published)),
    )
}

/// What was measured on what: models, arms, items, data set.
#[must_use]
pub fn measured(published: &Results, run: Option<&Run>) -> String {
    let mut models: Vec<&str> = Vec::new();
    let mut arms: Vec<&str> = Vec::new();
    for f in published.figures.iter().filter(|f| f.arm != BASELINE_ARM) {
        if !models.contains(&f.model.as_str()) && models.len() < 1000 {
            models.push(&f.model);
        }
        if !arms.contains(&f.arm.as_str()) && arms.len() < 1000 {
            arms.push(&f.arm);
        }
    }
    let items = published.figures.iter().map(|f| f.n_items).max().unwrap_or(0);
    let named = if (1..=4).contains(&models.len()) {
        format!(
            " ({})",
            format::list(&models.iter().map(|m| format::cut(m, 40)).collect::<Vec<_>>())
        )
    } else {
        String::new()
    };
    let repeats = run.and_then(|r| r.repeats.values().max().copied()).filter(|n| *n > 1);
    let repeats = repeats.map(|n| format!(", each asked up to {n} times")).unwrap_or_default();
    format!(
        "{}{named} in {} on {} of the data set {}{repeats}.",
        format::plural(models.len() as u64, "model", "models"),
        format::plural(arms.len() as u64, "arm", "arms"),
        format::plural(items, "question", "questions"),
        format::cut(&published.dataset_id, 60),
    )
}

/// What a reader must know about the data set before believing anything; from `run.json`.
#[must_use]
pub fn data_state(run: Option<&Run>) -> Vec<String> {
    let Some(run) = run else {
        return vec![
            "No run.json was loaded, so it is not known here whether the data set is constructed and whether people have reviewed it.".into(),
        ];
    };
    let constructed = if run.dataset_constructed {
        "Constructed data: its questions, documents and facts were made up by its authors. The numbers say how models handle this set, not how they do on real events."
    } else {
        "The data set is not marked as constructed."
    };
    let reviewed = if run.dataset_reviewed {
        "A person has reviewed every item, by the data set's own statement."
    } else {
        "Not reviewed: no person has gone through every item."
    };
    vec![constructed.into(), reviewed.into()]
}

/// The date of the run, in words.
#[must_use]
pub fn date(run: Option<&Run>) -> Option<String> {
    let run = run?;
    run.finished_at.as_deref().or(run.started_at.as_deref()).map(format::day)
}

/// The run's title, or its name when it has none.
#[must_use]
pub fn title(published: &Results) -> String {
    let title = format::short(published.title.trim());
    if title.is_empty() { format!("Run {}", format::cut(&published.run_id, 60)) } else { title }
}

/// A number's name in a sentence: metric, model and arm.
#[must_use]
pub fn figure_name(figure: &records::Figure) -> String {
    let slice = figure.slice.as_deref().map(|s| format!(", {}", format::cut(s, 40)));
    format!(
        "{}, {}, {}{}",
        metric::label(&figure.metric),
        format::cut(&figure.model, 60),
        format::cut(&figure.arm, 40),
        slice.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests;
