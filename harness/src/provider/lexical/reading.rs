//! The documents as the reader goes through them: in order of date, in sentences, each with its relevance.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use records::Document;

use super::words::{Word, sentences, words};

/// How fast a repeated term stops counting.
const K1: f64 = 1.2;
/// How far a long sentence is held against its terms.
const B: f64 = 0.75;

/// A sentence of a document.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    pub text: &'a str,
    pub words: Vec<Word>,
}

/// A document in sentences; the title is the first.
#[derive(Debug)]
pub(super) struct Read<'a> {
    pub document: &'a Document,
    pub as_of: Option<Date>,
    pub sentences: Vec<Sentence<'a>>,
}

/// Reads the documents, oldest first; those of one day by id, so that the order they are shown in does not matter.
pub(super) fn read<'a>(shown: &[&'a Document]) -> Vec<Read<'a>> {
    let mut read: Vec<_> = shown
        .iter()
        .map(|document| {
            let parts = [document.title.as_str(), document.text.as_str()];
            let sentences = parts.into_iter().flat_map(sentences);
            Read {
                document,
                as_of: document.as_of.get(..10).and_then(|day| day.parse().ok()),
                sentences: sentences.map(|text| Sentence { text, words: words(text) }).collect(),
            }
        })
        .collect();
    let key = |read: &Read<'a>| {
        let d = read.document;
        (read.as_of, &d.doc_id, &d.as_of, &d.title, &d.text, &d.source.publisher)
    };
    read.sort_by(|a, b| key(a).cmp(&key(b)));
    read
}

/// BM25 over all sentences shown.
#[derive(Debug)]
pub(super) struct Relevance {
    /// Each term's weight times its inverse sentence frequency, ln(1 + (N - n + 0.5) / (n + 0.5)).
    terms: BTreeMap<String, f64>,
    /// Sum of the terms' weights.
    total: f64,
    /// Mean number of words in a sentence.
    mean_length: f64,
}

impl Relevance {
    /// Weighs `terms` by how rare each is in the sentences of `read`.
    pub fn new(terms: &BTreeMap<String, f64>, read: &[Read<'_>]) -> Self {
        let mut found_in: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut n_sentences, mut n_words) = (0_usize, 0_usize);
        for sentence in read.iter().flat_map(|r| &r.sentences) {
            n_sentences += 1;
            n_words += sentence.words.len();
            let distinct: BTreeSet<&str> = sentence.words.iter().map(|w| w.stem.as_str()).collect();
            for stem in distinct.into_iter().filter(|stem| terms.contains_key(*stem)) {
                *found_in.entry(stem).or_default() += 1;
            }
        }
        let idf = |term: &str| {
            let n = found_in.get(term).copied().unwrap_or_default() as f64;
            libm::log(1.0 + (n_sentences as f64 - n + 0.5) / (n + 0.5))
        };
        let weighted = terms.iter().map(|(term, weight)| (term.clone(), weight * idf(term)));
        let terms: BTreeMap<String, f64> = weighted.collect();
        Self {
            total: terms.values().sum(),
            mean_length: n_words as f64 / (n_sentences.max(1)) as f64,
            terms,
        }
    }

    /// The BM25 score of a sentence over that of a sentence of mean length with every term once, cut to 0 to 1.
    pub fn of_sentence(&self, sentence: &Sentence<'_>) -> f64 {
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        for word in &sentence.words {
            if self.terms.contains_key(&word.stem) {
                *counts.entry(&word.stem).or_default() += 1.0;
            }
        }
        let length = sentence.words.len() as f64 / self.mean_length.max(1.0);
        let norm = K1 * (1.0 - B + B * length);
        self.share(
            counts.into_iter().map(|(term, n)| self.terms[term] * n * (K1 + 1.0) / (n + norm)),
        )
    }

    /// The share of the terms' weight that is among `stems`, 0 to 1.
    pub fn of_stems(&self, stems: &BTreeSet<&str>) -> f64 {
        self.share(stems.iter().filter_map(|stem| self.terms.get(*stem).copied()))
    }

    fn share(&self, weights: impl Iterator<Item = f64>) -> f64 {
        if self.total > 0.0 { (weights.sum::<f64>() / self.total).min(1.0) } else { 0.0 }
    }
}
