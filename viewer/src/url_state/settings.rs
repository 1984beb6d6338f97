use records::{BinStrategy, IntervalMethod, Plan};
use serde::{Deserialize, Serialize};

use crate::format;

/// What a reader computes with instead of the published plan; whatever is not set stays as published.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Settings {
    /// Seed of the resampling.
    pub seed: Option<u64>,
    /// Number of resamples.
    pub n_resamples: Option<u32>,
    /// Level of the intervals.
    pub confidence_level: Option<f64>,
    /// How an interval follows from its resamples.
    pub interval_method: Option<IntervalMethod>,
    /// Number of bins.
    pub n_bins: Option<u32>,
    /// How bins are formed.
    pub bin_strategy: Option<BinStrategy>,
    /// The arm that lift is measured against.
    pub control: Option<String>,
    /// The confidence from which a wrong answer counts as confidently wrong.
    pub confident_threshold: Option<f64>,
    /// Resample questions one by one, even where the publication resamples groups of them.
    pub by_item: bool,
    /// A field to cut the data set by, besides those of the publication.
    pub cut: Option<String>,
}

impl Settings {
    /// True when nothing is set.
    #[must_use]
    pub fn is_published(&self) -> bool {
        *self == Self::default()
    }

    /// Takes a parameter of an address; one that is unknown or cannot be read changes nothing.
    pub(super) fn read(&mut self, key: &str, value: &str) {
        fn number<T: std::str::FromStr>(slot: &mut Option<T>, value: &str) {
            if let Ok(number) = value.trim().parse() {
                *slot = Some(number);
            }
        }
        // As JSON writes numbers, which the page can read anyway: the library's own tables are ten kilobytes.
        fn fraction(slot: &mut Option<f64>, value: &str) {
            if let Ok(number) = serde_json::from_str(value) {
                *slot = Some(number);
            }
        }
        match key {
            "seed" => number(&mut self.seed, value),
            "resamples" => number(&mut self.n_resamples, value),
            "level" => fraction(&mut self.confidence_level, value),
            "method" => self.interval_method = method(value).or(self.interval_method),
            "bins" => number(&mut self.n_bins, value),
            "strategy" => self.bin_strategy = strategy(value).or(self.bin_strategy),
            "control" => self.control = Some(value.to_owned()),
            "threshold" => fraction(&mut self.confident_threshold, value),
            "unit" => self.by_item = value == "item",
            "cut" => self.cut = Some(value.to_owned()),
            _ => {}
        }
    }

    /// The parameters of an address.
    pub(super) fn parts(&self) -> Vec<(&'static str, String)> {
        let mut parts = Vec::new();
        let mut put = |key, value: Option<String>| parts.extend(value.map(|v| (key, v)));
        put("seed", self.seed.map(|v| v.to_string()));
        put("resamples", self.n_resamples.map(|v| v.to_string()));
        put("level", self.confidence_level.map(|v| v.to_string()));
        put("method", self.interval_method.map(|v| method_word(v).into()));
        put("bins", self.n_bins.map(|v| v.to_string()));
        put("strategy", self.bin_strategy.map(|v| strategy_word(v).into()));
        put("control", self.control.clone());
        put("threshold", self.confident_threshold.map(|v| v.to_string()));
        put("unit", self.by_item.then(|| "item".into()));
        put("cut", self.cut.clone());
        parts
    }

    /// `plan` with what is set put in.
    #[must_use]
    pub fn applied(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        fn put<T: Clone>(slot: &mut T, value: Option<&T>) {
            if let Some(value) = value {
                slot.clone_from(value);
            }
        }
        put(&mut plan.seed, self.seed.as_ref());
        put(&mut plan.n_resamples, self.n_resamples.as_ref());
        put(&mut plan.confidence_level, self.confidence_level.as_ref());
        put(&mut plan.interval_method, self.interval_method.as_ref());
        put(&mut plan.n_bins, self.n_bins.as_ref());
        put(&mut plan.bin_strategy, self.bin_strategy.as_ref());
        put(&mut plan.confident_threshold, self.confident_threshold.as_ref());
        if self.control.is_some() {
            plan.control.clone_from(&self.control);
        }
        if let Some(cut) = &self.cut
            && !plan.slices.contains(cut)
        {
            plan.slices.push(cut.clone());
        }
        plan
    }

