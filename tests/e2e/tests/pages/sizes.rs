//! Whether the page can be read enlarged, on a phone, on paper, without motion, and with names as others write them.

use std::fs;

use e2e::{
    Browser, Medium, TestSite, View, fixture,
    views::{VIEWS, add_tampered, show},
};
use serde_json::{Value, json};

/// What is wider than the page and cannot be scrolled to in a frame of its own, and what is cut off without a sign.
const LOST: &str = "
    const width = document.documentElement.clientWidth;
    const frame = e => e.closest('.scroll, .views ul, pre, .hidden, .skip, svg, .word');
    const name = e => e.tagName + '.' + e.className + ' ' + e.innerText?.slice(0, 60);
    const lost = [...document.querySelectorAll('body *')].filter(e => !frame(e)).filter(e => {
        const box = e.getBoundingClientRect();
        const cut = getComputedStyle(e).overflowX === 'hidden' && e.scrollWidth > e.clientWidth + 1;
        return box.width > 0 && (box.right > width + 1 || box.left < -1 || cut);
    }).map(name);
    if (document.documentElement.scrollWidth > width) lost.unshift('the page scrolls sideways');
    return lost.slice(0, 5)";

async fn expect_nothing_lost(browser: &Browser, what: &str) {
    let lost = browser.value(LOST).await.expect("the page answers");
    assert_eq!(lost, json!([]), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_twice_and_four_times_the_size_nothing_is_lost() {
    let site = TestSite::of_the_project().await.unwrap();
    add_tampered(&site).unwrap();
    let browser = Browser::start().await.unwrap();
    for (name, end) in VIEWS {
        browser.set_view(View::ENLARGED).await.unwrap();
        show(&browser, &format!("{}{end}", site.address)).await.unwrap();
        expect_nothing_lost(&browser, &format!("{name} at 200 %")).await;
        // A laptop at 400 %, the narrowest that WCAG asks for.
        browser.set_view(View { width: 320, ..View::ENLARGED }).await.unwrap();
        expect_nothing_lost(&browser, &format!("{name} at 400 %")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn text_alone_at_twice_its_size_fits() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    for end in ["#results", "#intervals", "#q=a01", "#method"] {
        show(&browser, &format!("{}{end}", site.address)).await.unwrap();
        browser.value("document.documentElement.style.fontSize = '200%'").await.unwrap();
        expect_nothing_lost(&browser, end).await;
    }
}

/// Names that a program would not choose: from right to left, and without a place to break.
const RIGHT_TO_LEFT: &str = "نموذج لغوي صغير";
const LONG: &str =
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsmodell";

#[tokio::test(flavor = "multi_thread")]
async fn names_from_right_to_left_and_very_long_words_fit_every_view() {
    let title = format!("{LONG}{LONG} مقارنة النماذج ({RIGHT_TO_LEFT})");
    let item = format!("{LONG}-1");
    let names = [("alpha", RIGHT_TO_LEFT), ("beta", LONG), ("a1", LONG), ("m00", item.as_str())];
    let files = fixture::run_with_names(&names, &title).unwrap();
    let accuracy = fixture::results(&files).unwrap();
    let accuracy = accuracy.figures.iter().find(|f| f.metric == "accuracy" && f.model == LONG);
    let number = format!("#f={}", accuracy.expect("an accuracy of the long name").id);
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    let question = format!("#q={item}");
    for view in [View::WIDE, View::PHONE] {
        for end in ["#results", "#intervals", "#questions", &question, "#method", "#runs", &number]
        {
            browser.set_view(view).await.unwrap();
            let state = show(&browser, &format!("{}{end}", site.address)).await.unwrap();
            assert_eq!(state, "ready");
            expect_nothing_lost(&browser, &format!("{end} at {}", view.width)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_from_right_to_left_is_set_from_the_right() {
    let site = TestSite::of_the_project().await.unwrap();
    let path = "data/control/items.jsonl";
    let items = fs::read_to_string(site.file(path)).unwrap();
    let first: Value = serde_json::from_str(items.lines().next().unwrap()).unwrap();
    let question = first["question"].as_str().unwrap();
    let asked = format!("هل سيُقر القانون قبل 21 يونيو؟ {LONG}{LONG}");
    site.add(path, items.replacen(question, &asked, 1).as_bytes()).unwrap();
    let browser = Browser::start().await.unwrap();
    browser.set_view(View::PHONE).await.unwrap();
    let id = first["item_id"].as_str().unwrap();
    show(&browser, &format!("{}#q={id}", site.address)).await.unwrap();
    let script = "const p = document.querySelector('.asked'); const range = document.createRange();
        range.setStart(p.firstChild, 0); range.setEnd(p.firstChild, 2);
        const [word, line] = [range.getBoundingClientRect(), p.getBoundingClientRect()];
        return [p.innerText, line.right - word.right, word.left - line.left]";
    let at = browser.value(script).await.unwrap();
    assert_eq!(at[0], asked.as_str());
    let [right, left] = [1, 2].map(|i| at[i].as_f64().unwrap());
    assert!(right < 2.0 && left > 100.0, "it begins {right} from the right, {left} from the left");
    expect_nothing_lost(&browser, "the question").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chosen_view_is_in_sight_on_a_phone() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.set_view(View::PHONE).await.unwrap();
    for end in ["#results", "#comparisons", "#questions", "#runs"] {
        show(&browser, &format!("{}{end}", site.address)).await.unwrap();
        let inside = "(() => { const box = document.querySelector('.views [aria-current]')
            .getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth; })()";
        browser.until(inside).await.unwrap_or_else(|e| panic!("{end}: {e}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_moves_by_itself_for_anybody() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    let mut scrolling = Vec::new();
    for medium in [Medium::Screen, Medium::Still] {
        browser.set_view(View { medium, ..View::WIDE }).await.unwrap();
        show(&browser, &site.address).await.unwrap();
        let script = "const style = e => getComputedStyle(e);
            const moving = [...document.querySelectorAll('*')].filter(e =>
                style(e).transitionDuration !== '0s' || style(e).animationName !== 'none');
            return [style(document.documentElement).scrollBehavior, moving.length]";
        let found = browser.value(script).await.unwrap();
        assert_eq!(found[1], 0, "something moves by itself");
        scrolling.push(found[0].as_str().unwrap().to_owned());
    }
    // A page that scrolls slowly arrives where a section was, and not where it is.
    assert_eq!(scrolling, ["auto", "auto"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_paper_controls_are_gone_and_every_table_is_whole() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    for end in ["#results", "#intervals", "#questions", "#q=a01", "#method"] {
        browser.set_view(View::WIDE).await.unwrap();
        show(&browser, &format!("{}{end}", site.address)).await.unwrap();
        browser.set_view(View { dark: true, ..View::SHEET }).await.unwrap();
        let script = "const seen = s => [...document.querySelectorAll(s)]
                .filter(e => e.checkVisibility()).length;
            const wide = [...document.querySelectorAll('table')]
                .filter(t => t.checkVisibility())
                .filter(t => t.getBoundingClientRect().right > innerWidth + 1)
                .map(t => t.className + ' ' + t.caption?.innerText);
            return [seen('.views, button:not(.sort), form, select, input, .opener'), wide,
                getComputedStyle(document.documentElement).backgroundColor,
                seen('main'), document.documentElement.scrollWidth <= innerWidth]";
        let found = browser.value(script).await.unwrap();
        assert_eq!(found[0], 0, "{end}: there are controls on paper");
        assert_eq!(found[1], json!([]), "{end}: tables that are cut off");
        assert_eq!(
            found[2], "rgb(255, 255, 255)",
            "{end}: paper is white, also for readers in the dark"
        );
        assert_eq!(found[3], 1, "{end}: nothing is printed");
        assert_eq!(found[4], true, "{end}: wider than the sheet");
        let pdf = browser.printed().await.unwrap();
        assert!(pdf.starts_with(b"%PDF") && pdf.len() > 10_000, "{end}: {} bytes", pdf.len());
    }
}
