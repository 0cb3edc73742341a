//! The contract of the history.
//!
//! *Entry point:* [`History`].
//! *Invariant:* a run has at most one verdict. A decided verdict is replaced by none. Latest means
//! the largest round, never the latest time: a clock that was set back changes no answer.

use crate::jobs::error::StoreError;
use crate::jobs::job::{Completion, Lease, Recorded, RoundId, Timestamp};
use crate::jobs::queue::Store;
use crate::jobs::sql::{Connection, Doorbell};
use crate::results::key::{Hash, Key};
use crate::results::verdict::{FeatureCounts, NewRound, NewVerdict, Phase, Record, Round, Run};
use crate::results::{queries, writes};

/// What a verdict replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The verdict is stored, as the first one or in place of an undecided one.
    Now,
    /// The run has a verdict that decides more; it stays.
    Kept,
}

/// A record of rounds and verdicts.
pub trait History: Send + Sync {
    /// Begins a round with these runs, in one transaction.
    fn begin_round(&self, round: &NewRound, runs: &[Run], now: Timestamp) -> Result<RoundId, StoreError>;

    /// Marks a round as ended. The first time counts.
    fn end_round(&self, round: RoundId, now: Timestamp) -> Result<(), StoreError>;

    /// Records a verdict. It replaces an undecided verdict of an earlier or the same cycle. Witnesses
    /// are added in any case, one per phase.
    fn record(&self, verdict: &NewVerdict, now: Timestamp) -> Result<Stored, StoreError>;

    /// Records several verdicts in one transaction: all of them or none.
    fn record_all(&self, verdicts: &[NewVerdict], now: Timestamp) -> Result<(), StoreError>;

    /// Completes a job and records the verdict of its run in one transaction. Nothing is stored if
    /// the lease has ended.
    fn complete_with_verdict(
        &self,
        lease: Lease,
        completion: &Completion,
        verdict: &NewVerdict,
        now: Timestamp,
    ) -> Result<Recorded, StoreError>;

    /// Adds a witness to a run that has a verdict.
    fn add_witness(&self, round: RoundId, run: u32, phase: Phase, content: &[u8])
    -> Result<Hash, StoreError>;

    /// The rounds, latest first, at most `limit`.
    fn rounds(&self, limit: u32) -> Result<Vec<Round>, StoreError>;

    /// A round and those before it, latest first, at most `limit`.
    fn rounds_until(&self, last: RoundId, limit: u32) -> Result<Vec<Round>, StoreError>;

    /// The runs of a round by number.
    fn runs(&self, round: RoundId) -> Result<Vec<Run>, StoreError>;

    /// A run of a round.
    fn run(&self, round: RoundId, number: u32) -> Result<Option<Run>, StoreError>;

    /// The verdict of a run of a round.
    fn verdict(&self, round: RoundId, number: u32) -> Result<Option<Record>, StoreError>;

    /// The verdicts of a round by number of the run.
    fn verdicts(&self, round: RoundId) -> Result<Vec<Record>, StoreError>;

    /// The latest verdict of a property for each provisioning, by provisioning.
    fn latest(&self, property: &str) -> Result<Vec<Record>, StoreError>;

    /// The last verdicts of each property and provisioning in the rounds before one, at most `count` of
    /// each: by property and provisioning, the latest first.
    fn last_verdicts(&self, before: RoundId, count: u32) -> Result<Vec<Record>, StoreError>;

    /// All verdicts of a property, latest first, at most `limit`.
    fn property_history(&self, property: &str, limit: u32) -> Result<Vec<Record>, StoreError>;

    /// An earlier verdict with this key that was found by the same version of Axle: the latest decided
    /// one, otherwise an unknown one of the largest cycle. Failed checks are repeated.
    fn by_key(&self, key: Key, axle_version: &str) -> Result<Option<Record>, StoreError>;

