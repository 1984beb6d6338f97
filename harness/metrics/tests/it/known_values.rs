//! Statistics against values from elsewhere.

use metrics::stats::{
    holm, mcnemar_exact, minimum_detectable_effect, multiplicities, normal_quantile,
    quantile_type7, wilson,
};

fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-12 * expected.abs(), "{got:e}, not {expected:e}");
}

/// The key stream of ChaCha with 8 rounds for an all-zero key, counter and stream, as published with the cipher's
/// test vectors (draft-strombergson-chacha-test-vectors, TC1, 256-bit key).
const CHACHA8_ZERO: &str = "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e\
                            984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42";

#[test]
fn draws_are_the_published_key_stream() {
    // Of 16 clusters the top four bits of a word choose one: the first digit of its last byte.
    let mut expected = vec![0; 16];
    for word in CHACHA8_ZERO.as_bytes().chunks(8) {
        expected[char::from(word[6]).to_digit(16).unwrap() as usize] += 1;
    }
    assert_eq!(multiplicities(0, 0, 16), expected);
}

#[test]
fn draws_match_a_chacha_written_out_in_python() {
    assert_eq!(multiplicities(20_261_130, 0, 7), [0, 0, 1, 1, 3, 1, 1]);
    assert_eq!(multiplicities(20_261_130, 9999, 7), [2, 0, 2, 0, 0, 1, 2]);
    // A stream above 2³², a seed above 2⁶³, and more words than one block holds.
    assert_eq!(
        multiplicities(20_261_130, (1 << 33) + 5, 20),
        [2, 1, 1, 1, 0, 2, 1, 0, 1, 1, 0, 3, 2, 1, 3, 1, 0, 0, 0, 0]
    );
    assert_eq!(
        multiplicities((1 << 63) + 12_345, 3, 40),
        [
            5, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 2, 2, 1, 1, 1, 1, 2, 1, 2, 0, 0, 1, 0, 0, 1, 0,
            3, 0, 2, 1, 0, 0, 1, 3, 0, 1, 1
        ]
    );
}

#[test]
fn mcnemar_matches_sums_with_60_digits() {
    // From a sum of binomial terms in Python's decimal arithmetic.
    for (only_a, only_b, expected) in [
        (0, 0, 1.0),
        (0, 1, 1.0),
        (0, 5, 0.0625),
        (1, 9, 0.021484375),
        (16, 5, 0.02660369873046875),
        (13, 20, 0.296206368599087),
        (0, 1000, 1.8665272370064378e-301),
        (100, 150, 0.001883300935076157),
        (1000, 1200, 2.1817026407914712e-5),
        (499_000, 501_000, 0.04560829986538208),
        (495_000, 505_000, 1.538155504390735e-23),
        (481_500, 518_500, 1.0164156538835262e-299),
        (499_999, 500_000, 1.0),
        (499_500, 500_500, 0.3177946913633055),
    ] {
        close(mcnemar_exact(only_a, only_b), expected);
        assert_eq!(
            mcnemar_exact(only_b, only_a).to_bits(),
            mcnemar_exact(only_a, only_b).to_bits()
        );
    }
}

#[test]
fn minimum_detectable_effects_of_fifty_items() {
    for (discordant, expected) in [(3, 0.0970498), (4, 0.1120634), (5, 0.1252907), (25, 0.2801585)]
    {
        let got = minimum_detectable_effect(discordant, 50).unwrap();
        assert!((got - expected).abs() < 5e-8, "{got}");
    }
    assert_eq!(minimum_detectable_effect(0, 50), None);
    assert_eq!(minimum_detectable_effect(0, 0), None);
}

#[test]
fn normal_quantiles_match_a_series_with_50_digits() {
    for (p, expected) in [
        (0.975, 1.9599639845400538),
        (0.8, 0.8416212335729144),
        (0.995, 2.5758293035489004),
        (0.9, 1.2815515655446006),
        (0.999, 3.090232306167813),
    ] {
        close(normal_quantile(p).unwrap(), expected);
        close(normal_quantile(1.0 - p).unwrap(), -expected);
    }
    for outside in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
        assert_eq!(normal_quantile(outside), None);
    }
}

/// With these bits, Wilson intervals and detectable effects of the default plan are the same on every target. They are
/// what comes out both with and without the platform's logarithm, which other crates in a build can switch on; for
/// other levels, such as 0.99, the last bit can differ.
#[test]
fn the_default_plan_uses_quantiles_with_pinned_bits() {
    let bits = |p: f64| normal_quantile(p).unwrap().to_bits();
    assert_eq!(bits(1.0 - (1.0 - 0.95) / 2.0), 0x3fff_5c03_31ee_ff83);
    assert_eq!(bits(0.8), 0x3fea_ee8f_a73a_1335);
}

#[test]
fn wilson_matches_worked_examples() {
    // Newcombe (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29, to the four decimals printed there.
    for (hits, n, lower, upper) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ] {
        let (low, high) = wilson(hits, n, 0.95).unwrap();
        assert!((low - lower).abs() < 5.1e-5 && (high - upper).abs() < 5.1e-5, "{low} {high}");
    }
    assert_eq!(wilson(0, 20, 0.95).unwrap().0, 0.0);
    assert_eq!(wilson(20, 20, 0.95).unwrap().1, 1.0);
    assert_eq!(wilson(0, 0, 0.95), None);
    assert_eq!(wilson(3, 2, 0.95), None);
    assert_eq!(wilson(1, 2, 1.0), None);
    assert_eq!(wilson(1, 2, 0.0), None);
}

#[test]
fn holm_steps_down_and_never_decreases() {
    // 0.01·4, 0.03·3, then 0.03·2 held up to the one before it, then 0.6.
    let adjusted = holm(&[0.03, 0.6, 0.01, 0.03]);
    for (got, expected) in adjusted.iter().zip([0.09, 0.6, 0.04, 0.09]) {
        close(*got, expected);
    }
    assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    assert_eq!(holm(&[]), Vec::<f64>::new());
}

#[test]
fn quantiles_of_type_7() {
    // R: quantile(c(3, 1, 4, 1, 5), c(0, .25, .6, 1), type = 7)
    for (p, expected) in [(0.0, 1.0), (0.25, 1.0), (0.6, 3.4), (1.0, 5.0)] {
        close(quantile_type7(&[3.0, 1.0, 4.0, 1.0, 5.0], p).unwrap(), expected);
    }
    assert_eq!(quantile_type7(&[], 0.5), None);
    assert_eq!(quantile_type7(&[1.0], 1.5), None);
    assert_eq!(quantile_type7(&[2.5], 0.3), Some(2.5));
}
