//! What axe-core finds in a page: the rules of WCAG 2.2 AA that a program can check, and its own good practices.

use anyhow::{Context, Result};
use tokio::sync::OnceCell;

use crate::{browser::Browser, npm::Package};

/// Under the Mozilla Public License 2.0; fetched, never passed on.
const AXE: Package = Package {
    name: "axe-core",
    version: "4.14.1",
    sha512: "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
};

/// Its program, fetched, checked and unpacked once for all views.
static PROGRAM: OnceCell<String> = OnceCell::const_new();

/// Which rules are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// All of them.
    All,
    /// The one that depends on colours.
    Contrast,
}

/// Nothing is loaded for it, and sizes of targets, which it would leave out, are looked at.
///
/// Every view is a fragment of one page, so axe takes an entry of the navigation that is scrolled out of its frame on a
/// phone for a skip link: that rule is about the one link that is one.
const RUN: &str = "
    axe.configure({ rules: [{ id: 'skip-link', selector: '#skip' }] });
    const rules = only ? { runOnly: [only] } : { rules: { 'target-size': { enabled: true } } };
    return axe.run(document, {
        preload: false, resultTypes: ['violations'], ...rules,
    }).then(r => r.violations.map(v => v.id + ' (' + v.help + '), ' + v.nodes.length + ' times: '
        + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + ' ' + n.failureSummary).join(' | ')))";

/// One sentence for each rule that the page breaks, with the first places.
///
/// # Errors
/// axe-core is not there and could not be fetched, or the page does not answer.
pub async fn violations(browser: &Browser, rules: Rules) -> Result<Vec<String>> {
    let source = PROGRAM.get_or_try_init(|| AXE.file("axe.min.js")).await?;
    // The names by which it would take the page for one of its loaders.
    let only = if rules == Rules::Contrast { "'color-contrast'" } else { "null" };
    let script =
        format!("const module = undefined, define = undefined, only = {only}; {source}\n{RUN}");
    let found = browser.value(&script).await?;
    let found = found.as_array().context("axe found no list")?;
    Ok(found.iter().map(|v| v.as_str().unwrap_or_default().to_owned()).collect())
}
