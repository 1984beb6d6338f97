//! From the lines of a log to the rows that count.

use std::collections::BTreeMap;

use records::{Kind, Record, RowCounts, Status, Versioned};

use crate::MetricsError;

/// The rows that count, in order of key, and what was counted on the way.
pub(crate) struct Log<'a> {
    pub rows: Vec<&'a Record>,
    pub counts: RowCounts,
}

/// Keeps the last row of each key, in order of key.
pub(crate) fn last_of_each_key(records: &[Record]) -> Vec<&Record> {
    // Ranks sort like the names that they stand for, and much sooner.
    let models = ranks(records.iter().map(|r| r.model.as_str()));
    let arms = ranks(records.iter().map(|r| r.arm.as_str()));
    let items = ranks(records.iter().map(|r| r.item_id.as_str()));
    let key = |at: usize| (models[at], arms[at], records[at].repeat, items[at]);
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_by_key(|at| key(*at));
    // The sort is stable: of equal keys the one that was written last stands last.
    let last = |(i, at): (usize, &usize)| {
        let superseded = order.get(i + 1).is_some_and(|next| key(*next) == key(*at));
        (!superseded).then(|| &records[*at])
    };
    order.iter().enumerate().filter_map(last).collect()
}

/// For each name its place among the distinct names in order.
fn ranks<'a>(names: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut previous = None;
    let mut by_name: Vec<usize> = names
        .map(|name| match previous {
            Some((last, number)) if last == name => number,
            _ => {
                let next = numbers.len();
                let number = *numbers.entry(name).or_insert(next);
                previous = Some((name, number));
                number
            }
        })
        .collect();
    let mut rank = vec![0; numbers.len()];
    for (place, number) in numbers.into_values().enumerate() {
        rank[number] = place;
    }
    for number in &mut by_name {
        *number = rank[*number];
    }
    by_name
}

/// Selects and checks the rows that count.
///
/// Rows of one item must agree on every field in `slices` too, or parts of the data set would share the item.
pub(crate) fn read<'a>(records: &'a [Record], slices: &[String]) -> Result<Log<'a>, MetricsError> {
    let first = records.first().ok_or(MetricsError::NoRecords)?;
    for (i, record) in records.iter().enumerate() {
        record.check().map_err(|problem| MetricsError::Record {
            number: i + 1,
            item_id: record.item_id.clone(),
            problem,
        })?;
        if record.dataset_id != first.dataset_id {
            return Err(MetricsError::MixedDatasets {
                first: first.dataset_id.clone(),
                second: record.dataset_id.clone(),
            });
        }
    }
    let rows = last_of_each_key(records);
    agree_on_items(&rows, slices)?;
    let mut by_status: BTreeMap<String, u64> =
        Status::ALL.iter().map(|s| (s.as_str().to_owned(), 0)).collect();
    for row in &rows {
        *by_status.entry(row.status.as_str().to_owned()).or_insert(0) += 1;
    }
    let counts = RowCounts {
        written: records.len() as u64,
        superseded: (records.len() - rows.len()) as u64,
        scored: rows.iter().filter(|r| r.status.is_served()).count() as u64,
        by_status,
    };
    Ok(Log { rows, counts })
}

/// Rows of one item carry copies of its fields; figures are meaningless when the copies differ.
fn agree_on_items(rows: &[&Record], slices: &[String]) -> Result<(), MetricsError> {
    let mut seen: BTreeMap<&str, &Record> = BTreeMap::new();
    for row in rows {
        let first = seen.entry(&row.item_id).or_insert(row);
        let fields = [
            ("kind", kind_name(first.kind), kind_name(row.kind)),
            ("target", &first.target, &row.target),
            ("cluster_id", &first.cluster_id, &row.cluster_id),
        ];
        // Rows of one item are of several models, rightly.
        let copied = slices.iter().filter(|field| *field != "model").map(|field| {
            let value = |r: &'_ Record| r.slice_value(field).unwrap_or_default().to_owned();
            (field.as_str(), value(first), value(row))
        });
        if let Some((field, a, b)) = fields.into_iter().find(|(_, a, b)| a != b) {
            return Err(contradiction(row, field, a.to_owned(), b.to_owned()));
        }
        if let Some((field, a, b)) = copied.into_iter().find(|(_, a, b)| a != b) {
            return Err(contradiction(row, field, a, b));
        }
    }
    Ok(())
}

fn contradiction(row: &Record, field: &str, first: String, second: String) -> MetricsError {
    let (item_id, field) = (row.item_id.clone(), field.to_owned());
    MetricsError::Contradiction { item_id, field, first, second }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Binary => "binary",
        Kind::Choice => "choice",
        Kind::Span => "span",
    }
}
