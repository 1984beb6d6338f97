//! A key: held so that nothing prints it, and taken out of whatever a server says.

use std::fmt;

use serde_json::{Map, Value};

use crate::error::Error;

/// What stands where a key stood.
const REMOVED: &str = "[key removed]";
/// Taking anything shorter out of a text would take words out of answers.
const SHORTEST: usize = 8;
/// A masked key is recognised by this many of its characters in all, left and right of what masks the rest.
const RECOGNISED: usize = 4;

/// A key. Its `Debug` says `[key]`, and it has no `Display`.
#[derive(Clone)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

impl Secret {
    /// The key that the environment variable `variable` holds.
    ///
    /// # Errors
    /// It is shorter than eight characters, so that it could not be told from a word of an answer, or holds something
    /// that no header carries.
    pub fn new(variable: &str, key: String) -> Result<Self, Error> {
        if key.len() < SHORTEST {
            return Err(Error::Usage(format!(
                "the key in {variable} has fewer than {SHORTEST} characters, too few to keep it out of what is recorded; unset it if the server wants none, or give the server a longer one"
            )));
        }
        if !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(Error::Usage(format!(
                "the key in {variable} holds a blank, a line break or a character outside ASCII; copy it again"
            )));
        }
        Ok(Self(key))
    }

    /// The key itself, for the header that carries it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without the key: as it is, with characters escaped as JSON (`\u0041`, `\/`) or an address (`%41`) escapes
    /// them, and masked, as in `sk-ab*****yz`.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        self.unmask(&self.remove(text))
    }

    /// `value` with every string in it scrubbed, names of fields too.
    #[must_use]
    pub fn scrub_json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.scrub(&text)),
            Value::Array(list) => list.into_iter().map(|v| self.scrub_json(v)).collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, v)| (self.scrub(&name), self.scrub_json(v)))
                .collect::<Map<_, _>>()
                .into(),
            Value::Number(n) if n.to_string().contains(&self.0) => REMOVED.into(),
            other => other,
        }
    }

    fn remove(&self, text: &str) -> String {
        let bytes = text.as_bytes();
        let mut scrubbed = String::new();
        let (mut kept, mut at) = (0, 0);
        while at < bytes.len() {
            let end = self.0.bytes().try_fold(at, |i, c| Some(i + written(bytes.get(i..)?, c)?));
            match end {
                // Both ends of a match are ASCII, so that neither cuts a character.
                Some(end) => {
                    scrubbed.push_str(&text[kept..at]);
                    scrubbed.push_str(REMOVED);
                    (kept, at) = (end, end);
                }
                None => at += 1,
            }
        }
        scrubbed.push_str(&text[kept..]);
        scrubbed
    }

    /// Removes what is left of a key that the server masked itself.
    fn unmask(&self, text: &str) -> String {
        let key = self.0.as_str();
        let mut scrubbed = String::new();
        let mut rest = text;
        while let Some((start, end)) = mask(rest) {
            let (before, after) = (&rest[..start], &rest[end..]);
            let lengths = || (0..=key.len()).rev();
            let left = lengths().find(|n| before.ends_with(&key[..*n])).unwrap_or(0);
            let right = lengths().find(|n| after.starts_with(&key[key.len() - n..])).unwrap_or(0);
            if left + right >= RECOGNISED {
                scrubbed.push_str(&before[..before.len() - left]);
                scrubbed.push_str(REMOVED);
                rest = &after[right..];
            } else {
                scrubbed.push_str(&rest[..rest.len() - after.len()]);
                rest = after;
            }
        }
        scrubbed.push_str(rest);
        scrubbed
    }
}

/// The first run of characters that servers mask keys with: three or more of `*`, `.`, `•` or `x`, or an ellipsis.
fn mask(text: &str) -> Option<(usize, usize)> {
    const MASKS: [char; 6] = ['*', '.', '•', 'x', 'X', '…'];
    text.char_indices().find_map(|(at, c)| {
        let run = MASKS.contains(&c).then(|| text[at..].trim_start_matches(c))?;
        let end = text.len() - run.len();
        let long = c == '…' || text[at..end].chars().count() >= 3;
        // Within a run that is too short, or past its first character, there is nothing to find.
        let first = !text[..at].ends_with(c);
        (long && first).then_some((at, end))
    })
}

/// Length of `character` at the start of `bytes`, as it is or escaped.
fn written(bytes: &[u8], character: u8) -> Option<usize> {
    let hex = |digits: &[u8]| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let is = |digits: Option<&[u8]>| digits.and_then(hex) == Some(u32::from(character));
    match bytes {
        [c, ..] if *c == character => Some(1),
        [b'%', ..] if is(bytes.get(1..3)) => Some(3),
        [b'\\', ..] => {
            // JSON within JSON doubles the backslashes.
            let slashes = bytes.iter().take_while(|b| **b == b'\\').count();
            match bytes.get(slashes)? {
                b'u' if is(bytes.get(slashes + 1..slashes + 5)) => Some(slashes + 5),
                c if *c == character => Some(slashes + 1),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KEY: &str = "sk-planted/5f0c1e";

    fn secret() -> Secret {
        Secret::new("A_KEY", KEY.to_owned()).unwrap()
    }

    #[test]
    fn nothing_prints_it() {
        assert_eq!(format!("{:?} {:#?}", secret(), Some(secret())), "[key] Some(\n    [key],\n)");
    }

    #[test]
    fn every_way_of_writing_it_is_found() {
        let escaped: String = KEY.chars().map(|c| format!("\\u{:04X}", u32::from(c))).collect();
        let nested: String = KEY.chars().map(|c| format!("\\\\u{:04x}", u32::from(c))).collect();
        for written in [
            KEY,
            "sk-planted\\/5f0c1e",
            "sk-planted%2F5f0c1e",
            "%73k-planted%2f5f0c1e",
            &escaped,
            &nested,
        ] {
            assert_eq!(
                secret().scrub(&format!("ü{written}, {written}é")),
                "ü[key removed], [key removed]é"
            );
        }
        let digits = Secret::new("A_KEY", "1234567890".to_owned()).unwrap();
        assert_eq!(digits.scrub_json(json!([1_234_567_890, 12])), json!(["[key removed]", 12]));
        let value = json!({"a": [format!("no {KEY}"), 3], KEY: {"b": null}});
        assert_eq!(
            secret().scrub_json(value),
            json!({"a": ["no [key removed]", 3], "[key removed]": {"b": null}})
        );
    }

    #[test]
    fn what_is_left_of_a_masked_one_goes_too() {
        for masked in [
            "sk-p********0c1e",
            "sk-planted******",
            "********************5f0c1e",
            "sk-plan...0c1e",
            "sk-pl…0c1e",
            "sk-plxxxxxxx0c1e",
        ] {
            assert_eq!(
                secret().scrub(&format!("Incorrect API key provided: {masked}. Try ***again***")),
                "Incorrect API key provided: [key removed]. Try ***again***"
            );
        }
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "",
            "sk-planted",
            "sk-planted/5f0c1",
            "***",
            "ask-*** *****e",
            "100% \\u00",
            "\\",
            "%",
            "%7",
        ] {
            assert_eq!(secret().scrub(text), text);
        }
    }

    #[test]
    fn a_key_that_cannot_be_told_from_a_word_is_refused_without_being_shown() {
        for key in ["a", "no", "key", "1234567", "two words", "line-break\n", "schlüssel"] {
            let error = Secret::new("A_KEY", key.to_owned()).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            let text = error.to_string().replace("the key in A_KEY", "");
            assert!(key.len() < 4 || !text.contains(key), "{text}");
        }
    }
}
