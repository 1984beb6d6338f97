use serde_json::Value;

use super::{place::Place, server::Server, world::World};
use crate::common::{tell, text};

fn ids(place: &Place) -> Vec<String> {
    place
        .rows("items.jsonl")
        .iter()
        .map(|i| i["item_id"].as_str().expect("id").to_owned())
        .collect()
}

fn item(place: &Place, id: &str) -> Value {
    place.rows("items.jsonl").into_iter().find(|i| i["item_id"] == id).expect("the item")
}

#[test]
fn a_review_is_taken_up_where_it_stopped_and_ends_as_reviewed() {
    let server = Server::start(World::new(448, 11));
    let place = Place::new(&server);
    place.done("all");
    let before = ids(&place);

    // Reject the first, mark a conflict in the second and accept it, choose another article in the third, and leave.
    let told = place.review("?\nr\nr the documents do not say\nd\nc\na\no 9\no 2\nzz\nt\nq\n");
    for words in [
        "1 of 50",
        "say why, after the r",
        "1 accepted, 1 rejected, 48 open",
        "say which, after the o",
        "\"zz\" is no key here",
        "Only in the revision of",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // The published files are as they were until the verdicts are put in.
    assert_eq!(ids(&place), before);
    place.done("draw");
    place.done("bundle");
    let after = ids(&place);
    let moved: Vec<_> = (0..50).filter(|at| before[*at] != after[*at]).collect();
    assert_eq!(moved, [0], "the others keep their places");
    let rejected: Vec<_> = place
        .rows("rejected.jsonl")
        .into_iter()
        .filter(|r| r["reason"] == "rejected_by_reviewer")
        .collect();
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0]["facts"]["said"], "the documents do not say");
    assert_eq!(format!("m{}", rejected[0]["candidate_id"].as_str().expect("id")), before[0]);

    let second = item(&place, &before[1]);
    let pair = second["conflicts"][0].as_array().expect("a pair");
    assert_eq!(second["gold_docs"][0], pair[1]);
    let bundle = place
        .rows("bundles.jsonl")
        .into_iter()
        .find(|b| b["item_id"] == before[1].as_str())
        .expect("bundle");
    let role = |doc: &Value| {
        let listed = bundle["documents"].as_array().expect("documents");
        listed.iter().find(|d| d["doc_id"] == *doc).expect("listed")["role"].clone()
    };
    assert_eq!((role(&pair[0]), role(&pair[1])), ("older_revision".into(), "evidence".into()));
    // Another article opens the item again, and it is the evidence now.
    let third = place
        .rows("bundles.jsonl")
        .into_iter()
        .find(|b| b["item_id"] == before[2].as_str())
        .expect("bundle");
    let evidence = third["documents"]
        .as_array()
        .expect("documents")
        .iter()
        .find(|d| d["role"] == "evidence")
        .expect("one")["doc_id"]
        .clone();
    let document =
        place.rows("documents.jsonl").into_iter().find(|d| d["doc_id"] == evidence).expect("it");
    assert!(
        ["Politics of", "History of"]
            .iter()
            .any(|t| document["title"].as_str().expect("title").starts_with(t))
            || document["title"].as_str().expect("title").ends_with(" district"),
        "{document}"
    );
    assert_eq!(item(&place, &before[2])["conflicts"], Value::Null);
    assert_eq!(place.manifest()["reviewed"], false);

    // The rest is accepted; the last verdict is taken back, and given again.
    let told = place.review(&"a\n".repeat(48));
    assert!(told.contains("49 accepted, 0 rejected, 1 open"), "{told}");
    let told = place.review("a\n");
    assert!(told.contains("50 accepted, 0 rejected, 0 open"), "{told}");
    let told = place.done("bundle");
    assert!(told.contains("every item is reviewed"), "{told}");
    assert_eq!(place.manifest()["reviewed"], true);
    assert_eq!(ids(&place), after);
    let labelled = place.rows("items.jsonl").iter().filter(|i| i["conflicts"].is_array()).count();
    assert_eq!(labelled, 50);
    let told = tell(&["bundle", "check", text(&place.made())]);
    assert!(told.code == 0 && !told.out.contains("not reviewed"), "{}", told.out);
    // The review is part of what is signed.
    let path = place.made().join("review.jsonl");
    let log = std::fs::read_to_string(&path).expect("log");
    std::fs::write(&path, log.replacen("accept", "reject", 1)).expect("written");
    assert_eq!(tell(&["bundle", "check", text(&place.made())]).code, 1);
}

#[test]
fn a_rejection_that_is_taken_back_gives_the_place_back() {
    let server = Server::start(World::new(448, 12));
    let place = Place::new(&server);
    place.done("all");
    let before = place.bytes();
    place.review("r too vague\nq\n");
    place.review("b\nu\nq\n");
    place.done("draw");
    place.done("bundle");
    let after = place.bytes();
    for file in ["items.jsonl", "documents.jsonl", "bundles.jsonl", "rejected.jsonl"] {
        assert_eq!(after[file], before[file], "{file}");
    }
    assert_eq!(place.rows("review.jsonl").len(), 2);
}

