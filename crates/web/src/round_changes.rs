//! Changes between versions as data, and those of rounds, which are made once.
//!
//! *Entry points:* [`Changes`], [`Cache`].
//! *Invariant:* kept changes are those of the present files, history and commit.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axle_feaver::changes::explanation::Part;
use axle_feaver::jobs::job::RoundId;
use axle_feaver::results::verdict::Round;

use crate::versions::Difference;
use crate::view::state::State;

/// The changes between two versions.
#[derive(Clone)]
pub struct Changes {
    /// The round whose files are the earlier ones; none if no round has stored any.
    pub since: Option<Round>,
    /// The round before a round.
    pub before: Option<RoundId>,
    /// The files that differ.
    pub files: Vec<Difference>,
    /// The properties without a verdict of the later version, or those that the round has verified.
    pub affected: Vec<Affected>,
    /// The number of runs whose verdicts still apply.
    pub kept: usize,
    /// The runs whose last verdict differs from the one before.
    pub turned: Vec<Turned>,
    /// What could not be read of the repository.
    pub warning: Option<String>,
}

/// A property that is affected.
#[derive(Clone)]
pub struct Affected {
    /// Its name.
    pub property: String,
    /// Its feature.
    pub feature: Option<String>,
    /// The number of its runs that are affected.
    pub runs: usize,
    /// The state of the run that needs most attention.
    pub state: State,
    /// Why it is affected.
    pub reason: String,
    /// The functions, macros and declarations that have changed.
    pub parts: Vec<Part>,
    /// The state before the change.
    pub before: Option<State>,
    /// The state after it, if it has been verified.
    pub after: Option<State>,
}

/// A run whose last verdict differs from the one before.
#[derive(Clone)]
pub struct Turned {
    /// The property.
    pub property: String,
    /// The constraint.
    pub constraint: String,
    /// The number of the run in its round.
    pub run: u32,
    /// The round of the last verdict.
    pub round: RoundId,
    /// The earlier verdict.
    pub before: State,
    /// The later verdict.
    pub after: State,
}

/// The files, the history and the commit that changes are made of.
#[derive(PartialEq)]
pub struct Version {
    /// Counts the changes of the project's files.
    pub generation: u64,
    /// Counts the changes of verdicts and rounds.
    pub history: u64,
    /// The commit that is checked out.
    pub head: Option<String>,
}

/// Rounds whose changes are kept.
const MOST_ROUNDS: usize = 16;

/// The changes of rounds, each of which is made once for a version.
#[derive(Default)]
pub struct Cache(Mutex<BTreeMap<i64, (Version, Arc<Changes>)>>);

impl Cache {
    /// The changes of a round, which `make` makes if they are not known.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn get<E>(
        &self,
        round: i64,
        version: Version,
        make: impl FnOnce() -> Result<Changes, E>,
    ) -> Result<Changes, E> {
        let entries = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known =
            entries().get(&round).filter(|(of, _)| *of == version).map(|(_, known)| Arc::clone(known));
        if let Some(known) = known {
            return Ok((*known).clone());
        }
        let made = make()?;
        let mut entries = entries();
        if entries.len() >= MOST_ROUNDS {
            entries.pop_first();
        }
        entries.insert(round, (version, Arc::new(made.clone())));
        Ok(made)
    }
}
