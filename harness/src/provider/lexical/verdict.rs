//! From what each document says to YES, NO or an abstention.

use records::Conflict;

use super::{
    Answer, Question,
    claim::Claim,
    reading::{Read, Relevance, Sentence},
    round,
    statement::{Statement, statement},
};

/// The answer where nothing was shown: most things that are asked about do not happen by the day asked about.
const WITHOUT_EVIDENCE: &str = "NO";
/// Share of a sentence's relevance that is its own; the rest is its document's, for "It was approved by 31 votes".
const OWN: f64 = 2.0 / 3.0;
/// A document of later date that is wholly about the claim leaves this share to an earlier one.
const OUTDATED: f64 = 0.4;
/// From here on a document is taken to say something about the claim.
const SPEAKS: f64 = 0.05;
/// Documents that are compared pair by pair.
const MOST_COMPARED: usize = 24;
/// Below this confidence the reader abstains where it may.
const LEAST_CONFIDENCE: f64 = 0.55;

/// P(YES) = 1 / (1 + e^-(BIAS + SLOPE × score)). Fitted on the development set; the test
/// `the_calibration_is_the_fit_on_the_development_set` makes the fit again.
pub(super) const BIAS: f64 = 0.0;
pub(super) const SLOPE: f64 = 5.25;

/// What a document says about the claim: its strongest sentence.
struct Voice<'a> {
    read: &'a Read<'a>,
    sentence: &'a Sentence<'a>,
    statement: Statement,
    /// Statement times relevance times what later documents leave of it.
    weight: f64,
}

/// Answers a binary question.
pub(super) fn answer(question: &Question<'_>, read: &[Read<'_>], may_abstain: bool) -> Answer {
    let abstention = |reasoning: &str| Answer {
        reasoning: reasoning.to_owned(),
        outcome: if may_abstain { question.abstain_label } else { WITHOUT_EVIDENCE }.to_owned(),
        confidence: 0.5,
        sources: Vec::new(),
        conflicts_detected: Vec::new(),
    };
    if read.is_empty() {
        return abstention("No document was shown, so there is nothing to go by.");
    }
    let voices = voices(&Claim::read(question), read);
    let speaking: Vec<&Voice<'_>> = voices.iter().filter(|v| v.weight.abs() >= SPEAKS).collect();
    let p_yes = probability(voices.iter().map(|v| v.weight).sum());
    let yes = p_yes > 0.5;
    let confidence = round(if yes { p_yes } else { 1.0 - p_yes });
    let agreeing = || speaking.iter().filter(|v| (v.weight > 0.0) == yes);
    let Some(strongest) = agreeing().max_by(|a, b| a.weight.abs().total_cmp(&b.weight.abs()))
    else {
        return abstention("No document says anything about what is asked.");
    };
    let conflicts_detected = conflicts(&speaking);
    if may_abstain && confidence < LEAST_CONFIDENCE {
        let reasoning = "The documents do not settle what is asked.";
        return Answer { conflicts_detected, ..abstention(reasoning) };
    }
    Answer {
        reasoning: format!(
            "{} weighs most, by {}: \"{}\"",
            strongest.read.document.doc_id,
            strongest.statement.basis,
            super::excerpt(strongest.sentence.text)
        ),
        outcome: if yes { "YES" } else { "NO" }.to_owned(),
        confidence,
        sources: agreeing().map(|v| v.read.document.doc_id.clone()).collect(),
        conflicts_detected,
    }
}

/// The evidence score of a question: above 0 for YES, below for NO.
#[cfg(test)]
pub(super) fn score(question: &Question<'_>, read: &[Read<'_>]) -> f64 {
    voices(&Claim::read(question), read).iter().map(|v| v.weight).sum()
}

/// The probability of YES at an evidence score.
fn probability(score: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-(BIAS + SLOPE * score)))
}

/// What each document says, oldest first; documents without a sentence say nothing.
fn voices<'a>(claim: &Claim, read: &'a [Read<'a>]) -> Vec<Voice<'a>> {
    let relevance = Relevance::new(&claim.terms, read);
    let about: Vec<f64> = read.iter().map(|r| relevance.of_document(r)).collect();
    let most = about.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut voices = Vec::new();
    // What the documents of later days leave, and with those of this day.
    let (mut left, mut left_with_day, mut day) = (1.0, 1.0, None);
    for (read, about) in read.iter().zip(about).rev() {
        if day != Some(read.as_of) {
            (left, day) = (left_with_day, Some(read.as_of));
        }
        let share = (about / most) * (about / most);
        left_with_day *= 1.0 - (1.0 - OUTDATED) * share;
        let heard = read.sentences.iter().map(|sentence| {
            let statement = statement(claim, sentence, read.as_of);
            let own = OWN * relevance.of_sentence(sentence) + (1.0 - OWN) * about;
            Voice { read, sentence, statement, weight: statement.value * own * share * left }
        });
        voices.extend(heard.max_by(|a, b| a.weight.abs().total_cmp(&b.weight.abs())));
    }
    voices.reverse();
    voices
}

/// Pairs that say the opposite of each other, or state different numbers of the thing asked about.
fn conflicts(speaking: &[&Voice<'_>]) -> Vec<Conflict> {
    let compared = &speaking[speaking.len().saturating_sub(MOST_COMPARED)..];
    let mut pairs = Vec::new();
    for (at, a) in compared.iter().enumerate() {
        for b in &compared[at + 1..] {
            let numbers = a.statement.number.zip(b.statement.number);
            let opposite = (a.weight > 0.0) != (b.weight > 0.0);
            let differ = numbers.is_some_and(|(a, b)| a != b);
            let ids = [a, b].map(|v| v.read.document.doc_id.clone());
            if (opposite || differ) && ids[0] != ids[1] {
                pairs.push(ids);
            }
        }
    }
    pairs
}
