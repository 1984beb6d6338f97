use std::collections::BTreeMap;

use records::Item;

use crate::{arms::Arm, error::Error};

/// More repeats than this are a slip of the pen.
const MOST_REPEATS: u32 = 1000;

/// An arm as asked for on the command line: a name, and its own number of repeats or the common one.
#[derive(Debug, Clone)]
pub struct ArmRequest {
    /// The arm.
    pub arm: Arm,
    /// How often each item is asked.
    pub repeats: u32,
}

/// Reads `a0:3,a1` against the arms that exist; an arm without a number gets `default_repeats`.
///
/// # Errors
/// An unknown arm (the message lists those that exist), an arm named twice, or a number that is none.
pub fn arm_requests(
    asked: &[String],
    default_repeats: u32,
    arms: &[Arm],
) -> Result<Vec<ArmRequest>, Error> {
    let mut seen = BTreeMap::new();
    asked
        .iter()
        .map(|text| {
            let (name, repeats) = match text.split_once(':') {
                None => (text.as_str(), default_repeats),
                Some((name, number)) => {
                    let repeats = number.parse().ok().filter(|n| (1..=MOST_REPEATS).contains(n)).ok_or_else(|| {
                        Error::Usage(format!(
                            "\"{text}\": after the colon stands the number of repeats, from 1 to {MOST_REPEATS}, such as {name}:3"
                        ))
                    })?;
                    (name, repeats)
                }
            };
            if seen.insert(name.to_owned(), ()).is_some() {
                return Err(Error::Usage(format!("the arm \"{name}\" is asked for twice")));
            }
            let arm = arms.iter().find(|a| a.spec.name == name).cloned().ok_or_else(|| {
                let known: Vec<_> = arms.iter().map(|a| a.spec.name.as_str()).collect();
                Error::Usage(format!("there is no arm \"{name}\"; there are: {}", known.join(", ")))
            })?;
            Ok(ArmRequest { arm, repeats })
        })
        .collect()
}

/// One call of the grid.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    /// The arm.
    pub arm: &'a Arm,
    /// The repeat, from 0.
    pub repeat: u32,
    /// The item.
    pub item: &'a Item,
}

/// The calls for one model: for each arm those items whose kind it asks, first repeat 0 of every arm, then repeat 1 of those that have one, and so on, so that a
/// run that stops early has seen every arm.
#[must_use]
pub fn grid<'a>(arms: &'a [ArmRequest], items: &'a [Item]) -> Vec<Cell<'a>> {
    let most = arms.iter().map(|a| a.repeats).max().unwrap_or(0);
    let mut cells = Vec::new();
    for repeat in 0..most {
        for request in arms.iter().filter(|a| a.repeats > repeat) {
            let asked = items.iter().filter(|i| request.arm.spec.kinds.contains(&i.kind));
            cells.extend(asked.map(|item| Cell { arm: &request.arm, repeat, item }));
        }
    }
    cells
}
