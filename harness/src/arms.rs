//! The arms of a run, as data: `arms/arms.toml` and one prompt file each.

use records::{ArmSpec, Evidence, sha256_hex};
use serde::Deserialize;

use crate::error::Error;

/// The system message of every prompt.
pub const SYSTEM: &str = include_str!("../arms/system.md");
/// The one repair turn.
pub const REPAIR: &str = include_str!("../arms/repair.md");

const ARMS: &str = include_str!("../arms/arms.toml");
const PROMPTS: [(&str, &str); 5] = [
    ("a0.md", include_str!("../arms/a0.md")),
    ("a1.md", include_str!("../arms/a1.md")),
    ("a2.md", include_str!("../arms/a2.md")),
    ("closed_book.md", include_str!("../arms/closed_book.md")),
    ("closed_book_forced.md", include_str!("../arms/closed_book_forced.md")),
];

/// Name of the arm under which the constant baselines and the market price stand.
pub const BASELINE_ARM: &str = "baseline";

/// An arm and the text of its prompt file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arm {
    /// What `run.json` says about it.
    pub spec: ArmSpec,
    /// The prompt file.
    pub template: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireFile {
    arm: Vec<WireArm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireArm {
    name: String,
    description: String,
    evidence: Evidence,
    may_abstain: bool,
    prompt: String,
}

/// The built-in arms, in file order.
///
/// # Errors
/// The built-in file names a prompt that is not built in.
pub fn built_in() -> Result<Vec<Arm>, Error> {
    let file: WireFile =
        toml::from_str(ARMS).map_err(|e| Error::Input(format!("arms.toml: {e}")))?;
    file.arm
        .into_iter()
        .map(|wire| {
            let Some((_, template)) = PROMPTS.iter().find(|(name, _)| *name == wire.prompt) else {
                return Err(Error::Input(format!(
                    "arms.toml: arm \"{}\" names the prompt \"{}\", which is not there",
                    wire.name, wire.prompt
                )));
            };
            Ok(Arm {
                spec: ArmSpec {
                    name: wire.name,
                    description: wire.description,
                    evidence: wire.evidence,
                    may_abstain: wire.may_abstain,
                    prompt: wire.prompt,
                    prompt_sha256: sha256_hex(template.as_bytes()),
                },
                template: (*template).to_owned(),
            })
        })
        .collect()
}
