//! `axle run --changed`: the runs whose key differs from that of their recorded verdict.
//!
//! *Entry point:* [`unchanged`].
//! *Invariant:* the exit code and the reports of a round are about all selected runs, also those that
//! are not executed.

use axle_check::Verdict;
use axle_feaver::execute::Outcome;
use axle_feaver::prepare::Run;
use axle_feaver::results::ledger::{Standing, carried, standing};

use crate::args::RunArgs;
use crate::history;

/// What is known of a run that is not executed.
#[derive(Clone)]
pub struct Known {
    /// The recorded result.
    pub outcome: Outcome,
    /// The result of the second phase.
    pub shortest: Option<Outcome>,
}

/// The recorded results of runs for which nothing has changed; none for the others. A violation whose
/// locations refer to an earlier text counts as changed.
pub fn unchanged(args: &RunArgs, runs: &[Run]) -> Result<Vec<Option<Known>>, String> {
    let database = match args.changed {
        true => history::open_existing(&args.folder, args.store.as_deref())?,
        false => None,
    };
    let Some(database) = database else { return Ok(vec![None; runs.len()]) };
    let build = history::build();
    let fault = |fault| format!("history: {fault}");
    let known = |run: &Run| {
        if let Some(carried) = carried(&*database, run, &build).map_err(fault)? {
            return Ok(Some(Known { outcome: carried.outcome, shortest: carried.shortest }));
        }
        // An undecided verdict with the same key is not searched further.
        Ok(match standing(&*database, run, &build).map_err(fault)? {
            Standing::Current(kept) if kept.outcome.verdict == Verdict::Unknown => {
                Some(Known { outcome: kept.outcome, shortest: None })
            }
            Standing::Current(_) | Standing::Changed(..) | Standing::New => None,
        })
    };
    runs.iter().map(known).collect()
}

/// Puts the results of executed runs between those of unchanged ones.
pub fn merged<T>(unchanged: Vec<Option<Option<T>>>, executed: Vec<Option<T>>) -> Vec<Option<T>> {
    let mut executed = executed.into_iter();
    unchanged.into_iter().map(|known| known.unwrap_or_else(|| executed.next().flatten())).collect()
}

/// The runs that are executed.
pub fn changed(unchanged: &[Option<Known>], runs: &[Run]) -> Vec<Run> {
    runs.iter().zip(unchanged).filter(|(_, known)| known.is_none()).map(|(run, _)| run.clone()).collect()
}
