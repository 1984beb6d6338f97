//! How much of the page a reader downloads before the first number is checked, and how much it may be.

use std::io::{self, Write};

use flate2::{Compression, write::GzEncoder};

use crate::wasm::Module;

/// Most bytes of the program, module and script gzipped, with which the site is built. About 810,000 are reached; the
/// rest is room for compilers that are a little worse. A page made for phones would stay below [`AIM`].
pub const LIMIT: u64 = 900_000;

/// What the page's design aims at, in gzipped bytes. It is not reached.
const AIM: u64 = 300_000;

/// The program outgrew its budget.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the page's program is {bytes} bytes gzipped, more than the {limit} of its budget; make it smaller, or raise LIMIT in \
     site/src/budget.rs and say so in README.md"
)]
pub struct OverBudget {
    bytes: u64,
    limit: u64,
}

/// Says how large the program is.
///
/// # Errors
/// It is larger than `limit` bytes when gzipped.
pub fn check(module: &Module, limit: u64) -> Result<String, OverBudget> {
    let scripts = module.snippets.values().chain([&module.glue]).map(String::as_bytes);
    let bytes = scripts.chain([module.wasm.as_slice()]).map(gzipped).sum();
    if bytes > limit {
        return Err(OverBudget { bytes, limit });
    }
    let kilo = |bytes: u64| bytes.div_ceil(1000);
    Ok(format!(
        "the program is {} kB gzipped; its budget is {} kB, the aim of its design {} kB",
        kilo(bytes),
        kilo(limit),
        kilo(AIM)
    ))
}

fn gzipped(bytes: &[u8]) -> u64 {
    let mut encoder = GzEncoder::new(Counter(0), Compression::default());
    // Counting cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().map_or(u64::MAX, |counter| counter.0)
}

/// Counts what is written to it.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_program_over_its_budget_is_refused_with_its_size() {
        // Does not get smaller: each byte follows from the one before in a way that gzip does not see.
        let mut state = 1_u32;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        });
        let module = Module {
            wasm: noise.take(5000).collect(),
            glue: "a".repeat(5000),
            snippets: BTreeMap::new(),
        };
        assert!(check(&module, 6000).unwrap().contains("gzipped"));
        let refused = check(&module, 4900).unwrap_err();
        assert!(refused.bytes > 5000 && refused.bytes < 6000, "{refused}");
    }
}
