//! How likely the model itself held its answer to be, token by token.

use crate::provider::TokenLogprob;

/// The natural logarithm of the probability of the answer's tokens, summed over every token that the value of
/// `"outcome"` reaches into. `None` when the provider reported none, or when they do not make up the completion.
pub(super) fn answer_logprob(completion: &str, tokens: &[TokenLogprob]) -> Option<f64> {
    let (start, end) = outcome_place(completion)?;
    let mut sum = 0.0;
    let mut at = 0;
    for token in tokens {
        let next = at + token.token.len();
        if completion.get(at..next) != Some(token.token.as_str()) {
            return None;
        }
        if at < end && next > start {
            sum += token.logprob;
        }
        at = next;
    }
    // Reported and not reached: the completion was cut off before its tokens were.
    (at >= end && f64::is_finite(sum)).then_some(sum)
}

/// Where the value of the last `"outcome"` stands, without its quotes.
fn outcome_place(completion: &str) -> Option<(usize, usize)> {
    const KEY: &str = "\"outcome\"";
    let after_key = completion.rfind(KEY)? + KEY.len();
    let value = completion[after_key..].trim_start().strip_prefix(':')?.trim_start();
    let value = value.strip_prefix('"')?;
    let start = completion.len() - value.len();
    Some((start, start + value.find('"')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(parts: &[(&str, f64)]) -> Vec<TokenLogprob> {
        let token = |(token, logprob): &(&str, f64)| TokenLogprob {
            token: (*token).to_owned(),
            logprob: *logprob,
        };
        parts.iter().map(token).collect()
    }

    #[test]
    fn the_tokens_of_the_answer_are_summed_and_no_others() {
        let text = r#"{"outcome": "YES", "confidence": 0.9}"#;
        let parts = [(r#"{"outcome": ""#, -1.0), ("Y", -0.25), ("ES", -0.5), (r#"", "#, -2.0)];
        let mut all = parts.to_vec();
        all.push((r#""confidence": 0.9}"#, -4.0));
        assert_eq!(answer_logprob(text, &tokens(&all)), Some(-0.75));
        // A token that holds the quote too is part of it.
        let joined = [(r#"{"outcome":"#, -1.0), (r#" "YES""#, -0.5)];
        assert_eq!(answer_logprob(text, &tokens(&joined)), Some(-0.5));
    }

    #[test]
    fn what_does_not_fit_gives_nothing() {
        let text = r#"{"outcome": "YES"}"#;
        assert_eq!(answer_logprob(text, &[]), None);
        assert_eq!(answer_logprob(text, &tokens(&[("other", -1.0)])), None);
        assert_eq!(answer_logprob(text, &tokens(&[(r#"{"outcome""#, -1.0)])), None);
        assert_eq!(answer_logprob("no answer", &tokens(&[("no answer", -1.0)])), None);
        assert_eq!(answer_logprob(text, &tokens(&[(text, f64::NEG_INFINITY)])), None);
    }
}
