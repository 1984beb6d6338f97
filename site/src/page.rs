//! The page's own files: names by content, one name put into the next, policy, title and published table.
//!
//! A name that changes with the content lets a host cache a file for ever, and an old page never meets a new module.

use std::collections::{BTreeMap, BTreeSet};

use records::sha256_hex;
use viewer::model::escape;

use crate::{
    html::{policy_element, violations},
    wasm::{GLUE, MAIN, Program},
};

/// Style sheets that the others build on, in order.
const FIRST_STYLES: [&str; 3] = ["tokens.css", "base.css", "layout.css"];
/// Style sheets that take back what does not fit a phone or a sheet of paper; they come after all others, which stand in
/// order of name.
const LAST_STYLES: [&str; 2] = ["narrow.css", "print.css"];

/// The page itself.
pub const INDEX: &str = "index.html";

/// The page's hand-written files, as read.
#[derive(Debug, Clone)]
pub struct Sources {
    /// `index.html` with its tokens.
    pub index_html: String,
    /// `boot.js` with its tokens: starts the page.
    pub boot_js: String,
    /// `worker.js` with its tokens: starts the worker.
    pub worker_js: String,
    /// Style sheets by file name.
    pub styles: BTreeMap<String, String>,
}

/// What the page says about the newest run before any script has run.
#[derive(Debug, Clone)]
pub struct FirstGlance {
    /// Title of the document, as text.
    pub title: String,
    /// The published table, as HTML.
    pub table: String,
}

/// Why a page cannot be assembled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// A token that nothing is put in for.
    #[error("{file} has the token {{{{{token}}}}}, which the site builder does not know")]
    UnknownToken {
        /// The file.
        file: &'static str,
        /// The token's name.
        token: String,
    },
    /// Inline parts, which the content security policy would block.
    #[error("index.html holds what its content security policy blocks: {}", .0.join("; "))]
    Inline(Vec<String>),
    /// There is no place for the policy, or there is one already.
    #[error("index.html must have a plain <head> and no Content-Security-Policy of its own")]
    Policy,
}

/// The page's files.
#[derive(Debug, Clone)]
pub struct Page {
    /// By path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Paths of those that are loaded before a number is checked.
    pub first: BTreeSet<String>,
}

/// All files of the page: `index.html`, and under names that change with their content scripts, styles and program.
///
/// # Errors
/// A source has an unknown token or an inline script or style.
pub fn assemble(
    sources: &Sources,
    program: &Program,
    glance: &FirstGlance,
) -> Result<Page, PageError> {
    let mut files = BTreeMap::new();
    let mut add = |stem: &str, extension: &str, bytes: Vec<u8>| {
        let name = hashed_name(stem, extension, &bytes);
        files.insert(name.clone(), bytes);
        format!("./{name}")
    };
    let css = add("recount", "css", join_styles(&sources.styles).into_bytes());
    let folder = program_folder(program);
    let wasm = format!("./{folder}/{MAIN}");
    let glue = format!("./{folder}/{GLUE}");
    let mut tokens = BTreeMap::from([
        ("css", css),
        ("wasm", wasm),
        ("glue", glue),
        ("preloads", preloads(program, &folder)),
        ("parts", parts(program, &folder)),
    ]);
    let worker = fill("worker.js", &sources.worker_js, &tokens)?;
    tokens.insert("worker", add("worker", "js", worker.into_bytes()));
    let boot = fill("boot.js", &sources.boot_js, &tokens)?;
    tokens.insert("boot", add("boot", "js", boot.into_bytes()));
    tokens.insert("title", escape(&glance.title));
    tokens.insert("table", glance.table.clone());
    let html = with_policy(&fill("index.html", &sources.index_html, &tokens)?)?;
    let blocked = violations(&html);
    if !blocked.is_empty() {
        return Err(PageError::Inline(blocked));
    }
    files.insert(INDEX.to_owned(), html.into_bytes());
    let mut first: BTreeSet<_> = files.keys().cloned().collect();
    let within = |path: &String| format!("{folder}/{path}");
    first.extend(program.first.iter().map(within));
    files.extend(program.files.iter().map(|(path, bytes)| (within(path), bytes.clone())));
    Ok(Page { files, first })
}

