//! Pictures of pages, wide and narrow, light and dark: for looking at, not for comparing.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use e2e::{Browser, TestSite, View};

/// Takes pictures of addresses; without any, of the project's own site.
#[derive(Debug, Parser)]
#[command(
    after_help = "Example:\n  screenshots http://127.0.0.1:8080/ 'http://127.0.0.1:8080/#calibration'"
)]
struct Args {
    /// Pages to open
    urls: Vec<String>,
    /// Folder for the pictures
    #[arg(long, default_value = "target/screenshots")]
    out: PathBuf,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let site = if args.urls.is_empty() { Some(TestSite::of_the_project().await?) } else { None };
    let urls = args.urls.into_iter().chain(site.iter().map(|site| site.address.clone()));
    let browser = Browser::start().await?;
    for (i, url) in urls.enumerate() {
        for (size, view) in [("1280", View::WIDE), ("390", View::PHONE)] {
            for (scheme, dark) in [("light", false), ("dark", true)] {
                let view = View { dark, ..view };
                browser.set_view(view).await?;
                let state = browser.open(&url).await?;
                let path = args.out.join(format!("{}-{size}-{scheme}.png", i + 1));
                fs::write(&path, browser.picture(view).await?)?;
                println!("{}  {url} ({state})", path.display());
            }
        }
    }
    Ok(())
}
