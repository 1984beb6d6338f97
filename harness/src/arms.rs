//! The arms of a run, as data: `arms.toml` and one prompt file each. Those of `arms/` are built in; a data folder may
//! bring more in an `arms.toml` of its own.

use std::path::Path;

use records::{ArmSpec, Evidence, Kind, sha256_hex};
use serde::Deserialize;

use crate::{
    cassette::is_plain_name,
    error::{Error, read_text},
    prompt,
};

/// The one repair turn.
pub const REPAIR: &str = include_str!("../arms/repair.md");

const ARMS: &str = include_str!("../arms/arms.toml");
const PROMPTS: [(&str, &str); 9] = [
    ("a0.md", include_str!("../arms/a0.md")),
    ("a1.md", include_str!("../arms/a1.md")),
    ("a2.md", include_str!("../arms/a2.md")),
    ("closed_book.md", include_str!("../arms/closed_book.md")),
    ("closed_book_forced.md", include_str!("../arms/closed_book_forced.md")),
    ("no_context.md", include_str!("../arms/no_context.md")),
    ("oracle.md", include_str!("../arms/oracle.md")),
    ("system.md", include_str!("../arms/system.md")),
    ("system_answer.md", include_str!("../arms/system_answer.md")),
];

/// Name of the arm under which the constant baselines and the market price stand.
pub const BASELINE_ARM: &str = "baseline";

/// An arm and the texts of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arm {
    /// What `run.json` says about it.
    pub spec: ArmSpec,
    /// The system message.
    pub system: String,
    /// The prompt, with places to fill in.
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
    #[serde(default = "binary")]
    kinds: Vec<Kind>,
    #[serde(default = "system")]
    system: String,
    prompt: String,
}

fn binary() -> Vec<Kind> {
    vec![Kind::Binary]
}

fn system() -> String {
    "system.md".to_owned()
}

/// The arms that a run over the data sets in `data` can name: the built-in ones, then those of `data/arms.toml` when
/// there is one. Prompt files are looked for beside that file first, then among the built-in ones.
///
/// # Errors
/// A file is missing or wrong, a prompt has a place that nothing fills, or an arm has the name of another.
pub fn known(data: &Path) -> Result<Vec<Arm>, Error> {
    let mut arms = built_in()?;
    let path = data.join("arms.toml");
    if path.exists() {
        let name = path.display().to_string();
        let beside = |file: &str| -> Result<Option<String>, Error> {
            let path = data.join(file);
            if path.is_file() { read_text(&path).map(Some) } else { Ok(None) }
        };
        for arm in read_arms(&name, &read_text(&path)?, beside)? {
            if arms.iter().any(|a| a.spec.name == arm.spec.name) {
                return Err(Error::Input(format!(
                    "{name}, arm \"{}\": there is an arm of that name; choose another",
                    arm.spec.name
                )));
            }
            arms.push(arm);
        }
    }
    Ok(arms)
}

/// The built-in arms, in file order.
///
/// # Errors
/// As [`known`].
pub fn built_in() -> Result<Vec<Arm>, Error> {
    read_arms("arms.toml", ARMS, |_| Ok(None))
}

fn read_arms(
    file: &str,
    text: &str,
    beside: impl Fn(&str) -> Result<Option<String>, Error>,
) -> Result<Vec<Arm>, Error> {
    let wrong = |problem: String| Error::Input(format!("{file}{problem}"));
    let wire: WireFile = toml::from_str(text).map_err(|e| wrong(format!(": {e}")))?;
    let mut arms = Vec::new();
    for arm in wire.arm {
        let at = format!(", arm \"{}\"", arm.name);
        if arm.name == BASELINE_ARM || !is_plain_name(&arm.name) {
            return Err(wrong(format!(
                "{at}, field `name`: is reserved, empty or no file name; use letters, digits, dots, dashes and underscores"
            )));
        }
        let text_of = |field: &str, name: &str| -> Result<String, Error> {
            let built_in =
                || PROMPTS.iter().find(|(n, _)| *n == name).map(|(_, t)| (*t).to_owned());
            beside(name)?.or_else(built_in).ok_or_else(|| {
                wrong(format!("{at}, field `{field}`: there is no file \"{name}\" beside it"))
            })
        };
        let (system, template) = (text_of("system", &arm.system)?, text_of("prompt", &arm.prompt)?);
        prompt::check_template(&template, arm.evidence)
            .map_err(|problem| wrong(format!("{at}, file {}: {problem}", arm.prompt)))?;
        arms.push(Arm {
            spec: ArmSpec {
                name: arm.name,
                description: arm.description,
                evidence: arm.evidence,
                may_abstain: arm.may_abstain,
                kinds: arm.kinds,
                system_sha256: sha256_hex(system.as_bytes()),
                system: arm.system,
                prompt_sha256: sha256_hex(template.as_bytes()),
                prompt: arm.prompt,
            },
            system,
            template,
        });
    }
    Ok(arms)
}
