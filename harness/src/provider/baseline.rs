//! Constants and the market price: what every accuracy must be read against. No model, no call.

use records::Item;

use crate::error::Error;

/// Name of this provider in `data/models.toml`.
pub const PROVIDER: &str = "baseline";

/// What a baseline says about an item: an answer and a confidence, one for each of its repeats.
///
/// `random_p50` says YES once and NO once, each with confidence 0.5: both sides of a fair coin, so that the mean over
/// its two repeats is the coin's expectation (accuracy 0.5, Brier score 0.25) and not one lucky toss.
///
/// # Errors
/// There is no baseline called `name`, or the item has no market price.
pub fn answers(name: &str, item: &Item) -> Result<Vec<(&'static str, f64)>, Error> {
    match name {
        "always_no" => Ok(vec![("NO", 1.0)]),
        "always_yes" => Ok(vec![("YES", 1.0)]),
        "random_p50" => Ok(vec![("YES", 0.5), ("NO", 0.5)]),
        "market_price" => {
            let price = item.price_before.ok_or_else(|| {
                Error::Input(format!(
                    "item {}, field `price_before`: the baseline market_price needs it; leave the baseline out",
                    item.item_id
                ))
            })?;
            Ok(vec![if price > 0.5 { ("YES", price) } else { ("NO", 1.0 - price) }])
        }
        _ => Err(Error::Usage(format!(
            "there is no baseline \"{name}\"; it can be always_no, always_yes, random_p50 or market_price"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(price: &str) -> Item {
        let line = format!(
            r#"{{"schema":"recount.item/1","item_id":"q1","kind":"binary","question":"?","target":"YES","price_before":{price}}}"#
        );
        records::parse_jsonl::<Item>("items.jsonl", line.as_bytes()).unwrap().rows.remove(0)
    }

    #[test]
    fn the_market_says_yes_above_one_half_only() {
        for (price, expected) in
            [("0.8", ("YES", 0.8)), ("0.5", ("NO", 0.5)), ("0.25", ("NO", 0.75))]
        {
            assert_eq!(answers("market_price", &item(price)).unwrap(), [expected]);
        }
        assert!(answers("market_price", &item("null")).is_err());
    }

    #[test]
    fn both_sides_of_the_coin_make_its_expectation() {
        let coin = answers("random_p50", &item("null")).unwrap();
        let right = coin.iter().filter(|(answer, _)| *answer == "YES").count();
        assert_eq!((right, coin.len()), (1, 2));
        assert!(coin.iter().all(|(_, confidence)| *confidence == 0.5));
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = answers("oracle", &item("null")).unwrap_err();
        assert!(error.to_string().contains("always_no"));
    }
}
