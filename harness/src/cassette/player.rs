use std::{
    collections::{BTreeMap, VecDeque},
    path::{Path, PathBuf},
};

use records::{Interaction, Request, parse_jsonl};
use serde_json::Value;

use crate::error::{Error, read_file};

/// The exchanges of one cassette, by request key and repeat, in the order in which they were recorded.
#[derive(Debug, Default)]
pub struct Player {
    path: PathBuf,
    by_key: BTreeMap<(String, Option<u32>), VecDeque<Interaction>>,
}

impl Player {
    /// Reads the cassette at `path`; one that does not exist holds nothing.
    ///
    /// # Errors
    /// The file cannot be read, or a line is wrong or was edited.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let mut by_key: BTreeMap<_, VecDeque<Interaction>> = BTreeMap::new();
        if path.exists() {
            let bytes = read_file(path)?;
            for row in parse_jsonl::<Interaction>(&path.display().to_string(), &bytes)?.rows {
                by_key.entry((row.request_key.clone(), row.repeat)).or_default().push_back(row);
            }
        }
        Ok(Self { path: path.to_owned(), by_key })
    }

    /// The next recorded exchange of a repeat for `request`; a request that is made again gets the exchange after it,
    /// and the last one stays.
    ///
    /// # Errors
    /// A cassette miss: names the nearest recorded request and what differs.
    pub fn next(
        &mut self,
        provider: &str,
        request: &Request,
        repeat: u32,
    ) -> Result<Interaction, Error> {
        let key = request.key(provider);
        let place = self.place(&key, repeat);
        match place.and_then(|p| self.by_key.get_mut(&p)) {
            Some(queue) if queue.len() > 1 => queue.pop_front(),
            Some(queue) => queue.front().cloned(),
            None => None,
        }
        .ok_or_else(|| self.miss(&key, request))
    }

    /// The recorded exchange with status 200 of a repeat for `request`, if there is one.
    #[must_use]
    pub fn success(&self, provider: &str, request: &Request, repeat: u32) -> Option<Interaction> {
        let queue = self.by_key.get(&self.place(&request.key(provider), repeat)?)?;
        queue.iter().find(|i| i.response.as_ref().is_some_and(|r| r.status == 200)).cloned()
    }

    /// Where the exchanges of a repeat stand: under the repeat, or under the request alone.
    fn place(&self, key: &str, repeat: u32) -> Option<(String, Option<u32>)> {
        let places = [(key.to_owned(), Some(repeat)), (key.to_owned(), None)];
        places.into_iter().find(|p| self.by_key.contains_key(p))
    }

    fn miss(&self, key: &str, request: &Request) -> Error {
        let path = self.path.display();
        let nearest = self
            .by_key
            .values()
            .filter_map(VecDeque::front)
            .map(|i| (differences(&i.request.body, &request.body), i))
            .min_by_key(|(d, i)| {
                (d.iter().map(|d| d.weight).sum::<usize>(), i.request_key.clone())
            });
        let detail = match nearest {
            None => "nothing is recorded there".to_owned(),
            Some((differences, interaction)) => {
                let list: Vec<_> = differences.iter().map(|d| d.text.as_str()).collect();
                format!(
                    "the nearest recording, {}, differs in {}",
                    &interaction.request_key[..12.min(interaction.request_key.len())],
                    list.join(" and ")
                )
            }
        };
        Error::Input(format!(
            "cassette miss: {path} has no recording of request {}; {detail}. Replay never calls a provider: use --mode record to record it",
            &key[..12.min(key.len())]
        ))
    }
}

struct Difference {
    text: String,
    weight: usize,
}

/// Which top-level fields of two request bodies differ, with how much of their text does.
fn differences(recorded: &Value, asked: &Value) -> Vec<Difference> {
    let (Value::Object(recorded), Value::Object(asked)) = (recorded, asked) else {
        return vec![Difference { text: "the body".to_owned(), weight: usize::MAX / 4 }];
    };
    let mut fields: Vec<_> = recorded.keys().chain(asked.keys()).collect();
    fields.sort();
    fields.dedup();
    fields
        .into_iter()
        .filter(|f| recorded.get(*f) != asked.get(*f))
        .map(|f| {
            let text_of = |v: Option<&Value>| v.map(Value::to_string).unwrap_or_default();
            let (a, b) = (text_of(recorded.get(f)), text_of(asked.get(f)));
            let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
            let what = if f == "messages" { " (the prompt was edited)" } else { "" };
            Difference { text: format!("`{f}`{what}"), weight: a.len().max(b.len()) - same }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_name_the_fields_and_prefer_the_nearest_prompt() {
        let recorded = json!({"messages": "Question: will it rain?", "seed": 1, "model": "m"});
        let list = |asked: &Value| -> Vec<String> {
            differences(&recorded, asked).into_iter().map(|d| d.text).collect()
        };
        assert_eq!(
            list(&json!({"messages": "Question: will it snow?", "seed": 1, "model": "m"})),
            ["`messages` (the prompt was edited)"]
        );
        assert_eq!(
            list(&json!({"messages": "Question: will it rain?", "seed": 2})),
            ["`model`", "`seed`"]
        );
        let weight = |text: &str| -> usize {
            differences(&recorded, &json!({"messages": text, "seed": 1, "model": "m"}))
                .iter()
                .map(|d| d.weight)
                .sum()
        };
        assert!(
            weight("Question: will it snow?") < weight("Another thing altogether, much longer")
        );
    }
}
