//! The grid of questions: which series answers which of them right.

use std::collections::{BTreeMap, BTreeSet};

use records::{Record, Series, Status};

use super::store::Store;
use crate::{
    format,
    model::evidence::{Grid, GridAsk, GridRow, Mark, Show},
};

/// Questions that one answer holds.
pub const PAGE: usize = 50;
/// Most columns.
const MAX_SERIES: usize = 60;
/// Most repeats of one cell.
const MAX_REPEATS: usize = 30;

/// How a row came out.
#[must_use]
pub fn mark(record: &Record) -> Mark {
    match record.status {
        Status::Answered if record.correct == Some(true) => 'y',
        Status::Answered => 'n',
        Status::Abstained => 'a',
        Status::HardFail => 'f',
        Status::Refused => 'r',
        Status::Unserved => 'u',
        Status::HarnessFault => 'h',
    }
}

/// The questions that fit `ask`, in order of their id, with one mark for each row that counts.
#[must_use]
pub fn grid(records: &[Record], store: &Store, ask: &GridAsk) -> Grid {
    let mut series: Vec<Series> = Vec::new();
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut items: BTreeMap<&str, BTreeMap<(&str, &str, u32), &Record>> = BTreeMap::new();
    for r in records {
        if known.insert((&r.model, &r.arm)) {
            series.push(Series { model: r.model.clone(), arm: r.arm.clone() });
        }
        // A later row of a key takes the place of the earlier one.
        items.entry(&r.item_id).or_default().insert((&r.model, &r.arm, r.repeat), r);
    }
    let wanted = words(&ask.find);
    let mut matching: Vec<(&str, &BTreeMap<_, &Record>)> = Vec::new();
    for (item_id, rows) in &items {
        let of_series = rows.values().filter(|r| match &ask.series {
            Some(s) => r.model == s.model && r.arm == s.arm,
            None => true,
        });
        let of_series: Vec<&Record> = of_series.copied().collect();
        if shown(ask.show, item_id, &of_series, store)
            && (wanted.is_empty() || found(&wanted, item_id, rows.values().copied(), store))
        {
            matching.push((item_id, rows));
        }
    }
    let columns: Vec<Series> = match &ask.series {
        Some(s) => vec![s.clone()],
        None => series.iter().take(MAX_SERIES).cloned().collect(),
    };
    let hidden_series = if ask.series.is_some() { 0 } else { series.len() - columns.len() };
    let offset = ask.offset.min(matching.len().saturating_sub(1) / PAGE * PAGE);
    let rows = matching.iter().skip(offset).take(PAGE);
    Grid {
        rows: rows.map(|(id, rows)| row(id, rows, &columns, store)).collect(),
        series: columns,
        hidden_series: hidden_series as u64,
        matching: matching.len() as u64,
        all: items.len() as u64,
        offset: offset as u64,
        searched_texts: !store.items.is_empty() || !store.responses.is_empty(),
    }
}

fn row(
    item_id: &str,
    rows: &BTreeMap<(&str, &str, u32), &Record>,
    columns: &[Series],
    store: &Store,
) -> GridRow {
    let marks = columns.iter().map(|s| {
        let of_series = rows.range((s.model.as_str(), s.arm.as_str(), 0)..);
        let of_series = of_series.take_while(|((m, a, _), _)| *m == s.model && *a == s.arm);
        of_series.take(MAX_REPEATS).map(|(_, r)| mark(r)).collect()
    });
    let item = store.items.get(item_id);
    GridRow {
        item_id: item_id.to_owned(),
        question: item.map_or_else(String::new, |i| format::cut(&i.question, 240)),
        target: rows.values().next().map_or_else(String::new, |r| format::cut(&r.target, 60)),
        marks: marks.collect(),
    }
}

fn shown(show: Show, item_id: &str, rows: &[&Record], store: &Store) -> bool {
    let any = |wanted: &[Mark]| rows.iter().any(|r| wanted.contains(&mark(r)));
    match show {
        Show::All => !rows.is_empty(),
        Show::Wrong => any(&['n']),
        Show::Failed => any(&['f', 'r', 'u', 'h']),
        Show::Disputed => any(&['y']) && any(&['n', 'a', 'f', 'r']),
        Show::Conflicting => {
            let labels = store.items.get(item_id).and_then(|i| i.conflicts.as_ref());
            labels.is_some_and(|pairs| !pairs.is_empty()) && !rows.is_empty()
        }
    }
}

/// The words of a search in small letters.
fn words(find: &str) -> Vec<String> {
    find.to_lowercase().split_whitespace().map(str::to_owned).collect()
}

/// True when each word stands somewhere: in id, tags, question, documents or completions.
fn found<'a>(
    words: &[String],
    item_id: &str,
    rows: impl Iterator<Item = &'a Record>,
    store: &Store,
) -> bool {
    let mut left: Vec<&String> = words.iter().collect();
    let mut look = |text: &str| {
        let text = text.to_lowercase();
        left.retain(|word| !text.contains(word.as_str()));
        left.is_empty()
    };
    if look(item_id) {
        return true;
    }
    if let Some(item) = store.items.get(item_id) {
        let tags = item.tags.iter().map(|(k, v)| format!("{k} {v}"));
        if look(&item.question) || look(&item.criteria) || tags.into_iter().any(|t| look(&t)) {
            return true;
        }
    }
    let bundle = store.bundles.get(item_id);
    for document in bundle.iter().flat_map(|b| &b.documents) {
        if let Some(d) = store.documents.get(&document.doc_id)
            && (look(&d.title) || look(&d.text))
        {
            return true;
        }
    }
    let mut seen = BTreeSet::new();
    for digest in rows.filter_map(|r| r.response_sha256.as_deref()) {
        if seen.insert(digest) && store.responses.get(digest).is_some_and(|text| look(text)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::open::tests::{log, opened};

    fn ask(find: &str, show: Show) -> Grid {
        let ask = GridAsk { find: find.into(), show, ..GridAsk::default() };
        grid(&opened(&log()).records, &Store::default(), &ask)
    }

    #[test]
    fn every_row_of_the_log_is_one_mark() {
        let grid = ask("", Show::All);
        assert_eq!((grid.all, grid.matching, grid.rows.len(), grid.series.len()), (25, 25, 25, 2));
        let marks: String = grid.rows.iter().flat_map(|r| r.marks.clone()).collect();
        assert_eq!(marks.len(), 50);
        assert_eq!(marks.matches('n').count(), 7 + 13);
    }

    #[test]
    fn a_filter_and_a_search_narrow_it() {
        assert_eq!(ask("", Show::Disputed).matching, 6);
        assert_eq!(ask("i2", Show::All).matching, 6);
        assert_eq!(ask("I24", Show::All).rows[0].item_id, "i24");
        assert_eq!(ask("harbour", Show::All).matching, 0);
        assert!(!ask("harbour", Show::All).searched_texts);
        assert_eq!(ask("", Show::Conflicting).matching, 0);
    }

    #[test]
    fn an_offset_beyond_the_end_gives_the_last_page() {
        let ask = GridAsk { offset: 10_000, ..GridAsk::default() };
        let grid = grid(&opened(&log()).records, &Store::default(), &ask);
        assert_eq!((grid.offset, grid.rows.len()), (0, 25));
    }
}
