//! Constants and the market price: what every accuracy must be read against. No model, no call.

use records::{Item, Kind};

use crate::error::Error;

/// Name of this provider in `data/models.toml`.
pub const PROVIDER: &str = "baseline";

/// What can be named; `answers` says what each is.
const NAMES: &str =
    "always_no, always_yes, random_p50, market_price, uniform or most_common_choice";

/// More rows of one item than this are refused: that is no table of baselines any more.
const MOST_REPEATS: usize = 1000;

/// What a baseline says about an item of a data set: an answer and a confidence, one for each of its repeats.
///
/// - `always_no` and `always_yes`: that, with confidence 1.
/// - `random_p50` says YES once and NO once, each with confidence 0.5: both sides of a fair coin, so that the mean over
///   its two repeats is the coin's expectation (accuracy 0.5, Brier score 0.25) and not one lucky toss.
/// - `market_price`: YES above one half, with the price as the probability of YES.
/// - `uniform` says each of an item's k choices equally often, with confidence 1/k, so that its mean is the expectation
///   of guessing. Every item gets the same number of repeats, the least common multiple of all numbers of choices in
///   the data set: else items with many choices would count for more.
/// - `most_common_choice` says the place in the list, among those that the item has, at which the right answer of most
///   items of the data set stands (the earlier one of two), with the share of items that it is right for as confidence.
///   It is chosen with hindsight, as the best constant answer.
///
/// # Errors
/// There is no baseline called `name`, it is for items of another kind, or the item has no market price.
pub fn answers(name: &str, item: &Item, items: &[Item]) -> Result<Vec<(String, f64)>, Error> {
    let said = |answer: &str, confidence| Ok(vec![(answer.to_owned(), confidence)]);
    match name {
        "always_no" | "always_yes" | "random_p50" | "market_price" => {
            must_be(name, item, Kind::Binary, "binary")?;
        }
        "uniform" | "most_common_choice" => must_be(name, item, Kind::Choice, "choice")?,
        _ => {
            return Err(Error::Usage(format!(
                "there is no baseline \"{name}\"; it can be {NAMES}"
            )));
        }
    }
    match name {
        "always_no" => said("NO", 1.0),
        "always_yes" => said("YES", 1.0),
        "random_p50" => Ok(vec![("YES".to_owned(), 0.5), ("NO".to_owned(), 0.5)]),
        "market_price" => {
            let price = item.price_before.ok_or_else(|| {
                Error::Input(format!(
                    "item {}, field `price_before`: the baseline market_price needs it; leave the baseline out",
                    item.item_id
                ))
            })?;
            if price > 0.5 { said("YES", price) } else { said("NO", 1.0 - price) }
        }
        "uniform" => {
            let repeats =
                items.iter().map(n_choices).filter(|k| *k > 0).try_fold(1, |repeats, k| {
                    Some(least_common_multiple(repeats, k))
                        .filter(|repeats| *repeats <= MOST_REPEATS)
                });
            let repeats = repeats.ok_or_else(|| {
                Error::Input(format!(
                    "the baseline uniform would need more than {MOST_REPEATS} rows of each item, since the numbers of choices differ so much; leave it out"
                ))
            })?;
            let k = n_choices(item).max(1);
            Ok((0..repeats).map(|i| (name_of(item, i % k), 1.0 / k as f64)).collect())
        }
        _ => {
            let right = |place: usize| {
                items.iter().filter(|item| item.choice_place(&item.target) == Some(place)).count()
            };
            let k = n_choices(item);
            let place = (0..k).rev().max_by_key(|place| right(*place)).unwrap_or(0);
            said(&name_of(item, place), right(place) as f64 / items.len().max(1) as f64)
        }
    }
}

fn must_be(name: &str, item: &Item, kind: Kind, kind_name: &str) -> Result<(), Error> {
    if item.kind == kind {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "the baseline {name} is for items of kind {kind_name}, and item {} is none; leave the baseline out",
        item.item_id
    )))
}

fn n_choices(item: &Item) -> usize {
    item.choices.as_ref().map_or(0, Vec::len)
}

