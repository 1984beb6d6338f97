use std::{cmp::Ordering, collections::BTreeMap};

use records::{Interval, Results};

use super::table::value_text;
use crate::format;

/// What changed records do to a published entry that no longer follows from them, the most telling first.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// It says something else: these words.
    SaysOther(&'static str),
    /// Its value is printed otherwise.
    Moved {
        /// As published.
        from: String,
        /// As it follows from the changed records.
        to: String,
        /// How far it moved, in halves of its published interval; not negative.
        share: f64,
    },
    /// It merely has other rows behind it: a count or a sum, or a number that is printed as before.
    Recounted,
}

impl Effect {
    /// Telling first: what says something else, then what moved most.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Moved { share: a, .. }, Self::Moved { share: b, .. }) => b.total_cmp(a),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::SaysOther(_) => 0,
            Self::Moved { .. } => 1,
            Self::Recounted => 2,
        }
    }
}

/// What an entry says, apart from how many rows it counts.
struct Said<'a> {
    value: Option<f64>,
    printed: String,
    ends: Option<(f64, f64)>,
    /// Is it a difference, so that zero inside its interval means something?
    difference: bool,
    is_result: bool,
    withheld: Option<&'a str>,
}

fn ends(interval: Option<&Interval>) -> Option<(f64, f64)> {
    interval.and_then(|i| i.lower.zip(i.upper))
}

/// Figures and comparisons by id.
fn said(results: &Results) -> BTreeMap<&str, Said<'_>> {
    let figures = results.figures.iter().map(|f| {
        let said = Said {
            value: f.value,
            printed: value_text(f),
            ends: ends(f.interval.as_ref()),
            difference: f.control.is_some(),
            is_result: false,
            withheld: f.withheld.as_deref(),
        };
        (f.id.as_str(), said)
    });
    let comparisons = results.comparisons.iter().map(|c| {
        let said = Said {
            value: c.difference,
            printed: c.difference.map_or_else(|| format::DASH.into(), format::signed),
            ends: ends(c.interval.as_ref()),
            difference: true,
            is_result: c.is_result == Some(true),
            withheld: c.withheld.as_deref(),
        };
        (c.id.as_str(), said)
    });
    figures.chain(comparisons).collect()
}

/// What becomes of the published entries called `ids` when the records give `changed` instead.
#[must_use]
pub fn effects<'a>(
    published: &Results,
    changed: &Results,
    ids: impl Iterator<Item = &'a str>,
) -> BTreeMap<String, Effect> {
    let (before, after) = (said(published), said(changed));
    ids.map(|id| {
        let both = before.get(id).zip(after.get(id));
        (id.to_owned(), both.map_or(Effect::Recounted, |(b, a)| effect(b, a)))
    })
    .collect()
}

fn effect(before: &Said<'_>, after: &Said<'_>) -> Effect {
    let leaves_out_zero =
        |s: &Said<'_>| s.difference && s.ends.is_some_and(|(l, u)| l > 0.0 || u < 0.0);
    let turned = [
        (before.withheld.is_some(), after.withheld.is_some(), "withheld now", "no longer withheld"),
        (before.is_result, after.is_result, "a result now", "no longer a result"),
        (
            leaves_out_zero(before),
            leaves_out_zero(after),
            "its interval leaves out zero now",
            "its interval no longer leaves out zero",
        ),
    ];
    for (was, is, begins, ends) in turned {
        if was != is {
            return Effect::SaysOther(if is { begins } else { ends });
        }
    }
    let values = before.value.zip(after.value).filter(|_| before.printed != after.printed);
    match (values, before.ends) {
        (Some((from, to)), Some((lower, upper))) => Effect::Moved {
            from: before.printed.clone(),
            to: after.printed.clone(),
            // An interval without a width is left by any step.
            share: (to - from).abs() / ((upper - lower) / 2.0).max(f64::MIN_POSITIVE),
        },
        _ => Effect::Recounted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::example;

    fn effect_of(id: &str, change: impl FnOnce(&mut Results)) -> Effect {
        let published = example::results();
        let mut changed = published.clone();
        change(&mut changed);
        effects(&published, &changed, [id].into_iter())[id].clone()
    }

    fn figure<'a>(results: &'a mut Results, id: &str) -> &'a mut records::Figure {
        results.figures.iter_mut().find(|f| f.id == id).unwrap()
    }

    #[test]
    fn a_number_with_other_rows_and_the_same_print_is_merely_recounted() {
        let id = "alpha/a0/accuracy";
        let fewer = effect_of(id, |r| {
            figure(r, id).n_rows -= 3;
            figure(r, id).interval = Some(example::interval(0.38, 0.62));
        });
        assert_eq!(fewer, Effect::Recounted);
        let count = effect_of("alpha/a0/served", |r| {
            figure(r, "alpha/a0/served").value = Some(147.0);
        });
        assert_eq!(count, Effect::Recounted, "a count has no interval to be measured by");
        assert_eq!(effect_of("signature", |_| {}), Effect::Recounted);
    }

    #[test]
    fn a_step_is_measured_by_half_of_the_published_interval() {
        let id = "alpha/a0/accuracy";
        let Effect::Moved { from, to, share } = effect_of(id, |r| {
            figure(r, id).value = Some(0.52);
        }) else {
            panic!("it did not move")
        };
        assert_eq!((from.as_str(), to.as_str()), ("0.500", "0.520"));
        assert!((share - 0.2).abs() < 1e-9, "{share}");
    }

    #[test]
    fn what_says_something_else_is_told_apart_from_what_moved() {
        let lift = "alpha/a0/evidence_lift";
        let near = effect_of(lift, |r| {
            figure(r, lift).interval = Some(example::interval(-0.01, 0.3));
        });
        assert_eq!(near, Effect::SaysOther("its interval no longer leaves out zero"));
        let accuracy = "alpha/a0/accuracy";
        let low = effect_of(accuracy, |r| {
            figure(r, accuracy).interval = Some(example::interval(0.0, 0.6));
        });
        assert_eq!(low, Effect::Recounted, "zero is nothing special for a rate");
        let gone = effect_of(accuracy, |r| {
            figure(r, accuracy).value = None;
            figure(r, accuracy).withheld = Some("below_floor".into());
        });
        assert_eq!(gone, Effect::SaysOther("withheld now"));
        let pair = effect_of("alpha/a0~alpha/closed_book_forced", |r| {
            r.comparisons[0].is_result = Some(true);
        });
        assert_eq!(pair, Effect::SaysOther("a result now"));
    }

    #[test]
    fn the_most_telling_comes_first() {
        let moved = |share| Effect::Moved { from: "a".into(), to: "b".into(), share };
        let mut all = vec![
            Effect::Recounted,
            moved(0.1),
            Effect::SaysOther("withheld now"),
            moved(f64::INFINITY),
            moved(0.4),
        ];
        all.sort_by(Effect::order);
        assert_eq!(
            all,
            [
                Effect::SaysOther("withheld now"),
                moved(f64::INFINITY),
                moved(0.4),
                moved(0.1),
                Effect::Recounted
            ]
        );
    }
}
