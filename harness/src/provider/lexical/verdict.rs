//! From what each document says to YES, NO or an abstention.

use records::Conflict;

use super::{
    Answer, Question,
    claim::{Claim, Scope},
    evidence::{Voice, voices},
    figures::worked_out,
    reading::Read,
    round,
    statement::sign,
};

/// The answer where nothing was shown: most things that are asked about do not happen by the day asked about.
const WITHOUT_EVIDENCE: &str = "NO";
/// Share of a sentence's relevance that is its own; the rest is its document's, for "It was approved by 31 votes".
const OWN: f64 = 2.0 / 3.0;
/// A document speaks when it says something of this weight, or has this share of the claim's terms.
const SPEAKS: f64 = 0.05;
const ABOUT: f64 = 0.3;
/// Documents that are compared pair by pair.
const MOST_COMPARED: usize = 24;

/// Signs of an answer, each from -1, against it, to 1, for it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Signs {
    /// Words of success and failure.
    said: f64,
    /// Dates against the deadline.
    timed: f64,
    /// Numbers against the threshold.
    counted: f64,
    /// What the criteria admit against what they exclude.
    kind: f64,
    /// All of several things seldom come about together; some of them do.
    scope: f64,
}

/// P(YES) = 1 / (1 + e^-(weights × signs)), the weights in the order of the signs. Fitted by logistic regression, none
/// below 0, on the questions that the module names, and rounded; but that of the scope was 2.3 and is set to 1 by hand,
/// since it rests on eight questions.
const WEIGHTS: [f64; 5] = [2.3, 1.7, 1.9, 1.7, 1.0];

impl Signs {
    fn values(&self) -> [f64; 5] {
        [self.said, self.timed, self.counted, self.kind, self.scope]
    }

    fn score(&self) -> f64 {
        self.values().iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum()
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
    let mut signs = Signs::default();
    let (mut number, mut best, mut sentence) = (None, 0.0, 0);
    let stronger = |old: &mut f64, new: f64| {
        if new.abs() > old.abs() {
            *old = new;
        }
    };
    let change = if claim.no_change { -1.0 } else { 1.0 };
    for (at, (s, relevance)) in voice.statements.iter().zip(&voice.relevance).enumerate() {
        let own = OWN * relevance + (1.0 - OWN) * voice.standing.about;
        // A claim is a conjunction: enough, in time and done. What misses one part is no success.
        let missed = s.counted < 0.0 || change * s.timed < 0.0;
        if !(missed && s.said > 0.0) {
            stronger(&mut signs.said, s.said * s.share * own);
        }
        let failed = s.said * claim.direction < 0.0;
        let too_few = s.counted < 0.0 && change * s.timed > 0.0;
        if !(failed || too_few) {
            // A plan to be late is as good as being late, when it is a plan for what is asked about.
            let late_plan = s.planned && s.timed < 0.0;
            let dated = if late_plan { OWN * relevance } else { own * s.share };
            stronger(&mut signs.timed, change * s.timed * dated);
        }
        let counted = s.counted * s.share * own;
        if counted.abs() > signs.counted.abs() {
            (signs.counted, number) = (counted, s.number);
        }
        let strength = own * (s.said.abs() + s.timed.abs() + s.counted.abs()) * s.share;
        if strength > best {
            (best, sentence) = (strength, at);
        }
    }
    if number.is_none() {
        number = worked_out(claim, voice.read);
        let met = number.zip(claim.threshold.as_ref()).map(|(n, threshold)| threshold.met_by(n));
        signs.counted = sign(met) * voice.standing.about;
    }
    let standing = &voice.standing;
    signs.kind = if claim.no_change {
        standing.admitted + standing.excluded
    } else {
        standing.admitted - standing.excluded
    };
    Reading { signs, number, sentence }
}

/// The signs of all documents, each document by its weight.
fn signs(claim: &Claim, voices: &[Voice<'_>], readings: &[Reading]) -> Signs {
    let mut all = Signs::default();
    for (voice, reading) in voices.iter().zip(readings) {
        let one = reading.signs;
        all.said += one.said * voice.weight;
        all.timed += one.timed * voice.weight;
        all.counted += one.counted * voice.weight;
        all.kind += one.kind * voice.weight;
    }
    all.scope = match claim.scope {
        Scope::All => -claim.direction,
        Scope::Some => claim.direction,
        Scope::One => 0.0,
    };
    all
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
    let score = signs(&claim, &voices, &readings).score();
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
        let Signs { said, timed, counted, .. } = self.signs;
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
