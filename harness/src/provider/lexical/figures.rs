//! The number of a document that a claim's threshold is about, stated or worked out.

use std::ops::Range;

use super::{
    claim::{Claim, Measure},
    dates::mentions,
    quantities::{Quantity, Role, quantities},
    reading::{Read, Sentence},
};

/// Numbers of a document that are worked with.
const MOST_NUMBERS: usize = 24;
/// What is worked out is about the threshold only if it lies within this factor of it.
const NEAR: f64 = 2.0;

/// The number in `sentence` that is of the threshold's unit: the first level with all that is added to it.
pub(super) fn stated(claim: &Claim, read: &Read<'_>, sentence: &Sentence<'_>) -> Option<f64> {
    let threshold = claim.threshold.as_ref()?;
    if threshold.measure != Measure::Level {
        return None;
    }
    let mut same = numbers(claim, read, sentence);
    same.retain(|quantity| quantity.comparable(&threshold.quantity));
    let level = same.iter().find(|quantity| quantity.role == Role::Level)?;
    let added = same.iter().filter(|quantity| quantity.role == Role::Addition);
    Some(level.value + added.map(|quantity| quantity.value).sum::<f64>())
}

/// What the numbers of a document come to: a difference or a sum where the claim asks for one, a share of a whole where
/// it asks for per cent and the document states none. Of all that can be worked out it is the one nearest to the
/// threshold, since who asks for a threshold expects a number near it.
pub(super) fn worked_out(claim: &Claim, read: &Read<'_>) -> Option<f64> {
    let threshold = claim.threshold.as_ref()?;
    let all = read.sentences.iter().flat_map(|sentence| numbers(claim, read, sentence));
    let all: Vec<Quantity> = all.take(MOST_NUMBERS).collect();
    let wanted = &threshold.quantity;
    let per_cent = wanted.units.iter().any(|unit| unit == "percent");
    // A figure that follows another often leaves its unit out.
    let fits = |q: &Quantity| q.comparable(wanted) || q.units.is_empty() || wanted.units.is_empty();
    let pairs = |of: fn(f64, f64) -> f64, fit: &dyn Fn(&Quantity) -> bool| -> Vec<f64> {
        let fitting: Vec<f64> = all.iter().filter(|q| fit(q)).map(|q| q.value).collect();
        let later = |at: usize| fitting[at + 1..].iter();
        (0..fitting.len())
            .flat_map(|a| later(a).map(move |b| (a, *b)))
            .map(|(a, b)| of(fitting[a], b))
            .collect()
    };
    let candidates = match threshold.measure {
        // Growth in per cent needs to be told which number is the base.
        Measure::Difference if per_cent => Vec::new(),
        Measure::Difference => pairs(|a, b| (a - b).abs(), &|_| true),
        Measure::Sum => pairs(|a, b| a + b, &fits),
        Measure::Level if per_cent => pairs(|a, b| 100.0 * a.min(b) / a.max(b), &|q| q.value > 0.0),
        Measure::Level => Vec::new(),
    };
    let distance = |value: &f64| (value / wanted.stated - 1.0).abs();
    let near = |value: &f64| *value <= wanted.stated * NEAR && *value >= wanted.stated / NEAR;
    candidates.into_iter().filter(near).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn numbers(claim: &Claim, read: &Read<'_>, sentence: &Sentence<'_>) -> Vec<Quantity> {
    let dates = mentions(&sentence.words, read.as_of.or(claim.deadline));
    let dates: Vec<Range<usize>> = dates.into_iter().map(|date| date.words).collect();
    quantities(&sentence.words, &dates)
}

#[cfg(test)]
mod tests {
    use super::super::{
        reading,
        tests::{document, question},
    };
    use super::*;

    fn number(asked: &str, text: &str) -> Option<f64> {
        let claim = Claim::read(&question(asked));
        let document = document("d1", "2026-07-01", "Figures", text);
        worked_out(&claim, &reading::read(&[&document])[0])
    }

    #[test]
    fn sums_differences_and_shares_are_worked_out() {
        let sum = "Will oat and rye exports combined reach at least 5 tonnes?";
        assert_eq!(number(sum, "Oats came to 3 tonnes, rye to 2.5 tonnes."), Some(5.5));
        let difference = "Will there be at least 500 fewer boats in June than in May?";
        assert_eq!(number(difference, "The harbour saw 4,100 after 4,700 in May."), Some(600.0));
        let share = "Will at least 60 per cent of the boats return?";
        assert_eq!(number(share, "Of 200 boats that left, 130 came back."), Some(65.0));
    }

    #[test]
    fn what_is_far_from_the_threshold_is_not_about_it() {
        assert_eq!(
            number("Will at least 60 per cent return?", "Of 900 boats, 20 came back."),
            None
        );
        assert_eq!(number("Will the boats return?", "Of 200 boats, 130 came back."), None);
    }
}
