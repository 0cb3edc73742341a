//! Limits on the rate of requests, one bucket for each principal and kind of request.
//!
//! *Entry point:* [`Rates::admit`].
//! *Source:* the token bucket of J. Turner, "New Directions in Communications", IEEE Communications
//! Magazine 24(10), 1986.
//! *Invariant:* within any time t, at most `burst + rate * t` requests of a bucket are admitted.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The most buckets; beyond, full ones are discarded.
const MOST: usize = 10_000;

/// A kind of request, each with its own limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Reading a page or data.
    Read,
    /// Changing something.
    Write,
    /// Presenting a token that is wrong.
    Login,
    /// Requests of workers.
    Work,
}

impl Kind {
    /// The most requests at once, and the number per second afterwards.
    fn limit(self) -> (f64, f64) {
        match self {
            Kind::Read => (400.0, 100.0),
            Kind::Write => (20.0, 2.0),
            Kind::Login => (10.0, 1.0),
            Kind::Work => (1000.0, 500.0),
        }
    }
}

struct Bucket {
    left: f64,
    at: i64,
}

/// The buckets.
#[derive(Default)]
pub struct Rates {
    buckets: Mutex<HashMap<(String, Kind), Bucket>>,
}

impl Rates {
    /// Whether a request at `now` (in milliseconds) is within the limit. If not, the number of seconds
    /// after which one is admitted.
    ///
    /// # Errors
    /// The limit is exceeded.
    pub fn admit(&self, who: &str, kind: Kind, now: i64) -> Result<(), u64> {
        let (burst, rate) = kind.limit();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST {
            buckets.retain(|(_, kind), bucket| {
                let (burst, rate) = kind.limit();
                bucket.left + seconds(bucket.at, now) * rate < burst
            });
        }
        let bucket = buckets.entry((who.to_string(), kind)).or_insert(Bucket { left: burst, at: now });
        bucket.left = (bucket.left + seconds(bucket.at, now) * rate).min(burst);
        bucket.at = now;
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Ok(());
        }
        Err(((1.0 - bucket.left) / rate).ceil().max(1.0) as u64)
    }
}

fn seconds(from: i64, to: i64) -> f64 {
    (to.saturating_sub(from)).max(0) as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_admitted_and_then_the_rate() {
        let rates = Rates::default();
        let admitted = (0..50).filter(|_| rates.admit("a", Kind::Write, 0).is_ok()).count();
        assert_eq!(admitted, 20);
        assert_eq!(rates.admit("a", Kind::Write, 0), Err(1));
        assert_eq!(rates.admit("b", Kind::Write, 0), Ok(()), "others are not affected");
        assert_eq!(rates.admit("a", Kind::Write, 1000), Ok(()));
        assert_eq!(rates.admit("a", Kind::Write, -5000), Ok(()), "a clock that was set back adds nothing");
    }
}
