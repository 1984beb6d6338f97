//! Files that a reader brings, and files that a reader takes away.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use e2e::{Browser, TestSite, fixture, views::SETTLED};
use records::sha256_hex;
use site::archive::archive;

/// A site of one run, and another run's files whose title tells them apart.
async fn site_and_own_files() -> (TestSite, BTreeMap<String, Vec<u8>>) {
    let files = fixture::run().expect("a run");
    let mut own = files.clone();
    fixture::edit(&mut own, |results| "Brought along".clone_into(&mut results.title))
        .expect("edited");
    (TestSite::of(&files).await.expect("a site"), own)
}

/// Waits until the files that were brought are open, and looks at every number of theirs.
async fn expect_own_files(browser: &Browser, title: &str) {
    let there = format!(
        "document.body.dataset.state === 'ready'
            && document.querySelector('#app h1')?.innerText === '{title}'"
    );
    browser.until(&there).await.expect("the page answers");
    browser.until(SETTLED).await.expect("the page answers");
    let shown = browser.figures().await.expect("the page answers");
    assert!(shown.len() > 20, "only {} numbers are shown", shown.len());
    // The title is part of what the signature's entry compares with run.json's.
    let wrong: Vec<_> = shown
        .iter()
        .filter(|s| s.figure != "signature")
        .filter(|s| s.verdict != "identical" && s.verdict != "withheld")
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_files_and_a_zip_of_their_folder_are_opened_and_sent_nowhere() {
    let (site, own) = site_and_own_files().await;
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    browser.activity().await.unwrap();
    let loose: Vec<_> = own.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    browser.drop_files(&loose).await.unwrap();
    expect_own_files(&browser, "Brought along").await;
    let mut zipped = own.clone();
    fixture::edit(&mut zipped, |results| "From a zip".clone_into(&mut results.title)).unwrap();
    let zip = archive("golden", &zipped).unwrap();
    browser.drop_files(&[("golden.zip", zip.as_slice())]).await.unwrap();
    expect_own_files(&browser, "From a zip").await;
    let activity = browser.activity().await.unwrap();
    assert_eq!(activity.elsewhere(&site.origin()), Vec::<&str>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_can_be_cancelled_and_stays_so() {
    let (site, own) = site_and_own_files().await;
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let loose: Vec<_> = own.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    // Pressed as soon as it is there, long before any file can have been read.
    let press = "new MutationObserver((_, observer) => {
            const button = document.querySelector('#cancel');
            if (button) { observer.disconnect(); button.click(); }
        }).observe(document.body, { childList: true, subtree: true })";
    browser.value(press).await.unwrap();
    browser.drop_files(&loose).await.unwrap();
    browser.until("document.body.dataset.state === 'failed'").await.unwrap();
    let message = browser.text("#app [role=alert]").await.unwrap();
    assert!(message.contains("cancelled"), "{message}");
    // Much longer than the files take.
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(browser.value("return document.body.dataset.state").await.unwrap(), "failed");
    browser.drop_files(&loose).await.unwrap();
    expect_own_files(&browser, "Brought along").await;
}

/// What was saved under `name`, once it is whole.
async fn saved(folder: &Path, name: &str) -> String {
    for _ in 0..3000 {
        if let Ok(text) = fs::read_to_string(folder.join(name))
            && !text.is_empty()
        {
            return text;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{name} was not saved");
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_and_the_receipt_are_saved_with_what_the_files_say() {
    let files = fixture::run().unwrap();
    let results = fixture::results(&files).unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    browser.save_into(folder.path()).await.unwrap();
    browser.open(&site.address).await.unwrap();
    browser.click("#results .saves button:nth-of-type(1)").await.unwrap();
    browser.click("#results .saves button:nth-of-type(2)").await.unwrap();
    browser.click("#receipt").await.unwrap();
    let accuracy = results.figures.iter().find(|f| f.metric == "accuracy").unwrap();
    let value = serde_json::json!(accuracy.value.unwrap()).to_string();
    let csv = saved(folder.path(), "figures.csv").await;
    let line = csv.lines().find(|l| l.contains(&accuracy.id)).expect("no line of the accuracy");
    assert!(line.contains(&value) && line.contains("identical"), "{line}");
    let json = saved(folder.path(), "figures.json").await;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json.as_array().unwrap().len(), csv.lines().count() - 1);
    let receipt = saved(folder.path(), "receipt.json").await;
    let receipt: serde_json::Value = serde_json::from_str(&receipt).unwrap();
    assert_eq!(receipt["verdicts"][&accuracy.id], "identical");
    assert_eq!(receipt["totals"]["differs"], 0);
    let log = receipt["files"].as_array().unwrap().iter().find(|f| f["name"] == "records.jsonl");
    assert_eq!(log.unwrap()["sha256"], sha256_hex(&files["records.jsonl"]));
}