/// The folder of the program's files. They name each other, so that they change their name together.
fn program_folder(program: &Program) -> String {
    let mut all = Vec::new();
    for (path, bytes) in &program.files {
        all.extend_from_slice(format!("{} {path}\n", sha256_hex(bytes)).as_bytes());
    }
    format!("recount-{}", &sha256_hex(&all)[..16])
}

/// Elements that let the browser fetch the scripts that the page begins with all at once. Its modules are not among them:
/// they are many times as large, and what was published is to be read first.
fn preloads(program: &Program, folder: &str) -> String {
    let scripts = program.first.iter().filter(|path| path.ends_with(".js"));
    let element = |path| format!("<link rel=\"modulepreload\" href=\"./{folder}/{path}\">");
    scripts.map(element).collect::<Vec<_>>().join("\n")
}

/// Addresses of the modules that the worker will ask for, as a list in a script.
fn parts(program: &Program, folder: &str) -> String {
    let parts = program.first.iter().filter(|path| *path != MAIN && path.ends_with(".wasm"));
    let address = |path| format!("\"./{folder}/{path}\"");
    format!("[{}]", parts.map(address).collect::<Vec<_>>().join(", "))
}

fn hashed_name(stem: &str, extension: &str, bytes: &[u8]) -> String {
    format!("{stem}-{}.{extension}", &sha256_hex(bytes)[..16])
}

fn join_styles(styles: &BTreeMap<String, String>) -> String {
    let between = FIRST_STYLES.len();
    let place = |name: &str| match FIRST_STYLES.iter().position(|s| *s == name) {
        Some(place) => place,
        None => between + usize::from(LAST_STYLES.contains(&name)),
    };
    let mut names: Vec<_> = styles.keys().collect();
    names.sort_by_key(|name| (place(name), name.as_str()));
    names.into_iter().map(|name| without_comments(&styles[name]).trim().to_owned() + "\n").collect()
}

/// Comments are for whoever writes styles; every reader would download them.
fn without_comments(style: &str) -> String {
    let mut parts = style.split("/*");
    let before = parts.next().unwrap_or_default().to_owned();
    parts.fold(before, |out, part| out + part.split_once("*/").map_or("", |(_, after)| after))
}

/// Replaces each `{{name}}` in one pass, so that nothing put in is read as a token again.
fn fill(
    file: &'static str,
    text: &str,
    tokens: &BTreeMap<&str, String>,
) -> Result<String, PageError> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let (name, left) = after.split_once("}}").unwrap_or((after, ""));
        let value = tokens.get(name.trim()).ok_or_else(|| PageError::UnknownToken {
            file,
            token: name.chars().take(40).collect(),
        })?;
        out.push_str(value);
        rest = left;
    }
    out.push_str(rest);
    Ok(out)
}

