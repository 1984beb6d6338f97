//! The key is in no record, cassette, log or error, whatever a server does with it.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    Api, Job, KEY,
    anthropic::ANTHROPIC,
    google::GOOGLE,
    openai::OPENAI,
    server::{Act, serve},
    side_by_side,
    workplace::Workplace,
};
use crate::common::Told;

fn each_file(folder: &Path, see: &mut impl FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            each_file(&path, see);
        } else {
            see(&path, &String::from_utf8_lossy(&std::fs::read(&path).expect("file")));
        }
    }
}

/// Looks for `secret` in everything that a run printed and wrote, but for the files it was given.
fn assert_nowhere(secret: &str, told: &Told, place: &Workplace) {
    let told = format!("{}{}", told.out, told.err);
    assert!(!told.contains(secret), "{told}");
    for folder in ["cassettes", "results"] {
        let folder = place.path().join(folder);
        if !folder.exists() {
            continue;
        }
        each_file(&folder, &mut |path, text| {
            assert!(!text.contains(secret), "{secret} stands in {}:\n{text}", path.display());
            // An escaped key is readable by whoever reads the JSON.
            for line in text.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok()) {
                strings(&line, &mut |s| assert!(!s.contains(secret), "{}: {s}", path.display()));
            }
        });
    }
}

fn strings(value: &Value, see: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(list) => list.iter().for_each(|v| strings(v, see)),
        Value::Object(fields) => fields.iter().for_each(|(name, v)| {
            see(name);
            strings(v, see);
        }),
        _ => {}
    }
}

fn answer(status: u16, headers: &[(&'static str, &str)], body: String) -> Act {
    let headers = headers.iter().map(|(n, v)| (*n, (*v).to_owned())).collect();
    Act::Answer(status, headers, body.into_bytes())
}

/// Ways in which a server echoes the key, each with what must not be found.
fn echoes(api: &Api) -> Vec<(Act, String)> {
    let escaped: String = KEY.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    let slashed = KEY.replace('/', "\\/");
    let percent = KEY.replace('/', "%2F");
    let (left, right) = KEY.split_at(11);
    let error = |message: &str| (api.error)(400, message).to_string();
    let plain = |body: String| (answer(400, &[], body), KEY.to_owned());
    vec![
        plain(error(&format!("bad key {KEY}"))),
        plain(format!("<html>bad key {KEY}</html>")),
        plain(json!({"error": {KEY: {"message": KEY}}}).to_string()),
        plain(error("bad key").replace("bad key", &escaped)),
        plain(error("bad key").replace("bad key", &slashed)),
        // Half a JSON stays text, escapes and all.
        (answer(400, &[], format!("{{\"error\": \"{escaped}")), escaped.clone()),
        (answer(400, &[], format!("{{\"error\": \"{slashed}")), slashed),
        (answer(400, &[], error(&format!("no route ?key={percent}"))), percent),
        (Act::json(200, &[], &(api.answer)(&format!("The key is {KEY}."))), KEY.to_owned()),
        plain(error(&format!("Incorrect API key provided: {}*****{}", &KEY[..8], &KEY[18..]))),
        (
            answer(
                429,
                &[("retry-after", left), ("content-type", right), ("date", KEY)],
                error("no"),
            ),
            left.to_owned(),
        ),
        (
            answer(429, &[("content-type", left), ("retry-after", right)], error("no")),
            right.to_owned(),
        ),
        (
            answer(400, &[], error(&format!("{}*****{}", &KEY[..8], &KEY[18..]))),
            KEY[18..].to_owned(),
        ),
    ]
}

/// What takes the key out is the same for every API.
#[test]
fn an_echoed_key_is_written_nowhere() {
    let mut jobs: Vec<Job> = Vec::new();
    for (act, secret) in echoes(&OPENAI) {
        jobs.push(Box::new(move || {
            let server = serve(&OPENAI, KEY, &[act]);
            let place = Workplace::new(&OPENAI, &server.base_url, 60.0, KEY);
            let told = place.run("record");
            assert!(told.code <= 1, "{}", told.err);
            assert!(server.count() > 0);
            place.row("record");
            assert_nowhere(&secret, &told, &place);
            assert_nowhere(KEY, &told, &place);
        }));
    }
    side_by_side(jobs);
}

#[test]
fn a_key_of_few_characters_is_refused_and_not_sent() {
    for key in ["k", "ey", "key", "seven77"] {
        let server = serve(&OPENAI, key, &[Act::Hang]);
        let place = Workplace::new(&OPENAI, &server.base_url, 60.0, key);
        let told = place.run("record");
        assert_eq!(told.code, 2, "{}", told.err);
        assert!(
            told.err.contains("OPENAI_API_KEY") && told.err.contains("8 characters"),
            "{}",
            told.err
        );
        assert_eq!(server.count(), 0);
    }
}

#[test]
fn a_login_in_the_address_is_refused_and_not_shown() {
    for api in [&OPENAI, &GOOGLE, &ANTHROPIC] {
        let server = serve(api, KEY, &[Act::Hang]);
        let base_url = server.base_url.replace("http://", "http://somebody:pa55word@");
        let place = Workplace::new(api, &base_url, 60.0, KEY);
        for mode in ["record", "live"] {
            let told = place.run(mode);
            assert_eq!(told.code, 2, "{}", told.err);
            assert!(told.err.contains("holds a login"), "{}", told.err);
            assert_nowhere("pa55word", &told, &place);
            assert_nowhere("somebody", &told, &place);
        }
        assert_eq!(server.count(), 0);
    }
}
