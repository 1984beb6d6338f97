use std::{
    net::{TcpStream, ToSocketAddrs},
    path::Path,
    time::Duration,
};

use records::Manifest;
use serde::Serialize;
use serde_json::json;

use crate::{
    arms::known,
    cassette::slug,
    cli::DoctorArgs,
    dataset::{check, load, signature},
    models::{ModelConfig, all},
    provider::{Provider, baseline},
    terminal::print_line,
};

/// How long a server on this machine may take to accept a connection.
const PATIENCE: Duration = Duration::from_millis(500);

/// One thing that was looked for.
#[derive(Debug, Serialize)]
struct Finding {
    /// model, dataset or files.
    kind: &'static str,
    /// Its name.
    name: String,
    /// Is it there and of use?
    ready: bool,
    /// What was found, or what is missing and what it would enable.
    text: String,
}

/// `recount doctor`
pub fn run(args: &DoctorArgs, json: bool) -> anyhow::Result<()> {
    let mut findings = Vec::new();
    match all(&args.folders.data) {
        Ok(models) => {
            findings.extend(models.iter().map(|m| model(m, &args.folders.cassettes)));
        }
        Err(e) => findings.push(Finding {
            kind: "files",
            name: "models.toml".into(),
            ready: false,
            text: format!("{e}. It names the models that a run can use"),
        }),
    }
    findings.extend(datasets(&args.folders.data));
    if args.folders.data.join("arms.toml").exists() {
        let arms = known(&args.folders.data);
        findings.push(Finding {
            kind: "files",
            name: "arms.toml".into(),
            ready: arms.is_ok(),
            text: arms.map_or_else(|e| e.to_string(), |a| format!("{} arms in all", a.len())),
        });
    }
    let prices = args.folders.data.join("prices.toml");
    findings.push(Finding {
        kind: "files",
        name: "prices.toml".into(),
        ready: prices.is_file(),
        text: if prices.is_file() {
            "list prices are known; costs and --max-cost-usd are worked out from them".into()
        } else {
            "missing; without it no cost is worked out and --max-cost-usd cannot be kept".into()
        },
    });
    if json {
        return Ok(print_line(&json!({"findings": findings}).to_string())?);
    }
    let width = findings.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
    for f in &findings {
        let sign = if f.ready { "ok     " } else { "missing" };
        print_line(&format!("{sign}  {:<8} {:<width$}  {}", f.kind, f.name, f.text))?;
    }
    Ok(())
}

fn model(model: &ModelConfig, cassettes: &Path) -> Finding {
    let (ready, mut text) = match Provider::of(&model.provider) {
        _ if model.provider == baseline::PROVIDER => (true, "needs nothing".to_owned()),
        Ok(Provider::Embedded(reader)) => {
            (true, format!("part of this binary, version {}; needs no key", reader.version))
        }
        Ok(Provider::Api(api)) => {
            let key = std::env::var(api.key_variable()).is_ok_and(|key| !key.is_empty());
            match &model.base_url {
                Some(url) => match reachable(url) {
                    Some(true) => (true, format!("a server listens at {url}")),
                    Some(false) => (false, format!("nothing listens at {url}; start it to record")),
                    None => (key, key_text(api.key_variable(), key)),
                },
                None => (key, key_text(api.key_variable(), key)),
            }
        }
        Err(e) => (false, e.to_string()),
    };
    let recorded = recordings(cassettes, &model.name);
    if !recorded.is_empty() {
        text.push_str(&format!("; recorded, so that it can be replayed: {}", recorded.join(", ")));
    }
    Finding { kind: "model", name: model.name.clone(), ready, text }
}

fn key_text(variable: &str, set: bool) -> String {
    if set {
        format!("{variable} is set")
    } else {
        format!("{variable} is not set; with it, new answers can be recorded")
    }
}

/// Does a server on this machine accept connections? None for an address elsewhere, which is left alone.
fn reachable(base_url: &str) -> Option<bool> {
    let url = reqwest::Url::parse(base_url).ok()?;
    let (host, port) = (url.host_str()?, url.port_or_known_default()?);
    let host = host.trim_matches(['[', ']']);
    let addresses = (host, port).to_socket_addrs().ok()?;
    let local: Vec<_> = addresses.filter(|a| a.ip().is_loopback()).collect();
    let listens = |address| TcpStream::connect_timeout(address, PATIENCE).is_ok();
    (!local.is_empty()).then(|| local.iter().any(listens))
}

/// `dataset/arm` of every cassette of a model.
fn recordings(cassettes: &Path, model: &str) -> Vec<String> {
    let mut found = Vec::new();
    for dataset in entries(cassettes) {
        for file in entries(&cassettes.join(&dataset).join(slug(model))) {
            if let Some(arm) = file.strip_suffix(".jsonl") {
                found.push(format!("{dataset}/{arm}"));
            }
        }
    }
    found
}

fn datasets(data: &Path) -> Vec<Finding> {
    let folders =
        entries(data).into_iter().filter(|n| data.join(n).join("manifest.json").is_file());
    folders
        .map(|name| {
            let (ready, text) = match load(&data.join(&name)) {
                Err(e) => (false, e.to_string()),
                Ok(dataset) => match check(&dataset).first() {
                    Some(problem) => (false, format!("{problem}; see `recount bundle check`")),
                    None => (true, described(&dataset.manifest, dataset.items.len())),
                },
            };
            Finding { kind: "dataset", name, ready, text }
        })
        .collect()
}

fn described(manifest: &Manifest, items: usize) -> String {
    let signed = if signature(manifest) == manifest.signature { "signed" } else { "not signed" };
    let reviewed = if manifest.reviewed { "reviewed" } else { "not reviewed by a person yet" };
    format!("{items} items, {signed}, {reviewed}")
}

/// Names in a folder, sorted; none when it cannot be read.
fn entries(folder: &Path) -> Vec<String> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> =
        listed.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
