//! Where files come from: this site, another address, or the reader's disk. The only code that fetches or opens files.

pub mod archive;
#[cfg(target_arch = "wasm32")]
mod disk;
#[cfg(target_arch = "wasm32")]
mod fetch;
#[cfg(target_arch = "wasm32")]
mod load;
pub mod origin;
#[cfg(target_arch = "wasm32")]
mod parts;
#[cfg(target_arch = "wasm32")]
mod unpack;

#[cfg(target_arch = "wasm32")]
pub use disk::{dropped_files, listed};
#[cfg(target_arch = "wasm32")]
pub use load::{Loaded, fetch_run, from_files, from_site, from_url};
#[cfg(target_arch = "wasm32")]
pub use parts::Parts;
