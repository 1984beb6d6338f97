//! What a reader sees of a run that someone has changed.

use std::fs;

use e2e::{Browser, Shown, TestSite, fixture};

/// The figures whose verdict is neither that they agree nor that there is nothing to agree on.
fn doubted(shown: &[Shown]) -> Vec<(&str, &str)> {
    shown
        .iter()
        .filter(|s| s.verdict != "identical" && s.verdict != "withheld")
        .map(|s| (s.figure.as_str(), s.verdict.as_str()))
        .collect()
}

/// A site whose run has one accuracy changed in the published file, and the id of that figure.
async fn with_one_accuracy_changed(change: impl Fn(f64) -> f64) -> (TestSite, String) {
    let mut files = fixture::run().expect("a run");
    let mut tampered = String::new();
    fixture::edit(&mut files, |results| {
        let figure = results
            .figures
            .iter_mut()
            .find(|f| f.metric == "accuracy" && f.value.is_some())
            .expect("an accuracy");
        figure.value = figure.value.map(&change);
        tampered.clone_from(&figure.id);
    })
    .expect("edited");
    (TestSite::of(&files).await.expect("a site"), tampered)
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_the_tampered_figure_differs() {
    let (site, tampered) = with_one_accuracy_changed(|v| v + 0.02).await;
    let browser = Browser::start().await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "ready");
    let shown = browser.figures().await.unwrap();
    assert_eq!(doubted(&shown), [(tampered.as_str(), "differs")]);
    let sentence = browser.text("#verdict-sentence").await.unwrap();
    assert!(sentence.contains("differs from what this page recomputed"), "{sentence}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_far_behind_the_point_is_not_called_identical() {
    let (site, tampered) = with_one_accuracy_changed(f64::next_up).await;
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let shown = browser.figures().await.unwrap();
    assert_eq!(doubted(&shown), [(tampered.as_str(), "equal")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_record_shows_in_the_figures_that_rest_on_it() {
    let mut files = fixture::run().unwrap();
    let log = String::from_utf8(files["records.jsonl"].clone()).unwrap();
    // The first row answers wrongly; answer and grade are changed together, as whoever polishes a result would.
    let wrong = "\"answer\": \"YES\", \"confidence\": 0.7, \"correct\": false";
    let changed =
        log.replacen(wrong, "\"answer\": \"NO\", \"confidence\": 0.7, \"correct\": true", 1);
    assert_ne!(log, changed);
    files.insert("records.jsonl".to_owned(), changed.into_bytes());
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let shown = browser.figures().await.unwrap();
    let doubted = doubted(&shown);
    assert!(doubted.iter().any(|(id, verdict)| id.contains("/accuracy") && *verdict == "differs"));
    assert!(doubted.len() < shown.len(), "one record does not enter every figure");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_records_nothing_can_be_checked() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    fs::remove_file(site.file("runs/golden/records.jsonl")).unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let shown = browser.figures().await.unwrap();
    assert!(!shown.is_empty());
    for s in &shown {
        assert!(["unchecked", "withheld"].contains(&s.verdict.as_str()), "{s:?}");
    }
    assert!(shown.iter().any(|s| s.verdict == "unchecked"));
    let page = browser.text("body").await.unwrap().to_lowercase();
    assert!(page.contains("cannot be checked"), "{page}");
}
