//! From a package to a wasm module and the script that loads it.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use wasm_bindgen_cli_support::Bindgen;

use crate::toolchain::{TARGET, TARGET_DIR, Toolchain, ToolchainError};

/// The profile of the page, in the workspace's manifest.
const PROFILE: &str = "web";

/// A module ready for a browser.
#[derive(Debug, Clone)]
pub struct Module {
    /// The wasm module.
    pub wasm: Vec<u8>,
    /// The ES module that instantiates it; its default export takes the module's address.
    pub glue: String,
    /// Scripts that the glue imports, by path relative to it.
    pub snippets: BTreeMap<String, String>,
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

/// Writes the glue of the module at `path`, and the module that goes with it.
///
/// # Errors
/// The module cannot be read, or is not one that wasm-bindgen can bind.
pub fn bind(path: &Path) -> Result<Module, WasmError> {
    let bytes = fs::read(path).map_err(|e| WasmError::Read(path.to_owned(), e))?;
    let failed = |e: anyhow::Error| WasmError::Bindgen(format!("{e:#}"));
    let mut output = Bindgen::new()
        .input_bytes("page", bytes)
        .web(true)
        .map_err(failed)?
        .omit_default_module_path(true)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()
        .map_err(failed)?;
    let mut snippets = BTreeMap::new();
    for (folder, scripts) in output.snippets() {
        for (i, script) in scripts.iter().enumerate() {
            snippets.insert(format!("snippets/{folder}/inline{i}.js"), script.clone());
        }
    }
    let local: BTreeMap<_, _> = output.local_modules().iter().collect();
    for (name, script) in local {
        snippets.insert(format!("snippets/{name}"), script.clone());
    }
    let glue = output.js().to_owned();
    // Not through wasm-opt: on this page it saves a tenth of the bytes and costs an eighth of the gzipped ones.
    Ok(Module { wasm: output.wasm_mut().emit_wasm(), glue, snippets })
}
