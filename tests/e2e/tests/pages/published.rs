//! What a reader sees of a run that is as it was published.

use std::collections::BTreeMap;

use e2e::{Browser, TestSite, fixture};

/// Entries that belong to no series, and that they are not withheld.
const ABOUT_THE_WHOLE: [(&str, bool); 2] = [("inputs.rows", false), ("signature", false)];

#[tokio::test(flavor = "multi_thread")]
async fn every_number_of_an_honest_run_is_identical() {
    let files = fixture::run().unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "ready");
    let shown = browser.figures().await.unwrap();
    let results = fixture::results(&files).unwrap();
    let figures = results.figures.iter().map(|f| (f.id.as_str(), f.withheld.is_some()));
    let diagrams = results.reliability.iter().map(|r| (r.id.as_str(), r.withheld.is_some()));
    let comparisons = results.comparisons.iter().map(|c| (c.id.as_str(), c.withheld.is_some()));
    let expected: BTreeMap<_, _> =
        figures.chain(diagrams).chain(comparisons).chain(ABOUT_THE_WHOLE).collect();
    assert!(shown.len() > 20, "only {} numbers are shown", shown.len());
    for s in &shown {
        let withheld =
            expected.get(s.figure.as_str()).unwrap_or_else(|| panic!("{s:?} is made up"));
        assert_eq!(s.verdict, if *withheld { "withheld" } else { "identical" }, "{s:?}");
    }
    let sentence = browser.text("#verdict-sentence").await.unwrap();
    assert!(sentence.contains("agree bit for bit"), "{sentence}");
    let rows = results.inputs.rows.written.to_string();
    assert!(sentence.replace([',', '\u{202f}', '\u{a0}'], "").contains(&rows), "{sentence}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_shows_the_value_of_the_file() {
    let files = fixture::run().unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let shown = browser.figures().await.unwrap();
    let results = fixture::results(&files).unwrap();
    let accuracies = results.figures.iter().filter(|f| f.metric == "accuracy" && f.slice.is_none());
    let mut compared = 0;
    for figure in accuracies {
        let Some(value) = figure.value else { continue };
        let cell = shown.iter().find(|s| s.figure == figure.id);
        let cell = cell.unwrap_or_else(|| panic!("{} is not shown", figure.id));
        // Three decimals, without the zero before the point.
        let text = format!("{value:.3}");
        let text = text.strip_prefix('0').unwrap_or(&text);
        assert!(
            cell.text.contains(text),
            "{} is {value}, and the cell says {}",
            figure.id,
            cell.text
        );
        compared += 1;
    }
    assert!(compared >= 3, "only {compared} accuracies were compared");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_projects_own_runs_agree() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "ready");
    let shown = browser.figures().await.unwrap();
    assert!(!shown.is_empty(), "the project publishes no number");
    let wrong: Vec<_> =
        shown.iter().filter(|s| s.verdict != "identical" && s.verdict != "withheld").collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(shown.iter().any(|s| s.verdict == "identical"), "every number is withheld");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_published_table_is_in_the_page_before_any_script() {
    let files = fixture::run().unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let html = std::fs::read_to_string(site.file("index.html")).unwrap();
    let (_, body) = html.split_once("<body").unwrap();
    assert!(body.contains("<table"), "{body}");
    assert!(body.to_lowercase().contains("not yet checked"), "nothing says that it is unchecked");
    let results = fixture::results(&files).unwrap();
    let accuracy = results.figures.iter().find(|f| f.metric == "accuracy").unwrap();
    let text = format!("{:.3}", accuracy.value.unwrap());
    assert!(body.contains(text.trim_start_matches('0')), "{text} is not in the page");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_archive_of_the_site_checks_the_same_numbers() {
    let site = TestSite::of_the_project().await.unwrap();
    let copy = site.unpacked().await.unwrap();
    let browser = Browser::start().await.unwrap();
    let mut sentences = Vec::new();
    for address in [&site.address, &copy.address] {
        assert_eq!(browser.open(address).await.unwrap(), "ready");
        let sentence = browser.text("#verdict-sentence").await.unwrap();
        assert!(sentence.contains("agree bit for bit"), "{sentence}");
        // Without the time that it took.
        sentences.push(sentence.split(" in ").next().unwrap_or_default().to_owned());
    }
    assert_eq!(sentences[0], sentences[1]);
}
