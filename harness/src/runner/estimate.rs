use std::fmt;

use records::{Price, Usage};

use super::Job;

/// What a job will take, before it is begun.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Rows that need at least one call.
    pub calls: u64,
    /// Tokens that their openings have, about.
    pub input_tokens: u64,
    /// Tokens that their answers can have at most.
    pub most_output_tokens: u64,
    /// The list price, when it is known.
    pub price: Option<Price>,
}

impl Estimate {
    /// Counts the rows of `job` whose answer is not recorded yet.
    #[must_use]
    pub fn of(job: &Job<'_>) -> Self {
        let fresh: Vec<u64> = job
            .cells
            .iter()
            .filter_map(|(cell, attempt)| job.fresh_tokens(cell, *attempt))
            .collect();
        let calls = fresh.len() as u64;
        let model = job.resolver.model;
        Self {
            calls,
            input_tokens: fresh.iter().sum(),
            most_output_tokens: calls * model.most_output_tokens(),
            price: model.price.clone(),
        }
    }

    /// Cost at list price in US dollars, when every answer is as long as it may be and none needs a repair.
    #[must_use]
    pub fn cost_usd(&self) -> Option<f64> {
        let usage = Usage {
            input_tokens: self.input_tokens,
            output_tokens: self.most_output_tokens,
            ..Usage::default()
        };
        self.price.as_ref().map(|p| p.cost_usd(&usage))
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} calls, about {} tokens to read and at most {} to write",
            self.calls, self.input_tokens, self.most_output_tokens
        )?;
        match (self.cost_usd(), &self.price) {
            (Some(cost), Some(price)) => {
                write!(f, ", at most about ${cost:.2} at the list price of {}", price.as_of)
            }
            _ => write!(f, "; no price is known"),
        }
    }
}
