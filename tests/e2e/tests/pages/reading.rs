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

/// A section that the address names stands below the bar of views, also when the page is opened with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_section_is_gone_to_exactly() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    for view in [View::WIDE, View::PHONE] {
        browser.set_view(view).await.unwrap();
        for section in ["calibration", "lift", "comparisons", "numbers"] {
            browser.open(&format!("{}#{section}", site.address)).await.unwrap();
            let top = format!("document.querySelector('#{section}').getBoundingClientRect().top");
            browser.until(&format!("Math.abs({top} - 48) < 2")).await.unwrap();
        }
    }
}

/// The checked table takes the place of the published one below a reader's eyes: whoever has scrolled on stays there.
#[tokio::test(flavor = "multi_thread")]
async fn who_scrolls_while_a_run_is_opened_stays_there() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.set_view(View::WIDE).await.unwrap();
    let scroll = "document.addEventListener('DOMContentLoaded', () => {
        window.scrollTo(0, 1e6);
        document.querySelector('#published .scroll').focus({ preventScroll: true });
        window.before = window.scrollY;
    });";
    browser.before_each_page(scroll).await.unwrap();
    browser.open(&site.address).await.unwrap();
    let script = "return [window.before, window.scrollY, document.activeElement.id]";
    let found = browser.value(script).await.unwrap();
    let [before, after] = [0, 1].map(|i| found[i].as_f64().expect("a place"));
    assert!(before > 300.0, "the page was too short to scroll: {before}");
    assert!((after - before).abs() < 60.0, "the reader was taken from {before} to {after}");
    assert_eq!(found[2], "content", "the keyboard's place is lost");
}
