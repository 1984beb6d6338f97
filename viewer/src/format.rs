//! The one place where numbers, dates and foreign text become text for the page.
//!
//! Rounding happens here and nowhere else: files carry full precision, cells show three decimals, and a number's own
//! page shows both.

use serde_json::Value;

/// What stands where a number would stand when there is none.
pub const DASH: &str = "—";

/// Longest piece of text from a file that is shown in one place; the rest is cut with an ellipsis.
pub const MAX_CHARS: usize = 160;

/// A typographic minus instead of a hyphen.
fn minus(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) => format!("\u{2212}{rest}"),
        None => text,
    }
}

/// Three decimals, e.g. `0.640`; a zero carries no sign.
#[must_use]
pub fn decimals(value: f64) -> String {
    let text = format!("{value:.3}");
    if text == "-0.000" { "0.000".into() } else { minus(text) }
}

/// Up to three decimals without zeros at the end, e.g. `0.25`, `50`.
#[must_use]
pub fn short_decimals(value: f64) -> String {
    let text = decimals(value);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Three decimals with a sign, e.g. `+0.120`.
#[must_use]
pub fn signed(value: f64) -> String {
    let text = decimals(value);
    if value > 0.0 && text != "0.000" { format!("+{text}") } else { text }
}

/// A whole number with a comma between thousands.
#[must_use]
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 row`, `2 rows`.
#[must_use]
pub fn plural(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(value), if value == 1 { one } else { many })
}

/// Every digit: the shortest decimal that reads back to the same bits, as files write it.
#[must_use]
pub fn full(value: f64) -> String {
    Value::from(value).to_string()
}

/// Every digit, and no decimal point where the value is a whole number.
#[must_use]
pub fn plain(value: f64) -> String {
    let text = full(value);
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// A value in its unit, as cells show it.
#[must_use]
pub fn in_unit(value: f64, unit: &str) -> String {
    let whole = value.fract() == 0.0 && value.abs() < 9.0e15;
    match unit {
        "usd" => format!("${}", significant(value)),
        "ms" => format!("{} ms", grouped(value)),
        "rate" | "difference" | "score" | "brier" | "ece" => decimals(value),
        _ if whole => grouped(value),
        _ => decimals(value),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded and non-negative; the cast saturates"
)]
fn grouped(value: f64) -> String {
    let text = count(value.abs().round() as u64);
    if value < 0.0 && text != "0" { format!("\u{2212}{text}") } else { text }
}

/// At least two significant digits of a small amount, e.g. `0.0020`, `1.25`.
fn significant(value: f64) -> String {
    let mut places = 2;
    let mut scaled = value.abs() * 100.0;
    while scaled != 0.0 && scaled < 10.0 && places < 8 {
        scaled *= 10.0;
        places += 1;
    }
    minus(format!("{value:.places$}"))
}

/// A p-value: three decimals, and `< 0.001` below that.
#[must_use]
pub fn p_value(value: f64) -> String {
    if value < 0.001 { "< 0.001".into() } else { decimals(value) }
}

/// Both ends of an interval, e.g. `0.520 to 0.710`.
#[must_use]
pub fn range(lower: f64, upper: f64) -> String {
    format!("{} to {}", decimals(lower), decimals(upper))
}

/// A level as a percentage, e.g. `95 %`.
#[must_use]
pub fn percent(level: f64) -> String {
    let text = format!("{:.2}", level * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}\u{a0}%")
}

/// A measured duration, e.g. `38 ms` or `1.24 s`.
#[must_use]
pub fn elapsed(ms: f64) -> String {
    if ms < 1.0 {
        "under 1 ms".into()
    } else if ms < 1000.0 {
        format!("{ms:.0} ms")
    } else {
        format!("{:.2} s", ms / 1000.0)
    }
}

/// A file size, e.g. `279 kB`.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub fn bytes(size: u64) -> String {
    let size_f = size as f64;
    if size < 1000 {
        format!("{size} bytes")
    } else if size < 1_000_000 {
        format!("{:.0} kB", size_f / 1e3)
    } else {
        format!("{:.1} MB", size_f / 1e6)
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The day of an RFC 3339 time, e.g. `30 November 2026`; anything else as it was written.
#[must_use]
pub fn day(time: &str) -> String {
    let parsed = || {
        let date = time.get(..10)?;
        let mut parts = date.split('-');
        let year: u32 = parts.next()?.parse().ok()?;
        let month: usize = parts.next()?.parse().ok()?;
        let day: u32 = parts.next()?.parse().ok()?;
        let name = MONTHS.get(month.checked_sub(1)?)?;
        (1..=31).contains(&day).then(|| format!("{day} {name} {year}"))
    };
    parsed().unwrap_or_else(|| short(time))
}

/// The first and last digits of a digest.
#[must_use]
pub fn digest(sha256: &str) -> String {
    let chars: Vec<char> = sha256.chars().collect();
    if chars.len() <= 16 { sha256.into() } else { chars[..12].iter().collect::<String>() + "…" }
}

/// Text from a file, cut to [`MAX_CHARS`] and freed of control characters.
#[must_use]
pub fn short(text: &str) -> String {
    cut(text, MAX_CHARS)
}

/// Text from a file, cut to `max` characters and freed of control and direction-changing characters.
#[must_use]
pub fn cut(text: &str, max: usize) -> String {
    kept(text, max, harmless)
}

/// The same for text of several lines: line breaks and tabs stay.
#[must_use]
pub fn paragraphs(text: &str, max: usize) -> String {
    kept(text, max, |c| matches!(c, '\n' | '\t') || harmless(c))
}

fn harmless(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn kept(text: &str, max: usize, keep: fn(char) -> bool) -> String {
    let mut out = String::new();
    for (i, c) in text.chars().filter(|c| keep(*c)).enumerate() {
        if i == max {
            return out + "…";
        }
        out.push(c);
    }
    out
}

/// A JSON value as files write it, cut when long.
#[must_use]
pub fn json(value: &Value) -> String {
    match value {
        Value::String(text) => short(&format!("\"{text}\"")),
        other => short(&other.to_string()),
    }
}

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_use_a_real_minus_and_an_unsigned_zero() {
        assert_eq!(decimals(0.64), "0.640");
        assert_eq!(decimals(-0.1234), "\u{2212}0.123");
        assert_eq!(decimals(-0.0001), "0.000");
        assert_eq!(signed(0.12), "+0.120");
        assert_eq!([short_decimals(0.25), short_decimals(50.0)], ["0.25", "50"]);
        assert_eq!(signed(0.0001), "0.000");
        assert_eq!(signed(-0.12), "\u{2212}0.120");
    }

    #[test]
    fn counts_are_grouped_in_thousands() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(plural(1, "row", "rows"), "1 row");
        assert_eq!(plural(1100, "row", "rows"), "1,100 rows");
    }

    #[test]
    fn full_precision_reads_back_to_the_same_bits() {
        for value in [0.1 + 0.2, 1.0 / 3.0, 5e-324, -0.0, 1e300] {
            let read: f64 = full(value).parse().unwrap();
            assert_eq!(read.to_bits(), value.to_bits());
        }
    }

    #[test]
    fn units_decide_the_form() {
        assert_eq!(in_unit(0.4899, "rate"), "0.490");
        assert_eq!(in_unit(1794.0, "ms"), "1,794 ms");
        assert_eq!(in_unit(150.0, "rows"), "150");
        assert_eq!(in_unit(0.00198, "usd"), "$0.0020");
        assert_eq!(in_unit(1.25, "usd"), "$1.25");
        assert_eq!(in_unit(0.0, "usd"), "$0.00");
    }

    #[test]
    fn dates_are_read_without_a_clock_or_a_locale() {
        assert_eq!(day("2026-12-02T09:00:00Z"), "2 December 2026");
        assert_eq!(day("2026-13-02"), "2026-13-02");
        assert_eq!(day("soon"), "soon");
        assert_eq!(day("é€é€é€é€"), "é€é€é€é€");
    }

    #[test]
    fn foreign_text_is_cut_and_cannot_turn_the_line_around() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "abc…");
        assert_eq!(cut("a\u{202e}b\nc", 9), "abc");
        assert_eq!(paragraphs("a\u{202e}b\r\nc\u{0}", 9), "ab\nc");
        assert_eq!(paragraphs("a\nbc", 3), "a\nb…");
    }

    #[test]
    fn small_words() {
        assert_eq!(percent(0.95), "95\u{a0}%");
        assert_eq!(percent(0.999), "99.9\u{a0}%");
        assert_eq!(p_value(0.0004), "< 0.001");
        assert_eq!(p_value(0.0412), "0.041");
        assert_eq!(elapsed(0.2), "under 1 ms");
        assert_eq!(elapsed(38.4), "38 ms");
        assert_eq!(elapsed(1240.0), "1.24 s");
        assert_eq!(bytes(279_342), "279 kB");
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
