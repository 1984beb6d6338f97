use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use records::{Interaction, Response, parse_jsonl};
use serde_json::Value;

use super::Call;
use crate::{
    error::{Error, read_file},
    provider::Reply,
};

/// Where exchanges stand in a cassette: under a request key, and under a repeat where one is named.
pub type Shelf = (String, Option<u32>);

/// The exchanges of one cassette, by request key and repeat, in the order in which they were recorded.
#[derive(Debug, Default)]
pub struct Player {
    path: PathBuf,
    by_key: BTreeMap<Shelf, Vec<Interaction>>,
}

impl Player {
    /// Reads the cassette at `path`; one that does not exist holds nothing.
    ///
    /// # Errors
    /// The file cannot be read, or a line is wrong or was edited.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let mut player = Self::empty(path);
        if path.exists() {
            let bytes = read_file(path)?;
            for row in parse_jsonl::<Interaction>(&path.display().to_string(), &bytes)?.rows {
                player.add(row);
            }
        }
        Ok(player)
    }

    /// A player of the cassette at `path` that holds nothing yet.
    pub(super) fn empty(path: &Path) -> Self {
        Self { path: path.to_owned(), by_key: BTreeMap::new() }
    }

    /// Adds the next exchange of the cassette.
    pub(super) fn add(&mut self, row: Interaction) {
        self.by_key.entry((row.request_key.clone(), row.repeat)).or_default().push(row);
    }

    /// The recorded exchange of a call: that of the same try at the same attempt, or the last one there is of that
    /// attempt. An attempt at which the request was not made again was answered by what earlier ones brought.
    ///
    /// # Errors
    /// A cassette miss: names the nearest recorded request and what differs.
    pub fn find(&self, call: &Call<'_>) -> Result<&Interaction, Error> {
        let key = call.request.key(call.api.name());
        let recorded = self.exchanges(&key, call.repeat);
        let newest =
            recorded.iter().map(attempt_of).filter(|attempt| *attempt <= call.attempt).max();
        let mut of_attempt = recorded.iter().filter(|i| Some(attempt_of(i)) == newest);
        // An earlier attempt's exchange was taken over because it succeeded; the failures before it were not.
        let taken_over = newest.is_some_and(|attempt| attempt < call.attempt);
        let success = of_attempt.clone().find(|i| taken_over && is_success(call, i));
        success
            .or_else(|| of_attempt.clone().nth(call.number as usize))
            .or_else(|| of_attempt.next_back())
            .ok_or_else(|| self.miss(&key, call))
    }

    /// The recorded exchange that succeeded for a call, if there is one.
    #[must_use]
    pub fn success(&self, call: &Call<'_>) -> Option<&Interaction> {
        let key = call.request.key(call.api.name());
        self.exchanges(&key, call.repeat).iter().find(|i| is_success(call, i))
    }

    /// The exchanges of a repeat: those under the repeat, or else those under the request alone.
    fn exchanges(&self, key: &str, repeat: u32) -> &[Interaction] {
        [Some(repeat), None]
            .into_iter()
            .find_map(|repeat| self.by_key.get(&(key.to_owned(), repeat)))
            .map_or(&[], Vec::as_slice)
    }

    /// Where its exchanges stand.
    pub fn shelves(&self) -> impl Iterator<Item = &Shelf> {
        self.by_key.keys()
    }

    fn miss(&self, key: &str, call: &Call<'_>) -> Error {
        let path = self.path.display();
        let nearest = self
            .by_key
            .values()
            .filter_map(|exchanges| exchanges.first())
            .map(|i| (differences(&i.request.body, &call.request.body), i))
            .min_by_key(|(d, i)| {
                (d.iter().map(|d| d.weight).sum::<usize>(), i.request_key.clone())
            });
        let detail = match nearest {
            None if !self.path.exists() => "there is no such file".to_owned(),
            None => "nothing is recorded there".to_owned(),
            Some((differences, interaction)) => {
                let list: Vec<_> = differences.iter().map(|d| d.text.as_str()).collect();
                let what = if list.is_empty() {
                    format!("is of another repeat than {}", call.repeat)
                } else {
                    format!("differs in {}", list.join(" and "))
                };
                format!("the nearest recording, {}, {what}", short(&interaction.request_key))
            }
        };
        Error::Miss(format!("{path} has no recording of request {}; {detail}", short(key)))
    }
}

