//! How long a worker waits for a round to end: a process that is frozen, or whose machine is lost without an
//! end of its connections, must not stop all others forever.
//!
//! *Entry point:* [`Silence`].
//!
//! *Invariant:* a search that is slow is not taken for one that is lost, unless it is to end anyway.

use std::time::{Duration, Instant};

use crate::failure::Failure;

/// How long nothing may arrive. Expanding all states of a sub-round takes seconds.
const LONGEST: Duration = Duration::from_secs(900);

/// How long nothing may arrive once the search is to end.
const GRACE: Duration = Duration::from_secs(10);

/// Time since a sign of life of the other workers.
#[derive(Debug)]
pub(crate) struct Silence {
    /// None in a simulation, which has no clock.
    since: Option<Instant>,
    longest: Duration,
}

impl Silence {
    /// Begins now. `is_simulated`: there is no clock. `is_bounded`: the others answer within a bounded time.
    pub fn begin(is_simulated: bool, is_bounded: bool) -> Silence {
        let longest = if is_bounded { LONGEST } else { Duration::MAX };
        Silence { since: (!is_simulated).then(Instant::now), longest }
    }

    /// Something has arrived.
    pub fn interrupt(&mut self) {
        self.since = self.since.map(|_| Instant::now());
    }

    /// Fails if the silence is too long. `is_to_end`: this worker has requested the end of the search.
    pub fn check(&self, is_to_end: bool) -> Result<(), Failure> {
        let longest = if is_to_end { GRACE.min(self.longest) } else { self.longest };
        match self.since {
            Some(since) if since.elapsed() > longest => Err(Failure::Silent),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn since(seconds: u64) -> Silence {
        Silence { since: Instant::now().checked_sub(Duration::from_secs(seconds)), longest: LONGEST }
    }

    #[test]
    fn silence_ends_a_search_sooner_if_it_is_to_end() {
        assert_eq!(since(20).check(false), Ok(()));
        assert_eq!(since(20).check(true), Err(Failure::Silent));
        assert_eq!(since(2).check(true), Ok(()));
        let mut silence = since(20);
        silence.interrupt();
        assert_eq!(silence.check(true), Ok(()));
        assert_eq!(Silence::begin(true, true).check(true), Ok(()));
    }
}
