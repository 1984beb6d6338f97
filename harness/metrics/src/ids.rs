//! Stable names of published numbers.

use records::Series;

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
