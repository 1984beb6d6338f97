//! Quantiles.

/// Values that stand for all of them when it is guessed how far out a quantile lies.
const SAMPLE: usize = 256;

/// Places in that sample by which the guess is taken further in: more than three of its standard deviations for a
/// quantile far out. A guess that is too far out costs time and changes no result.
const MARGIN: usize = 12;

/// Values that are looked through at a time.
const CHUNK: usize = 64;

/// The quantile of `values` at `p`, type 7 of Hyndman and Fan (1996): with the values sorted and
/// h = (m − 1) · p, it is x\[⌊h⌋\] + (h − ⌊h⌋) · (x\[⌊h⌋ + 1\] − x\[⌊h⌋\]).
///
/// Range: between the smallest and the largest value. Unit: that of the values. None when there is no value or `p` is
/// outside 0 to 1.
#[must_use]
pub fn quantile_type7(values: &[f64], p: f64) -> Option<f64> {
    quantiles_type7(values, p, p).map(|(quantile, _)| quantile)
}

/// The quantiles at `low` and at `high`, which is no less.
pub fn quantiles_type7(values: &[f64], low: f64, high: f64) -> Option<(f64, f64)> {
    let first = *values.first()?;
    if !(0.0 <= low && low <= high && high <= 1.0) {
        return None;
    }
    if values.iter().all(|value| value.to_bits() == first.to_bits()) {
        return Some((first, first));
    }
    let last = (values.len() - 1) as f64;
    let place = |p: f64| ((last * p) as usize).min(values.len() - 1);
    let (at_low, at_high) = (place(low), place(high));
    let [lower, upper] = around(values, [at_low, at_high]);
    let between = |[x, next]: [f64; 2], part: f64| x + part * (next - x);
    Some((between(lower, last * low - at_low as f64), between(upper, last * high - at_high as f64)))
}

/// For each of two places the value that would stand there were `values` sorted, and the one after it (the same where
/// it is the last).
///
/// Only values that lie as far out as a guess are sorted out: those up to it for the first place, those from it on for
/// the second.
fn around(values: &[f64], at: [usize; 2]) -> [[f64; 2]; 2] {
    let len = values.len();
    let [mut up_to_low, mut from_high] = sorted_out(values, guess(values, at));
    let all = || values.iter().map(|value| key(*value)).collect();
    if up_to_low.len() < (at[0] + 2).min(len) {
        up_to_low = all();
    }
    if len - from_high.len() > at[1] {
        from_high = all();
    }
    let before = len - from_high.len();
    [pair(&mut up_to_low, at[0]), pair(&mut from_high, at[1] - before)]
}

/// Keys that probably lie somewhat beyond the values of two places, from a sample.
fn guess(values: &[f64], at: [usize; 2]) -> [i64; 2] {
    let len = values.len();
    let mut sample: Vec<i64> =
        values.iter().step_by(len.div_ceil(SAMPLE)).map(|value| key(*value)).collect();
    let in_sample = |at: usize| at * sample.len() / len;
    let (low, high) = (in_sample(at[0]) + MARGIN, in_sample(at[1]).saturating_sub(MARGIN));
    let low = if low < sample.len() { *sample.select_nth_unstable(low).1 } else { i64::MAX };
    let high = if high > 0 { *sample.select_nth_unstable(high).1 } else { i64::MIN };
    [low, high]
}

/// The keys up to the first guess, and those from the second one on.
fn sorted_out(values: &[f64], [low, high]: [i64; 2]) -> [Vec<i64>; 2] {
    let (mut up_to_low, mut from_high) = (Vec::new(), Vec::new());
    for chunk in values.chunks(CHUNK) {
        let mut found = [[0; CHUNK]; 2];
        let mut n = [0; 2];
        for value in chunk {
            let key = key(*value);
            // Written always and counted sometimes: whether it belongs here cannot be guessed ahead.
            found[0][n[0] % CHUNK] = key;
            found[1][n[1] % CHUNK] = key;
            n[0] += usize::from(key <= low);
            n[1] += usize::from(key >= high);
        }
        up_to_low.extend_from_slice(&found[0][..n[0]]);
        from_high.extend_from_slice(&found[1][..n[1]]);
    }
    [up_to_low, from_high]
}

/// The values that would stand at `place` and after it were the keys sorted.
fn pair(keys: &mut [i64], place: usize) -> [f64; 2] {
    // Selecting gives the same two values as sorting, in less time.
    let (_, &mut at, after) = keys.select_nth_unstable(place);
    let next = after.iter().copied().min().unwrap_or(at);
    [value(at), value(next)]
}

/// A whole number for each float, in the same order as `f64::total_cmp` has it.
fn key(value: f64) -> i64 {
    flipped(value.to_bits().cast_signed())
}

