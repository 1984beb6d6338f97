//! From a package to the files of its program: modules of wasm and the scripts that load them.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::{Path, PathBuf},
};

use wasm_bindgen_cli_support::Bindgen;

use crate::toolchain::{TARGET, TARGET_DIR, Toolchain, ToolchainError};

/// The profile of the page, in the workspace's manifest.
const PROFILE: &str = "web";

/// The script that instantiates the main module; its default export takes that module's address.
pub const GLUE: &str = "page.js";
/// The main module.
pub const MAIN: &str = "page.wasm";
/// The script that fetches the other modules when they are called for.
const LOADER: &str = "split.js";

/// The part of the program that the page's worker fetches, by its name in the page's code.
const WORKER_PART: &str = "worker";

/// A program ready for a browser.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its files by path; they refer to each other by relative paths.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Paths of those that page and worker need before a number is checked. The others are fetched later.
    pub first: BTreeSet<String>,
}

/// Why a module could not be made.
#[derive(Debug, thiserror::Error)]
pub enum WasmError {
    /// Cargo could not be started.
    #[error("{0} could not be started")]
    Cargo(PathBuf, #[source] io::Error),
    /// The compiler has said why.
    #[error("package `{0}` did not compile for {TARGET}")]
    Compile(String),
    /// There is no clippy.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// Clippy has said why.
    #[error("clippy found something in the packages compiled for {TARGET}")]
    Lint,
    /// Cargo succeeded and the module is not where it belongs.
    #[error("{0} could not be read")]
    Read(PathBuf, #[source] io::Error),
    /// The module could not be split.
    #[error("the module could not be split into parts: {0}")]
    Split(String),
    /// The glue could not be written.
    #[error("the script that loads the module could not be generated: {0}")]
    Bindgen(String),
}

/// Compiles `package` for wasm32 and returns the path of its module.
///
/// # Errors
/// It does not compile.
pub fn compile(root: &Path, toolchain: &Toolchain, package: &str) -> Result<PathBuf, WasmError> {
    let status = toolchain
        .cargo(root, "build")
        .args(["--profile", PROFILE, "--package", package, "--lib"])
        .status()
        .map_err(|e| WasmError::Cargo(toolchain.cargo.clone(), e))?;
    if !status.success() {
        return Err(WasmError::Compile(package.to_owned()));
    }
    let file = format!("{}.wasm", package.replace('-', "_"));
    Ok(root.join(TARGET_DIR).join(TARGET).join(PROFILE).join(file))
}

/// Checks packages for wasm32 with clippy, every warning an error, and says with what they were checked.
///
/// # Errors
/// There is a warning.
pub fn lint(
    root: &Path,
    toolchain: &Toolchain,
    packages: &[&str],
    say: &mut dyn FnMut(&str),
) -> Result<String, WasmError> {
    let mut command = toolchain.clippy(root, say)?;
    for package in packages {
        command.args(["--package", package]);
    }
    let status = command
        .args(["--lib", "--", "-D", "warnings"])
        .status()
        .map_err(|e| WasmError::Cargo(toolchain.cargo.clone(), e))?;
    if !status.success() {
        return Err(WasmError::Lint);
    }
    Ok(format!("clippy for {TARGET} with {toolchain}: no warning in {}", packages.join(", ")))
}

/// Splits the module at `path` into the parts that its code names, and writes the scripts that load them.
///
/// # Errors
/// The module cannot be read, or is not one that can be split and bound.
pub fn bind(path: &Path) -> Result<Program, WasmError> {
    let bytes = fs::read(path).map_err(|e| WasmError::Read(path.to_owned(), e))?;
    let folder = tempfile::tempdir().map_err(|e| WasmError::Read(env::temp_dir(), e))?;
    let main = folder.path().join(MAIN);
    let mut options = wasm_split_cli_support::Options::new(&bytes);
    options.output_dir = folder.path();
    options.main_out_path = &main;
    let (glue, loader) = (format!("./{GLUE}"), format!("./{LOADER}"));
    options.main_module = &glue;
    options.link_name = &loader;
    let split = wasm_split_cli_support::transform(options)
        .map_err(|e| WasmError::Split(format!("{e:#}")))?;
    let read = |path: &Path| fs::read(path).map_err(|e| WasmError::Read(path.to_owned(), e));
    let mut files = BTreeMap::from([(LOADER.to_owned(), read(&folder.path().join(LOADER))?)]);
    for part in &split.split_modules {
        let name = part.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.insert(name, compact(&read(part)?)?);
    }
    files.extend(bind_main(read(&main)?)?);
    let before = split.prefetch_map.get(WORKER_PART).into_iter().flatten();
    let mut first: BTreeSet<_> = before.map(|stem| format!("{stem}.wasm")).collect();
    // Scripts are a few kilobytes and import each other.
    first.extend(files.keys().filter(|name| *name == MAIN || name.ends_with(".js")).cloned());
    Ok(Program { files, first })
}

/// The main module and its scripts.
fn bind_main(module: Vec<u8>) -> Result<BTreeMap<String, Vec<u8>>, WasmError> {
    let failed = |e: anyhow::Error| WasmError::Bindgen(format!("{e:#}"));
    let mut output = Bindgen::new()
        .input_bytes("page", module)
        .web(true)
        .map_err(failed)?
        .omit_default_module_path(true)
        // The other parts are linked with the main one by what the linker exports.
        .keep_lld_exports(true)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()
        .map_err(failed)?;
    let mut files = BTreeMap::from([(GLUE.to_owned(), output.js().as_bytes().to_vec())]);
    for (folder, scripts) in output.snippets() {
        for (i, script) in scripts.iter().enumerate() {
            files.insert(format!("snippets/{folder}/inline{i}.js"), script.clone().into_bytes());
        }
    }
    let local: BTreeMap<_, _> = output.local_modules().iter().collect();
    for (name, script) in local {
        files.insert(format!("snippets/{name}"), script.clone().into_bytes());
    }
    files.insert(MAIN.to_owned(), output.wasm_mut().emit_wasm());
    Ok(files)
}

/// The same module without names, and with every number in as few bytes as it needs: a linker that keeps its notes
/// pads them.
fn compact(module: &[u8]) -> Result<Vec<u8>, WasmError> {
    let mut config = walrus::ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let mut module = config.parse(module).map_err(|e| WasmError::Split(format!("{e:#}")))?;
    Ok(module.emit_wasm())
}
