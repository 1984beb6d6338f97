//! How long a log of a million records takes to read, next to whichever other readers of JSON Lines are installed.
//!
//! Makes its own file, about as long a line as a real run writes, reads it with one thread and with two, and has
//! duckdb, polars, node and Python read the same file. None of them is needed. Prints seconds and ratios of one run, the
//! best of a few tries each.
//! What it costs to watch for unknown fields and to check values shows beside plain serde_json on the same types, and
//! what reading in pieces holds at most beside the size of the file.

use std::{
    error::Error,
    fs::File,
    io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
    process::Command,
    time::Instant,
};

use records::{LineReader, Record};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const LINES: usize = 1_000_000;

/// Readings of each kind, of which the shortest counts: the first brings the file into the cache.
const TRIES: usize = 3;

/// Bytes that are read from the file at a time.
const PIECE: usize = 1 << 20;

fn make(path: &Path) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for i in 0..LINES {
        let (arm, repeat, item) = (i % 10, i / 10 % 4, i / 40);
        let target = ["YES", "NO"][item % 2];
        writeln!(
            out,
            r#"{{"schema":"recount.record/1","run_id":"bench","dataset_id":"bench","model":"m","arm":"a{arm}","repeat":{repeat},"item_id":"i{item:05}","cluster_id":"i{item:05}","attempt":1,"kind":"binary","target":"{target}","set":"main","tags":{{"domain":"law"}},"status":"answered","answer":"YES","confidence":0.{:02},"correct":{},"schema_ok":true,"repairs":0,"sources":["d1","d2"],"sources_unknown":[],"conflicts":[],"cost_usd":0.0013,"latency_ms":{}.5}}"#,
            i % 90 + 10,
            target == "YES",
            900 + i % 2000,
        )?;
    }
    out.flush()
}

/// Rows and confident rows, so that what is read is used.
fn count(rows: &mut (u64, u64), row: &Record) {
    rows.0 += 1;
    rows.1 += u64::from(row.confidence.is_some_and(|c| c >= 0.9));
}

fn streamed(path: &Path) -> Outcome<(u64, u64)> {
    stream(File::open(path)?)
}

fn stream(mut file: impl Read) -> Outcome<(u64, u64)> {
    let (mut piece, mut rows) = (vec![0; PIECE], (0, 0));
    let mut reader = LineReader::<Record>::new("bench");
    loop {
        let n = file.read(&mut piece)?;
        if n == 0 {
            break;
        }
        reader.push(&piece[..n], |_, row| count(&mut rows, &row))?;
    }
    reader.finish(|_, row| count(&mut rows, &row))?;
    Ok(rows)
}

/// As [`streamed`], by serde_json alone: unknown fields pass unseen, and no value is checked.
fn unwatched(path: &Path) -> Outcome<(u64, u64)> {
    let (mut file, mut line, mut rows) =
        (BufReader::with_capacity(PIECE, File::open(path)?), Vec::new(), (0, 0));
    while file.read_until(b'\n', &mut line)? > 0 {
        count(&mut rows, &serde_json::from_slice(&line)?);
        line.clear();
    }
    Ok(rows)
}

/// The most memory that this program has held so far, in MB; where the system does not say, nothing.
fn most_held() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1000)
}

/// Each of two threads reads its half of the lines, in pieces.
fn by_two(path: &Path) -> Outcome<(u64, u64)> {
    let mut second = BufReader::new(File::open(path)?);
    let half = second.get_ref().metadata()?.len() / 2;
    second.seek(SeekFrom::Start(half))?;
    let half = half + second.read_until(b'\n', &mut Vec::new())? as u64;
    let first = File::open(path)?.take(half);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| stream(first));
        let second = stream(second)?;
        let first = first.join().map_err(|_| "a thread stopped")??;
        Ok((first.0 + second.0, first.1 + second.1))
    })
}

/// Seconds that another program says it took, or None where it is not installed.
fn peer(program: &str, arguments: &[&str], path: &Path) -> Option<f64> {
    let output = Command::new(program).args(arguments).arg(path).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().parse().ok()).flatten()
}

const DUCKDB: &str = "import sys,time,duckdb\nduckdb.sql('set enable_progress_bar=false')\ns=time.perf_counter()\nduckdb.sql(f\"select count(*), count(*) filter (confidence>=0.9) from read_json('{sys.argv[1]}', format='newline_delimited')\").fetchall()\nprint(time.perf_counter()-s)";
const POLARS: &str = "import sys,time,polars as p\ns=time.perf_counter()\np.scan_ndjson(sys.argv[1]).select(p.len(), (p.col('confidence')>=0.9).sum()).collect()\nprint(time.perf_counter()-s)";
const PYTHON: &str = "import sys,time,json\ns=time.perf_counter()\nsum((json.loads(l)['confidence'] or 0)>=0.9 for l in open(sys.argv[1]))\nprint(time.perf_counter()-s)";
const NODE: &str = "const fs=require('fs'),rl=require('readline');const s=performance.now();let n=0;rl.createInterface({input:fs.createReadStream(process.argv[1])}).on('line',l=>{if(JSON.parse(l).confidence>=0.9)n++}).on('close',()=>console.log((performance.now()-s)/1e3))";

fn main() -> Outcome<()> {
    let path = std::env::temp_dir().join(format!("recount-reading-{}.jsonl", std::process::id()));
    make(&path)?;
    println!("{LINES} records, {} MB", std::fs::metadata(&path)?.len() / 1_000_000);
    let timed = |name: &str, read: &dyn Fn() -> Outcome<(u64, u64)>| {
        let (mut best, mut rows) = (f64::INFINITY, (0, 0));
        for _ in 0..TRIES {
            let start = Instant::now();
            rows = read()?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{name}: {best:.2} s, {} rows, {} of them confident", rows.0, rows.1);
        Ok::<_, Box<dyn Error + Send + Sync>>(best)
    };
    let one = timed("one thread, in pieces", &|| streamed(&path))?;
    let plain = timed("one thread, serde_json alone", &|| unwatched(&path))?;
    println!("watching and checking: {:.2} times serde_json alone", one / plain);
    if let Some(held) = most_held() {
        println!("held at most so far: {held} MB");
    }
    let two = timed("two threads, in pieces", &|| by_two(&path))?;
    for (name, program, flag, text) in [
        ("duckdb read_json", "python3", "-c", DUCKDB),
        ("polars scan_ndjson", "python3", "-c", POLARS),
        ("Python's json", "python3", "-c", PYTHON),
        ("node, JSON.parse by line", "node", "-e", NODE),
    ] {
        let tries = (0..TRIES).map_while(|_| peer(program, &[flag, text], &path));
        match tries.reduce(f64::min) {
            Some(s) => println!(
                "{name}: {s:.2} s, {:.2} times one thread, {:.2} times two",
                s / one,
                s / two
            ),
            None => println!("{name}: not installed"),
        }
    }
    std::fs::remove_file(&path)?;
    Ok(())
}