/// Puts the policy first into the head: it holds only for what follows it.
fn with_policy(html: &str) -> Result<String, PageError> {
    let lower = html.to_ascii_lowercase();
    if lower.contains("content-security-policy") || lower.matches("<head>").count() != 1 {
        return Err(PageError::Policy);
    }
    let at = lower.find("<head>").ok_or(PageError::Policy)? + "<head>".len();
    Ok(format!("{}\n{}{}", &html[..at], policy_element(), &html[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Sources {
        Sources {
            index_html: "<html><head><title>{{title}}</title><link href=\"{{css}}\">{{preloads}}\
                <script type=\"module\" src=\"{{boot}}\"></script></head><body>{{table}}</body></html>"
                .to_owned(),
            boot_js: "import init from '{{glue}}'; init('{{wasm}}', {{parts}}); start('{{worker}}');"
                .to_owned(),
            worker_js: "import init from '{{glue}}'; init('{{wasm}}');".to_owned(),
            styles: BTreeMap::from([
                ("base.css".to_owned(), "b{}".to_owned()),
                ("tokens.css".to_owned(), ":root{}\n\n".to_owned()),
                ("extra.css".to_owned(), "e{}".to_owned()),
            ]),
        }
    }

    fn program() -> Program {
        let file = |path: &str, text: &str| (path.to_owned(), text.as_bytes().to_vec());
        Program {
            files: BTreeMap::from([
                file(MAIN, "\0asm"),
                file(GLUE, "export default 1;"),
                file("snippets/a/inline0.js", "1"),
                file("split_worker.wasm", "\0asm"),
                file("split_later.wasm", "\0asm"),
            ]),
            first: [MAIN, GLUE, "split_worker.wasm"].map(str::to_owned).into(),
        }
    }

    fn glance(title: &str, table: &str) -> FirstGlance {
        FirstGlance { title: title.to_owned(), table: table.to_owned() }
    }

    fn text<'a>(files: &'a BTreeMap<String, Vec<u8>>, stem: &str, extension: &str) -> &'a str {
        let (_, bytes) = files
            .iter()
            .find(|(name, _)| name.starts_with(stem) && name.ends_with(extension))
            .unwrap();
        std::str::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_reference_names_a_file_that_is_there() {
        let Page { files, first } =
            assemble(&sources(), &program(), &glance("A run", "<table></table>")).unwrap();
        let page: String = files.values().map(|b| String::from_utf8_lossy(b)).collect();
        for part in page.split("./").skip(1) {
            let name: String = part
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || "-._/".contains(*c))
                .collect();
            assert!(files.contains_key(&name), "{name} is referred to and not there");
        }
        assert_eq!(files.len(), 9, "{:?}", files.keys());
        assert!(first.iter().all(|path| files.contains_key(path)), "{first:?}");
        let later: Vec<_> = files.keys().filter(|path| !first.contains(*path)).collect();
        assert!(later.iter().all(|p| p.contains("later") || p.contains("snippets")), "{later:?}");
        assert!(text(&files, "index", ".html").contains("<table></table>"));
    }

    #[test]
    fn a_changed_module_changes_every_name_that_leads_to_it() {
        let before = assemble(&sources(), &program(), &glance("t", "")).unwrap().files;
        let mut changed = program();
        changed.files.insert("split_later.wasm".to_owned(), b"\0asm2".to_vec());
        let after = assemble(&sources(), &changed, &glance("t", "")).unwrap().files;
        let kept: Vec<_> = before.keys().filter(|name| after.contains_key(*name)).collect();
        assert!(kept.iter().all(|n| n.ends_with(".css") || *n == "index.html"), "{kept:?}");
        assert!(kept.iter().any(|n| n.ends_with(".css")), "the styles did not change: {kept:?}");
    }

    #[test]
    fn styles_are_joined_in_the_order_in_which_they_build_on_each_other() {
        assert_eq!(join_styles(&sources().styles), ":root{}\nb{}\ne{}\n");
        assert_eq!(without_comments("/* a */b{}/* c\n */ d{} /* e"), "b{} d{} ");
    }

    #[test]
    fn the_policy_comes_before_anything_that_loads() {
        let files = assemble(&sources(), &program(), &glance("t", "")).unwrap().files;
        let html = text(&files, "index", ".html");
        let policy = html.find("Content-Security-Policy").unwrap();
        assert!(policy < html.find("<link").unwrap() && policy < html.find("<script").unwrap());
    }

    #[test]
    fn a_title_is_text_and_a_token_in_it_stays_text() {
        let files = assemble(&sources(), &program(), &glance("<b>{{wasm}}", "")).unwrap().files;
        assert!(text(&files, "index", ".html").contains("<title>&lt;b&gt;{{wasm}}</title>"));
    }

    #[test]
    fn an_unknown_token_an_inline_script_and_a_second_policy_are_refused() {
        let with = |html: &str| {
            let sources = Sources { index_html: html.to_owned(), ..sources() };
            assemble(&sources, &program(), &glance("t", "")).unwrap_err()
        };
        assert!(matches!(with("<head></head>{{tabel}}"), PageError::UnknownToken { .. }));
        assert!(matches!(with("<head></head><script>1</script>"), PageError::Inline(_)));
        assert_eq!(with("<p>no head</p>"), PageError::Policy);
        let second = "<head><meta http-equiv='content-security-policy' content=\"\"></head>";
        assert_eq!(with(second), PageError::Policy);
    }
}
