use crate::common::{Told, copy_folder, root, tell, text};

#[test]
fn the_control_set_holds_every_constraint() {
    let told = tell(&["bundle", "check", "data/control"]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    assert!(told.out.contains("50 items"), "{}", told.out);
    assert!(told.out.contains("not reviewed"), "{}", told.out);
}

#[test]
fn the_printed_signature_is_the_one_in_the_manifest() {
    let manifest =
        std::fs::read_to_string(root().join("data/control/manifest.json")).expect("manifest");
    let told = tell(&["dataset", "sign", "data/control"]);
    assert!(
        manifest.contains(&serde_json::to_string(told.out.trim()).expect("JSON")),
        "{}",
        told.out
    );
}

fn check_after(file: &str, change: impl Fn(String) -> String) -> Told {
    let folder = tempfile::tempdir().expect("folder");
    let set = folder.path().join("control");
    copy_folder(&root().join("data/control"), &set);
    let path = set.join(file);
    let before = std::fs::read_to_string(&path).expect("text");
    let after = change(before.clone());
    assert_ne!(before, after, "the change changes something");
    std::fs::write(&path, after).expect("written");
    tell(&["bundle", "check", text(&set)])
}

#[test]
fn an_edited_document_is_named() {
    let told = check_after("documents.jsonl", |t| t.replacen("the", "teh", 1));
    assert_eq!(told.code, 1);
    assert!(told.out.contains("is not the digest of its text"), "{}", told.out);
}

#[test]
fn a_constraint_that_does_not_hold_is_named() {
    let told = check_after("manifest.json", |t| t.replace("\"items\": 50", "\"items\": 51"));
    assert_eq!(told.code, 1);
    assert!(
        told.out.contains("constraint \"items\": asks for 51, and there are 50"),
        "{}",
        told.out
    );
}

#[test]
fn two_items_with_one_id_are_refused() {
    let told = check_after("items.jsonl", |t| {
        let first = t.lines().next().expect("a line").to_owned();
        format!("{t}{first}\n")
    });
    assert_eq!(told.code, 3);
    assert!(told.err.contains("row 51") && told.err.contains("`item_id`"), "{}", told.err);
}

#[test]
fn items_that_make_no_sense_are_said() {
    let says = |from: &str, to: &str, words: &str| {
        let told = check_after("items.jsonl", |t| t.replacen(from, to, 1));
        assert!(told.out.contains(words), "`{words}` is missing in: {}", told.out);
    };
    says("\"abstain_label\":\"UNRESOLVABLE\"", "\"abstain_label\":\"YES\"", "`abstain_label`");
    says("\"settled_at\":\"2026", "\"settled_at\":\"yesterday ", "`settled_at`");
    says("\"question\":\"Will", "\"question\":\"\",\"was\":\"Will", "field `question`: is empty");
    let zone =
        check_after("items.jsonl", |t| t.replacen("-06-23T15:00:00Z", "-06-01T01:00:00+05:00", 1));
    assert!(zone.out.contains("dated after"), "times are compared, not texts: {}", zone.out);
    let name = check_after("manifest.json", |t| t.replacen("\"control\"", "\"another\"", 1));
    assert!(name.out.contains("not the name of the folder"), "{}", name.out);
}

#[test]
fn signing_never_loses_a_field() {
    let folder = tempfile::tempdir().expect("folder");
    let set = folder.path().join("control");
    copy_folder(&root().join("data/control"), &set);
    let path = set.join("documents.jsonl");
    let log = std::fs::read_to_string(&path).expect("documents");
    let noted = log.replacen('{', "{\"my_note\":\"precious\",", 1);
    std::fs::write(&path, &noted).expect("written");
    let told = tell(&["dataset", "sign", text(&set), "--write"]);
    assert_eq!(told.code, 3);
    assert!(told.err.contains("`my_note`") && told.err.contains("would lose"), "{}", told.err);
    assert_eq!(std::fs::read_to_string(&path).expect("still there"), noted);
}
