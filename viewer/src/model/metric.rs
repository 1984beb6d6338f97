mod list;

use list::{ECE_UNIFORM, HIT, METRICS, MRR, STATUS};

/// What a reader should know about a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Name in files.
    pub name: &'static str,
    /// Name in sentences and headings.
    pub label: &'static str,
    /// Name at the head of a narrow column.
    pub column: &'static str,
    /// What it measures, in plain words.
    pub meaning: &'static str,
    /// Its formula in words.
    pub formula: &'static str,
    /// What the numerator counts, when there is one.
    pub numerator: &'static str,
    /// What the denominator counts, when there is one.
    pub denominator: &'static str,
    /// When it does not exist.
    pub undefined: &'static str,
}

/// What is known about the metric called `name` in a file.
#[must_use]
pub fn describe(name: &str) -> Option<&'static Metric> {
    METRICS.iter().chain(STATUS).find(|m| m.name == name).or_else(|| {
        let digits = |prefix| {
            name.strip_prefix(prefix)
                .is_some_and(|k: &str| !k.is_empty() && k.bytes().all(|b| b.is_ascii_digit()))
        };
        if digits("hit_at_") {
            Some(&HIT)
        } else if digits("mrr_at_") {
            Some(&MRR)
        } else if digits("ece_uniform_") {
            Some(&ECE_UNIFORM)
        } else {
            None
        }
    })
}

/// The metric's name in sentences: known ones in words, others as the file has them.
#[must_use]
pub fn label(name: &str) -> String {
    match describe(name) {
        Some(m) if m.name == name => m.label.to_owned(),
        Some(m) => {
            let k = name.rsplit('_').next().unwrap_or("k");
            match m.label.strip_suffix(" k") {
                Some(start) => format!("{start} {k}"),
                None => format!("{} ({k})", m.label),
            }
        }
        None => crate::format::cut(name, 40),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_once() {
        let mut names: Vec<_> = METRICS.iter().map(|m| m.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn cutoffs_are_part_of_the_name() {
        assert_eq!(describe("hit_at_10").map(|m| m.name), Some("hit_at_k"));
        assert!(describe("hit_at_").is_none());
        assert!(describe("hit_at_x").is_none());
        assert!(describe("nonsense").is_none());
    }

    #[test]
    fn labels_name_the_cutoff() {
        assert_eq!(label("accuracy"), "accuracy");
        assert_eq!(label("nonsense"), "nonsense");
        assert_eq!(label("mrr_at_10"), "mean reciprocal rank in the first 10");
    }
}
