//! Pictures of pages, wide and narrow, light and dark: for looking at, not for comparing.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use e2e::{
    Browser, TestSite, View,
    views::{VIEWS, add_tampered, show},
};

/// Takes pictures of addresses; without any, of every view of the project's own site.
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
    if let Some(site) = &site {
        add_tampered(site)?;
    }
    let given = args.urls.into_iter().enumerate().map(|(i, url)| ((i + 1).to_string(), url));
    let own = site.iter().flat_map(|site| {
        VIEWS.map(|(name, end)| (name.to_owned(), format!("{}{end}", site.address)))
    });
    let browser = Browser::start().await?;
    for (name, url) in given.chain(own) {
        for (size, view) in [("1280", View::WIDE), ("390", View::PHONE)] {
            browser.set_view(view).await?;
            let state = show(&browser, &url).await?;
            for (scheme, dark) in [("light", false), ("dark", true)] {
                let path = args.out.join(format!("{name}-{size}-{scheme}.png"));
                fs::write(&path, browser.picture(View { dark, ..view }).await?)?;
                println!("{}  {url} ({state})", path.display());
            }
        }
    }
    Ok(())
}
