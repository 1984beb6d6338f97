//! Just enough HTML to hold a page to its content security policy.

/// What a page may load, as `viewer/index.html` gets it in a `<meta>` element.
///
/// Scripts, styles and workers only from the site itself and none inline; data from the site and, because a reader may
/// open someone else's results, from any secure address.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' data: blob:; connect-src 'self' https:; worker-src 'self'; \
     base-uri 'none'; form-action 'none'";

/// The policy as an element.
#[must_use]
pub fn policy_element() -> String {
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{CONTENT_SECURITY_POLICY}\">")
}

/// Everything in `html` that the policy would block: inline scripts and styles, handlers, script addresses.
///
/// Comments are skipped. One sentence each, with what was found.
#[must_use]
pub fn violations(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        rest = &rest[open..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end..]);
            continue;
        }
        let (tag, after) = split_tag(rest);
        check_tag(tag, after, &mut found);
        rest = after;
    }
    found
}

fn check_tag(tag: &str, after: &str, found: &mut Vec<String>) {
    let inner = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
    let name = inner.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let attributes = attributes(&inner[inner.len().min(name.len())..]);
    for (attribute, value) in &attributes {
        if attribute == "style" || attribute.starts_with("on") {
            found.push(format!("attribute `{attribute}` on <{name}>"));
        }
        let address: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        if address.to_ascii_lowercase().starts_with("javascript:") {
            found.push(format!("a script address in `{attribute}` on <{name}>"));
        }
    }
    match name.as_str() {
        "style" => found.push("a <style> element".to_owned()),
        "base" => found.push("a <base> element".to_owned()),
        "script" => {
            let empty = after.trim_start().to_ascii_lowercase().starts_with("</script");
            if !attributes.iter().any(|(a, _)| a == "src") || !empty {
                found.push("a <script> element with its script inline".to_owned());
            }
        }
        _ => {}
    }
}

/// Cuts after the tag's `>`, which does not count inside quotes.
fn split_tag(text: &str) -> (&str, &str) {
    let mut quote = None;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (None, '>') => return text.split_at(i + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    (text, "")
}

/// Attribute names, lower-case, with their values.
fn attributes(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            let (taken, left) = match after.chars().next() {
                Some(q @ ('"' | '\'')) => after[1..].split_once(q).unwrap_or((&after[1..], "")),
                _ => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            };
            value = taken.to_owned();
            rest = left.trim_start();
        }
        if !name.is_empty() {
            out.push((name, value));
        } else if value.is_empty() {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_inline_parts_passes() {
        let html = r#"<!doctype html><!-- <style> is not used --><html lang="en"><head>
            <link rel="stylesheet" href="./a.css"><script type="module" src="./boot.js"></script></head>
            <body data-state="loading"><a href="./x?a=1">1 &lt; 2</a><input disabled></body></html>"#;
        assert_eq!(violations(html), Vec::<String>::new());
    }

    #[test]
    fn each_kind_of_inline_part_is_found() {
        for (html, part) in [
            ("<style>p{}</style>", "<style>"),
            ("<p style='color:red'>", "`style`"),
            ("<P STYLE=color:red>", "`style`"),
            ("<img alt=\">\" onerror=\"alert(1)\">", "`onerror`"),
            ("<script>alert(1)</script>", "inline"),
            ("<SCRIPT src=a.js>alert(1)</SCRIPT>", "inline"),
            ("<a href=' java\tscript:alert(1)'>", "script address"),
            ("<base href='https://elsewhere'>", "<base>"),
            ("<p\nonclick\n=\n'x'>", "`onclick`"),
        ] {
            let found = violations(html);
            assert!(found.iter().any(|f| f.contains(part)), "{html}: {found:?}");
        }
    }
}