#[test]
fn the_last_verdict_can_be_taken_back_even_behind_the_last_item() {
    let server = Server::start(World::new(448, 14));
    let place = Place::new(&server);
    place.done("all");
    // The next item is on the screen when the verdict on this one turns out to be wrong.
    let told = place.review("a\nu\nq\n");
    assert!(told.contains("0 accepted, 0 rejected, 50 open"), "{told}");
    assert!(told.rfind("1 of 50") > told.rfind("2 of 50"), "the item is shown again: {told}");
    let told = place.review(&format!("u\n{}u\nq\n", "a\n".repeat(50)));
    assert!(told.contains("nothing was said of this item"), "{told}");
    assert!(told.contains("Every item is decided."), "{told}");
    assert!(told.contains("49 accepted, 0 rejected, 1 open"), "{told}");
    // Who turns to an item takes back what was said of it.
    let told = place.review("a\nb\nb\nb\nu\nq\n");
    assert!(told.contains("49 accepted, 0 rejected, 1 open"), "{told}");
    let log = std::fs::read_to_string(place.made().join("work/review.jsonl")).expect("log");
    let last: Value = serde_json::from_str(log.lines().last().expect("a row")).expect("JSON");
    assert_eq!(last["item_id"], ids(&place)[47]);
}

#[test]
fn nothing_that_was_written_into_a_sheet_is_lost_silently() {
    let server = Server::start(World::new(448, 15));
    let place = Place::new(&server);
    place.done("all");
    place.done("sheet");
    let path = place.made().join("review-sheet.md");
    let sheet = std::fs::read_to_string(&path).expect("sheet");
    let made = place.made();
    let read = |text_of: &str| {
        std::fs::write(&path, text_of).expect("written");
        tell(&[
            "--json",
            "dataset",
            "markets",
            "sheet",
            text(&made),
            "--read",
            text(&path),
            "--reviewer",
            "Bo",
        ])
    };
    for (written, complaint) in [
        ("- [✓] accept", "`[✓]` is neither an empty box nor one with an x"),
        ("- [ ] accept it is good", "`it is good` stands beside a box without an x"),
        ("- [x] acept", "`acept` is none of the boxes"),
    ] {
        let told = read(&sheet.replacen("- [ ] accept", written, 1));
        assert!(told.code == 3 && told.out.contains(complaint), "{written}: {}", told.out);
    }
    let told = place.step("sheet");
    assert!(told.code == 3 && told.err.contains("somebody wrote into this sheet"), "{}", told.err);
    let mut filled = sheet.clone();
    for written in ["* [x] accept", "- [ X ] accept", "-[x]accept", "  + [x] accept"] {
        filled = filled.replacen("- [ ] accept", written, 1);
    }
    let told = read(&filled);
    assert_eq!((told.code, told.out.trim()), (0, "{\"verdicts\":4}"), "{}", told.err);
    std::fs::remove_file(&path).expect("moved away");
    place.done("sheet");
    let sheet = std::fs::read_to_string(&path).expect("sheet");
    assert_eq!(sheet.matches("Accepted already.").count(), 4);
}

#[test]
fn a_sheet_says_the_same_as_the_terminal() {
    let server = Server::start(World::new(448, 13));
    let place = Place::new(&server);
    place.done("all");
    place.done("sheet");
    let path = place.made().join("review-sheet.md");
    let sheet = std::fs::read_to_string(&path).expect("sheet");
    let read = || {
        tell(&[
            "dataset",
            "markets",
            "sheet",
            text(&place.made()),
            "--read",
            text(&path),
            "--reviewer",
            "Bo",
        ])
    };
    assert_eq!(sheet.matches("- [ ] accept").count(), 50);
    let first = ids(&place).remove(0);
    // A reason is missing: nothing is taken over.
    std::fs::write(&path, sheet.replacen("- [ ] reject, because:", "- [x] reject, because:", 1))
        .expect("written");
    let told = read();
    assert!(
        told.code == 3 && told.err.contains(&first) && told.err.contains("say why"),
        "{}",
        told.err
    );

    let filled = sheet
        .replacen("- [ ] reject, because:", "- [x] reject, because: a series, not a question", 1)
        .replace("- [ ] accept", "- [x] accept")
        .replacen("- [x] accept", "- [ ] accept", 1);
    std::fs::write(&path, filled).expect("written");
    let told = read();
    assert!(told.code == 0 && told.out.contains("50 verdicts read"), "{}{}", told.out, told.err);
    assert!(read().out.contains("0 verdicts read"), "a sheet can be read twice");
    place.done("draw");
    place.done("bundle");
    let accepted = place.rows("items.jsonl").iter().filter(|i| i["conflicts"].is_array()).count();
    assert_eq!(accepted, 49);
    assert_eq!(place.rows("review.jsonl").iter().filter(|r| r["reviewer"] == "Bo").count(), 50);
    // The sheet is of a draw that is no more.
    let told = read();
    assert!(told.code == 3 && told.err.contains("is not in the draw any more"), "{}", told.err);
}