fn attempt_of(interaction: &Interaction) -> u32 {
    interaction.attempt.unwrap_or(1)
}

/// True for an answer that the API can read. Half a JSON, or an error that a gateway reports with status 200, is none, and
/// is asked for again.
fn is_success(call: &Call<'_>, interaction: &Interaction) -> bool {
    let read = |r: &Response| (r.status == 200).then(|| call.api.read(&r.body));
    match interaction.response.as_ref().and_then(read) {
        Some(Ok(reply)) => !matches!(reply, Reply::Empty { .. }),
        Some(Err(_)) | None => false,
    }
}

fn short(key: &str) -> &str {
    key.get(..12).unwrap_or(key)
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
    use records::{Failure, FailureKind, Request, Versioned};
    use serde_json::json;

    use super::*;
    use crate::provider::{Api, Provider};

    fn api() -> &'static dyn Api {
        Provider::of("openai").unwrap().api().unwrap()
    }

    fn player(exchanges: &[(u32, Option<u16>)]) -> (Player, Request) {
        let request = Request { method: "POST".into(), path: "/x".into(), body: json!({"q": 1}) };
        let exchange = |(at, (attempt, status)): (usize, &(u32, Option<u16>))| Interaction {
            schema: Interaction::tag(),
            request_key: request.key("openai"),
            provider: "openai".into(),
            repeat: Some(0),
            attempt: (*attempt > 1).then_some(*attempt),
            request: request.clone(),
            response: status.map(|status| Response {
                status,
                headers: BTreeMap::new(),
                body: json!({"choices": [{"message": {"content": "x"}}]}),
            }),
            failure: status.is_none().then_some(Failure { kind: FailureKind::Timeout }),
            latency_ms: at as f64,
            recorded_at: String::new(),
        };
        let recorded = exchanges.iter().enumerate().map(exchange).collect();
        let by_key = BTreeMap::from([((request.key("openai"), Some(0)), recorded)]);
        (Player { path: PathBuf::new(), by_key }, request)
    }

    /// Position of the exchange that is found for a try at an attempt.
    fn found(exchanges: &[(u32, Option<u16>)], attempt: u32, number: u32) -> usize {
        let (player, request) = player(exchanges);
        let call = Call { api: api(), request: &request, repeat: 0, attempt, number };
        player.find(&call).unwrap().latency_ms as usize
    }

    #[test]
    fn each_attempt_finds_its_own_exchanges() {
        let log = [(1, Some(500)), (1, None), (1, Some(503)), (2, Some(429)), (2, Some(200))];
        assert_eq!([0, 1, 2, 3].map(|number| found(&log, 1, number)), [0, 1, 2, 2]);
        assert_eq!([0, 1].map(|number| found(&log, 2, number)), [3, 4]);
    }

    #[test]
    fn a_later_attempt_takes_over_what_an_earlier_one_brought() {
        // The first call was served at once, so the second attempt did not make it again.
        assert_eq!(found(&[(1, Some(200))], 2, 0), 0);
        assert_eq!(found(&[(1, Some(500)), (1, Some(200))], 2, 0), 1);
        // Nothing was served and nothing was tried since: what failed stays failed.
        assert_eq!(found(&[(1, Some(500)), (1, Some(503))], 2, 0), 0);
    }

    #[test]
    fn another_repeat_is_a_miss_that_says_so() {
        let (player, request) = player(&[(1, Some(200))]);
        let call = Call { api: api(), request: &request, repeat: 4, attempt: 1, number: 0 };
        let error = player.find(&call).unwrap_err();
        assert!(error.to_string().contains("another repeat than 4"), "{error}");
    }

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
