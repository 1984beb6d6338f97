//! From what each document says to YES, NO or an abstention.

use records::Conflict;

use super::{
    Answer, Question,
    claim::{Asks, Claim, Scope},
    evidence::{Voice, voices},
    figures::worked_out,
    reading::Read,
    round,
};

/// The answer where nothing was shown: most things that are asked about do not happen by the day asked about.
const WITHOUT_EVIDENCE: &str = "NO";
/// What a sentence counts by itself; its relevance is added.
const LEAST: f64 = 0.05;
/// How much must be said for half a sign.
const HALF_SAID: f64 = 0.5;
/// The same where one kind of sentence decides: failures for "all", successes for "some".
const HALF_DECIDED: f64 = 0.2;
/// From which share on they decide.
const DECIDED: f64 = 0.3;
/// A number that was worked out counts by this share of one that is stated.
const WORKED_OUT: f64 = 0.6;
/// A document speaks when it says something of this weight, or has this share of the claim's terms.
const SPEAKS: f64 = 0.05;
const ABOUT: f64 = 0.3;
/// Documents that are compared pair by pair.
const MOST_COMPARED: usize = 24;

/// Signs of an answer, each from -1, against it, to 1, for it; that of the dates from -2 to 2.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Signs {
    /// What the sentences say in words.
    said: f64,
    /// Numbers against the threshold.
    counted: f64,
    /// Dates against the deadline.
    timed: f64,
}

/// P(YES) = 1 / (1 + e^-(weights × signs + prior)), the weights in the order of the signs. Fitted by a logistic
/// regression with a ridge of 1 on the questions that the module names, none below 0, and rounded.
const WEIGHTS: [f64; 3] = [1.9, 1.5, 1.2];
/// The prior, by what is asked for: where nothing speaks against a change that is reported on, it rather came about.
const PRIOR: f64 = 0.11;

impl Signs {
    fn score(&self) -> f64 {
        let values = [self.said, self.counted, self.timed];
        values.iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum()
    }
}

/// What a document says, and the number and the sentence that say it.
struct Reading {
    signs: Signs,
    number: Option<f64>,
    sentence: usize,
}

/// Reads the signs of one document.
fn reading(claim: &Claim, voice: &Voice<'_>) -> Reading {
    let (mut speaking_for, mut against, mut in_time, mut late) = (0.0, 0.0, 0.0, 0.0);
    let (mut number, mut best_number, mut sentence, mut best) = (None, -1.0, 0, 0.0);
    for (at, (statement, relevance)) in voice.statements.iter().zip(&voice.relevance).enumerate() {
        let weight = LEAST + relevance;
        speaking_for += weight * statement.said.max(0.0);
        against -= weight * statement.said.min(0.0);
        in_time += weight * statement.timed.max(0.0);
        late -= weight * statement.timed.min(0.0);
        if statement.number.is_some() && *relevance > best_number {
            (number, best_number) = (statement.number, *relevance);
        }
        let counted = f64::from(u8::from(statement.number.is_some()));
        let strength = weight * (statement.said.abs() + statement.timed.abs() + counted);
        if strength > best {
            (best, sentence) = (strength, at);
        }
    }
    let share = |of: f64, half: f64| of / (of + half);
    let said = match claim.scope {
        Scope::One => (speaking_for - against) / (speaking_for + against + HALF_SAID),
        Scope::All => (DECIDED - share(against, HALF_DECIDED)).min(0.0),
        Scope::Some => (share(speaking_for, HALF_DECIDED) - DECIDED).max(0.0),
    };
    let timed = libm::tanh(in_time) - libm::tanh(late);
    let counts = if number.is_some() { 1.0 } else { WORKED_OUT };
    number = number.or_else(|| worked_out(claim, voice.read));
    let met = number.zip(claim.threshold.as_ref()).map(|(n, threshold)| threshold.met_by(n));
    let counted = met.map_or(0.0, |met| if met { counts } else { -counts });
    let timed = match claim.asks {
        Asks::NoChange => -timed,
        Asks::Change | Asks::End => timed,
    };
    Reading { signs: Signs { said, counted, timed }, number, sentence }
}

/// The signs of all documents, each document by its weight.
fn signs(voices: &[Voice<'_>], readings: &[Reading]) -> Signs {
    let mut all = Signs::default();
    for (voice, Reading { signs, .. }) in voices.iter().zip(readings) {
        all.said += signs.said * voice.weight;
        all.counted += signs.counted * voice.weight;
        all.timed += signs.timed * voice.weight;
    }
    all
}

fn prior(asks: Asks) -> f64 {
    match asks {
        Asks::Change => PRIOR,
        Asks::End => 0.0,
        Asks::NoChange => -PRIOR / 2.0,
    }
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
    let claim = Claim::read(question);
    let voices = voices(&claim, read);
    let readings: Vec<Reading> = voices.iter().map(|voice| reading(&claim, voice)).collect();
    let speaking: Vec<(&Voice<'_>, &Reading)> = voices
        .iter()
        .zip(&readings)
        .filter(|(voice, reading)| reading.speaks(voice.standing.about))
        .collect();
    let Some((first, reading)) = speaking.iter().max_by(|a, b| a.0.weight.total_cmp(&b.0.weight))
    else {
        return abstention("No document says anything about what is asked.");
    };
    let score = signs(&voices, &readings).score() + prior(claim.asks);
    let p_yes = 1.0 / (1.0 + libm::exp(-score));
    let yes = p_yes > 0.5;
    let text = first.read.sentences.get(reading.sentence).map_or("", |s| s.text);
    Answer {
        reasoning: format!(
            "{} weighs most: \"{}\"",
            first.read.document.doc_id,
            super::excerpt(text)
        ),
        outcome: if yes { "YES" } else { "NO" }.to_owned(),
        confidence: round(if yes { p_yes } else { 1.0 - p_yes }),
        sources: vec![first.read.document.doc_id.clone()],
        conflicts_detected: conflicts(&speaking),
    }
}

impl Reading {
    fn said(&self) -> f64 {
        self.signs.said + self.signs.timed + self.signs.counted
    }

    fn speaks(&self, about: f64) -> bool {
        let Signs { said, counted, timed } = self.signs;
        [said, timed, counted].iter().any(|sign| sign.abs() >= SPEAKS) || about >= ABOUT
    }
}

/// Pairs that say the opposite of each other, or state different numbers of the thing asked about.
fn conflicts(speaking: &[(&Voice<'_>, &Reading)]) -> Vec<Conflict> {
    let compared = &speaking[speaking.len().saturating_sub(MOST_COMPARED)..];
    let mut pairs = Vec::new();
    for (at, (a, says_a)) in compared.iter().enumerate() {
        for (b, says_b) in &compared[at + 1..] {
            let differ = says_a.number.zip(says_b.number).is_some_and(|(a, b)| a != b);
            let opposite = says_a.said() * says_b.said() < 0.0;
            let ids = [a, b].map(|v| v.read.document.doc_id.clone());
            if (opposite || differ) && ids[0] != ids[1] {
                pairs.push(ids);
            }
        }
    }
    pairs
}
