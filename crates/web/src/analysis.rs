//! What the present verdicts of a project say together: features that interact, and violations with one
//! cause.
//!
//! *Entry points:* [`Cache::get`].
//! *Invariant:* only verdicts of the present version count: others are unknown.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use axle_evidence::round::{Cluster, Interaction};
use axle_feaver::execute::Outcome;
use axle_feaver::jobs::error::StoreError;
use axle_feaver::jobs::job::RoundId;
use axle_feaver::report;
use axle_feaver::results::database::Database;
use axle_feaver::results::ledger::recorded;
use axle_feaver::results::verdict::Record;

use crate::snapshot::Snapshot;

/// Interactions and clusters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The pairs of features.
    pub interactions: Vec<Interaction>,
    /// The violations by cause.
    pub clusters: Vec<Cluster>,
}

/// The generation of files and of the history.
type Version = (u64, u64);

/// The analysis of the present version, which is made once.
#[derive(Default)]
pub struct Cache(Mutex<Option<(Version, Arc<Analysis>)>>);

impl Cache {
    /// The analysis of the present version.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn get(
        &self,
        database: &dyn Database,
        snapshot: &Snapshot,
        history: u64,
    ) -> Result<Arc<Analysis>, StoreError> {
        let version = (snapshot.generation, history);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, analysis)) = &*known
            && *of == version
        {
            return Ok(Arc::clone(analysis));
        }
        let analysis = Arc::new(analysis(database, snapshot)?);
        *known = Some((version, Arc::clone(&analysis)));
        Ok(analysis)
    }
}

fn analysis(database: &dyn Database, snapshot: &Snapshot) -> Result<Analysis, StoreError> {
    let Some(project) = &snapshot.project else { return Ok(Analysis::default()) };
    let mut rounds: HashMap<RoundId, HashMap<u32, Record>> = HashMap::new();
    let mut runs = Vec::with_capacity(snapshot.runs.len());
    let mut outcomes: Vec<(Option<Outcome>, Option<Outcome>)> = Vec::with_capacity(snapshot.runs.len());
    for run in &snapshot.runs {
        runs.push(run.plan().clone());
        let Some((round, number)) = run.known.place.filter(|_| !run.known.state.lacks_verdict()) else {
            outcomes.push((None, None));
            continue;
        };
        if let Entry::Vacant(entry) = rounds.entry(round) {
            let records = database.verdicts(round)?;
            entry.insert(records.into_iter().map(|one| (one.run.number, one)).collect());
        }
        outcomes.push(match rounds.get(&round).and_then(|records| records.get(&number)) {
            Some(record) => recorded(database, record)?,
            None => (None, None),
        });
    }
    let (first, shortest): (Vec<_>, Vec<_>) = outcomes.into_iter().unzip();
    let round = report::round(project, &runs, &first, &shortest, env!("CARGO_PKG_VERSION"));
    Ok(Analysis { interactions: round.interactions, clusters: round.clusters })
}