    /// What is set and is not what `plan` has, in words.
    #[must_use]
    pub fn differences(&self, plan: &Plan) -> Vec<String> {
        let own = self.applied(plan);
        let mut out = Vec::new();
        let mut say = |what: &str, own: String, published: String| {
            if own != published {
                out.push(format!("{what} {own} instead of {published}"));
            }
        };
        let named = |c: &Option<String>| c.as_deref().map_or("none".into(), |c| format::cut(c, 40));
        say("seed", own.seed.to_string(), plan.seed.to_string());
        say(
            "resamples",
            format::count(own.n_resamples.into()),
            format::count(plan.n_resamples.into()),
        );
        say("level", format::percent(own.confidence_level), format::percent(plan.confidence_level));
        let words = |m| method_word(m).to_owned();
        say("method", words(own.interval_method), words(plan.interval_method));
        say("bins", own.n_bins.to_string(), plan.n_bins.to_string());
        let words = |s| strategy_word(s).to_owned();
        say("binning", words(own.bin_strategy), words(plan.bin_strategy));
        say("control", named(&own.control), named(&plan.control));
        say(
            "confident from",
            format::plain(own.confident_threshold),
            format::plain(plan.confident_threshold),
        );
        if self.by_item {
            out.push("questions resampled one by one, whatever their cluster".into());
        }
        if own.slices != plan.slices {
            let cut = self.cut.as_deref().unwrap_or_default();
            out.push(format!("cut by {} as well", format::cut(cut, 40)));
        }
        out
    }
}

/// The word of an interval method in addresses and lists.
#[must_use]
pub fn method_word(method: IntervalMethod) -> &'static str {
    match method {
        IntervalMethod::Percentile => "percentile",
        IntervalMethod::Bca => "bca",
    }
}

fn method(word: &str) -> Option<IntervalMethod> {
    [IntervalMethod::Percentile, IntervalMethod::Bca].into_iter().find(|m| method_word(*m) == word)
}

/// The word of a bin rule in addresses and lists.
#[must_use]
pub fn strategy_word(strategy: BinStrategy) -> &'static str {
    match strategy {
        BinStrategy::Quantile => "quantile",
        BinStrategy::Uniform => "uniform",
        BinStrategy::QuantileSplit => "quantile_split",
    }
}

fn strategy(word: &str) -> Option<BinStrategy> {
    [BinStrategy::Quantile, BinStrategy::Uniform, BinStrategy::QuantileSplit]
        .into_iter()
        .find(|s| strategy_word(*s) == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::example::plan, url_state::Query};

    fn settings(search: &str) -> Settings {
        Query::parse(search).settings
    }

    #[test]
    fn every_setting_has_a_place_in_the_address_and_in_the_plan() {
        let search = "?seed=7&resamples=500&level=0.9&method=bca&bins=8&strategy=uniform\
            &control=a1&threshold=0.8&unit=item&cut=tags.domain";
        let settings = settings(search);
        assert_eq!(Query { settings: settings.clone(), ..Query::default() }.to_search(), search);
        let own = settings.applied(&plan());
        assert!(own.check().is_ok());
        assert_eq!((own.seed, own.n_resamples, own.n_bins), (7, 500, 8));
        assert_eq!(own.interval_method, IntervalMethod::Bca);
        assert_eq!(own.slices, ["tags.domain"]);
        assert_eq!(settings.differences(&plan()).len(), 10);
    }

    #[test]
    fn the_published_values_are_no_difference() {
        let settings = settings("?seed=20261130&level=0.95&method=percentile");
        assert!(settings.differences(&plan()).is_empty());
        assert_eq!(settings.applied(&plan()), plan());
    }

    #[test]
    fn a_level_outside_its_range_is_left_to_the_plans_own_check() {
        let own = settings("?level=7").applied(&plan());
        assert_eq!(own.check().unwrap_err().field, "plan.confidence_level");
    }

    #[test]
    fn a_difference_is_said_with_both_sides() {
        assert_eq!(settings("?seed=7").differences(&plan()), ["seed 7 instead of 20261130"]);
    }
}
