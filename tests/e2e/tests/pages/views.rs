//! Each view of the project's own run: it opens, says what the files say, and fits a phone.

use std::{collections::BTreeSet, fs};

use e2e::{Browser, Key, TestSite, View, fixture, views::show};
use records::Results;

/// The newest run's name and results, as the site publishes them.
fn published(site: &TestSite) -> (String, Results) {
    let index = fs::read(site.file("index.json")).expect("a published file");
    let index: serde_json::Value = serde_json::from_slice(&index).expect("a published file");
    let run = index["runs"][0]["run_id"].as_str().expect("a published file").to_owned();
    let results =
        fs::read(site.file(&format!("runs/{run}/results.json"))).expect("a published file");
    (run, serde_json::from_slice(&results).expect("a published file"))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_view_opens_says_what_the_files_say_and_fits_a_phone() {
    let site = TestSite::of_the_project().await.unwrap();
    let (run, results) = published(&site);
    let items = format!("data/{}/items.jsonl", results.dataset_id);
    let items = fs::read_to_string(site.file(&items)).unwrap();
    let first: serde_json::Value = serde_json::from_str(items.lines().next().unwrap()).unwrap();
    let (id, question) = (first["item_id"].as_str().unwrap(), first["question"].as_str().unwrap());
    let n = items.lines().count();
    let metrics: BTreeSet<_> = results.figures.iter().map(|f| f.metric.as_str()).collect();
    let accuracy = results.figures.iter().find(|f| f.metric == "accuracy").unwrap();
    let resamples = results.plan.n_resamples;
    let says = |selector: &str, text: &str| {
        let text = serde_json::json!(text);
        format!("document.querySelector('{selector}')?.innerText.includes({text})")
    };
    let views = [
        ("results".to_owned(), says("#verdict-sentence", "agree bit for bit")),
        ("intervals".to_owned(), says("main", "resamples around the value")),
        ("questions".to_owned(), says("#grid", &format!("{n} of {n} questions fit"))),
        (format!("q={id}"), says("article.question .asked", question)),
        ("method".to_owned(), says("#data-set", "reviewed by a person")),
        ("runs".to_owned(), says("#site-runs", &run)),
        (format!("f={}", accuracy.id), says("main", &format!("{:.3}", accuracy.value.unwrap()))),
    ];
    let browser = Browser::start().await.unwrap();
    browser.set_view(View::PHONE).await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "ready");
    for (view, holds) in views {
        show(&browser, &format!("{}#{view}", site.address)).await.unwrap();
        browser.until(&holds).await.unwrap();
        let script = "const e = document.documentElement; return [e.scrollWidth, e.clientWidth]";
        let widths = browser.value(script).await.unwrap();
        assert_eq!(widths[0], widths[1], "#{view} is wider than the phone");
        let page = browser.text("main").await.unwrap();
        assert!(!page.contains("NaN"), "#{view}: {page}");
        match view.as_str() {
            "intervals" => {
                let digits: String = page.chars().filter(|c| *c != ',').collect();
                assert!(digits.contains(&format!("{resamples} resamples")), "{page}");
            }
            "method" => {
                let script = "return document.querySelectorAll('.definitions > div').length";
                assert_eq!(browser.value(script).await.unwrap(), metrics.len());
            }
            question if question.starts_with("q=") => {
                browser.until("document.querySelector('[data-link=holds]')").await.unwrap();
                let script = "return document.querySelectorAll('[data-link=breaks]').length";
                assert_eq!(browser.value(script).await.unwrap(), 0, "a link of the chain breaks");
            }
            _ => {}
        }
    }
    assert_eq!(browser.activity().await.unwrap().errors, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_alone_leads_to_a_number() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let focus = "return document.activeElement?.dataset.figure ?? null";
    let mut reached = None;
    for _ in 0..60 {
        browser.press(Key::Tab).await.unwrap();
        if let Some(figure) = browser.value(focus).await.unwrap().as_str() {
            reached = Some(figure.to_owned());
            break;
        }
    }
    let figure = reached.expect("no number within sixty steps");
    let script = "return getComputedStyle(document.activeElement).outlineStyle";
    assert_ne!(browser.value(script).await.unwrap(), "none", "the focus cannot be seen");
    browser.press(Key::Enter).await.unwrap();
    browser.until(&format!("location.hash === '#f={figure}'")).await.unwrap();
    browser.until("document.querySelector('.number .big')").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_text_is_called_missing_while_it_is_being_fetched() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&format!("{}#results", site.address)).await.unwrap();
    let script = "window.said = [];
        new MutationObserver(() => {
            for (const note of document.querySelectorAll('article.question .note')) {
                if (note.innerText.includes('not loaded')) window.said.push(note.innerText);
            }
        }).observe(document.body, { childList: true, subtree: true });
        location.hash = '#q=a01'";
    browser.value(script).await.unwrap();
    browser.until("document.querySelector('article.question .asked')").await.unwrap();
    browser.until("document.querySelector('#evidence-counts')").await.unwrap();
    let said = browser.value("return window.said").await.unwrap();
    assert_eq!(said, serde_json::json!([]), "said before the files were there");
}
