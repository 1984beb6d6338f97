//! What axe-core finds in each view: nothing, on a laptop and on a phone, in the light and in the dark.

use e2e::{
    Browser, TestSite, View,
    axe::{self, Rules},
    fixture,
    views::{SETTLED, VIEWS, add_tampered, show},
};

/// Unfolds everything, so that what it holds is looked at as well, and waits until the page knows: some of it is
/// computed only then.
const UNFOLD: &str = "const folded = [...document.querySelectorAll('details:not([open])')];
    return Promise.all(folded.map(d => new Promise(done => {
        d.addEventListener('toggle', () => done(), { once: true });
        d.open = true;
    }))).then(() => null)";

/// What is found in every view of the project's site, in the light and in the dark; with everything unfolded in the dark
/// where `unfolded` says so, in the light otherwise. As it opens, a view shows no more than unfolded, so that only its
/// colours are looked at then.
async fn found_in_every_view(view: View, unfolded: bool) -> Vec<String> {
    let site = TestSite::of_the_project().await.expect("a site");
    add_tampered(&site).expect("a run to tamper with");
    let browser = Browser::start().await.expect("a browser");
    let mut found = Vec::new();
    for (name, end) in VIEWS {
        browser.set_view(view).await.expect("the browser answers");
        show(&browser, &format!("{}{end}", site.address)).await.expect("the page answers");
        for dark in [!unfolded, unfolded] {
            browser.set_view(View { dark, ..view }).await.expect("the browser answers");
            // With a query it is the overview once more.
            if dark == unfolded && !end.starts_with('?') {
                browser.value(UNFOLD).await.expect("the page answers");
                browser.until(SETTLED).await.expect("the page answers");
            }
            let rules = if dark == unfolded { Rules::All } else { Rules::Contrast };
            let broken = axe::violations(&browser, rules).await.expect("axe answers");
            let scheme = if dark { "dark" } else { "light" };
            found.extend(broken.iter().map(|b| format!("{name}, {}, {scheme}: {b}", view.width)));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn no_view_breaks_a_rule_on_a_laptop() {
    assert_eq!(found_in_every_view(View::WIDE, false).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_view_breaks_a_rule_on_a_phone() {
    assert_eq!(found_in_every_view(View::PHONE, true).await, Vec::<String>::new());
}

/// The project's own run retrieves nothing and has no agents: these two views need made-up figures.
#[tokio::test(flavor = "multi_thread")]
async fn the_views_of_retrieval_and_search_break_none_either() {
    let mut files = fixture::run().unwrap();
    fixture::edit(&mut files, |results| {
        let accuracies = results.figures.iter().filter(|f| f.metric == "accuracy").cloned();
        let made_up: Vec<_> = accuracies
            .flat_map(|f| {
                ["hit_at_1", "mrr_at_10", "searches_mean"].map(|metric| records::Figure {
                    id: f.id.replace("accuracy", metric),
                    metric: metric.to_owned(),
                    ..f.clone()
                })
            })
            .collect();
        results.figures.extend(made_up);
    })
    .unwrap();
    let site = TestSite::of(&files).await.unwrap();
    let browser = Browser::start().await.unwrap();
    for end in ["#retrieval", "#search"] {
        show(&browser, &format!("{}{end}", site.address)).await.unwrap();
        let table = browser.text("table.results").await.unwrap();
        assert!(table.contains("alpha"), "{table}");
        assert_eq!(
            axe::violations(&browser, Rules::All).await.unwrap(),
            Vec::<String>::new(),
            "{end}"
        );
    }
}

/// Shows that the checks above can fail.
#[tokio::test(flavor = "multi_thread")]
async fn a_broken_rule_is_found() {
    let site = TestSite::of(&fixture::run().unwrap()).await.unwrap();
    let browser = Browser::start().await.unwrap();
    browser.open(&site.address).await.unwrap();
    let script = "const main = document.querySelector('main');
        main.append(document.createElement('img'));
        const faint = document.createElement('p');
        faint.textContent = 'hardly to be read';
        faint.style.color = '#ddd';
        main.append(faint);";
    browser.value(script).await.unwrap();
    let found = axe::violations(&browser, Rules::All).await.unwrap().join("\n");
    assert!(found.contains("image-alt") && found.contains("color-contrast"), "{found}");
}
