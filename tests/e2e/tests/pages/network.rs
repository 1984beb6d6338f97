//! What the page asks the network for, and whether the content security policy holds.

use std::{env, fs, io::Read, path::Path};

use e2e::{
    Browser, TestSite, fixture,
    views::{SETTLED, show},
};

#[tokio::test(flavor = "multi_thread")]
async fn the_page_asks_nobody_but_its_own_site_and_breaks_no_rule() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    show(&browser, &site.address).await.unwrap();
    // The data set and the completions are fetched for the first view that shows them.
    browser.value("location.hash = '#questions'").await.unwrap();
    browser.until("document.querySelector('#evidence-counts')").await.unwrap();
    browser.until(SETTLED).await.unwrap();
    let activity = browser.activity().await.unwrap();
    assert_eq!(activity.errors, Vec::<String>::new());
    assert_eq!(activity.elsewhere(&site.origin()), Vec::<&str>::new());
    for end in [".wasm", "/items.jsonl", "/responses.jsonl"] {
        let noted = activity.requests.iter().any(|url| url.ends_with(end));
        assert!(noted, "no request for {end} was noted: {:?}", activity.requests);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_of_the_site_names_a_folder_of_the_machine_that_built_it() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let project = site::project::root(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let folders = [env::home_dir().unwrap().join(".cargo"), project];
    let archive = fs::File::open(site.file("recount-site.zip")).unwrap();
    let mut archive = zip::ZipArchive::new(archive).unwrap();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        for folder in &folders {
            let folder = folder.to_str().unwrap().as_bytes();
            let named = bytes.windows(folder.len()).any(|part| part == folder);
            assert!(!named, "{} names {}", file.name(), String::from_utf8_lossy(folder));
        }
    }
}

/// Shows that errors are noted: an inline script, if it were there, is blocked.
#[tokio::test(flavor = "multi_thread")]
async fn an_inline_script_is_blocked_and_noted() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let html = fs::read_to_string(site.file("index.html")).unwrap();
    let script = "<script>document.documentElement.dataset.owned = '1'</script></body>";
    site.add("index.html", html.replace("</body>", script).as_bytes()).unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let owned =
        browser.value("return document.documentElement.dataset.owned ?? null").await.unwrap();
    assert!(owned.is_null(), "the inline script ran");
    let errors = browser.activity().await.unwrap().errors;
    assert!(errors.iter().any(|e| e.contains("Content Security Policy")), "{errors:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_site_works_below_a_path() {
    let site = TestSite::below("/group/recount", &fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    for address in [site.address.as_str(), site.address.trim_end_matches('/')] {
        assert_eq!(browser.open(address).await.unwrap(), "ready", "{address}");
        assert!(browser.figures().await.unwrap().iter().any(|s| s.verdict == "identical"));
    }
    let activity = browser.activity().await.unwrap();
    let outside: Vec<_> =
        activity.requests.iter().filter(|u| !u.contains("/group/recount")).collect();
    assert!(outside.is_empty(), "not relative: {outside:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_opened_by_address() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let mut files = fixture::run().unwrap();
    fixture::edit(&mut files, |results| results.title = "Another run".to_owned()).unwrap();
    for (name, bytes) in files {
        site.add(&format!("elsewhere/{name}"), &bytes).unwrap();
    }
    let browser = Browser::start().await.unwrap();
    let url = format!("{0}?results={0}elsewhere/results.json", site.address);
    assert_eq!(browser.open(&url).await.unwrap(), "ready");
    assert!(browser.figures().await.unwrap().iter().any(|s| s.verdict == "identical"));
    assert_eq!(browser.value("return document.title").await.unwrap(), "Another run · Recount");
    let asked = browser.activity().await.unwrap().requests;
    assert!(asked.iter().any(|u| u.ends_with("elsewhere/records.jsonl")), "{asked:?}");
    assert!(!asked.iter().any(|u| u.ends_with("runs/golden/records.jsonl")), "{asked:?}");
}

const NOT_FETCHED: &str = "a part of this page's program could not be fetched";

/// The verdict needs only a part of the page's program: without the rest it stands, and the reader is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_the_program_that_cannot_be_fetched_is_named_and_the_verdict_stands() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    site.lose("split_later.wasm").unwrap();
    let browser = Browser::start().await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "ready");
    assert!(browser.figures().await.unwrap().iter().any(|s| s.verdict == "identical"));
    let said = browser.text("main .problem").await.unwrap();
    assert!(said.contains(NOT_FETCHED), "{said}");
}

/// The first sentence needs none of the code that draws.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_code_of_the_views_the_verdict_is_said_above_the_published_table() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    site.lose("split_page.wasm").unwrap();
    let browser = Browser::start().await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "failed");
    browser.until("document.querySelector('[data-tone=identical]')").await.unwrap();
    let verdict = browser.text("#published #verdict-sentence").await.unwrap();
    assert!(verdict.contains("agree bit for bit") && verdict.contains("None differs"), "{verdict}");
    let said = browser.text("#broken").await.unwrap();
    assert!(said.contains(NOT_FETCHED) && said.contains("reload the page"), "{said}");
    assert!(said.contains("none of them has a mark"), "{said}");
}

/// Everything that happened before the views were there is made up for.
#[tokio::test(flavor = "multi_thread")]
async fn settings_in_the_address_hold_when_the_code_of_the_views_comes_after_the_run() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    let late = "const fetched = window.fetch;
        window.fetch = async (what, ...rest) => {
            if (String(what?.url ?? what).includes('split_page'))
                for (let i = 0; i < 150 && !document.querySelector('[data-tone=identical]'); i++)
                    await new Promise(done => setTimeout(done, 20));
            return fetched(what, ...rest);
        };";
    browser.before_each_page(late).await.unwrap();
    browser.open(&site.address).await.unwrap();
    let verdict = browser.text("#verdict-sentence").await.unwrap();
    assert!(verdict.contains("agree bit for bit"), "{verdict}");
    // Under settings nothing is said before, and the code comes after three seconds.
    browser.open(&format!("{}?seed=7", site.address)).await.unwrap();
    browser.until("document.querySelector('#banner')").await.unwrap();
    let verdict = browser.text("#verdict-sentence").await.unwrap();
    assert!(verdict.contains("with your own settings"), "{verdict}");
}

/// The sentence is about the file that was loaded; a table that was made from another one must not stand below it.
#[tokio::test(flavor = "multi_thread")]
async fn the_verdict_is_not_said_above_the_table_of_another_publication() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    site.lose("split_page.wasm").unwrap();
    let html = fs::read_to_string(site.file("index.html")).unwrap();
    let (before, after) = html.split_once("data-sha256=\"").unwrap();
    let older = format!("{before}data-sha256=\"0{}", &after[1..]);
    assert_ne!(html, older, "the digest begins with a zero");
    site.add("index.html", older.as_bytes()).unwrap();
    let browser = Browser::start().await.unwrap();
    assert_eq!(browser.open(&site.address).await.unwrap(), "failed");
    // As long as the verdict takes, and longer.
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    let sentence = browser.text("#published #verdict-sentence").await.unwrap();
    assert!(sentence.starts_with("Not yet checked"), "{sentence}");
}
