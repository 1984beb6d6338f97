//! Whether the page can be read: on a phone, in the dark, without a mouse.

use e2e::{Browser, TestSite, View, fixture};

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_never_scrolls_the_page_sideways() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    let accuracy = fixture::results(&fixture::run().unwrap()).unwrap().figures[0].id.clone();
    for page in [String::new(), format!("#f={accuracy}")] {
        for dark in [false, true] {
            browser.set_view(View { dark, ..View::PHONE }).await.unwrap();
            browser.open(&format!("{}{page}", site.address)).await.unwrap();
            let script =
                "const e = document.documentElement; return [e.scrollWidth, e.clientWidth]";
            let widths = browser.value(script).await.unwrap();
            assert_eq!(widths[1], 390, "the viewport is not that of a phone");
            assert_eq!(widths[0], widths[1], "page `{page}` is wider than the phone");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_colour_schemes_are_drawn() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    let mut colours = Vec::new();
    for dark in [false, true] {
        browser.set_view(View { dark, ..View::WIDE }).await.unwrap();
        browser.open(&site.address).await.unwrap();
        let script =
            "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]";
        colours.push(browser.value(script).await.unwrap());
    }
    assert_ne!(colours[0], colours[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_can_be_reached_by_keyboard_and_has_an_address() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let script = "const e = document.querySelector('[data-figure]'); e.focus(); e.click();
        return [document.activeElement === e || e.tabIndex >= 0, location.hash, e.dataset.figure]";
    let answer = browser.value(script).await.unwrap();
    assert_eq!(answer[0], true, "the number takes no focus");
    let figure = answer[2].as_str().unwrap().to_owned();
    assert_eq!(answer[1], format!("#f={figure}"));
}
