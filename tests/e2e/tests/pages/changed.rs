//! What is not as published: the reader's own settings, changed records, and the way back.

use std::collections::BTreeSet;

use e2e::{
    Browser, TestSite, fixture,
    views::{SETTLED, show},
};
use serde_json::Value;

/// Keeps what the worker says from the page while `held` is a list.
const HOLD: &str = "const listen = Worker.prototype.addEventListener;
    Worker.prototype.addEventListener = function (kind, receive, ...rest) {
        const later = event => window.held
            ? window.held.push(() => receive.call(this, event)) : receive.call(this, event);
        listen.call(this, kind, kind === 'message' ? later : receive, ...rest);
    };";

async fn verdicts(browser: &Browser) -> BTreeSet<String> {
    browser.figures().await.expect("the page answers").into_iter().map(|s| s.verdict).collect()
}

/// One click on the banner, and every number is again what was published and checked.
async fn lead_back(browser: &Browser) {
    browser.click("#as-published").await.expect("the page answers");
    browser.until("!document.querySelector('#banner')").await.expect("the page answers");
    browser.until(SETTLED).await.expect("the page answers");
    assert_eq!(browser.value("return location.search").await.expect("the page answers"), "");
    let back = verdicts(browser).await;
    assert!(back.contains("identical") && !back.contains("differs") && !back.contains("own"));
}

#[tokio::test(flavor = "multi_thread")]
async fn own_settings_are_said_compared_with_nothing_and_taken_back_by_one_click() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&format!("{}#intervals", site.address)).await.unwrap();
    browser.until("document.querySelector('#set-seed')").await.unwrap();
    let script = "const field = document.querySelector('#set-seed'); field.value = '7';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        document.querySelector('#settings').requestSubmit()";
    browser.value(script).await.unwrap();
    browser.until("document.querySelector('#banner')").await.unwrap();
    let banner = browser.text("#banner").await.unwrap();
    assert!(banner.contains("seed 7 instead of"), "{banner}");
    assert_eq!(browser.value("return location.search").await.unwrap(), "?seed=7");
    browser.open(&format!("{}?seed=7#results", site.address)).await.unwrap();
    browser.until("document.querySelector('#banner')").await.unwrap();
    browser.until("document.querySelector('.results [data-figure]')").await.unwrap();
    browser.until(SETTLED).await.unwrap();
    assert_eq!(verdicts(&browser).await, BTreeSet::from(["own".to_owned()]));
    lead_back(&browser).await;
}

/// Opens the first question of a run of its own; the site is gone when it is dropped.
async fn open_first_question(browser: &Browser) -> (TestSite, String) {
    let files = fixture::run().expect("a run");
    let log = String::from_utf8_lossy(&files["records.jsonl"]);
    let first = log.lines().next().expect("a record");
    let first: Value = serde_json::from_str(first).expect("a record");
    let item = first["item_id"].as_str().expect("a record names its question").to_owned();
    let site = TestSite::of(&files).await.expect("a site");
    show(browser, &format!("{}#q={item}", site.address)).await.expect("the page answers");
    (site, item)
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_a_question_out_changes_verdicts_and_is_taken_back_by_one_click() {
    let browser = Browser::start().await.unwrap();
    let (_site, item) = open_first_question(&browser).await;
    browser.click("article.question button.edit").await.unwrap();
    browser.until("document.querySelector('#what-if-lost')").await.unwrap();
    let lost: u32 = browser.text("#what-if-lost").await.unwrap().replace(',', "").parse().unwrap();
    assert!(lost > 0, "nothing rests on the question");
    assert_eq!(browser.value("return location.search").await.unwrap(), format!("?drop={item}"));
    browser.value("location.hash = '#results'").await.unwrap();
    browser.until("document.querySelector('[data-verdict=differs]')").await.unwrap();
    let sentence = browser.text("#verdict-sentence").await.unwrap();
    assert!(sentence.starts_with("With the records as you have changed them"), "{sentence}");
    browser.until("document.querySelector('.results [data-figure]')").await.unwrap();
    lead_back(&browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_after_the_reader_has_taken_a_change_back_is_not_shown() {
    let browser = Browser::start().await.unwrap();
    browser.before_each_page(HOLD).await.unwrap();
    let (_site, _) = open_first_question(&browser).await;
    let press = "window.held = []; document.querySelector('article.question button.edit').click()";
    browser.value(press).await.unwrap();
    let computes = "[...document.querySelectorAll('main .progress')]
        .some(e => e.innerText.includes('with your settings'))";
    browser.until(computes).await.unwrap();
    browser.value("history.back()").await.unwrap();
    browser.until(&format!("location.search === '' && !{computes}")).await.unwrap();
    let release = "const late = window.held; window.held = null; late.forEach(give => give())";
    browser.value(release).await.unwrap();
    // The worker answers in order: whatever it is asked now, it answers after it has computed.
    browser.value("location.hash = '#questions'").await.unwrap();
    browser.until("document.querySelector('table.grid')").await.unwrap();
    browser.until(SETTLED).await.unwrap();
    assert_eq!(
        browser.value("return document.querySelector('#banner')").await.unwrap(),
        Value::Null
    );
    browser.value("location.hash = '#results'").await.unwrap();
    browser.until("document.querySelector('.results [data-figure]')").await.unwrap();
    browser.until(SETTLED).await.unwrap();
    let shown = verdicts(&browser).await;
    assert!(shown.contains("identical") && !shown.contains("differs"), "{shown:?}");
}
