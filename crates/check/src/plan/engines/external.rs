//! Hardware model checkers as processes, started on request only.
//!
//! *Entry point:* [`External`].
//! *Invariant:* an answer counts if its trace is replayed by the interpreter, or its invariant passes the
//! queries of the certificate checker.

use std::fs;
use std::path::PathBuf;

use axle_decide::answer::Answer as Decision;
use axle_decide::external;
use axle_decide::external::{Checker, Claim, ExternalError};
use axle_question::EngineId;
use axle_search::Stop;

use super::engine::{Answer, Engine, Planned, Question, Search, Task};
use super::proofs::{Decide, attempts, start};
use crate::plan::attempt::Attempt;

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
        attempts(self.id(), planned, None)
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        let named = Checker::named(self.id().0);
        match named.or_else(|| question.config.program.clone().map(Checker::Program)) {
            Some(checker) => start(self.id(), question, task, by_process(checker)),
            None => Box::new(|_| Answer::Nothing),
        }
    }
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
