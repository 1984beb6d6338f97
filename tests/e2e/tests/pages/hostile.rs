//! Results files that are broken or written to do harm: a message, never a hang, a crash or someone else's script.

use std::time::{Duration, Instant};

use e2e::{Browser, TestSite, fixture};

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_gives_a_message() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let good = fixture::run().unwrap()["results.json"].clone();
    let good = String::from_utf8(good).unwrap();
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let cases = [
        ("empty", String::new()),
        ("page", "<!doctype html><title>Sign in</title>".to_owned()),
        ("cut", good[..good.len() / 2].to_owned()),
        ("newer", good.replacen("recount.results/1", "recount.results/2", 1)),
        ("nan", good.replacen("\"confidence_level\": 0.95", "\"confidence_level\": NaN", 1)),
        ("deep", deep.clone()),
        ("deep-inside", good.replacen('{', &format!("{{\"x\": {deep},"), 1)),
        ("no-resamples", good.replacen("\"n_resamples\": ", "\"n_resamples\": 9999999", 1)),
    ];
    let browser = Browser::start().await.unwrap();
    for (name, text) in cases {
        assert_ne!(text, good, "{name} is not broken");
        site.add(&format!("bad/{name}/results.json"), text.as_bytes()).unwrap();
        let url = format!("{0}?results={0}bad/{name}/results.json", site.address);
        let started = Instant::now();
        let state = browser.open(&url).await.unwrap();
        assert_eq!(state, "failed", "{name}: {}", browser.text("body").await.unwrap());
        assert!(started.elapsed() < Duration::from_secs(20), "{name} took too long");
        let message = browser.text("[role=alert]:not([hidden])").await.unwrap();
        assert!(message.len() > 20, "{name}: the message says nothing: {message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_file_gives_a_message_that_names_it() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    let url = format!("{0}?results={0}nowhere/results.json", site.address);
    assert_eq!(browser.open(&url).await.unwrap(), "failed");
    let message = browser.text("[role=alert]:not([hidden])").await.unwrap();
    assert!(message.contains("404"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn markup_in_a_results_file_stays_text() {
    let markup =
        "<img src=x onerror=\"document.documentElement.dataset.owned='1'\"><b id=injected>";
    let mut files = fixture::run().unwrap();
    fixture::edit(&mut files, |results| {
        results.title = markup.to_owned();
        results.signature = markup.to_owned();
        for figure in &mut results.figures {
            figure.unit = markup.to_owned();
            figure.withheld = Some(markup.to_owned());
        }
        if let Some(figure) = results.figures.first_mut() {
            figure.id = format!("{markup}/{}", figure.id);
            figure.model = markup.to_owned();
            figure.arm = markup.to_owned();
        }
    })
    .unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let injected = browser.value("return document.querySelectorAll('#injected, img').length").await;
    assert_eq!(injected.unwrap(), 0, "markup of the file became elements");
    let owned =
        browser.value("return document.documentElement.dataset.owned ?? null").await.unwrap();
    assert!(owned.is_null(), "a script of the file ran");
    assert!(browser.text("body").await.unwrap().contains("<img src=x"), "the title is not shown");
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_that_claim_one_id_do_not_break_the_page() {
    let mut files = fixture::run().unwrap();
    fixture::edit(&mut files, |results| {
        let twice = results.figures.clone();
        results.figures.extend(twice);
    })
    .unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    // Which of two entries with one id is meant, nobody can know.
    let identical: Vec<_> = browser
        .figures()
        .await
        .unwrap()
        .into_iter()
        .filter(|s| s.figure.contains("/accuracy") && s.verdict == "identical")
        .collect();
    assert!(identical.is_empty(), "{identical:#?}");
}
