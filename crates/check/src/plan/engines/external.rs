//! Hardware model checkers as processes, started on request only.
//!
//! *Entry point:* [`External`].
//! *Invariant:* an answer counts if its trace is replayed by the interpreter, or its invariant passes the
//! queries of the certificate checker.

use std::fs;
use std::path::PathBuf;

use axle_decide::answer::Answer as Decision;
use axle_decide::external;
use axle_decide::external::{Checker, Claim, Cycles, ExternalError};
use axle_question::EngineId;
use axle_question::config::Config;
use axle_search::{Monitor, Stop};

use super::engine::{Answer, Engine, Planned, Question, Search, Task};
use super::proof_claims::{By, Lassos, by_bad_states};
use super::proofs::{Decide, all_attempts, start};
use super::{named, property};
use crate::judgement::runs::{ClaimEngine, ClaimQuestion, ClaimResult};
use crate::plan::attempt::{Attempt, Target};

/// A hardware model checker.
pub(super) struct External(pub EngineId, pub &'static str);

impl Engine for External {
    fn id(&self) -> EngineId {
        self.0
    }

    fn help(&self) -> Option<&'static str> {
        Some(self.1)
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        all_attempts(self.0, planned, None)
    }

    fn claims(&self) -> Option<&dyn ClaimEngine> {
        Some(self)
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        if let (Target::Property(number, _), Some(claims)) =
            (&task.attempt.target, named(self.0).and_then(Engine::claims))
        {
            return property::start_by(claims, question, (&task, *number));
        }
        match self.checker(question.config) {
            Some(checker) => start(self.0, question, task, by_process(checker)),
            None => Box::new(|_| Answer::Nothing),
        }
    }
}

impl External {
    /// The program with its options; none if it is to be given by its path and is not.
    fn checker(&self, config: &Config) -> Option<Checker> {
        Checker::named(self.0.0).or_else(|| config.program.clone().map(Checker::Program))
    }
}

/// Checkers that read justice conditions are asked for the executions that satisfy that of the claim. Claims are
/// also reduced to bad states, which all checkers read: a trace to a loop, and an invariant that excludes loops,
/// are those of the reduced system.
impl ClaimEngine for External {
    fn id(&self) -> EngineId {
        self.0
    }

    fn store(&self) -> &'static str {
        "none"
    }

    fn search(&self, question: &ClaimQuestion<'_>, monitor: &mut dyn Monitor) -> Result<ClaimResult, String> {
        let checker = self.checker(question.config).ok_or("the program is not given")?;
        let lassos = checker.reads_justice().then(|| lassos_by_process(checker.clone()));
        by_bad_states(self.0, &By::Process { decide: by_process(checker), lassos }, question, monitor)
    }
}

/// Looks for lassos by a process in a folder of its own.
fn lassos_by_process(checker: Checker) -> Lassos<'static> {
    Box::new(move |system, limits, poll| {
        let Some(folder) = Folder::new() else { return Ok(Cycles::Unknown) };
        match external::run_for_cycles(&checker, system, &folder.0, limits, poll) {
            Ok(cycles) => Ok(cycles),
            Err(ExternalError::Missing(_) | ExternalError::Io(..)) => Ok(Cycles::Unknown),
            Err(ExternalError::Stopped(stop)) => Err(stop),
        }
    })
}

/// Decides by a process in a folder of its own.
fn by_process(checker: Checker) -> Decide<'static> {
    Box::new(move |problem, _, bads, limits, poll| {
        let Some(folder) = Folder::new() else { return Decision::Unknown(Stop::NotApplicable).into() };
        let decision = match external::run(&checker, &problem.system, bads, &folder.0, limits, poll) {
            Ok(Claim::Trace(trace)) => Decision::Violated(trace),
            Ok(Claim::Invariant(invariant)) => Decision::Holds(invariant),
            Ok(Claim::Unsafe | Claim::Safe) => Decision::Unknown(Stop::Uncertified),
            Ok(Claim::Unknown) | Err(ExternalError::Missing(_) | ExternalError::Io(..)) => {
                Decision::Unknown(Stop::NotApplicable)
            }
            Err(ExternalError::Stopped(stop)) => Decision::Unknown(stop),
        };
        decision.into()
    })
}

/// A new folder, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Option<Folder> {
        let own =
            |number: u32| std::env::temp_dir().join(format!("axle-engine-{}-{number}", std::process::id()));
        // A folder that exists may have another owner.
        (0..100).map(own).find(|folder| fs::create_dir(folder).is_ok()).map(Folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The system removes temporary folders that remain.
        let _ = fs::remove_dir_all(&self.0);
    }
}
