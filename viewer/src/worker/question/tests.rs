//! The chain from document to grade on the project's own published run, and with one link broken at a time.

use std::{fs, path::PathBuf};

use super::*;
use crate::{
    model::{
        evidence::{Link, LinkState},
        files::role,
    },
    worker::{
        open::{open, tests::QUIET},
        protocol::{FileHead, Files},
    },
};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of some folders of the project, each changed by `change`.
fn files(folders: &[&str], change: &dyn Fn(&str, String) -> String) -> (Files, Vec<Vec<u8>>) {
    let (mut files, mut buffers) = (Files::default(), Vec::new());
    for folder in folders {
        let mut paths: Vec<_> =
            fs::read_dir(root().join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|p| p.is_file()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let bytes = change(&name, text).into_bytes();
            files.heads.push(FileHead { role: role(&name, &bytes), name });
            buffers.push(bytes);
        }
    }
    (files, buffers)
}

fn project(change: &dyn Fn(&str, String) -> String) -> (Opened, Store) {
    let (run, buffers) = files(&["results/main"], change);
    let (_, opened) = open(&run, buffers, &QUIET).unwrap();
    let mut store = Store::default();
    let (more, buffers) = files(&["data/control", "harness/arms"], change);
    let attached = store.take(&more, buffers, &opened, &|_| {}).unwrap();
    assert_eq!(attached.problems, []);
    let (responses, buffers) = files(&["results/main"], change);
    store.take(&responses, buffers, &opened, &|_| {}).unwrap();
    (opened, store)
}

fn same(_: &str, text: String) -> String {
    text
}

fn states(page: &QuestionPage) -> Vec<(&Link, LinkState)> {
    let of_rows = page.rows.iter().flat_map(|r| &r.links);
    page.links.iter().chain(of_rows).map(|link| (link, link.state)).collect()
}

#[test]
fn every_link_of_every_published_row_holds() {
    let (opened, store) = project(&same);
    let (mut holds, mut open_links) = (0, 0);
    let ids: std::collections::BTreeSet<_> = opened.records.iter().map(|r| &r.item_id).collect();
    for id in ids {
        for (link, state) in states(&page(&opened, &store, id).unwrap()) {
            match state {
                LinkState::Holds => holds += 1,
                // What only a recording shows, and rows that no model was asked for.
                LinkState::Unknown => {
                    let expected = ["prompt → completion", "question → row"];
                    let reasons = ["this status", "no completion", "is given none"];
                    let known = reasons.iter().any(|reason| link.why.contains(reason));
                    assert!(expected.contains(&link.what.as_str()) || known, "{id}: {link:?}");
                    open_links += 1;
                }
                LinkState::Breaks => panic!("{id}: {link:?}"),
            }
        }
    }
    assert!(holds > 4 * open_links / 2 && holds > 100, "{holds} hold, {open_links} are open");
}

/// The terms of a source stand wherever its text does.
#[test]
fn each_document_says_its_licence_and_whom_to_name() {
    let (opened, store) = project(&same);
    let page = page(&opened, &store, "a01").unwrap();
    assert!(!page.documents.is_empty());
    for document in &page.documents {
        assert!(document.terms.starts_with("CC0-1.0 · constructed for this"), "{document:?}");
    }
    let source: records::Source = serde_json::from_value(serde_json::json!({
        "kind": "encyclopaedia", "url": "https://en.wikipedia.org/w/index.php?oldid=7", "revid": 7,
        "licence": "CC-BY-SA-4.0", "attribution": "Wikipedia contributors"
    }))
    .unwrap();
    let expected = "CC-BY-SA-4.0 · Wikipedia contributors · https://en.wikipedia.org/w/index.php?oldid=7 · revision 7";
    assert_eq!(terms(&source), expected);
    let long = "authors: ".repeat(200);
    let source = records::Source { attribution: Some(long.clone()), ..source };
    assert!(terms(&source).contains(long.trim()), "whom to name is never cut");
}

