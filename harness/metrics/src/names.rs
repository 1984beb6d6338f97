//! Names that occur in many rows, each kept once.

use std::collections::BTreeMap;

/// Distinct names, numbered from 0 as they come.
#[derive(Debug, Default)]
pub struct Names {
    numbers: BTreeMap<String, u32>,
    texts: Vec<String>,
    last: usize,
}

impl Names {
    /// The number of a name.
    pub fn number(&mut self, text: &str) -> u32 {
        // Most rows repeat the name of the row before or go on to the next one.
        let near = self.last..self.last + 2;
        let near = near.into_iter().find(|at| self.texts.get(*at).is_some_and(|t| t == text));
        self.last = near.unwrap_or_else(|| {
            if let Some(number) = self.numbers.get(text) {
                return *number as usize;
            }
            // As many names as this cannot count would not fit into memory.
            self.numbers.insert(text.to_owned(), self.texts.len() as u32);
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        });
        self.last as u32
    }

    /// How many names there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.texts.len()
    }

    /// The names in order of their bytes, and for each number the place of its name there.
    #[must_use]
    pub fn in_order(self) -> (Vec<String>, Vec<u32>) {
        let mut places = vec![0; self.texts.len()];
        for (place, number) in (0..).zip(self.numbers.values()) {
            places[*number as usize] = place;
        }
        (self.numbers.into_keys().collect(), places)
    }
}
