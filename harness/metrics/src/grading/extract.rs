//! Finding the one JSON object in a completion.

/// The text of the only balanced `{…}` group that stands outside any other.
///
/// One pass over the bytes; braces inside JSON strings do not count.
///
/// # Errors
/// No group, an unfinished group, or more than one: what is wrong, as the end of a sentence.
pub fn single_object(completion: &str) -> Result<&str, String> {
    let mut found: Option<&str> = None;
    let mut rest = 0;
    while let Some(offset) = completion[rest..].find('{') {
        let start = rest + offset;
        let Some(length) = group_length(&completion.as_bytes()[start..]) else {
            return Err("the JSON object is not finished".to_owned());
        };
        if found.is_some() {
            return Err("there is more than one JSON object".to_owned());
        }
        rest = start + length;
        found = Some(&completion[start..rest]);
    }
    found.ok_or_else(|| "there is no JSON object".to_owned())
}

/// Length of the group that `bytes` begins with, or `None` when it does not end.
fn group_length(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}
