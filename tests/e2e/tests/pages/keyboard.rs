//! The whole page without a mouse.

use e2e::{Browser, Key, TestSite, fixture, views::show};
use serde_json::Value;

/// Presses Tab until the element with the focus fits `selector`, which must happen within so many steps; each stop on
/// the way can be seen and shows that it has the focus.
async fn tab_to(browser: &Browser, selector: &str, steps: u32) {
    let stop = format!(
        "const e = document.activeElement;
        const [box, style] = [e.getBoundingClientRect(), getComputedStyle(e)];
        const unseen = e !== document.body && (box.width === 0 || style.outlineStyle === 'none');
        return [e.matches('{selector}'), unseen, e.outerHTML.slice(0, 200)]"
    );
    for _ in 0..steps {
        browser.press(Key::Tab).await.expect("the browser answers");
        let at = browser.value(&stop).await.expect("the page answers");
        assert_eq!(at[1], false, "the focus cannot be seen: {}", at[2]);
        if at[0] == true {
            return;
        }
    }
    let at = browser.value("return document.activeElement.outerHTML.slice(0, 200)").await;
    panic!("{steps} steps do not lead to {selector}, but to {at:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_alone_leads_through_every_view() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let script = "return [...document.querySelectorAll('.views a')].map(a => a.hash)";
    let views = browser.value(script).await.unwrap();
    let views: Vec<&str> = views.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(views.len() >= 8, "{views:?}");
    for view in &views {
        show(&browser, &site.address).await.unwrap();
        tab_to(&browser, &format!(".views a[href=\"{view}\"]"), 14).await;
        browser.press(Key::Enter).await.unwrap();
        let name = &view[1..];
        let there = format!(
            "document.querySelector('.views a[aria-current]').hash === '{view}'
                && (document.querySelector('main section[id={name}]')
                    ?? document.querySelector('main h1')?.innerText.toLowerCase() === '{name}')"
        );
        browser.until(&there).await.unwrap();
        // A section takes the next stop to itself; a view of its own leaves it where it was, above its own content.
        browser.press(Key::Tab).await.unwrap();
        let script = "const e = document.activeElement;
            return [e.closest('section[id]')?.id, e.closest('.views, .view-head') !== null]";
        let next = browser.value(script).await.unwrap();
        assert!(next[0] == name || next[1] == true, "{view} leads to {next}");
    }
    // Into a question and back.
    show(&browser, &format!("{}#questions", site.address)).await.unwrap();
    tab_to(&browser, "table.grid a", 40).await;
    browser.press(Key::Enter).await.unwrap();
    browser.until("document.querySelector('article.question h1')").await.unwrap();
    browser.until("document.activeElement.id === 'content'").await.unwrap();
    tab_to(&browser, ".back a", 3).await;
    browser.press(Key::Enter).await.unwrap();
    browser.until("document.querySelector('table.grid')").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_stop_skips_to_the_content() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    tab_to(&browser, "#skip", 1).await;
    browser.press(Key::Enter).await.unwrap();
    browser.until("document.activeElement.id === 'content'").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_made_and_taken_back_by_keyboard() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    show(&browser, &format!("{}#intervals", site.address)).await.unwrap();
    tab_to(&browser, "#set-seed", 20).await;
    browser.value("document.activeElement.select()").await.unwrap();
    browser.type_text("7").await.unwrap();
    browser.press(Key::Enter).await.unwrap();
    browser.until("document.querySelector('#banner')").await.unwrap();
    assert_eq!(browser.value("return location.search").await.unwrap(), "?seed=7");
    show(&browser, &format!("{}?seed=7#intervals", site.address)).await.unwrap();
    tab_to(&browser, "#as-published", 20).await;
    browser.press(Key::Enter).await.unwrap();
    browser.until("!document.querySelector('#banner')").await.unwrap();
    assert_eq!(browser.value("return location.search").await.unwrap(), "");
}
