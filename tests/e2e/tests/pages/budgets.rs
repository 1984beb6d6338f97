//! How long a reader waits: measured and said, not asserted, since a machine may be busy. What does not hang on the
//! machine is asserted: that everything was measured, and that nothing that is being read is moved.

use std::io::Write;

use e2e::{Browser, TestSite, View};
use serde_json::Value;

/// Notes long tasks, moves of what is on the screen, when the verdict is there, and where the table's head stood before.
const WATCH: &str = "
    window.watched = { tasks: [], moved: 0, largest: 0, verdict: null, marks: null, head: null };
    const watch = (type, note) => new PerformanceObserver(list => list.getEntries().forEach(note))
        .observe({ type, buffered: true });
    watch('longtask', e => watched.tasks.push([e.startTime, e.duration]));
    watch('layout-shift', e => { if (!e.hadRecentInput) watched.moved += e.value; });
    watch('largest-contentful-paint', e => watched.largest = e.startTime);
    const place = selector => document.querySelector(selector).getBoundingClientRect().top;
    document.addEventListener('DOMContentLoaded', () => watched.head = place('#published h2'));
    const note = (name, selector) => {
        if (watched[name] === null && document.querySelector(selector)) watched[name] = performance.now();
    };
    new MutationObserver(() => {
        note('verdict', '#verdict-sentence[data-tone=identical]');
        note('marks', 'body:not(:has(#published)) [data-verdict=identical]');
    }).observe(document, { childList: true, subtree: true, attributes: true });";

/// Writes past the test runner's capture: the times are what this test is for.
fn say(line: &str) {
    let mut stderr = std::io::stderr().lock();
    stderr.write_all(format!("{line}\n").as_bytes()).expect("standard error is open");
}

/// What a reader waits for before and with the verdict, in milliseconds, and what moves meanwhile.
struct Waiting {
    paint: f64,
    largest: f64,
    verdict: f64,
    /// When every number has its mark.
    marks: f64,
    before: f64,
    after: f64,
    moved: f64,
    /// How much further up the table's head stands than it did, in pixels.
    up: f64,
}

async fn wait(browser: &Browser, address: &str) -> Waiting {
    browser.open(address).await.expect("the browser answers");
    browser.until("watched.marks !== null").await.expect("the browser answers");
    // Long enough for whatever comes late.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let script = "const longest = tasks => Math.max(0, ...tasks.map(t => t[1]));
        const paint = performance.getEntriesByName('first-contentful-paint')[0].startTime;
        const { tasks, verdict, marks, moved, largest, head } = watched;
        return [paint, largest, verdict, marks, longest(tasks.filter(t => t[0] < verdict)),
            longest(tasks.filter(t => t[0] >= verdict)), moved,
            head - document.querySelector('#results-head').getBoundingClientRect().top]";
    let value = browser.value(script).await.expect("the browser answers");
    let [paint, largest, verdict, marks, before, after, moved, up] =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|i| value[i].as_f64().expect("a measurement"));
    Waiting { paint, largest, verdict, marks, before, after, moved, up }
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_is_measured_and_nothing_moves_under_the_reader() {
    let site = TestSite::of_the_project().await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.before_each_page(WATCH).await.unwrap();
    for (name, view) in [("a laptop", View::WIDE), ("a phone", View::PHONE)] {
        browser.set_view(view).await.unwrap();
        let w = wait(&browser, &site.address).await;
        say(&format!(
            "the demo run in Chromium as wide as {name}: first content {:.0} ms (aim 300), first verdict {:.0} ms (aim \
             1000), every number marked {:.0} ms, longest main-thread task {:.0} ms before the verdict and {:.0} ms from then on (aim 50), layout shift \
             {:.3}",
            w.paint, w.verdict, w.marks, w.before, w.after, w.moved
        ));
        assert!(w.paint > 0.0 && w.verdict > w.paint, "something was not measured");
        // Above a tenth it is called a nuisance (web.dev/cls).
        assert!(w.moved < 0.1, "what is being read is moved: {}", w.moved);
        // On a phone, which is slow, what is large is there from the start.
        assert!(
            view != View::PHONE || w.largest < w.verdict,
            "the largest text comes with the verdict"
        );
        // A line more or less in the sentence.
        assert!(w.up.abs() < 40.0, "the table takes another place when it is checked: {}", w.up);
    }
    let start = "window.started = performance.now(); watched.tasks.length = 0;
        const field = document.querySelector('#set-seed'); field.value = '7';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        document.querySelector('#settings').requestSubmit();
        return new Promise(done => new MutationObserver((_, observer) => {
            if (document.querySelector('#banner')) { observer.disconnect(); done(performance.now() - started); }
        }).observe(document.body, { childList: true, subtree: true }))";
    browser.open(&format!("{}#intervals", site.address)).await.unwrap();
    browser.until("document.querySelector('#set-seed')").await.unwrap();
    let recomputed = browser.value(start).await.unwrap();
    let recomputed = Value::as_f64(&recomputed).expect("a measurement");
    say(&format!("recomputed with another seed and shown in {recomputed:.0} ms (aim 150)"));
    assert!(recomputed > 0.0, "something was not measured");
}
