use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use serde_json::Value;

use super::{
    place::Place,
    server::Server,
    world::{Fate, World, matter},
};
use crate::common::{copy_folder, tell, text};

fn id(row: &Value) -> &str {
    row["candidate_id"].as_str().expect("an id")
}

#[test]
fn every_candidate_is_drawn_or_has_one_reason_and_it_is_the_right_one() {
    let server = Server::start(World::new(448, 1));
    let place = Place::new(&server);
    let told = place.done("all");
    assert!(told.contains("not reviewed: 50 items are open"), "{told}");

    let mut reasons: BTreeMap<String, String> = BTreeMap::new();
    for row in place.rows("rejected.jsonl") {
        let reason = row["reason"].as_str().expect("a reason").to_owned();
        assert!(reasons.insert(id(&row).to_owned(), reason).is_none(), "{row} left twice");
    }
    let items = place.rows("items.jsonl");
    let drawn: BTreeSet<&str> =
        items.iter().map(|i| i["item_id"].as_str().expect("id").trim_start_matches('m')).collect();
    let mut families: BTreeMap<u64, usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for made in &server.world().made {
        let reason = reasons.get(&made.id).map(String::as_str);
        assert!(reason.is_none() || !drawn.contains(made.id.as_str()), "{} is in and out", made.id);
        let out = || reason.unwrap_or("drawn");
        match made.fate {
            Fate::Outside => assert_eq!(out(), "drawn", "{} is no candidate", made.id),
            Fate::Screened(expected) => assert_eq!(out(), expected, "{}", made.id),
            Fate::OneOf(family) => {
                let collapsed = ["same_event", "same_question"].contains(&out());
                *families.entry(family).or_default() += usize::from(!collapsed);
            }
            Fate::Drawable => {
                assert!(
                    ["drawn", "not_drawn", "few_articles"].contains(&out()),
                    "{}: {}",
                    made.id,
                    out()
                );
                assert_eq!(out() == "drawn", drawn.contains(made.id.as_str()), "{}", made.id);
            }
        }
        seen.insert(out().to_owned());
    }
    assert!(families.values().all(|left| *left == 1), "{families:?}");
    assert_eq!(families.len(), 10, "448 markets have families of six");
    for reason in [
        "multi_outcome",
        "not_yes_no",
        "not_settled_cleanly",
        "uma_status_missing",
        "no_settlement_time",
        "empty_criteria",
        "excluded_sports",
        "excluded_prices",
        "excluded_mentions",
        "thin_history",
        "same_event",
        "same_question",
        "not_drawn",
        "few_articles",
    ] {
        assert!(seen.contains(reason), "nothing in this world leaves as {reason}");
    }
    assert_eq!(drawn.len() + reasons.len(), 448);

    let manifest = place.manifest();
    assert_eq!(manifest["reviewed"], false);
    let funnel: Vec<u64> = manifest["funnel"]
        .as_array()
        .expect("a funnel")
        .iter()
        .map(|s| s["remaining"].as_u64().expect("a count"))
        .collect();
    assert_eq!((funnel.first(), funnel.last()), (Some(&448), Some(&50)));
    assert!(funnel.windows(2).all(|pair| pair[0] >= pair[1]), "{funnel:?}");
    let rate = &manifest["base_rates"][1];
    let (yes, of) = (rate["yes"].as_u64().expect("yes"), rate["of"].as_u64().expect("of"));
    assert!(yes * 2 < of, "the pool is mostly NO, and that is said: {rate}");
}

