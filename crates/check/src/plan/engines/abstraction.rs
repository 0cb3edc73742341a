//! Predicate abstraction with counterexample-guided refinement, started on request only.
//!
//! *Entry point:* [`Abstraction`].
//! *Invariant:* an answer counts if its trace is replayed by the interpreter, or its invariant over the
//! predicates passes the queries of the certificate checker.

use axle_abstract::{Options, cegar};
use axle_question::EngineId;

use super::engine::{Answer, Engine, Planned, Question, Search, Task};
use super::proofs::{Decide, attempts, start};
use crate::plan::attempt::Attempt;

/// Predicate abstraction.
pub(super) struct Abstraction;

impl Engine for Abstraction {
    fn id(&self) -> EngineId {
        EngineId::ABSTRACT
    }

    fn help(&self) -> Option<&'static str> {
        Some("predicate abstraction: proofs about states and steps by inferred predicates")
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        attempts(self.id(), planned)
    }

    fn start<'e>(&self, question: &Question<'e>, _: Task) -> Search<'e, Answer> {
        let decide: Decide<'static> = Box::new(|problem, relation, bads, limits, poll| {
            cegar::prove(problem, relation, bads, &Options::default(), limits, poll).0
        });
        start(self.id(), question, decide)
    }
}
