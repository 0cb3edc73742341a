//! `axle run --changed`: the runs whose key differs from that of their recorded verdict.
//!
//! *Entry point:* [`unchanged`].
//! *Invariant:* the exit code and the reports of a round are about all selected runs, also those that
//! are not executed.

use axle_check::Verdict;
use axle_feaver::execute::Outcome;
use axle_feaver::prepare::Run;
use axle_feaver::results::ledger::{Standing, standing};

use crate::args::RunArgs;
use crate::history;

/// The recorded results of runs for which nothing has changed; none for the others. A violation whose
/// locations refer to an earlier text counts as changed.
pub fn unchanged(args: &RunArgs, runs: &[Run]) -> Result<Vec<Option<Outcome>>, String> {
    let database = history::open_existing(&args.folder, args.store.as_deref())?;
    let Some(database) = database.filter(|_| args.changed && !args.again) else {
        return Ok(vec![None; runs.len()]);
    };
    let build = history::build();
    let known = |run: &Run| match standing(&*database, run, &build) {
        Ok(Standing::Current(kept)) => {
            let same_texts = kept.texts == run.texts;
            let mut outcome = kept.outcome;
            if !same_texts {
                outcome.forget_locations();
            }
            Ok(Some(outcome).filter(|one| same_texts || one.verdict != Verdict::Violated))
        }
        Ok(Standing::Changed(..) | Standing::New) => Ok(None),
        Err(fault) => Err(format!("history: {fault}")),
    };
    runs.iter().map(known).collect()
}

/// Puts the results of executed runs between those of unchanged ones.
pub fn merged<T>(unchanged: Vec<Option<T>>, executed: Vec<Option<T>>) -> Vec<Option<T>> {
    let mut executed = executed.into_iter();
    unchanged.into_iter().map(|known| known.or_else(|| executed.next().flatten())).collect()
}

/// The runs that are executed.
pub fn changed(unchanged: &[Option<Outcome>], runs: &[Run]) -> Vec<Run> {
    runs.iter().zip(unchanged).filter(|(_, known)| known.is_none()).map(|(run, _)| run.clone()).collect()
}