#[test]
fn the_set_is_balanced_signed_and_checks() {
    let server = Server::start(World::new(448, 2));
    let place = Place::new(&server);
    place.done("all");
    let told = tell(&["bundle", "check", text(&place.made())]);
    assert_eq!(told.code, 0, "{}", told.out);
    assert!(
        told.out.contains("not reviewed: no person has checked every item yet"),
        "{}",
        told.out
    );

    let documents: BTreeMap<String, Value> = place
        .rows("documents.jsonl")
        .into_iter()
        .map(|d| (d["doc_id"].as_str().expect("id").to_owned(), d))
        .collect();
    let licence = std::fs::read_to_string(place.made().join("LICENSE-DATA.md")).expect("licence");
    let items = place.rows("items.jsonl");
    for (item, bundle) in items.iter().zip(place.rows("bundles.jsonl")) {
        let market =
            server.world().find(item["item_id"].as_str().expect("id").trim_start_matches('m'));
        assert_eq!(item["target"], if market.yes { "YES" } else { "NO" });
        assert_eq!(item["set"], if market.disputed { "contested" } else { "main" });
        assert_eq!(
            (&item["conflicts"], &item["gold_docs"]),
            (&Value::Null, &serde_json::json!([])),
            "nobody has labelled anything"
        );
        let listed = bundle["documents"].as_array().expect("documents");
        assert!((2..=5).contains(&listed.len()));
        let evidence: Vec<_> = listed.iter().filter(|d| d["role"] == "evidence").collect();
        assert_eq!(evidence.len(), 1);
        let chosen = &documents[evidence[0]["doc_id"].as_str().expect("id")];
        // Search puts a survey first and a table second; the one that was worked on is the right one.
        assert_eq!(
            chosen["title"],
            market.articles.iter().find(|p| p.pageid % 10 == 3).expect("right").title.as_str()
        );
        let outcome = if market.yes { "was carried out" } else { "did not come about" };
        assert!(
            chosen["text"].as_str().expect("text").contains(outcome),
            "as it stood at settlement"
        );
        for listed in listed {
            let d = &documents[listed["doc_id"].as_str().expect("id")];
            assert!(d["as_of"].as_str() <= item["settled_at"].as_str(), "{d}");
            let source = &d["source"];
            assert_eq!(source["licence"], "CC-BY-SA-4.0");
            assert_eq!(source["publisher"], "Orpedia");
            let attribution = source["attribution"].as_str().expect("attribution");
            assert!(
                attribution.starts_with("Orpedia contributors") && licence.contains(attribution)
            );
            let url = source["url"].as_str().expect("url");
            assert!(
                url.ends_with(&format!("oldid={}", source["revid"])) && licence.contains(url),
                "{url}"
            );
            assert!(!d["text"].as_str().expect("text").contains("[["), "markup: {d}");
        }
    }
    // What the pipeline promises, a person who breaks it is told.
    let path = place.made().join("items.jsonl");
    let text_of = std::fs::read_to_string(&path).expect("items");
    std::fs::write(&path, text_of.replacen("\"set\":\"main\"", "\"set\":\"contested\"", 9))
        .expect("written");
    let told = tell(&["bundle", "check", text(&place.made())]);
    assert_eq!(told.code, 1);
    assert!(told.out.contains("set,target=main"), "{}", told.out);
}

#[test]
fn nothing_is_fetched_twice_and_the_same_seed_gives_the_same_bytes() {
    let server = Server::start(World::new(448, 3));
    let place = Place::new(&server);
    place.done("all");
    let (calls, bytes) = (server.calls(), place.bytes());
    place.done("all");
    assert_eq!(server.calls(), calls, "a second run calls nobody");
    assert_eq!(place.bytes(), bytes);
    // Step by step, from the same answers, elsewhere.
    let other = Place::new(&server);
    copy_folder(&place.made().join("work/fetched"), &other.made().join("work/fetched"));
    for step in ["harvest", "screen", "collapse", "label", "draw", "bundle"] {
        other.done(step);
    }
    assert_eq!(server.calls(), calls);
    assert_eq!(other.bytes(), bytes);
    // Another seed draws others.
    other.change("seed = 20261130", "seed = 7");
    other.done("all");
    assert_ne!(other.bytes()["items.jsonl"], bytes["items.jsonl"]);
    let agents = server.agents();
    assert_eq!(agents.len(), 1);
    assert!(
        agents[0].starts_with("recount/") && agents[0].contains("tests@example.org"),
        "{agents:?}"
    );
    // Only what can still be drawn has its prices fetched.
    let prices = server.asked().iter().filter(|a| a.starts_with("/prices-history")).count();
    assert!(prices < 400, "{prices} of 448");
}

