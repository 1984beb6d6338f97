//! A page in Chromium, as a test looks at it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use base64::{Engine, engine::general_purpose::STANDARD};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::Url;

use crate::{driver::Driver, logs::Activity, programs::Programs};

/// How long a page may take until it says that it is ready or failed.
const PATIENCE: Duration = Duration::from_secs(180);

/// How often the driver and its browser are started before they are given up.
const TRIES: usize = 3;

/// How long a script may take, in milliseconds: a check of every element of a long page takes its time on a busy machine.
const SCRIPT_PATIENCE_MS: u64 = 300_000;

/// Makes files of names and bytes in base64, and lets the page have them.
const DROP: &str = "const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    for (const [name, text] of arguments[0]) dataTransfer.items.add(new File([bytes(text)], name));
    const options = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('drop', options));";

/// A key that leads through a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// To the next element.
    Tab,
    /// Into the link that has the focus.
    Enter,
}

/// How the page is shown, apart from its size and colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// On a screen.
    Screen,
    /// On a screen, for a reader who has asked for less motion.
    Still,
    /// On paper.
    Paper,
}

/// Width of the viewport and colour scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// Does the reader prefer dark colours?
    pub dark: bool,
    /// On what.
    pub medium: Medium,
}

impl View {
    /// A laptop.
    pub const WIDE: Self = Self { width: 1280, height: 900, dark: false, medium: Medium::Screen };
    /// A phone.
    pub const PHONE: Self = Self { width: 390, ..Self::WIDE };
    /// A laptop whose reader has enlarged everything to twice its size.
    pub const ENLARGED: Self = Self { width: 640, ..Self::WIDE };
    /// What is left of a sheet of A4 on its side, within the page's own margins.
    pub const SHEET: Self = Self { width: 1032, medium: Medium::Paper, ..Self::WIDE };
}

/// A published number as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Id of the figure.
    pub figure: String,
    /// Its verdict, as the page marks it.
    pub verdict: String,
    /// What a reader reads.
    pub text: String,
}

/// A running browser with one page.
#[derive(Debug)]
pub struct Browser {
    client: Client,
    // Dropped last: it ends the processes.
    _driver: Driver,
}

impl Browser {
    /// Starts a browser with an empty profile.
    ///
    /// # Errors
    /// There is none, and none could be installed; or it does not start.
    pub async fn start() -> Result<Self> {
        let programs = Programs::find_or_install()?;
        // A driver ends when another program has taken its port, and a busy machine may be too slow for its browser.
        for _ in 1..TRIES {
            match Self::try_start(&programs).await {
                Ok(browser) => return Ok(browser),
                Err(error) => eprintln!("{error:#}; trying again"),
            }
        }
        Self::try_start(&programs).await
    }

