//! Runs the guest module in a wasm interpreter.

use std::path::Path;

use anyhow::{Context, Result};
use site::{
    project,
    toolchain::{Choice, Toolchain},
    wasm,
};
use wasmi::{Engine, Linker, Module, Store};

/// A guest module, compiled and ready to run.
#[derive(Debug)]
pub struct Guest {
    engine: Engine,
    module: Module,
}

impl Guest {
    /// Compiles the guest for wasm32 with the same toolchain and profile as the page.
    ///
    /// # Errors
    /// There is no toolchain, or the guest does not compile.
    pub fn compile() -> Result<Self> {
        let root =
            project::root(Path::new(env!("CARGO_MANIFEST_DIR"))).context("no workspace here")?;
        let mut say = |line: &str| eprintln!("{line}");
        let toolchain = Toolchain::resolve(&root, Choice::Auto, &mut say)?;
        eprintln!("the guest is compiled with {toolchain}");
        let path = wasm::compile(&root, &toolchain, "cross-target-guest")?;
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let engine = Engine::default();
        let module = Module::new(&engine, &bytes).context("the guest is no valid module")?;
        Ok(Self { engine, module })
    }

    /// The guest's report on `records`, in a fresh instance.
    ///
    /// # Errors
    /// The guest traps, or does not export what it should.
    pub fn report(&self, records: &[u8], control: Option<&str>) -> Result<String> {
        let mut store = Store::new(&self.engine, ());
        // No import is offered: whatever the guest computes, it computes alone.
        let linker = Linker::<()>::new(&self.engine);
        let instance = linker.instantiate_and_start(&mut store, &self.module)?;
        let control = control.unwrap_or_default();
        let input = [control.as_bytes(), records].concat();
        let alloc = instance.get_typed_func::<u32, u32>(&store, "alloc")?;
        let run = instance.get_typed_func::<u32, u32>(&store, "run")?;
        let output = instance.get_typed_func::<(), u32>(&store, "output")?;
        let at = alloc.call(&mut store, u32::try_from(input.len())?)?;
        let memory =
            instance.get_memory(&store, "memory").context("the guest exports no memory")?;
        memory.write(&mut store, at as usize, &input)?;
        let len = run.call(&mut store, u32::try_from(control.len())?)?;
        let from = output.call(&mut store, ())?;
        let mut report = vec![0; len as usize];
        memory.read(&store, from as usize, &mut report)?;
        Ok(String::from_utf8(report)?)
    }
}
