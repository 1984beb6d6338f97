//! From the lines of a log to the rows that count.

use std::collections::BTreeMap;

use records::{Key, Kind, Record, RowCounts, Status, Versioned};

use crate::MetricsError;

/// The rows that count, in order of key, and what was counted on the way.
pub(crate) struct Log<'a> {
    pub rows: Vec<&'a Record>,
    pub counts: RowCounts,
}

/// Keeps the last row of each key.
pub(crate) fn last_of_each_key(records: &[Record]) -> Vec<&Record> {
    let mut last: BTreeMap<Key<'_>, &Record> = BTreeMap::new();
    for record in records {
        last.insert(record.key(), record);
    }
    last.into_values().collect()
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
