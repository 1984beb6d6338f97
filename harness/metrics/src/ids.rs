//! Stable names of published numbers.

use records::Series;

use crate::series::SeriesRows;

/// Percent-encodes every byte but ASCII letters, digits, `-`, `_` and `.`, so that a name can stand between the `/`,
/// `~` and `@` of an id, and in an address.
#[must_use]
pub fn encode(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// `model/arm` with both names encoded.
#[must_use]
pub fn series_id(series: &Series) -> String {
    format!("{}/{}", encode(&series.model), encode(&series.arm))
}

/// `field=value` with both encoded, for a series that is part of a data set.
pub(crate) fn slice_name(rows: &SeriesRows<'_>) -> Option<String> {
    let slice = rows.slice.as_ref()?;
    Some(format!("{}={}", encode(&slice.field), encode(&slice.value)))
}

/// `model/arm/name`, with `@slice` for a part of a data set.
pub(crate) fn entry_id(rows: &SeriesRows<'_>, name: &str) -> String {
    let whole = format!("{}/{name}", series_id(&rows.series));
    slice_name(rows).map_or(whole.clone(), |slice| format!("{whole}@{slice}"))
}
