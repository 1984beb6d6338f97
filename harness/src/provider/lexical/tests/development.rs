//! The development set: what it is, what the reader makes of it, and what was fitted on it.

use std::collections::BTreeMap;

use metrics::grading::{Graded, grade};
use records::{Bundle, Document, Item, Status, bundle_digest, document_digest, parse_jsonl};

use super::super::{Question, answer, reading, verdict};

struct Development {
    items: Vec<Item>,
    documents: BTreeMap<String, Document>,
    bundles: BTreeMap<String, Bundle>,
}

impl Development {
    fn load() -> Self {
        let items = include_bytes!("../development/items.jsonl");
        let documents = include_bytes!("../development/documents.jsonl");
        let bundles = include_bytes!("../development/bundles.jsonl");
        let documents = parse_jsonl::<Document>("documents.jsonl", documents).unwrap().rows;
        let bundles = parse_jsonl::<Bundle>("bundles.jsonl", bundles).unwrap().rows;
        Self {
            items: parse_jsonl("items.jsonl", items).unwrap().rows,
            documents: documents.into_iter().map(|d| (d.doc_id.clone(), d)).collect(),
            bundles: bundles.into_iter().map(|b| (b.item_id.clone(), b)).collect(),
        }
    }

    fn shown(&self, item: &Item) -> Vec<&Document> {
        let documents = &self.bundles[&item.item_id].documents;
        documents.iter().map(|d| &self.documents[&d.doc_id]).collect()
    }

    fn graded(&self, may_abstain: bool) -> Vec<(&Item, Graded)> {
        let grade = |item| {
            let shown = self.shown(item);
            let ids: Vec<String> = shown.iter().map(|d| d.doc_id.clone()).collect();
            (item, grade(&answer(item, &shown, may_abstain), item, &ids, may_abstain))
        };
        self.items.iter().map(grade).collect()
    }
}

#[test]
fn the_set_is_whole_balanced_and_says_that_it_is_constructed() {
    let set = Development::load();
    let yes = set.items.iter().filter(|item| item.target == "YES").count();
    assert_eq!((yes, set.items.len()), (23, 46));
    for item in &set.items {
        assert_eq!(item.tags["origin"], "constructed");
        let bundle = &set.bundles[&item.item_id];
        let digests = bundle.documents.iter().map(|d| d.sha256.as_str());
        assert_eq!(bundle.sha256, bundle_digest(digests), "{}", item.item_id);
        for (document, named) in set.shown(item).into_iter().zip(&bundle.documents) {
            let digest = document_digest(&document.title, &document.as_of, &document.text);
            assert_eq!((&document.sha256, &named.sha256), (&digest, &digest));
            assert_eq!(document.source.kind, "constructed");
        }
    }
}

#[test]
fn it_is_right_on_three_in_four_and_better_than_a_coin_by_brier_score() {
    let set = Development::load();
    let graded = set.graded(false);
    let right = graded.iter().filter(|(_, g)| g.correct).count();
    assert!(right >= 35, "{right} of {}", graded.len());
    let squares = graded.iter().map(|(_, g)| {
        let miss = g.confidence.unwrap() - if g.correct { 1.0 } else { 0.0 };
        miss * miss
    });
    let brier = squares.sum::<f64>() / graded.len() as f64;
    assert!(brier < 0.2, "{brier}");
}

/// A third of the set is in words that the question does not use. Without this bound the easy part would hide it.
#[test]
fn paraphrases_are_where_it_is_weak() {
    let set = Development::load();
    let graded = set.graded(false);
    let paraphrased = graded.iter().filter(|(item, _)| item.tags["form"] == "paraphrased");
    let right = paraphrased.clone().filter(|(_, g)| g.correct).count();
    assert!((6..=12).contains(&right), "{right} of {}", paraphrased.count());
}

#[test]
fn what_it_abstains_from_it_would_seldom_know() {
    let set = Development::load();
    let (forced, free) = (set.graded(false), set.graded(true));
    let abstained: Vec<_> =
        forced.iter().zip(&free).filter(|(_, (_, g))| g.status == Status::Abstained).collect();
    let answered = forced.len() - abstained.len();
    let would_be_right = abstained.iter().filter(|((_, g), _)| g.correct).count();
    let right = free.iter().filter(|(_, g)| g.correct).count();
    assert!(!abstained.is_empty() && answered > abstained.len());
    // Accuracy among the answered is above accuracy among the abstained.
    assert!(right * abstained.len() > would_be_right * answered);
}

#[test]
fn every_answer_cites_shown_documents_and_pairs_only_them() {
    for (item, graded) in Development::load().graded(false) {
        assert_eq!(graded.problem, None, "{}", item.item_id);
        assert!(graded.sources_unknown.is_empty(), "{}", item.item_id);
        let shown = graded.conflicts.iter().flatten().all(|id| id.starts_with(&item.item_id));
        assert!(shown, "{}", item.item_id);
    }
}

/// Fits slope and bias by maximum likelihood on a grid, with Platt's targets, (n+1)/(n+2) and 1/(n+2), in the place of
/// 1 and 0 (Platt 1999, "Probabilistic outputs for support vector machines"), and holds the constants to it. The
/// paraphrased questions weigh as much together as all others: the others speak the reader's own language, and news
/// that nobody wrote for it will do so less often.
#[test]
fn the_calibration_is_the_fit_on_the_development_set() {
    let set = Development::load();
    let n = set.items.len() as f64 / 2.0;
    let targets = BTreeMap::from([("YES", (n + 1.0) / (n + 2.0)), ("NO", 1.0 / (n + 2.0))]);
    let paraphrased = |item: &Item| item.tags["form"] == "paraphrased";
    let n_paraphrased = set.items.iter().filter(|item| paraphrased(item)).count() as f64;
    let n_others = set.items.len() as f64 - n_paraphrased;
    let scored: Vec<(f64, f64, f64)> = set
        .items
        .iter()
        .map(|item| {
            let score = verdict::score(&Question::of(item), &reading::read(&set.shown(item)));
            let weight = if paraphrased(item) { n_others / n_paraphrased } else { 1.0 };
            (score, targets[item.target.as_str()], weight)
        })
        .collect();
    let loss = |bias: f64, slope: f64| -> f64 {
        let one = |(score, target, weight): &(f64, f64, f64)| {
            let p = 1.0 / (1.0 + libm::exp(-(bias + slope * score)));
            -weight * (target * libm::log(p) + (1.0 - target) * libm::log(1.0 - p))
        };
        scored.iter().map(one).sum()
    };
    let grid = (-10..=10).flat_map(|b| (1..=40).map(move |s| (b, s)));
    let grid = grid.map(|(b, s)| (f64::from(b) / 10.0, f64::from(s) / 4.0));
    let best = grid.min_by(|a, b| loss(a.0, a.1).total_cmp(&loss(b.0, b.1))).unwrap();
    assert_eq!(best, (verdict::BIAS, verdict::SLOPE));
}
