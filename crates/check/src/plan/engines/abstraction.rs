//! Predicate abstraction with counterexample-guided refinement.
//!
//! *Entry point:* [`Abstraction`].
//! *Invariant:* an answer counts if its trace is replayed by the interpreter, or its invariant over the
//! predicates passes the queries of the certificate checker.

use axle_abstract::composition::Composition;
use axle_abstract::{Options, Precision, cegar};
use axle_decide::answer::Answer as Decision;
use axle_question::EngineId;

use super::abstract_course::{Names, course, given};
use super::engine::{Answer, Engine, Planned, Question, Search, Task};
use super::proofs::{Decide, Decided, attempts, is_wide, start};
use crate::plan::attempt::Attempt;

/// Its shares beside the exact search, in thousandths of that, at first and beside a large search, where
/// data is wide.
const SHARE: [u32; 2] = [50, 200];

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
        attempts(self.id(), planned, is_wide(planned.model).then_some(SHARE))
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        let (model, config) = (question.searched, question.config);
        let decide: Decide<'e> = Box::new(move |problem, relation, bads, limits, poll| {
            let mut problem = problem.clone();
            let (predicates, maps) = match given(&mut problem, relation, config, bads, &mut *poll) {
                Ok(given) => given,
                Err(stop) => return Decision::Unknown(stop).into(),
            };
            let names = Names::new(model, relation);
            let concrete = names.processes_named(&config.concrete).unwrap_or_default();
            let kept = Composition::new(&problem, relation, &concrete).kept;
            let options = Options {
                precision: if config.cartesian { Precision::Cartesian } else { Precision::Boolean },
                cube_length: config.cube_length,
                predicates,
                kept,
                clock: config.clock.map(|clock| clock.0),
                ..Options::default()
            };
            let found = cegar::refine(&problem, relation, bads, &options, limits, poll);
            let mut abstraction = course(model, relation, &found.course);
            abstraction.maps = maps;
            abstraction.concrete = concrete.iter().map(|pid| names.process(*pid)).collect();
            Decided { decision: found.answer, abstraction: Some(abstraction) }
        });
        start(self.id(), question, task, decide)
    }
}