fn value(key: i64) -> f64 {
    f64::from_bits(flipped(key).cast_unsigned())
}

/// Below zero every bit but the sign says the opposite: this turns it round, and back.
fn flipped(bits: i64) -> i64 {
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted_pair(values: &[f64], at: usize) -> [u64; 2] {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        [at, (at + 1).min(values.len() - 1)].map(|at| sorted[at].to_bits())
    }

    fn check(values: &[f64], at: [usize; 2]) {
        let expected = at.map(|at| sorted_pair(values, at));
        assert_eq!(around(values, at).map(|pair| pair.map(f64::to_bits)), expected);
    }

    #[test]
    fn quantiles_are_those_that_numpy_has() {
        // numpy 2.4: quantile([35, 20, 50, 15, 40], [0, 0.05, 0.3, 0.4, 0.5, 1])
        let values = [35.0, 20.0, 50.0, 15.0, 40.0];
        for (p, expected) in
            [(0.0, 15.0), (0.05, 16.0), (0.3, 23.0), (0.4, 29.0), (0.5, 35.0), (1.0, 50.0)]
        {
            let got = quantile_type7(&values, p).unwrap_or(f64::NAN);
            assert!((got - expected).abs() < 1e-12, "{got}, not {expected}");
        }
        assert_eq!(quantiles_type7(&values, 0.25, 0.75), Some((20.0, 40.0)));
        assert_eq!(quantiles_type7(&values, 0.125, 0.875), Some((17.5, 45.0)));
        assert_eq!(quantile_type7(&[7.0], 0.3), Some(7.0));
        assert_eq!(quantiles_type7(&[7.0; 5], 0.1, 0.3), Some((7.0, 7.0)));
        // Between two of these there would be no number.
        assert_eq!(quantile_type7(&[f64::INFINITY; 3], 0.3), Some(f64::INFINITY));
    }

    #[test]
    fn there_is_no_quantile_of_nothing_or_outside_0_to_1() {
        assert_eq!(quantile_type7(&[], 0.5), None);
        let values = [1.0, 2.0, 3.0];
        for (low, high) in [(-0.1, 0.5), (0.5, 1.1), (0.6, 0.5), (f64::NAN, 0.5), (0.5, f64::NAN)] {
            assert_eq!(quantiles_type7(&values, low, high), None, "{low} to {high}");
        }
        assert_eq!(quantiles_type7(&values, 0.0, 1.0), Some((1.0, 3.0)));
        assert_eq!(quantiles_type7(&values, 0.5, 0.5), Some((2.0, 2.0)));
    }

    #[test]
    fn little_is_sorted_out_where_a_sample_is_like_the_rest() {
        // 10,007 is prime, so that these are all numbers below it, well mixed.
        let values: Vec<f64> = (0..10_007_u64).map(|i| (i * 7919 % 10_007) as f64).collect();
        let at = [250, 9756];
        let [low, high] = guess(&values, at).map(value);
        assert!((250.0..1500.0).contains(&low), "{low}");
        assert!((8500.0..=9756.0).contains(&high), "{high}");
        let [mut up_to_low, mut from_high] = sorted_out(&values, [key(100.0), key(9900.0)]);
        up_to_low.sort_unstable();
        from_high.sort_unstable();
        assert!(up_to_low.into_iter().map(value).eq((0..=100).map(f64::from)));
        assert!(from_high.into_iter().map(value).eq((9900..10_007).map(f64::from)));
    }

    #[test]
    fn a_guess_beyond_the_sample_is_all_there_is() {
        let values: Vec<f64> = (0..256).map(f64::from).collect();
        assert_eq!(guess(&values, [244, 12]), [i64::MAX, i64::MIN]);
        assert_eq!(guess(&values, [243, 13]).map(value), [255.0, 1.0]);
    }

    proptest! {
        // Making thousands of values up takes longer than looking through them.
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn guessing_finds_what_sorting_does(
            values in prop::collection::vec(prop_oneof![any::<f64>(), -2.0_f64..2.0, Just(0.0), Just(-0.0)], 1..3000),
            low in 0.0_f64..1.0,
            high in 0.0_f64..1.0,
        ) {
            let at = |p: f64| (p * values.len() as f64) as usize;
            check(&values, [at(low), at(high)]);
        }
    }

    #[test]
    fn a_misleading_sample_costs_time_only() {
        // Every value of the sample is above all others.
        let values: Vec<f64> =
            (0..5000).map(|i| if i % 20 == 0 { 10.0 } else { f64::from(i) / 5000.0 }).collect();
        for at in (0..5000).step_by(83) {
            check(&values, [at, 4999 - at]);
        }
    }
}
