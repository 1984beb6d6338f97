use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    client::{Answer, Api},
    gamma::{self, Market, Point},
    screen::settled_question,
    settings::Settings,
};
use crate::{error::Error, progress::Counter};

/// Prices of settled markets are served in steps of twelve hours and no finer.
const FIDELITY_MINUTES: &str = "720";
/// Markets a page; the most that the API gives.
const PAGE: &str = "100";
/// A harvest of more pages is stuck.
const MOST_PAGES: u64 = 20_000;

/// A market as the API gave it, and its price history if one was worth fetching.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Harvested {
    /// Id of the market, or where it stood when it has none.
    pub candidate_id: String,
    /// The market's own words.
    pub market: Value,
    /// Price of YES over time; empty when none was fetched.
    pub history: Vec<Point>,
}

/// Every closed market of the window above the volume, each once, with the price history of those that pass every other
/// screen.
///
/// # Errors
/// An API cannot be used.
pub async fn harvest(
    settings: &Settings,
    gamma: &mut Api,
    clob: &mut Api,
    quiet: bool,
) -> Result<Vec<Harvested>, Error> {
    let mut harvested = markets(settings, gamma, quiet).await?;
    let worth: Vec<(usize, String)> = harvested
        .iter()
        .enumerate()
        .filter_map(|(at, h)| {
            let market = Market::read(&h.market)?;
            settled_question(&market).ok()?;
            Some((at, market.yes_token()?.to_owned()))
        })
        .collect();
    let (asked, mut found) = (worth.len(), false);
    let mut bar = Counter::new("prices", Some(asked as u64), quiet);
    for (at, token) in worth {
        let parameters =
            [("market", token.as_str()), ("interval", "max"), ("fidelity", FIDELITY_MINUTES)];
        let answer = clob.get("/prices-history", &parameters, gamma::is_history).await?;
        found |= answer.is_success();
        harvested[at].history = gamma::history(&answer.body);
        bar.advance(&harvested[at].candidate_id);
    }
    if asked > 0 && !found {
        return Err(Error::Provider(format!(
            "clob /prices-history: it knows none of the {asked} markets; check `sources.clob`, delete work/fetched/clob.jsonl and run again"
        )));
    }
    Ok(harvested)
}

/// The pages of closed markets, the latest closed first, until one lies before the window.
async fn markets(settings: &Settings, api: &mut Api, quiet: bool) -> Result<Vec<Harvested>, Error> {
    let (from, to) = settings.window().map_err(Error::Input)?;
    let volume = settings.harvest.min_volume_usd.to_string();
    let mut bar = Counter::new("markets", None, quiet);
    let mut harvested = Vec::new();
    let mut seen = BTreeSet::new();
    let mut cursors = BTreeSet::new();
    let mut cursor: Option<String> = None;
    for page in 0..MOST_PAGES {
        let mut parameters = vec![
            ("closed", "true"),
            ("order", "closedTime"),
            ("ascending", "false"),
            ("include_tag", "true"),
            ("limit", PAGE),
            ("volume_num_min", volume.as_str()),
        ];
        parameters.extend(cursor.as_deref().map(|c| ("after_cursor", c)));
        let is_page = |a: &Answer| a.is_success() && gamma::page(&a.body).is_some();
        let answer = api.get("/markets/keyset", &parameters, is_page).await?;
        let (rows, next) = gamma::page(&answer.body).ok_or_else(|| {
            Error::Provider(format!(
                "gamma /markets/keyset: page {} is no page of markets; the API may have changed",
                page + 1
            ))
        })?;
        let mut all_before = !rows.is_empty();
        for (row, value) in rows.iter().enumerate() {
            let market = Market::read(value);
            let closed = market.as_ref().and_then(|m| m.closed);
            all_before &= closed.is_some_and(|at| at < from);
            let too_small = market
                .as_ref()
                .and_then(|m| m.volume)
                .is_some_and(|v| v < settings.harvest.min_volume_usd);
            if closed.is_some_and(|at| !(from..to).contains(&at)) || too_small {
                continue;
            }
            let unnamed = || format!("page-{}-row-{}", page + 1, row + 1);
            let id = market.map_or_else(unnamed, |m| m.id);
            // A market that moved between two pages comes twice.
            if seen.insert(id.clone()) {
                bar.advance(&id);
                harvested.push(Harvested {
                    candidate_id: id,
                    market: value.clone(),
                    history: Vec::new(),
                });
            }
        }
        match next {
            Some(next) if !all_before => {
                if !cursors.insert(next.to_owned()) {
                    return Err(Error::Provider(format!(
                        "gamma /markets/keyset: page {} leads back to a page that was read, so markets would be missing; the API may have changed, delete work/fetched/gamma.jsonl and run again",
                        page + 1
                    )));
                }
                cursor = Some(next.to_owned());
            }
            _ => return Ok(harvested),
        }
    }
    Err(Error::Provider(format!("gamma /markets/keyset: more than {MOST_PAGES} pages")))
}