#[test]
fn a_refusal_stops_the_command_and_the_next_one_goes_on() {
    let whole = Server::start(World::new(448, 4));
    Place::new(&whole).done("all");
    let server = Server::start(World::new(448, 4));
    let place = Place::new(&server);
    for call in [2, 100, 500, 700] {
        server.refuse_from(call);
        let told = place.step("all");
        assert_eq!(told.code, 4, "{}{}", told.out, told.err);
        assert!(
            told.err.contains("answers 403") && told.err.contains("run the same command again"),
            "{}",
            told.err
        );
    }
    server.refuse_from(0);
    place.done("all");
    let asked = |s: &Server| s.asked().into_iter().collect::<BTreeSet<_>>();
    assert_eq!(asked(&server), asked(&whole));
    assert_eq!(server.answered(), asked(&server).len(), "no answer was asked for twice");
}

#[test]
fn what_cannot_be_drawn_is_said_with_its_amount() {
    let server = Server::start(World::new(448, 5));
    let place = Place::new(&server);
    place.change("yes = 20\n", "yes = 300\n");
    let told = place.step("all");
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(
        told.err.contains("the set main cannot be drawn: it asks for 300 YES and the pool has"),
        "{}",
        told.err
    );
    assert!(told.err.contains("too few") && told.err.contains("[draw.main]"), "{}", told.err);
    place.change("yes = 300\n", "yes = 20\n");
    place.change("per_domain = 12", "per_domain = 4");
    let told = place.step("draw");
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(told.err.contains("at most 4 of a domain admit"), "{}", told.err);
}

#[test]
fn strange_answers_and_settings_are_messages() {
    let mut world = World::new(448, 6);
    world.made[7].market = serde_json::json!({"id": "../../etc", "question": 5});
    world.made[8].market["events"] = serde_json::json!("none");
    world.made[9].market = serde_json::json!(null);
    let server = Server::start(world);
    let place = Place::new(&server);
    let told = place.step("draw");
    assert_eq!(told.code, 3);
    assert!(told.err.contains("run `recount dataset markets label"), "{}", told.err);
    place.done("all");
    let unreadable: Vec<_> =
        place.rows("rejected.jsonl").into_iter().filter(|r| r["reason"] == "unreadable").collect();
    assert_eq!(unreadable.len(), 2);
    assert_eq!(id(&unreadable[0]), "page-1-row-10");
    place.change("contact = \"tests@example.org\"", "contact = \"\"");
    let told = place.step("harvest");
    assert!(told.code == 3 && told.err.contains("`sources.contact` is empty"), "{}", told.err);
    place.change("seed = ", "sede = ");
    let told = place.step("harvest");
    assert!(told.code == 3 && told.err.contains("sede"), "{}", told.err);
}

#[test]
#[ignore = "takes a minute; says how long 5,000 candidates take"]
fn five_thousand_candidates() {
    let server = Server::start(World::new(5_000, 7));
    let place = Place::new(&server);
    for step in ["harvest", "screen", "collapse", "label", "draw", "bundle", "all"] {
        let (start, calls) = (Instant::now(), server.calls());
        let told = place.done(step);
        println!("{step}: {:.2?}, {} calls", start.elapsed(), server.calls() - calls);
        if step == "all" {
            println!("{told}");
        }
    }
    assert_eq!(place.rows("items.jsonl").len(), 50);
    assert!(matter(1).starts_with("Or"));
}
