use records::{Price, Usage};

/// What the calls of this invocation cost, and how much they may.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spending {
    /// At list price in US dollars.
    pub spent_usd: f64,
    /// The most that may be spent.
    pub limit_usd: Option<f64>,
    /// Set aside for calls under way.
    reserved_usd: f64,
}

impl Spending {
    /// Nothing spent yet, and at most `limit_usd` to spend.
    #[must_use]
    pub fn up_to(limit_usd: Option<f64>) -> Self {
        Self { limit_usd, ..Self::default() }
    }

    /// Sets `cost_usd` aside for a row that is about to be resolved; false when the limit does not allow it.
    #[must_use]
    pub fn reserve(&mut self, cost_usd: f64) -> bool {
        let after = self.spent_usd + self.reserved_usd + cost_usd;
        if cost_usd > 0.0 && self.limit_usd.is_some_and(|limit| after > limit) {
            return false;
        }
        self.reserved_usd += cost_usd;
        true
    }

    /// Takes back what was set aside for a row, and counts what it cost.
    pub fn settle(&mut self, reserved_usd: f64, cost_usd: f64) {
        self.reserved_usd -= reserved_usd;
        self.spent_usd += cost_usd;
    }
}

/// The most that a row is expected to cost in US dollars, given the tokens of its opening: an answer as long as it may
/// be, and one repair turn that carries both again.
#[must_use]
pub fn most_cost_usd(price: &Price, input_tokens: u64, most_output_tokens: u64) -> f64 {
    // What the repair turn says itself.
    const REPAIR_TOKENS: u64 = 150;
    let repair_input = input_tokens + most_output_tokens + REPAIR_TOKENS;
    price.cost_usd(&Usage {
        input_tokens: input_tokens + repair_input,
        output_tokens: 2 * most_output_tokens,
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_under_way_count_against_the_limit() {
        let mut spending = Spending::up_to(Some(1.0));
        assert!(spending.reserve(0.6));
        assert!(!spending.reserve(0.6), "the first may still cost that much");
        spending.settle(0.6, 0.1);
        assert!(spending.reserve(0.6));
        spending.settle(0.6, 0.6);
        assert!(!spending.reserve(0.6));
        assert!(spending.reserve(0.0), "what costs nothing is never stopped");
        assert!((spending.spent_usd - 0.7).abs() < 1e-12);
    }

    #[test]
    fn a_row_may_need_a_repair() {
        let price = Price {
            as_of: String::new(),
            input_usd_per_million: 1.0,
            output_usd_per_million: 10.0,
            cache_read_factor: 1.0,
            cache_write_factor: 1.0,
        };
        // 1000 + (1000 + 400 + 150) tokens read at 1, 2 × 400 written at 10.
        let expected = (2550.0 + 8000.0) / 1e6;
        assert!((most_cost_usd(&price, 1000, 400) - expected).abs() < 1e-12);
    }
}