/// The links that break on any question when one file is changed.
fn broken(change: &dyn Fn(&str, String) -> String) -> Vec<String> {
    let (opened, store) = project(change);
    let ids: std::collections::BTreeSet<_> = opened.records.iter().map(|r| &r.item_id).collect();
    let mut broken: Vec<String> = Vec::new();
    for id in ids {
        for (link, state) in states(&page(&opened, &store, id).unwrap()) {
            if state == LinkState::Breaks && !broken.contains(&link.what) {
                broken.push(link.what.clone());
            }
        }
    }
    broken
}

#[test]
fn a_changed_document_breaks_its_digest_and_the_prompts_that_show_it() {
    let broken = broken(&|name, text| {
        if name == "documents.jsonl" { text.replacen(" the ", " teh ", 1) } else { text }
    });
    assert_eq!(broken, ["documents → their digests", "question, documents, arm → prompt"]);
}

#[test]
fn a_changed_question_breaks_the_prompt() {
    let broken = broken(&|name, text| {
        if name == "items.jsonl" {
            text.replacen("\"question\":\"Will", "\"question\":\"Shall", 1)
        } else {
            text
        }
    });
    assert_eq!(broken, ["question, documents, arm → prompt"]);
}

#[test]
fn a_polished_grade_breaks_the_grade() {
    let (opened, store) = project(&same);
    let mut opened = opened;
    let record = opened
        .records
        .iter_mut()
        .find(|r| {
            r.status == Status::Answered && r.correct == Some(false) && r.response_sha256.is_some()
        })
        .unwrap();
    record.answer = Some(record.target.clone());
    record.correct = Some(true);
    let id = record.item_id.clone();
    let page = page(&opened, &store, &id).unwrap();
    let broken: Vec<_> = states(&page)
        .into_iter()
        .filter(|(_, s)| *s == LinkState::Breaks)
        .map(|(l, _)| l)
        .collect();
    assert_eq!(broken.len(), 1);
    assert_eq!(broken[0].why, "graded again here, answer and correct came out differently");
}

#[test]
fn a_completion_under_another_digest_breaks_its_link() {
    let (opened, mut store) = project(&same);
    let record = opened.records.iter().find(|r| r.response_sha256.is_some()).unwrap();
    let text = store.responses.get_mut(record.response_sha256.as_ref().unwrap()).unwrap();
    text.push(' ');
    let page = page(&opened, &store, &record.item_id).unwrap();
    assert!(
        states(&page).iter().any(|(l, s)| l.what == "completion → row" && *s == LinkState::Breaks)
    );
}

#[test]
fn without_the_data_set_nothing_is_said_to_hold() {
    let (run, buffers) = files(&["results/main"], &same);
    let (_, opened) = open(&run, buffers, &QUIET).unwrap();
    let id = opened.records[0].item_id.clone();
    let page = page(&opened, &Store::default(), &id).unwrap();
    let holding: Vec<_> =
        states(&page).into_iter().filter(|(_, s)| *s == LinkState::Holds).map(|(l, _)| l).collect();
    assert!(holding.iter().all(|l| l.why.starts_with("the arm shows no documents")), "{holding:?}");
    assert!(page.question.is_empty() && !page.target.is_empty());
}

#[test]
fn a_question_that_is_not_there_is_a_message() {
    let (opened, store) = (Opened::default(), Store::default());
    assert!(page(&opened, &store, "nowhere").unwrap_err().what.contains("nowhere"));
}

#[test]
fn what_the_manifest_says_of_its_pools_is_kept() {
    let pools = |name: &str, text: String| {
        if name != "manifest.json" {
            return text;
        }
        let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        manifest["base_rates"] = serde_json::json!([{"pool": "main", "yes": 120, "of": 262}]);
        manifest.to_string()
    };
    let (opened, mut store) = project(&same);
    let (more, buffers) = files(&["data/control"], &pools);
    let attached = store.take(&more, buffers, &opened, &|_| {}).unwrap();
    assert_eq!(attached.data_set.unwrap().base_rates, [("main".to_owned(), 120, 262)]);
}
