//! Packages of the npm registry: fetched once, of a pinned version, and used only when they are what was pinned.
//!
//! Neither npm nor node has to be there: a package is one archive at an address that its name and version make up.

use std::{
    env, fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::read::GzDecoder;
use sha2::{Digest, Sha512};

use crate::site_under_test::root;

/// The registry of whoever has not chosen another.
const REGISTRY: &str = "https://registry.npmjs.org";
/// How long a package may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A package of one version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// SHA-512 of its archive in base64, as the registry's `integrity` says it behind `sha512-`.
    pub(crate) sha512: &'static str,
}

impl Package {
    /// A text file of the package, which is fetched when it is not there yet.
    pub(crate) async fn file(&self, path: &str) -> Result<String> {
        let archive = self.archive().await?;
        member(&archive, &format!("package/{path}"))
            .with_context(|| format!("{path} of {} {}", self.name, self.version))
    }

    async fn archive(&self) -> Result<Vec<u8>> {
        let folder = root()?.join("target/npm");
        let kept = folder.join(format!("{}-{}.tgz", self.name, self.version));
        // A file that was cut short or changed is fetched anew.
        if let Ok(bytes) = fs::read(&kept)
            && self.check(&bytes).is_ok()
        {
            return Ok(bytes);
        }
        let registry = registry();
        let url = format!("{registry}/{0}/-/{0}-{1}.tgz", self.name, self.version);
        eprintln!("fetching {url}");
        let bytes = fetch(&url).await.with_context(|| {
            format!(
                "{} {} is needed and could not be fetched from {url}; with a network, or with a registry of your own \
                 in NPM_CONFIG_REGISTRY, run this again, or save that file as {}",
                self.name,
                self.version,
                kept.display()
            )
        })?;
        self.check(&bytes)?;
        keep(&folder, &kept, &bytes)?;
        Ok(bytes)
    }

    fn check(&self, archive: &[u8]) -> Result<()> {
        let found = STANDARD.encode(Sha512::digest(archive));
        ensure!(
            found == self.sha512,
            "what came as {} {} has the SHA-512 {found}, and {} was pinned: it is not used",
            self.name,
            self.version,
            self.sha512
        );
        Ok(())
    }
}

/// Whole or not at all: tests of other processes may want the same file.
fn keep(folder: &Path, path: &PathBuf, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).with_context(|| path.display().to_string())?;
    Ok(())
}

async fn fetch(url: &str) -> Result<Vec<u8>> {
    // Another part of the process may have chosen already; any choice will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().timeout(PATIENCE).build()?;
    let answer = client.get(url).send().await?.error_for_status()?;
    Ok(answer.bytes().await?.to_vec())
}

/// The registry that npm's own settings name.
fn registry() -> String {
    let variable = || {
        ["NPM_CONFIG_REGISTRY", "npm_config_registry"].iter().find_map(|name| env::var(name).ok())
    };
    let asked = || {
        let output = Command::new("npm").args(["config", "get", "registry"]).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    chosen(variable().or_else(asked).as_deref())
}

/// `said` as an address without a slash at its end, or the default where it is none.
fn chosen(said: Option<&str>) -> String {
    let address = said.map(|s| s.trim().trim_end_matches('/'));
    address.filter(|a| a.starts_with("http")).unwrap_or(REGISTRY).to_owned()
}

/// A text file of a packed archive.
fn member(archive: &[u8], path: &str) -> Result<String> {
    for entry in tar::Archive::new(GzDecoder::new(archive)).entries()? {
        let mut entry = entry?;
        if entry.path()?.as_ref() == Path::new(path) {
            let mut text = String::new();
            entry.read_to_string(&mut text)?;
            return Ok(text);
        }
    }
    bail!("the archive does not hold {path}")
}

#[cfg(test)]
mod tests {
    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn packed(path: &str, text: &str) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, text.as_bytes()).unwrap();
        archive.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn another_archive_than_the_pinned_one_is_not_used() {
        // The digest of nothing at all.
        let package = Package {
            name: "nothing",
            version: "1.0.0",
            sha512: "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
        };
        package.check(b"").unwrap();
        let error = package.check(b"something").unwrap_err().to_string();
        assert!(error.contains("nothing 1.0.0") && error.contains("not used"), "{error}");
    }

    #[test]
    fn a_file_is_taken_out_of_its_archive() {
        let archive = packed("package/a.js", "1 + 1");
        assert_eq!(member(&archive, "package/a.js").unwrap(), "1 + 1");
        assert!(member(&archive, "package/b.js").is_err());
        assert!(member(b"no archive", "package/a.js").is_err());
    }

    #[test]
    fn a_registry_of_ones_own_takes_the_place_of_the_public_one() {
        assert_eq!(chosen(Some("https://packages.example/npm/\n")), "https://packages.example/npm");
        assert_eq!(chosen(Some("undefined")), REGISTRY);
        assert_eq!(chosen(None), REGISTRY);
    }
}
