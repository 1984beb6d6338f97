//! A run that takes long to compute: its values are there before their intervals, and workers share the resampling.

use e2e::{Browser, TestSite, fixture};
use serde_json::Value;

/// So many that resampling the golden records is shared out.
const RESAMPLES: u32 = 500_000;

/// Notes every sentence about the verdict and every step, and the marks that stand beside numbers meanwhile.
const WATCH: &str = "
    window.said = []; window.marks = [];
    new MutationObserver(() => {
        for (const place of document.querySelectorAll('#app #verdict-sentence, #app .progress span')) {
            const text = place.innerText;
            if (said.includes(text)) continue;
            said.push(text);
            if (text.startsWith('So far')) {
                marks.push(document.querySelectorAll('#app a.figure .badge').length);
                window.soFar?.();
            }
        }
    }).observe(document, { childList: true, subtree: true, characterData: true });";

async fn said(browser: &Browser) -> Vec<String> {
    let said = browser.value("return window.said").await.expect("the page answers");
    let texts = said.as_array().expect("a list").iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn values_come_first_and_workers_share_the_resampling() {
    let files = fixture::run_under(|plan| plan.n_resamples = RESAMPLES).unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.before_each_page(WATCH).await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "ready");
    let said = said(&browser).await;
    let first = said.iter().position(|text| text.starts_with("So far: the values of ")).unwrap();
    assert!(said[first].contains("Their intervals are still being computed"), "{said:#?}");
    assert!(!said[first].contains("differ"), "{said:#?}");
    let shared = said.iter().filter(|text| text.starts_with("resampling: ")).count();
    assert!(shared > 2, "resampling was not shared out: {said:#?}");
    let last = browser.text("#verdict-sentence").await.unwrap();
    assert!(last.contains("agree bit for bit") && last.contains("None differs"), "{last}");
    let marks = browser.value("return window.marks").await.unwrap();
    assert_eq!(marks, serde_json::json!([0]), "a number was marked before its interval was there");

    // Under a reader's own settings the work is shared, too, and comes to what the harness computes.
    let own = fixture::run_under(|plan| {
        plan.n_resamples = RESAMPLES;
        plan.seed = 7;
    });
    let own = fixture::results(&own.unwrap()).unwrap();
    let figure = own.figures.iter().find(|f| f.metric == "brier" && f.interval.is_some()).unwrap();
    let interval = figure.interval.as_ref().unwrap();
    browser.open(&format!("{}?seed=7#f={}", site.address, figure.id)).await.unwrap();
    browser.until("document.querySelector('#banner')").await.unwrap();
    let page = browser.text("body").await.unwrap();
    for end in [interval.lower, interval.upper].map(Option::unwrap) {
        assert!(page.contains(&end.to_string()), "{} with {interval:?}: {page}", figure.id);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_value_is_named_at_once_and_resampling_can_be_cancelled() {
    let mut files = fixture::run_under(|plan| plan.n_resamples = RESAMPLES).unwrap();
    fixture::edit(&mut files, |results| {
        let figure = results.figures.iter_mut().find(|f| f.metric == "accuracy").unwrap();
        figure.value = Some(0.987);
    })
    .unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    let cancel = "window.soFar = () => new MutationObserver((_, observer) => {
        const button = document.querySelector('#cancel');
        if (button) { observer.disconnect(); button.click(); }
    }).observe(document, { childList: true, subtree: true });";
    browser.before_each_page(&format!("{cancel}{WATCH}")).await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "failed");
    let said = said(&browser).await;
    assert!(
        said.iter().any(|t| t.starts_with("So far") && t.contains(", 1 differs: ")),
        "{said:#?}"
    );
    assert!(browser.text("#app").await.unwrap().contains("cancelled"));
}

/// Where the code that shares the work out cannot be had, one worker does all of it.
#[tokio::test(flavor = "multi_thread")]
async fn one_worker_does_it_all_where_the_sharing_code_cannot_be_fetched() {
    let files = fixture::run_under(|plan| plan.n_resamples = RESAMPLES).unwrap();
    let site = TestSite::of(&files).await.unwrap();
    site.lose("split_inquiries.wasm").unwrap();
    let browser = Browser::start().await.unwrap();
    browser.before_each_page(WATCH).await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "ready");
    let shared = said(&browser).await.iter().filter(|s| s.starts_with("resampling: ")).count();
    assert_eq!(shared, 0, "the code was fetched all the same");
    let last = browser.text("#verdict-sentence").await.unwrap();
    assert!(last.contains("agree bit for bit") && last.contains("None differs"), "{last}");
}
