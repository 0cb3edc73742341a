//! The beginning of a round: its inputs, its runs, the verdicts that are carried over, and the first
//! jobs.
//!
//! *Entry point:* [`Driver::open`].
//! *Invariant:* every run has a verdict or a job when the function returns. If the process is killed
//! before, the driver that continues the round completes this.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Driver, Opening, now};
use crate::jobs::error::StoreError;
use crate::jobs::job::{EventId, RoundId};
use crate::jobs::schedule::Decision;
use crate::prepare::Run;
use crate::results::database::Database;
use crate::results::key::Hash;
use crate::results::ledger::{self, Carried};
use crate::results::verdict::{NewVerdict, Phase};
use crate::round::adopt::adopt;
use crate::round::board::Board;
use crate::round::event::RoundEvent;
use crate::round::follow_up::first_job;
use crate::round::inputs::Inputs;
use crate::round::payload::Payload;

impl Driver {
    /// Continues the round of a driver that was lost, if it is the same, or else begins one. Other
    /// rounds without a driver are closed.
    ///
    /// # Errors
    /// The database fails.
    pub fn open(database: Arc<dyn Database>, opening: &Opening<'_>) -> Result<Driver, StoreError> {
        let runs: Vec<_> =
            (0u32..).zip(opening.runs).map(|(number, run)| ledger::run_record(number, run)).collect();
        let list = store_inputs(&*database, opening)?;
        let adopted = adopt(&*database, &opening.round, &runs, &opening.holder, now())?;
        let adopted = match adopted {
            // What has a verdict is to be verified again, so the old round is of no use.
            Some(state) if opening.again => {
                crate::round::adopt::close(&*database, state.round, now())?;
                None
            }
            adopted => adopted,
        };
        let begun = now();
        let (round, begun, spent, resumed) = match &adopted {
            Some(state) => (state.round, state.begun, state.spent, true),
            None => {
                let round = database.begin_driven(&opening.round, &runs, &opening.holder, begun)?;
                (round, begun, Duration::ZERO, false)
            }
        };
        if opening.recheck > 0.0 {
            database.set_recheck(round, opening.recheck)?;
        }
        let names = opening.runs.iter().map(|run| (run.name.clone(), run.key.hash.clone()));
        let mut driver = Driver {
            database,
            round,
            holder: opening.holder.clone(),
            budget: opening.round.budget,
            board: Board::new(names, begun),
            tasks: HashMap::new(),
            last: EventId(0),
            watched: EventId(0),
            spent_before: spent,
            start: Instant::now(),
            renewed: None,
            reported: Instant::now(),
            ending: None,
            over: false,
            pending: Vec::new(),
        };
        let carried = driver.fill(opening, list)?;
        let mut seen = Vec::new();
        if resumed {
            driver.read(&mut seen)?;
            driver.board.decide(Decision::Resumed, now());
        }
        let runs = u32::try_from(opening.runs.len()).unwrap_or(u32::MAX);
        let event = RoundEvent::Begun { round, runs, carried, resumed };
        driver.pending.push(driver.board.stamp(event, now()));
        driver.pending.extend(seen);
        Ok(driver)
    }

    /// Gives each run without a verdict or a job an earlier verdict or its first job. Returns the
    /// number of verdicts that were carried over.
    fn fill(&mut self, opening: &Opening<'_>, list: Hash) -> Result<u32, StoreError> {
        let database = Arc::clone(&self.database);
        let jobs = database.round_jobs(self.round, None)?;
        let started: BTreeSet<u32> = jobs.iter().map(|job| job.submitted.priority.number).collect();
        let mut carried = 0;
        for record in database.verdicts(self.round)? {
            if let (Some(outcome), shortest) = ledger::recorded(&*database, &record)?
                && !started.contains(&record.run.number)
            {
                carried += 1;
                self.board.carry(record.run.number, outcome, shortest, record.verdict.carried_from);
            }
        }
        let (mut jobs, mut verdicts, mut earlier) = (Vec::new(), Vec::new(), Vec::new());
        for (number, run) in (0u32..).zip(opening.runs) {
            let row = self.board.rows().get(number as usize);
            if started.contains(&number) || row.is_some_and(|row| row.outcome.is_some()) {
                continue;
            }
            if !opening.again
                && let Some(known) = ledger::carried(&*database, run, &opening.round.axle_version)?
            {
                verdicts.push(carried_verdict((self.round, number), run, &known)?);
                earlier.push((number, known));
                continue;
            }
            let payload = Payload {
                build: opening.round.axle_version.clone(),
                inputs: list,
                property: run.property.clone(),
                constraint: run.constraint.clone(),
                key: run.key.clone(),
                first: None,
            };
            jobs.push(first_job(self.round, number, weight(run), opening.max_failures, &payload));
        }
        database.record_all(&verdicts, now())?;
        for (number, known) in earlier {
            carried += 1;
            self.board.carry(number, known.outcome, known.shortest, Some(known.round));
        }
        database.submit(&jobs, now())?;
        Ok(carried)
    }
}

/// The earlier verdict of a run, on which nothing that it depends on has changed, as one of this round.
fn carried_verdict(at: (RoundId, u32), run: &Run, known: &Carried) -> Result<NewVerdict, StoreError> {
    let mut verdict = ledger::verdict(at, &run.key, &known.outcome, Phase::First, Some(known.round))?;
    if let Some(shortest) = &known.shortest {
        for (phase, own) in shortest.second_phase() {
            verdict.witnesses.push((phase, ledger::content(&run.key, &own)?));
        }
    }
    Ok(verdict)
}

/// Stores the files of a round and their list.
fn store_inputs(database: &dyn Database, opening: &Opening<'_>) -> Result<Hash, StoreError> {
    let list = Inputs::of(opening.inputs).bytes();
    let mut contents: Vec<&[u8]> = opening.inputs.files.values().map(|content| &**content).collect();
    contents.push(&list);
    database.store_contents(&contents)?;
    Ok(Hash::of(&list))
}

/// The weight of a run as the queue orders it: a larger one goes first.
fn weight(run: &Run) -> u32 {
    const ZERO: i64 = 1 << 31;
    u32::try_from(run.weight.saturating_add(ZERO).max(0)).unwrap_or(u32::MAX)
}