    /// The latest verdict of each property and provisioning of a feature, by property and
    /// provisioning.
    fn by_feature(&self, feature: &str) -> Result<Vec<Record>, StoreError>;

    /// The number of latest verdicts of each feature.
    fn features(&self) -> Result<Vec<FeatureCounts>, StoreError>;

    /// The content with this hash.
    fn content(&self, hash: Hash) -> Result<Option<Vec<u8>>, StoreError>;
}

impl<C: Connection, D: Doorbell> History for Store<C, D> {
    fn begin_round(&self, round: &NewRound, runs: &[Run], now: Timestamp) -> Result<RoundId, StoreError> {
        self.write(|session| writes::begin_round(session, round, runs, now))
    }

    fn end_round(&self, round: RoundId, now: Timestamp) -> Result<(), StoreError> {
        self.write(|session| writes::end_round(session, round, now))
    }

    fn record(&self, verdict: &NewVerdict, now: Timestamp) -> Result<Stored, StoreError> {
        self.write(|session| writes::record(session, verdict, now))
    }

    fn record_all(&self, verdicts: &[NewVerdict], now: Timestamp) -> Result<(), StoreError> {
        self.write(|session| {
            verdicts.iter().try_for_each(|verdict| writes::record(session, verdict, now).map(|_| ()))
        })
    }

    fn complete_with_verdict(
        &self,
        lease: Lease,
        completion: &Completion,
        verdict: &NewVerdict,
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        self.write(|session| {
            let recorded = crate::jobs::queue::complete(session, lease, completion, now)?;
            // A repetition finds the verdict of the first request.
            if recorded == Recorded::Now {
                writes::record(session, verdict, now)?;
            }
            Ok(recorded)
        })
    }

    fn add_witness(
        &self,
        round: RoundId,
        run: u32,
        phase: Phase,
        content: &[u8],
    ) -> Result<Hash, StoreError> {
        self.write(|session| writes::add_witness(session, round, run, phase, content))
    }

    fn rounds(&self, limit: u32) -> Result<Vec<Round>, StoreError> {
        self.read(|session| queries::rounds(session, RoundId(i64::MAX), limit))
    }

    fn rounds_until(&self, last: RoundId, limit: u32) -> Result<Vec<Round>, StoreError> {
        self.read(|session| queries::rounds(session, last, limit))
    }

    fn runs(&self, round: RoundId) -> Result<Vec<Run>, StoreError> {
        self.read(|session| queries::runs(session, round))
    }

    fn run(&self, round: RoundId, number: u32) -> Result<Option<Run>, StoreError> {
        self.read(|session| queries::run_of(session, round, number))
    }

    fn verdict(&self, round: RoundId, number: u32) -> Result<Option<Record>, StoreError> {
        self.read(|session| queries::verdict_of(session, round, number))
    }

    fn verdicts(&self, round: RoundId) -> Result<Vec<Record>, StoreError> {
        self.read(|session| queries::verdicts(session, round))
    }

    fn latest(&self, property: &str) -> Result<Vec<Record>, StoreError> {
        self.read(|session| queries::latest(session, property))
    }

    fn last_verdicts(&self, before: RoundId, count: u32) -> Result<Vec<Record>, StoreError> {
        self.read(|session| queries::last_verdicts(session, before, count))
    }

    fn property_history(&self, property: &str, limit: u32) -> Result<Vec<Record>, StoreError> {
        self.read(|session| queries::property_history(session, property, limit))
    }

    fn by_key(&self, key: Key, axle_version: &str) -> Result<Option<Record>, StoreError> {
        self.read(|session| queries::by_key(session, key, axle_version))
    }

    fn by_feature(&self, feature: &str) -> Result<Vec<Record>, StoreError> {
        self.read(|session| queries::by_feature(session, feature))
    }

    fn features(&self) -> Result<Vec<FeatureCounts>, StoreError> {
        self.read(queries::features)
    }

    fn content(&self, hash: Hash) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|session| queries::content(session, hash))
    }
}
