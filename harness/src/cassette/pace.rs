use std::num::NonZeroU32;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use crate::models::Limits;

/// Holds calls back so that a provider's limits are kept: two token buckets, one that a call takes one from, and one
/// that it takes its tokens from. A bucket holds a minute's worth and refills steadily.
#[derive(Debug, Default)]
pub struct Pace {
    requests: Option<DefaultDirectRateLimiter>,
    tokens: Option<(NonZeroU32, DefaultDirectRateLimiter)>,
}

impl Pace {
    /// A pace that keeps `limits`; without numbers there is nothing to keep.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let bucket = |size| RateLimiter::direct(Quota::per_minute(size));
        Self {
            requests: limits.requests_per_minute.map(bucket),
            tokens: limits.tokens_per_minute.map(|size| (size, bucket(size))),
        }
    }

    /// A pace that spreads its calls evenly: `requests_per_minute` in any minute, and none ahead of time.
    #[must_use]
    pub fn even(requests_per_minute: NonZeroU32) -> Self {
        let quota = Quota::per_minute(requests_per_minute).allow_burst(NonZeroU32::MIN);
        Self { requests: Some(RateLimiter::direct(quota)), tokens: None }
    }

    /// Waits until a call of about `tokens` tokens, read and written, may be made. A call larger than the bucket waits
    /// for a full one.
    pub async fn wait(&self, tokens: u64) {
        if let Some(bucket) = &self.requests {
            bucket.until_ready().await;
        }
        if let Some((size, bucket)) = &self.tokens
            && let Some(wanted) = NonZeroU32::new(u32::try_from(tokens).unwrap_or(u32::MAX))
        {
            let fits = "no more than the bucket's size is asked for";
            bucket.until_n_ready(wanted.min(*size)).await.expect(fits);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[tokio::test]
    async fn an_empty_bucket_fills_steadily() {
        let limit = NonZeroU32::new(60_000);
        let pace = Pace::new(&Limits { tokens_per_minute: limit, ..Limits::default() });
        let start = Instant::now();
        pace.wait(60_000).await;
        // A thousand tokens come back in a second.
        pace.wait(300).await;
        assert!(start.elapsed() >= Duration::from_millis(290), "{:?}", start.elapsed());
    }

    #[tokio::test]
    async fn requests_are_counted_whatever_their_size() {
        let limit = NonZeroU32::new(300);
        let pace = Pace::new(&Limits { requests_per_minute: limit, ..Limits::default() });
        let start = Instant::now();
        for _ in 0..301 {
            pace.wait(u64::MAX).await;
        }
        assert!(start.elapsed() >= Duration::from_millis(190), "{:?}", start.elapsed());
    }

    #[tokio::test]
    async fn an_even_pace_lets_no_call_go_ahead() {
        let pace = Pace::even(NonZeroU32::new(600).unwrap());
        let start = Instant::now();
        for _ in 0..4 {
            pace.wait(0).await;
        }
        // Ten a second: the fourth goes after three tenths.
        assert!(start.elapsed() >= Duration::from_millis(290), "{:?}", start.elapsed());
    }

    #[tokio::test]
    async fn a_call_larger_than_the_bucket_waits_for_a_full_one() {
        let limit = NonZeroU32::new(10);
        let pace = Pace::new(&Limits { tokens_per_minute: limit, ..Limits::default() });
        pace.wait(1_000_000).await;
    }
}
