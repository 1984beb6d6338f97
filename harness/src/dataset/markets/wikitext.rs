//! The prose of an article, from its wikitext: paragraphs and headings, without templates, tables, references, files
//! and markup. It understands the part of the notation that carries prose and drops the rest; it is no renderer, and what
//! templates would have shown is missing.

/// Elements whose content is no prose.
const DROPPED: [&str; 8] =
    ["ref", "gallery", "math", "timeline", "score", "syntaxhighlight", "style", "imagemap"];
/// Sections behind which no prose follows.
const LAST_SECTIONS: [&str; 6] =
    ["references", "notes", "external links", "see also", "further reading", "bibliography"];

/// A longer tag is none.
const MAX_TAG: usize = 2000;
/// Links within links beyond this depth are text.
const MAX_DEPTH: usize = 20;

/// Paragraphs and headings of an article, in order, each on one line. Every input gives some answer, in time linear in
/// its length.
#[must_use]
pub fn paragraphs(wikitext: &str) -> Vec<String> {
    let text = without_elements(wikitext);
    let text = without_nested(&text, "{|", "|}");
    let text = without_nested(&text, "{{", "}}");
    let text = links(&text);
    let mut out: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let heading = line.trim_matches('=').trim();
        if line.starts_with("==") && line.ends_with("==") {
            if LAST_SECTIONS.contains(&heading.to_lowercase().as_str()) {
                break;
            }
            // A heading over nothing says nothing.
            if out.last().is_some_and(|last| is_heading(last)) {
                out.pop();
            }
            out.push(format!("{HEADING}{}", plain(heading)));
            continue;
        }
        let line = plain(line.trim_start_matches(['*', '#', ':', ';']));
        if line.chars().any(char::is_alphabetic) && !line.starts_with("__") {
            out.push(line);
        }
    }
    if out.last().is_some_and(|last| is_heading(last)) {
        out.pop();
    }
    out
}

const HEADING: &str = "== ";

/// True for a line that is a heading.
#[must_use]
pub fn is_heading(line: &str) -> bool {
    line.starts_with(HEADING)
}

/// Removes comments and elements that are no prose; of other elements only the tags.
fn without_elements(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // What never closes is looked for once, not at every opening.
    let mut unclosed: Vec<&str> = Vec::new();
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let name: String = rest[1..]
            .chars()
            .take_while(|c| c.is_ascii_alphabetic())
            .collect::<String>()
            .to_lowercase();
        let closing = rest[1..].starts_with('/');
        let end = rest[..rest.floor_char_boundary(MAX_TAG)].find('>');
        let Some(end) = end.filter(|_| closing || !name.is_empty()) else {
            out.push('<');
            rest = &rest[1..];
            continue;
        };
        let alone = rest[..end].ends_with('/');
        rest = &rest[end + 1..];
        if name == "br" {
            out.push('\n');
        }
        let Some(dropped) = DROPPED.iter().find(|d| **d == name).filter(|_| !alone && !closing)
        else {
            continue;
        };
        if unclosed.contains(dropped) {
            continue;
        }
        match find_ignoring_case(rest, &format!("</{dropped}")) {
            Some(close) => {
                let after = &rest[close..];
                rest = after.split_once('>').map_or("", |(_, after)| after);
            }
            None => unclosed.push(dropped),
        }
    }
    out.push_str(rest);
    out
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let (bytes, wanted) = (text.as_bytes(), wanted.as_bytes());
    bytes.windows(wanted.len()).position(|w| w.eq_ignore_ascii_case(wanted))
}

/// Removes what stands between `open` and its matching `close`, nested ones included. What never closes loses its opening
/// mark only.
fn without_nested(text: &str, open: &str, close: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Where in `out` each open mark began.
    let mut begun: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(open) {
            begun.push(out.len());
            rest = after;
        } else if let Some(after) = rest.strip_prefix(close) {
            if let Some(start) = begun.pop() {
                out.truncate(start);
            }
            rest = after;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Replaces links by what they show; files and categories show nothing.
fn links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut begun: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("[[").filter(|_| begun.len() < MAX_DEPTH) {
            begun.push(out.len());
            rest = after;
        } else if let Some(after) = rest.strip_prefix("]]") {
            if let Some(start) = begun.pop() {
                let inside = out.split_off(start);
                out.push_str(shown(&inside));
            }
            rest = after;
        } else if c == '[' && rest[1..].starts_with("http") {
            let end = rest.find([']', '\n']).unwrap_or(rest.len());
            let label = rest[..end].split_once(' ').map_or("", |(_, label)| label);
            out.push_str(label);
            rest = rest[end..].strip_prefix(']').unwrap_or(&rest[end..]);
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

fn shown(inside: &str) -> &str {
    let (target, label) = inside.split_once('|').unwrap_or((inside, inside));
    let kind = target.split_once(':').map(|(kind, _)| kind.trim().to_lowercase());
    match kind.as_deref() {
        Some("file" | "image" | "category") => "",
        _ => label,
    }
}

/// Without bold and italic marks, with the common entities as characters, and with single spaces.
fn plain(line: &str) -> String {
    let text = line
        .replace("'''", "")
        .replace("''", "")
        .replace("&nbsp;", " ")
        .replace("&ndash;", "–")
        .replace("&mdash;", "—")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn prose_is_kept_and_apparatus_is_not() {
        let text = "{{Infobox treaty\n| name = {{lang|en|Treaty}}\n}}\n'''The treaty''' of [[Ö|the ''town'']]<ref name=a>{{cite web}}</ref> was signed<ref name=a /> on 3&nbsp;May 2026.<!-- hm -->\n[[File:Map.png|thumb|A [[map]]]]\n{| class=wikitable\n| a || b\n{|\n| nested\n|}\n|}\n== History ==\n=== Talks ===\n* See [https://example.org/x the report] for more.\n== Empty ==\n== References ==\n{{reflist}}\nNot prose any more.\n[[Category:Treaties]]";
        assert_eq!(
            paragraphs(text),
            [
                "The treaty of the town was signed on 3 May 2026.",
                "== Talks",
                "See the report for more."
            ]
        );
    }

    #[test]
    fn broken_text_gives_some_answer() {
        for text in [
            "",
            "{{",
            "}}",
            "[[",
            "]]",
            "<",
            "<ref>",
            "<!--",
            "{| |} }} ]]",
            "[http",
            "== ==",
            "=====",
            "<ref",
            "</",
            "[[a|b|c]]",
            "é<é>é{{é}}",
            "'''''",
        ] {
            let _ = paragraphs(text);
        }
        assert_eq!(paragraphs("a {{b\nc"), ["a b", "c"]);
        assert_eq!(paragraphs("2 < 3 is true"), ["2 < 3 is true"]);
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        let start = Instant::now();
        for piece in ["{{", "[[", "<ref>", "<!--", "{|", "<a", "[http", "<", "]]{{|"] {
            let _ = paragraphs(&piece.repeat(50_000));
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}
