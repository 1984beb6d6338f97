//! Text that can stand in an address, and back.

/// Percent-encodes everything but what may stand unescaped in both query and fragment.
#[must_use]
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/@:!".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Undoes [`encode`]; a broken escape stays as it is, broken UTF-8 becomes replacement characters.
#[must_use]
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = (bytes[i] == b'%')
            .then(|| bytes.get(i + 1..i + 3))
            .flatten()
            .and_then(|h| std::str::from_utf8(h).ok())
            .filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        if let Some(byte) = hex {
            out.push(byte);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `key=value` pairs joined by `&`, read in order; a plus sign is a blank.
pub(super) fn pairs(text: &str) -> impl Iterator<Item = (&str, String)> {
    text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        (key, decode(&value.replace('+', "%20")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_escapes_do_not_break_the_page() {
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%4"), "%zz%4");
        assert_eq!(decode("%C3"), "\u{fffd}");
    }

    #[test]
    fn any_text_survives_the_round_trip() {
        for text in ["", "a&b=c#d?e", "naïve +1 %", "m/a/hit_at_k@domain=news"] {
            assert_eq!(decode(&encode(text)), text);
        }
    }
}
