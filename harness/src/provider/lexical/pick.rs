//! Choices and spans, kept simple: neither is calibrated, since the development set holds binary questions only.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{
    Answer, Question,
    dates::mentions,
    quantities::quantities,
    reading::{Read, Relevance, Sentence},
    round,
    words::{Word, stem, words},
};

/// Choices that are considered: those that have a letter.
const MOST_CHOICES: usize = 26;
/// How far the best choice may be believed.
const MOST_CONFIDENCE: f64 = 0.9;
/// What is said of every span: nothing here tells how likely it is right.
const SPAN_CONFIDENCE: f64 = 0.3;
/// Words of a name at most.
const LONGEST_NAME: usize = 6;
/// The span given where one must be given and none is found.
const NO_SPAN: &str = "unknown";

/// A sentence and where it stands.
struct Place<'a> {
    read: &'a Read<'a>,
    sentence: &'a Sentence<'a>,
    /// Relevance to the question, 0 to 1.
    about: f64,
}

/// Takes the choice that some sentence supports best: by its relevance to the choice times that to the question.
///
/// The confidence is the choice's share of the support of all, from 1/n to 0.9. Where nothing supports any, it is the
/// first at 1/n. An item without choices can only be abstained from.
pub(super) fn choice(question: &Question<'_>, read: &[Read<'_>], may_abstain: bool) -> Answer {
    let choices = &question.choices[..question.choices.len().min(MOST_CHOICES)];
    let places = places(question, read);
    let supports: Vec<(f64, Option<&Place<'_>>)> =
        choices.iter().map(|choice| support(choice, read, &places)).collect();
    let total: f64 = supports.iter().map(|(support, _)| support).sum();
    let even = 1.0 / choices.len().max(1) as f64;
    // From the last to the first, so that the first of equals is taken.
    let best = (0..choices.len()).rev().max_by(|a, b| supports[*a].0.total_cmp(&supports[*b].0));
    match best.map(|best| (&choices[best], supports[best])) {
        Some((outcome, (support, Some(place)))) => Answer {
            reasoning: "One sentence supports this choice best.".to_owned(),
            outcome: outcome.clone(),
            confidence: round((support / total).min(MOST_CONFIDENCE).max(even)),
            sources: vec![place.read.document.doc_id.clone()],
            conflicts_detected: Vec::new(),
        },
        Some((outcome, _)) if !may_abstain => unsupported(outcome, round(even)),
        _ => unsupported(question.abstain_label, round(even)),
    }
}

/// Takes the first fitting span of the most relevant sentence that has one: a date where the question asks "when", a
/// number where it asks "how many" or "how much", a name otherwise. Its confidence is always 0.3.
pub(super) fn span(question: &Question<'_>, read: &[Read<'_>], may_abstain: bool) -> Answer {
    let asked: BTreeSet<String> = words(question.text).into_iter().map(|w| w.stem).collect();
    let asks = |any: &[&str]| any.iter().any(|word| asked.contains(&stem(word)));
    let mut places = places(question, read);
    places.retain(|place| place.about > 0.0);
    places.sort_by(|a, b| b.about.total_cmp(&a.about));
    let found = places.iter().find_map(|place| {
        let sentence = place.sentence;
        let words = if asks(&["when", "date", "year"]) {
            mentions(&sentence.words, place.read.as_of).into_iter().next()?.words
        } else if asks(&["many", "much"]) {
            number(sentence, place.read)?
        } else {
            name(sentence, place.read, &asked)?
        };
        let (first, last) = (&sentence.words[words.start], &sentence.words[words.end - 1]);
        Some((&sentence.text[first.start..last.end], place))
    });
    match found {
        Some((text, place)) => Answer {
            reasoning: "It stands in the sentence that is nearest to the question.".to_owned(),
            outcome: text.to_owned(),
            confidence: SPAN_CONFIDENCE,
            sources: vec![place.read.document.doc_id.clone()],
            conflicts_detected: Vec::new(),
        },
        None => unsupported(if may_abstain { question.abstain_label } else { NO_SPAN }, 0.0),
    }
}

fn unsupported(outcome: &str, confidence: f64) -> Answer {
    Answer {
        reasoning: "Nothing that was shown speaks for an answer.".to_owned(),
        outcome: outcome.to_owned(),
        confidence,
        sources: Vec::new(),
        conflicts_detected: Vec::new(),
    }
}

fn content(text: &str, weight: f64) -> BTreeMap<String, f64> {
    let words = words(text).into_iter().filter(Word::has_content);
    words.map(|word| (word.stem, weight)).collect()
}

/// Every sentence, those of newer documents first.
fn places<'a>(question: &Question<'_>, read: &'a [Read<'a>]) -> Vec<Place<'a>> {
    let relevance = Relevance::new(&content(question.text, 1.0), read);
    let newest_first = read.iter().rev();
    let all = newest_first.flat_map(|read| read.sentences.iter().map(move |s| (read, s)));
    all.map(|(read, sentence)| {
        let about = relevance.of_sentence(sentence);
        Place { read, sentence, about }
    })
    .collect()
}

/// The best support for a choice and where it is found, if anywhere.
fn support<'a>(
    choice: &str,
    read: &[Read<'_>],
    places: &'a [Place<'a>],
) -> (f64, Option<&'a Place<'a>>) {
    let relevance = Relevance::new(&content(choice, 1.0), read);
    let mut best = (0.0, None);
    for place in places {
        let support = relevance.of_sentence(place.sentence) * place.about;
        if support > best.0 {
            best = (support, Some(place));
        }
    }
    best
}

fn number(sentence: &Sentence<'_>, read: &Read<'_>) -> Option<Range<usize>> {
    let found = quantities(&sentence.words, &dates(sentence, read)).into_iter().next()?;
    Some(found.at..found.end)
}

/// The first run of capitalised words that are no date and not named by the question itself.
fn name(
    sentence: &Sentence<'_>,
    read: &Read<'_>,
    asked: &BTreeSet<String>,
) -> Option<Range<usize>> {
    let words = &sentence.words;
    let dated: BTreeSet<usize> = dates(sentence, read).into_iter().flatten().collect();
    let named = |at: usize| words[at].capital && words[at].has_content() && !dated.contains(&at);
    let start = (0..words.len()).find(|at| named(*at) && !asked.contains(&words[*at].stem))?;
    let most = words.len().min(start + LONGEST_NAME);
    let end = (start..most).find(|at| !named(*at)).unwrap_or(most);
    Some(start..end)
}

fn dates(sentence: &Sentence<'_>, read: &Read<'_>) -> Vec<Range<usize>> {
    mentions(&sentence.words, read.as_of).into_iter().map(|date| date.words).collect()
}
