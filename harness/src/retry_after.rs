//! The header Retry-After, which speaks in seconds or names a date.

use std::time::{Duration, SystemTime};

/// The wait that a server asked for with the header Retry-After; None when the text is neither a number of seconds nor
/// a date.
///
/// A date is counted from `date`, the server's own clock as its header Date shows it, and else from the time at which
/// the answer came. A date that has passed asks for no wait.
#[must_use]
pub fn asked_wait(
    retry_after: &str,
    date: Option<&str>,
    came_at: Option<SystemTime>,
) -> Option<Duration> {
    if let Ok(seconds) = retry_after.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let read = |text: &str| httpdate::parse_http_date(text).ok();
    let until = read(retry_after)?;
    let now = date.and_then(read).or(came_at)?;
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read_and_nonsense_asks_for_nothing() {
        let until = "Mon, 30 Nov 2026 20:58:40 GMT";
        let came_at = httpdate::parse_http_date("Mon, 30 Nov 2026 20:58:02 GMT").ok();
        let seconds = |text, date, came_at| asked_wait(text, date, came_at).map(|w| w.as_secs());
        assert_eq!(seconds(" 7 ", None, None), Some(7));
        assert_eq!(seconds(until, Some("Mon, 30 Nov 2026 20:58:10 GMT"), came_at), Some(30));
        assert_eq!(seconds(until, None, came_at), Some(38));
        assert_eq!(seconds(until, Some("soon"), came_at), Some(38));
        assert_eq!(seconds(until, None, None), None);
        assert_eq!(seconds("Mon, 30 Nov 2026 20:00:00 GMT", None, came_at), Some(0));
        for nonsense in ["-1", "soon", "", "1.5", "99999999999999999999"] {
            assert_eq!(seconds(nonsense, None, came_at), None, "{nonsense}");
        }
    }
}
