use serde::{Deserialize, Serialize};

use super::{
    gamma::Point,
    settings::Thresholds,
    time::{DAY, HOUR},
};

/// How sure the traders were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// Near even for a week.
    Hard,
    /// Between.
    Medium,
    /// As good as decided.
    Easy,
}

impl Difficulty {
    /// From hard to easy.
    pub const ALL: [Self; 3] = [Self::Hard, Self::Medium, Self::Easy];

    /// The tag's value.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hard => "hard",
            Self::Medium => "medium",
            Self::Easy => "easy",
        }
    }
}

/// The prices of the week that ends 48 hours before settlement, both ends included. A window that ended at settlement
/// would hold the price as it converges, and call every market easy.
pub fn window(history: &[Point], settled: i64) -> impl Iterator<Item = f64> + '_ {
    let end = settled.saturating_sub(48 * HOUR);
    let start = end.saturating_sub(7 * DAY);
    history.iter().filter(move |p| (start..=end).contains(&p.t)).map(|p| p.p)
}

/// The difficulty statistic: the median of |price − 0.5| over [`window`], from 0 (even) to 0.5 (certain); of an even
/// number of prices the mean of the middle two. None without prices.
#[must_use]
pub fn distance(history: &[Point], settled: i64) -> Option<f64> {
    let mut distances: Vec<f64> = window(history, settled).map(|p| (p - 0.5).abs()).collect();
    distances.sort_by(f64::total_cmp);
    let n = distances.len();
    let upper = *distances.get(n / 2)?;
    Some(if n % 2 == 1 { upper } else { f64::midpoint(distances[n / 2 - 1], upper) })
}

/// The difficulty that a distance stands for.
#[must_use]
pub fn label(distance: f64, thresholds: &Thresholds) -> Difficulty {
    if distance < thresholds.hard_below {
        Difficulty::Hard
    } else if distance < thresholds.medium_below {
        Difficulty::Medium
    } else {
        Difficulty::Easy
    }
}

/// The last price that is at least 24 hours older than settlement.
#[must_use]
pub fn price_before(history: &[Point], settled: i64) -> Option<f64> {
    let until = settled.saturating_sub(24 * HOUR);
    history.iter().filter(|p| p.t <= until).max_by_key(|p| p.t).map(|p| p.p)
}

#[cfg(test)]
mod tests {
    use rand_chacha::{
        ChaCha8Rng,
        rand_core::{Rng, SeedableRng},
    };

    use super::*;

    const SETTLED: i64 = 1_780_000_000;

    fn point(hours_before: i64, p: f64) -> Point {
        Point { t: SETTLED - hours_before * HOUR, p }
    }

    #[test]
    fn the_median_and_not_the_extreme_counts() {
        let history = [point(60, 0.5), point(72, 0.52), point(84, 0.99)];
        assert!((distance(&history, SETTLED).unwrap() - 0.02).abs() < 1e-12);
        let history = [point(60, 0.5), point(72, 0.6), point(84, 0.9), point(96, 0.5)];
        assert!((distance(&history, SETTLED).unwrap() - 0.05).abs() < 1e-12);
        assert_eq!(distance(&[], SETTLED), None);
    }

    #[test]
    fn thresholds_belong_to_the_easier_side() {
        let t = Thresholds { hard_below: 0.15, medium_below: 0.35 };
        let labels = [0.0, 0.149, 0.15, 0.349, 0.35, 0.5].map(|d| label(d, &t).name());
        assert_eq!(labels, ["hard", "hard", "medium", "medium", "easy", "easy"]);
    }

    /// Whatever happens in the last 48 hours, or before the week, changes nothing.
    #[test]
    fn the_last_48_hours_are_not_seen() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut uniform = move || f64::from(rng.next_u32()) / f64::from(u32::MAX);
        for _ in 0..200 {
            let base: Vec<_> = (48..=216).step_by(12).map(|h| point(h, uniform())).collect();
            let seen = distance(&base, SETTLED);
            let mut more = base.clone();
            more.extend((-24..48).map(|h| point(h, uniform())));
            more.extend((217..400).map(|h| point(h, uniform())));
            assert_eq!(distance(&more, SETTLED), seen);
            let last = more.iter_mut().find(|p| p.t == SETTLED - 48 * HOUR).unwrap();
            last.p = 1.0 - last.p + 0.01;
            // The end itself belongs to the window.
            assert_eq!(window(&more, SETTLED).count(), base.len());
        }
    }

    #[test]
    fn the_price_before_is_a_day_old_at_least() {
        let history = [point(23, 0.9), point(24, 0.7), point(36, 0.2)];
        assert_eq!(price_before(&history, SETTLED), Some(0.7));
        assert_eq!(price_before(&history[..1], SETTLED), None);
    }
}
