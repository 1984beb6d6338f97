//! What servers, settings and hands do to a data set in the making, and what is left of it afterwards.

use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

use super::{
    place::Place,
    server::{Illness, Server},
    world::World,
};
use crate::common::copy_folder;

/// The step fails as `message` says, and the same command succeeds when the server is well again.
fn stops_and_goes_on(server: &Server, illness: Illness, message: &str) {
    let place = Place::new(server);
    server.fall_ill(illness);
    let told = place.step("harvest");
    assert!(told.code == 4 && told.err.contains(message), "{message}: {}{}", told.out, told.err);
    server.fall_ill(Illness { times: 0, ..Illness::default() });
    let told = place.done("harvest");
    assert!(told.contains("448"), "{told}");
    let prices = std::fs::read_to_string(place.made().join("work/harvested.jsonl")).expect("rows");
    assert!(prices.matches("\"t\":").count() > 1000, "prices were fetched");
}

#[test]
fn what_is_no_answer_is_not_kept() {
    let server = Server::start(World::new(448, 21));
    let (markets, prices) = ("/markets/keyset", "/prices-history");
    let away = json!({"type": "internal", "error": "the database is away"});
    let ill = |asked, status, body| Illness { asked, status, body, ..Illness::default() };
    for (illness, message) in [
        (ill(markets, 200, away.clone()), "the database is away"),
        (ill(markets, 404, json!({"error": "gone"})), "answers 404"),
        (ill(markets, 422, json!({"error": "order"})), "answers 422"),
        (ill(prices, 200, away), "the database is away"),
        (ill(prices, 404, json!("404 page not found")), "answers 404"),
    ] {
        stops_and_goes_on(&server, illness, message);
    }
    // Every market unknown is an address with a slip in it, and no pool without prices.
    let unknown = json!({"error": "market not found"});
    let place = Place::new(&server);
    server.fall_ill(Illness {
        asked: prices,
        times: 9999,
        status: 404,
        body: unknown,
        ..Illness::default()
    });
    let told = place.step("harvest");
    assert!(told.code == 4 && told.err.contains("it knows none of the"), "{}", told.err);
}

#[test]
fn a_wait_is_obeyed_in_both_forms_and_a_long_one_ends_the_command() {
    let server = Server::start(World::new(448, 22));
    let place = Place::new(&server);
    let until = SystemTime::now() + Duration::from_secs(4);
    let busy = |retry_after: String| Illness {
        asked: "/markets/keyset",
        status: 429,
        retry_after: Some(retry_after),
        ..Illness::default()
    };
    server.fall_ill(busy(httpdate(until)));
    let start = Instant::now();
    place.done("harvest");
    assert!(start.elapsed() > Duration::from_secs(2), "{:?}", start.elapsed());
    let place = Place::new(&server);
    server.fall_ill(busy("3600".to_owned()));
    let told = place.step("harvest");
    assert!(
        told.code == 4 && told.err.contains("asks to be left alone for 3600 seconds"),
        "{}",
        told.err
    );
}

/// A time as HTTP writes it.
fn httpdate(time: SystemTime) -> String {
    let time = jiff::Timestamp::try_from(time).expect("a time");
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[test]
fn pages_that_lead_back_are_no_harvest() {
    let server = Server::start(World::new(448, 23));
    let place = Place::new(&server);
    let again = json!({"markets": [], "next_cursor": "c100"});
    server.fall_ill(Illness { asked: "after_cursor=c200", body: again, ..Illness::default() });
    let told = place.step("harvest");
    assert!(told.code == 4 && told.err.contains("leads back to a page"), "{}", told.err);
    assert!(!place.made().join("work/harvested.jsonl").exists(), "nothing half is written");
}

#[test]
fn another_address_is_another_api() {
    let (server, other) = (Server::start(World::new(448, 24)), Server::start(World::new(448, 24)));
    let place = Place::new(&server);
    place.done("all");
    place.change(&format!("{}/w/api.php", server.url), &format!("{}/w/api.php", other.url));
    place.done("bundle");
    assert!(other.calls() > 50, "the other wiki was asked: {}", other.calls());
}

#[test]
fn settings_that_were_tried_leave_no_trace() {
    let server = Server::start(World::new(448, 25));
    let place = Place::new(&server);
    // One article is too few for anybody.
    place.change("search_results = 10", "search_results = 1");
    let told = place.step("all");
    assert!(told.code == 1 && told.err.contains("it left as few_articles"), "{}", told.err);
    place.change("search_results = 1\n", "search_results = 10\n");
    place.change("seed = 20261130", "seed = 7");
    place.done("all");
    place.change("seed = 7", "seed = 20261130");
    place.done("all");
    let straight = Place::new(&server);
    copy_folder(&place.made().join("work/fetched"), &straight.made().join("work/fetched"));
    straight.done("all");
    assert_eq!(place.bytes(), straight.bytes());
}

#[test]
fn whoever_accepted_an_item_has_not_seen_what_other_settings_put_there() {
    let server = Server::start(World::new(448, 26));
    let place = Place::new(&server);
    place.done("all");
    let told = place.review(&format!("c\n{}", "a\n".repeat(50)));
    assert!(told.contains("50 accepted, 0 rejected, 0 open"), "{told}");
    place.done("bundle");
    assert_eq!(place.manifest()["reviewed"], true);
    place.change("older_days = 30", "older_days = 366");
    let told = place.done("bundle");
    assert!(told.contains("not reviewed: 1 item is open"), "{told}");
    assert_eq!(place.manifest()["reviewed"], false);
    let open: Vec<_> =
        place.rows("items.jsonl").into_iter().filter(|i| i["conflicts"].is_null()).collect();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0]["gold_docs"], json!([]));
    // A data set without its working files keeps the review that it was published with.
    place.change("older_days = 366", "older_days = 30");
    std::fs::remove_file(place.made().join("work/review.jsonl")).expect("removed");
    let told = place.done("all");
    assert!(told.contains("every item is reviewed"), "{told}");
    assert_eq!(place.rows("review.jsonl").len(), 51);
}
