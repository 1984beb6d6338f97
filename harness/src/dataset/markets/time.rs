/// Seconds in a day.
pub const DAY: i64 = 86_400;
/// Seconds in an hour.
pub const HOUR: i64 = 3_600;

/// Seconds since 1970 of a time as the APIs write it: `2026-03-31T12:00:00Z`, or `2026-03-31 12:00:00+00`.
#[must_use]
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.len() > 40 {
        return None;
    }
    let stamp: Result<jiff::Timestamp, _> = text.parse();
    stamp.ok().map(jiff::Timestamp::as_second)
}

/// A time as the files have it, RFC 3339 in UTC.
///
/// Times outside the years -9999 to 9999 are moved to their border; no candidate has one.
#[must_use]
pub fn rfc3339(seconds: i64) -> String {
    let clamped = seconds.clamp(jiff::Timestamp::MIN.as_second(), jiff::Timestamp::MAX.as_second());
    jiff::Timestamp::from_second(clamped).unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_a_time_are_read() {
        let at = parse("2026-03-31T12:00:00Z").unwrap();
        assert_eq!(parse("2026-03-31 12:00:00+00"), Some(at));
        assert_eq!(parse("2026-03-31T12:00:00.123456Z"), Some(at));
        assert_eq!(rfc3339(at), "2026-03-31T12:00:00Z");
        for wrong in ["", "2026-03-31", "yesterday", "2026-13-01T00:00:00Z", &"1".repeat(9000)] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert!(rfc3339(i64::MAX).starts_with("9999-"));
    }
}