/// The choice at a place, named as the target is, by its letter or by its text, so that equal answers are equal texts.
fn name_of(item: &Item, place: usize) -> String {
    let choices = item.choices.as_deref().unwrap_or_default();
    let by_letter = !choices.contains(&item.target);
    let letter = Item::letter(place).filter(|_| by_letter).map(String::from);
    letter.or_else(|| choices.get(place).cloned()).unwrap_or_default()
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x.max(1) * b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(rest: &str) -> Item {
        let line = format!(r#"{{"schema":"recount.item/1","item_id":"q1","question":"?",{rest}}}"#);
        records::parse_jsonl::<Item>("items.jsonl", line.as_bytes()).unwrap().rows.remove(0)
    }

    fn binary(price: &str) -> Item {
        item(&format!(r#""kind":"binary","target":"YES","price_before":{price}"#))
    }

    fn choice(target: &str, choices: &str) -> Item {
        item(&format!(r#""kind":"choice","target":"{target}","choices":{choices}"#))
    }

    fn alone(name: &str, item: &Item) -> Result<Vec<(String, f64)>, Error> {
        answers(name, item, std::slice::from_ref(item))
    }

    #[test]
    fn the_market_says_yes_above_one_half_only() {
        for (price, answer, confidence) in
            [("0.8", "YES", 0.8), ("0.5", "NO", 0.5), ("0.25", "NO", 0.75)]
        {
            let expected = [(answer.to_owned(), confidence)];
            assert_eq!(alone("market_price", &binary(price)).unwrap(), expected);
        }
        assert!(alone("market_price", &binary("null")).is_err());
    }

    #[test]
    fn both_sides_of_the_coin_make_its_expectation() {
        let coin = alone("random_p50", &binary("null")).unwrap();
        let right = coin.iter().filter(|(answer, _)| answer == "YES").count();
        assert_eq!((right, coin.len()), (1, 2));
        assert!(coin.iter().all(|(_, confidence)| *confidence == 0.5));
    }

    #[test]
    fn guessing_is_right_as_often_as_there_are_choices_whatever_their_number() {
        let items = [
            choice("B", r#"["x","y"]"#),
            choice("green", r#"["red","blue","green"]"#),
            choice("A", r#"["x","y","z","u"]"#),
        ];
        for item in &items {
            let guesses = answers("uniform", item, &items).unwrap();
            let k = n_choices(item);
            assert_eq!(guesses.len(), 12, "the same number of rows for every item");
            let right = guesses.iter().filter(|(answer, _)| *answer == item.target).count();
            assert_eq!(right * k, guesses.len());
            assert!(guesses.iter().all(|(_, confidence)| *confidence == 1.0 / k as f64));
        }
        let many: Vec<_> = [7, 11, 13, 16].map(|k| vec!["x"; k]).to_vec();
        let many: Vec<_> =
            many.iter().map(|c| choice("A", &serde_json::json!(c).to_string())).collect();
        assert!(answers("uniform", &many[0], &many).unwrap_err().to_string().contains("1000"));
    }

    #[test]
    fn the_most_common_choice_is_one_that_the_item_has() {
        let items = [
            choice("C", r#"["x","y","z"]"#),
            choice("z", r#"["x","y","z"]"#),
            choice("B", r#"["x","y"]"#),
            choice("A", r#"["x","y"]"#),
        ];
        let said: Vec<_> =
            items.iter().map(|i| answers("most_common_choice", i, &items).unwrap()).collect();
        let expected = [("C", 0.5), ("z", 0.5), ("A", 0.25), ("A", 0.25)];
        let expected = expected.map(|(answer, share)| vec![(answer.to_owned(), share)]);
        assert_eq!(said, expected);
    }

    #[test]
    fn a_baseline_is_for_items_of_its_kind() {
        for (name, item) in [
            ("always_no", choice("A", r#"["x","y"]"#)),
            ("uniform", binary("null")),
            ("most_common_choice", item(r#""kind":"span","target":"x""#)),
        ] {
            let error = alone(name, &item).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("q1"), "{error}");
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = alone("oracle", &binary("null")).unwrap_err().to_string();
        assert!(error.contains("always_no") && error.contains("most_common_choice"), "{error}");
    }
}
