//! How long a log of a million records takes to read, next to whichever other readers of JSON Lines are installed.
//!
//! Makes its own file, about as long a line as a real run writes, reads it with one thread and with two, and has
//! duckdb, polars, node and Python read the same file. None of them is needed. Prints seconds and ratios of one run.
//! What it costs to watch for unknown fields and to check values shows beside plain serde_json on the same types, and
//! what reading in pieces holds at most beside the size of the file.

use std::{
    error::Error,
    fs::File,
    io::{BufRead, BufReader, BufWriter, Read, Write},
    path::Path,
    process::Command,
    time::Instant,
};

use records::{LineReader, Record, line_parts};

const LINES: usize = 1_000_000;

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

fn streamed(path: &Path) -> Result<(u64, u64), Box<dyn Error>> {
    let (mut file, mut piece, mut rows) = (File::open(path)?, vec![0; PIECE], (0, 0));
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
fn unwatched(path: &Path) -> Result<(u64, u64), Box<dyn Error>> {
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

fn in_parts(path: &Path, n: usize) -> Result<(u64, u64), Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let read = |(number, part): (usize, &[u8])| {
        let mut rows = (0, 0);
        let mut reader = LineReader::<Record>::from_line("bench", number);
        reader.push(part, |_, row| count(&mut rows, &row))?;
        reader.finish(|_, row| count(&mut rows, &row))?;
        Ok::<_, records::ReadError>(rows)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            line_parts(&bytes, n).into_iter().map(|part| scope.spawn(move || read(part))).collect();
        let mut all = (0, 0);
        for thread in threads {
            let rows = thread.join().map_err(|_| "a thread stopped")??;
            all = (all.0 + rows.0, all.1 + rows.1);
        }
        Ok(all)
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

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("recount-reading-{}.jsonl", std::process::id()));
    make(&path)?;
    println!("{LINES} records, {} MB", std::fs::metadata(&path)?.len() / 1_000_000);
    let timed = |name: &str, read: &dyn Fn() -> Result<(u64, u64), Box<dyn Error>>| {
        let start = Instant::now();
        let rows = read()?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: {seconds:.2} s, {} rows, {} of them confident", rows.0, rows.1);
        Ok::<_, Box<dyn Error>>(seconds)
    };
    // The first reading also brings the file into the cache, for all that follow.
    timed("first reading, one thread, in pieces", &|| streamed(&path))?;
    let one = timed("one thread, in pieces", &|| streamed(&path))?;
    let plain = timed("one thread, serde_json alone", &|| unwatched(&path))?;
    println!("watching and checking: {:.2} times serde_json alone", one / plain);
    if let Some(held) = most_held() {
        println!("held at most so far: {held} MB");
    }
    let two = timed("two threads, in parts", &|| in_parts(&path, 2))?;
    for (name, program, flag, text) in [
        ("duckdb read_json", "python3", "-c", DUCKDB),
        ("polars scan_ndjson", "python3", "-c", POLARS),
        ("Python's json", "python3", "-c", PYTHON),
        ("node, JSON.parse by line", "node", "-e", NODE),
    ] {
        match peer(program, &[flag, text], &path) {
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