    async fn try_start(programs: &Programs) -> Result<Self> {
        let driver = Driver::start(programs)?;
        let options = json!({ "binary": programs.chromium, "args": driver.flags() });
        let logs = json!({ "browser": "ALL", "performance": "ALL" });
        let capabilities = json!({
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs,
            "timeouts": { "script": SCRIPT_PATIENCE_MS },
        });
        let capabilities =
            capabilities.as_object().cloned().context("capabilities are an object")?;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&driver.address)
            .await
            .context("Chromium did not start")?;
        let browser = Self { client, _driver: driver };
        browser.set_view(View::WIDE).await?;
        // The browser's own start page has asked for things, too.
        browser.client.goto("about:blank").await?;
        browser.activity().await?;
        Ok(browser)
    }

    /// Sets size and colours, exactly, as a device would.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn set_view(&self, view: View) -> Result<()> {
        let metrics = json!({
            "width": view.width, "height": view.height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        let scheme = if view.dark { "dark" } else { "light" };
        let motion = if view.medium == Medium::Still { "reduce" } else { "no-preference" };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        let medium = if view.medium == Medium::Paper { "print" } else { "" };
        let media = json!({ "media": medium, "features": features });
        self.devtools("Emulation.setEmulatedMedia", media).await?;
        Ok(())
    }

    /// Runs a script in every page opened from now on, before any script of the page's own.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn before_each_page(&self, script: &str) -> Result<()> {
        let source = json!({ "source": script });
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source).await?;
        Ok(())
    }

    /// Opens an address as a new page and waits until that says how it went, `ready` or `failed`, and has drawn all of
    /// it.
    ///
    /// # Errors
    /// It says neither in time.
    pub async fn open(&self, url: &str) -> Result<String> {
        self.open_within(PATIENCE, url).await
    }

    /// As [`Browser::open`], with a time of one's own.
    ///
    /// # Errors
    /// The page says neither in this time.
    pub async fn open_within(&self, patience: Duration, url: &str) -> Result<String> {
        let here = self.client.current_url().await?;
        let bare = |mut url: Url| {
            url.set_fragment(None);
            url
        };
        // An address that differs only after the hash sign would be no new page, and the old one is ready already.
        if bare(here.join(url)?) == bare(here) {
            self.client.goto("about:blank").await?;
        }
        self.client.goto(url).await?;
        let deadline = Instant::now() + patience;
        loop {
            let script = "return document.querySelector('[aria-busy=true]')
                ? 'busy' : document.body.dataset.state ?? null";
            let state = self.value(script).await?;
            match state.as_str() {
                Some(state @ ("ready" | "failed")) => return Ok(state.to_owned()),
                _ if Instant::now() > deadline => {
                    let text = self.text("body").await.unwrap_or_default();
                    let activity = self.activity().await.unwrap_or_default();
                    bail!("{url} is still {state} after {patience:?}: {text}\n{activity:#?}")
                }
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// Result of a script.
    ///
    /// # Errors
    /// It throws.
    pub async fn value(&self, script: &str) -> Result<Value> {
        Ok(self.client.execute(script, Vec::new()).await?)
    }

    /// Result of a script that is given arguments, awaited when it is a promise.
    ///
    /// # Errors
    /// It throws.
    pub async fn call(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        Ok(self.client.execute(script, arguments).await?)
    }

    /// Waits until an expression is true.
    ///
    /// # Errors
    /// It is not in time.
    pub async fn until(&self, expression: &str) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while self.value(&format!("return Boolean({expression})")).await? != true {
            if Instant::now() > deadline {
                let text = self.text("body").await.unwrap_or_default();
                bail!("`{expression}` is not true after {PATIENCE:?}: {text}")
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Clicks the first element that matches.
    ///
    /// # Errors
    /// None matches.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let script =
            "const e = document.querySelector(arguments[0]); e?.click(); return e !== null";
        let found = self.call(script, vec![json!(selector)]).await?;
        if found == true { Ok(()) } else { bail!("nothing matches {selector}") }
    }

    /// Drops files on the page, as a file manager does.
    ///
    /// # Errors
    /// The page does not answer.
    pub async fn drop_files(&self, files: &[(&str, &[u8])]) -> Result<()> {
        let encode = |(name, bytes): &(&str, &[u8])| json!([name, STANDARD.encode(bytes)]);
        let list: Vec<Value> = files.iter().map(encode).collect();
        self.call(DROP, vec![json!(list)]).await?;
        Ok(())
    }

    /// Presses and lets go a key, wherever the focus is.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn press(&self, key: Key) -> Result<()> {
        let (name, code, text) = match key {
            Key::Tab => ("Tab", 9, ""),
            Key::Enter => ("Enter", 13, "\r"),
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let event = json!({
                "type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code, "text": text,
            });
            self.devtools("Input.dispatchKeyEvent", event).await?;
        }
        Ok(())
    }

    /// From now on, files that the page offers are saved in `folder`.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn save_into(&self, folder: &Path) -> Result<()> {
        let behaviour = json!({ "behavior": "allow", "downloadPath": folder });
        self.devtools("Browser.setDownloadBehavior", behaviour).await?;
        Ok(())
    }

    /// Types a text where the focus is.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        self.devtools("Input.insertText", json!({ "text": text })).await?;
        Ok(())
    }

    /// The page as a printer gets it, as PDF.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn printed(&self) -> Result<Vec<u8>> {
        let wanted = json!({ "preferCSSPageSize": true });
        let answer = self.devtools("Page.printToPDF", wanted).await?;
        let data = answer["data"].as_str().context("the browser printed nothing")?;
        Ok(STANDARD.decode(data)?)
    }

    /// What a reader reads in the first element that matches.
    ///
    /// # Errors
    /// None matches.
    pub async fn text(&self, selector: &str) -> Result<String> {
        let script = "return document.querySelector(arguments[0])?.innerText ?? null";
        let value = self.client.execute(script, vec![json!(selector)]).await?;
        value.as_str().map(str::to_owned).with_context(|| format!("nothing matches {selector}"))
    }

    /// Every published number on the page.
    ///
    /// # Errors
    /// The page does not answer.
    pub async fn figures(&self) -> Result<Vec<Shown>> {
        let script = "return [...document.querySelectorAll('[data-figure]')]
            .map(e => [e.dataset.figure, e.dataset.verdict ?? '', e.innerText])";
        let list = self.value(script).await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = list.as_array().context("the page's figures are no list")?;
        let shown = |row: &Value| Shown {
            figure: text(&row[0]),
            verdict: text(&row[1]),
            text: text(&row[2]),
        };
        Ok(list.iter().map(shown).collect())
    }

    /// Console errors and requests since this was last called.
    ///
    /// # Errors
    /// The driver does not answer.
    pub async fn activity(&self) -> Result<Activity> {
        Activity::take(&self.client).await
    }

    /// A picture of the whole page, as PNG.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn picture(&self, view: View) -> Result<Vec<u8>> {
        self.set_view(view).await?;
        // What sticks to the top would be drawn in the middle of the picture.
        self.value("scrollTo({ top: 0, behavior: 'instant' })").await?;
        let height = self.value("return document.documentElement.scrollHeight").await?;
        let height = height.as_u64().and_then(|h| u32::try_from(h).ok()).unwrap_or(view.height);
        // Chromium does not draw a page of unlimited height.
        self.set_view(View { height: height.clamp(view.height, 12_000), ..view }).await?;
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(self.client.screenshot().await?)
    }

    async fn devtools(&self, command: &str, parameters: Value) -> Result<Value> {
        self.client
            .issue_cmd(DevTools { command: command.to_owned(), parameters })
            .await
            .with_context(|| command.to_owned())
    }
}

/// ChromeDriver's own command for a command of the DevTools protocol.
#[derive(Debug)]
struct DevTools {
    command: String,
    parameters: Value,
}

impl fantoccini::wd::WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.command, "params": self.parameters });
        (http::Method::POST, Some(body.to_string()))
    }
}
