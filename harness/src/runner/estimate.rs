use std::fmt;

use super::{Job, spending::most_cost_usd};

/// What a job will take, before it is begun. About: tokens are counted from the length of the text, and nobody knows
/// which answers will need a repair or which calls another try.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Rows that need at least one call.
    pub rows: u64,
    /// Tokens that their openings have.
    pub input_tokens: u64,
    /// Tokens that one answer can have, by the parameters.
    pub most_output_tokens: u64,
    /// Cost at list price in US dollars, and the day of the list: every answer as long as it may be, and a repair of
    /// each.
    pub most_cost_usd: Option<(f64, String)>,
}

impl Estimate {
    /// Counts the rows of `job` whose answer is not recorded yet.
    #[must_use]
    pub fn of(job: &Job<'_>) -> Self {
        let fresh = job.cells.iter().filter_map(|(cell, attempt)| job.fresh_tokens(cell, *attempt));
        let fresh: Vec<u64> = fresh.collect();
        let model = job.resolver.model;
        let most = model.most_output_tokens();
        let cost = model.price.as_ref().map(|price| {
            let each = fresh.iter().map(|tokens| most_cost_usd(price, *tokens, most));
            (each.sum(), price.as_of.clone())
        });
        Self {
            rows: fresh.len() as u64,
            input_tokens: fresh.iter().sum(),
            most_output_tokens: most,
            most_cost_usd: cost,
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} rows to ask, about {} tokens to read, answers of up to {} tokens",
            self.rows, self.input_tokens, self.most_output_tokens
        )?;
        match &self.most_cost_usd {
            Some((cost, as_of)) => write!(
                f,
                "; about ${cost:.2} at the list price of {as_of} if every answer is that long and needs its repair"
            ),
            None => write!(f, "; no price is known"),
        }
    }
}
