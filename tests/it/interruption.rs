//! A run that is killed, stopped, locked out or short of disk loses nothing and goes on.

use std::{
    collections::BTreeSet,
    os::unix::process::CommandExt,
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::http::StatusCode;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use serde_json::{Value, json};

use crate::{
    common::{Told, copy_folder, recount, text},
    played::{KEY, Place, completion, serve, serve_slowly, valid},
};

/// What a row says, but for when its call was made and how long that took.
fn said(mut row: Value) -> String {
    for field in ["started_at", "latency_ms"] {
        row[field] = Value::Null;
    }
    row.to_string()
}

fn all_said(place: &Place, run: &str) -> BTreeSet<String> {
    place.records(run).into_iter().map(said).collect()
}

/// An answer that depends on the question alone, some of them in need of a repair.
fn script(_: usize, body: &Value) -> (StatusCode, Value) {
    let question = body["messages"][1]["content"].as_str().unwrap_or("").len();
    let repaired = body["messages"].as_array().map_or(0, Vec::len) > 2;
    match question % 3 {
        0 if !repaired => completion("NO, I should think."),
        0 | 1 => valid("NO", 0.75),
        _ => valid("YES", 0.5),
    }
}

#[test]
fn killed_at_any_moment_a_run_goes_on_to_the_same_rows() {
    let whole = serve(Arc::new(script));
    let expected = Place::new(&whole.url);
    assert_eq!(expected.run("record", "main", "closed_book:4").code, 0);
    assert_eq!(expected.records("main").len(), 200);

    let server = serve_slowly(Arc::new(script), Duration::from_millis(4));
    let place = Place::new(&server.url);
    let mut random = ChaCha8Rng::seed_from_u64(20_261_130);
    let mut kills = 0;
    const CONCURRENCY: usize = 3;
    while kills < 20 {
        let mut command = place.command("record", "main", "closed_book:4");
        command.args(["--yes", "--concurrency", "3"]);
        let mut child = command.stderr(Stdio::null()).spawn().expect("the binary starts");
        std::thread::sleep(Duration::from_micros(u64::from(random.next_u32() % 90_000)));
        child.kill().expect("killed");
        child.wait().expect("ended");
        kills += 1;
    }
    let mut command = place.command("record", "main", "closed_book:4");
    let told: Told = command.arg("--yes").output().expect("the binary starts").into();
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(all_said(&place, "main"), all_said(&expected, "main"));
    assert_eq!(place.records("main").len(), 200, "no row stands twice");
    let lost = server.calls() - whole.calls();
    assert!(lost <= kills * CONCURRENCY, "{lost} calls were made again after {kills} kills");
    // What the log of a killed run holds can be played back.
    assert_eq!(place.run("replay", "again", "closed_book:4").code, 0);
}

#[test]
fn ctrl_c_waits_for_what_is_under_way_and_says_how_to_go_on() {
    let server = serve_slowly(Arc::new(script), Duration::from_millis(60));
    let place = Place::new(&server.url);
    let mut command = place.command("record", "main", "closed_book:2");
    command.args(["--yes", "--concurrency", "2"]).stderr(Stdio::piped()).stdout(Stdio::null());
    let child = command.process_group(0).spawn().expect("the binary starts");
    while server.calls() < 6 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill");
    assert!(kill.success());
    let told: Told = child.wait_with_output().expect("ended").into();
    assert_eq!(told.code, 130, "{}", told.err);
    assert!(told.err.contains("goes on from here"), "{}", told.err);
    let rows = place.records("main").len();
    assert!((2..100).contains(&rows), "{rows} rows");
    let made = server.calls();
    assert_eq!(place.run("record", "main", "closed_book:2").code, 0);
    assert_eq!(place.records("main").len(), 100);
    let repairs = place.records("main").iter().filter(|r| r["repairs"] == 1).count();
    assert_eq!(server.calls(), 100 + repairs, "nothing was called twice; {made} before the stop");
}

#[test]
fn a_second_process_is_refused_while_the_first_writes() {
    let server = serve_slowly(Arc::new(script), Duration::from_millis(50));
    let place = Place::new(&server.url);
    let mut command = place.command("record", "main", "closed_book");
    command.args(["--yes", "--concurrency", "1"]).stderr(Stdio::null());
    let mut child = command.spawn().expect("the binary starts");
    while server.calls() < 1 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let same_run = place.run("record", "main", "closed_book");
    let same_cassette = place.run("record", "other", "closed_book");
    child.kill().expect("killed");
    child.wait().expect("ended");
    for told in [same_run, same_cassette] {
        assert_eq!(told.code, 3, "{}", told.err);
        assert!(told.err.contains("another recount is writing to it"), "{}", told.err);
    }
    assert!(!place.path("results/other").exists(), "a run that could not begin leaves nothing");
    assert_eq!(place.run("record", "main", "closed_book").code, 0, "the lock went with its holder");
}

#[test]
fn an_unserved_row_is_tried_again_and_every_replay_tells_the_same() {
    let up = Arc::new(AtomicBool::new(false));
    let switch = up.clone();
    let server = serve(Arc::new(move |_, body| {
        let question = body["messages"][1]["content"].as_str().unwrap_or("").len();
        if question % 4 == 0 && !switch.load(Ordering::SeqCst) {
            return (StatusCode::SERVICE_UNAVAILABLE, json!({"error": {"message": "busy"}}));
        }
        valid("YES", 0.9)
    }));
    let place = Place::new(&server.url);
    let told = place.run("record", "main", "closed_book");
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(told.err.contains("rows were not served"), "{}", told.err);
    let unserved = place.records("main").iter().filter(|r| r["status"] == "unserved").count();
    assert!(unserved > 0 && unserved < 50, "{unserved}");
    let first_half = place.run("replay", "half", "closed_book");
    assert_eq!(first_half.code, 0, "{}", first_half.err);
    assert_eq!(all_said(&place, "half").len(), 50);
    up.store(true, Ordering::SeqCst);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    let rows = place.records("main");
    assert_eq!(rows.len(), 50 + unserved);
    let served = rows.iter().filter(|r| r["status"] == "answered").count();
    assert_eq!(served, 50);
    // From nothing, and from the half: the same rows, and running it once more adds none.
    let unnamed = |run: &str| -> BTreeSet<String> {
        let rows = place.records(run).into_iter();
        rows.map(|mut r| {
            r["run_id"] = Value::Null;
            said(r)
        })
        .collect()
    };
    for run in ["fresh", "half", "half"] {
        assert_eq!(place.run("replay", run, "closed_book").code, 0);
        assert_eq!(unnamed(run), unnamed("main"), "{run}");
        assert_eq!(place.records(run).len(), rows.len(), "{run}");
    }
    verifies(&place, "main");
}

fn verifies(place: &Place, run: &str) {
    let (data, cassettes, results) =
        (place.path("data"), place.path("cassettes"), place.path("results"));
    let folders =
        ["--data", text(&data), "--cassettes", text(&cassettes), "--results", text(&results)];
    let told: Told = recount(&["report", "--quiet", "--run", run])
        .args(folders)
        .output()
        .expect("starts")
        .into();
    assert_eq!(told.code, 0, "{}", told.err);
    let told: Told = recount(&["verify", run]).args(folders).output().expect("starts").into();
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
}

/// As [`script`], with answers of some 40 kB.
fn long_script(call: usize, body: &Value) -> (StatusCode, Value) {
    let (status, mut answer) = script(call, body);
    answer["padding"] = "x".repeat(40_000).into();
    (status, answer)
}

/// Through a shell that has done `before`; its first argument is `path`.
fn after(before: &str, path: &Path, shell: &[&str], command: &std::process::Command) -> Told {
    let mut through = std::process::Command::new(shell[0]);
    through.args(&shell[1..]).args(["sh", "-c", before, text(path)]);
    through.arg(command.get_program()).args(command.get_args());
    through.env("OPENAI_API_KEY", KEY).current_dir(crate::common::root());
    through.output().expect("a shell").into()
}

#[test]
fn a_file_that_cannot_grow_is_said_and_nothing_is_lost() {
    let server = serve(Arc::new(long_script));
    let place = Place::new(&server.url);
    let mut command = place.command("record", "main", "closed_book");
    command.arg("--yes");
    // In blocks of 512 bytes.
    let limit = "trap '' XFSZ; ulimit -f 2100; exec \"$@\"";
    let told = after(limit, &place.path("cassettes"), &["env"], &command);
    assert_eq!(told.code, 3, "{}", told.err);
    assert!(told.err.contains(".jsonl") && told.err.contains("too large"), "{}", told.err);
    let rows = place.records_or_cut("main");
    assert!((1..50).contains(&rows), "{rows}");
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    assert_eq!(place.records("main").len(), 50);
    let fresh = serve(Arc::new(long_script));
    let expected = Place::new(&fresh.url);
    assert_eq!(expected.run("record", "main", "closed_book").code, 0);
    assert_eq!(all_said(&place, "main"), all_said(&expected, "main"));
}

/// Ways to a shell that may mount.
const MAY_MOUNT: [&[&str]; 3] = [
    &["unshare", "--user", "--map-root-user", "--mount"],
    &["unshare", "--mount"],
    &["sudo", "-n", "--preserve-env", "unshare", "--mount"],
];

#[test]
fn when_the_disk_is_full_the_answers_under_way_still_find_room() {
    let works = |way: &&&[&str]| {
        let mut try_it = std::process::Command::new(way[0]);
        try_it.args(&way[1..]).args(["mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
        try_it.output().is_ok_and(|told| told.status.success())
    };
    let Some(way) = MAY_MOUNT.iter().find(works) else {
        assert!(std::env::var_os("CI").is_none(), "no way to mount a small disk");
        eprintln!("not tested: here only root may mount a small disk");
        return;
    };
    let server = serve_slowly(Arc::new(long_script), Duration::from_millis(30));
    let place = Place::new(&server.url);
    let (disk, kept) = (place.path("cassettes"), place.path("kept"));
    for folder in [&disk, &kept] {
        std::fs::create_dir(folder).expect("folder");
    }
    let mut command = place.command("record", "main", "closed_book");
    command.args(["--yes", "--concurrency", "8"]);
    // The disk is gone with its shell.
    let before = "mount -t tmpfs -o size=1400k tmpfs \"$0\" && { \"$@\"; told=$?; cp -r \"$0\"/. \"$0\"/../kept; exit $told; }";
    let told = after(before, &disk, way, &command);
    assert_eq!(told.code, 3, "{}", told.err);
    for words in ["closed_book.jsonl", "the disk is full", "rows are under way and are waited for"]
    {
        assert!(told.err.contains(words), "{words}: {}", told.err);
    }
    let recorded = std::fs::read_to_string(kept.join("control/played/closed_book.jsonl"));
    let made = server.calls();
    assert_eq!(recorded.expect("a cassette").lines().count(), made, "an answer is lost");
    assert!((10..45).contains(&made), "{made}");
    copy_folder(&kept, &disk);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    let repairs = place.records("main").iter().filter(|r| r["repairs"] == 1).count();
    assert_eq!((place.records("main").len(), server.calls()), (50, 50 + repairs));
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_any_call() {
    let server = serve(Arc::new(script));
    let place = Place::new(&server.url);
    std::fs::write(place.path("results"), "in the way").expect("written");
    let told = place.run("record", "main", "closed_book");
    assert_eq!(told.code, 3);
    assert!(told.err.contains("results"), "{}", told.err);
    assert_eq!(server.calls(), 0);
}

/// Rows that wait for their turn when the person asks to stop are not begun.
#[test]
fn ctrl_c_makes_no_further_call() {
    let server = serve(Arc::new(script));
    let place = Place::new(&server.url);
    place.write_models(&format!(
        "base_url = \"{}\"\n[limits.openai]\nrequests_per_minute = 5\n",
        server.url
    ));
    let mut command = place.command("record", "main", "closed_book");
    command.args(["--yes", "--concurrency", "4"]).stderr(Stdio::piped()).stdout(Stdio::null());
    let child = command.process_group(0).spawn().expect("the binary starts");
    while server.calls() < 5 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill");
    let start = std::time::Instant::now();
    let told: Told = child.wait_with_output().expect("ended").into();
    assert_eq!(told.code, 130, "{}", told.err);
    assert!(told.err.contains("Ctrl-C again"), "{}", told.err);
    // The next call would have come after twelve seconds.
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    assert_eq!(server.calls(), 5);
}

/// A gateway that says in a 200 that it failed has answered nothing, and is asked again.
#[test]
fn an_error_with_status_200_is_no_recording() {
    let up = Arc::new(AtomicBool::new(false));
    let switch = up.clone();
    let server = serve(Arc::new(move |call, _| {
        if switch.load(Ordering::SeqCst) || call % 2 == 1 {
            return valid("YES", 0.9);
        }
        (StatusCode::OK, json!({"error": {"message": "upstream is down"}}))
    }));
    let place = Place::new(&server.url);
    assert_eq!(place.run("record", "main", "closed_book").code, 0);
    assert!(place.records("main").iter().all(|r| r["status"] == "answered"));
    assert_eq!(server.calls(), 100);
    let told = place.run("record", "other", "closed_book");
    assert_eq!((told.code, server.calls()), (0, 100), "{}", told.err);
    assert!(place.records("other").iter().all(|r| r["status"] == "answered"));
    verifies(&place, "main");
}
