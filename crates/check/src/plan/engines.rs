//! Engines: the ways to answer questions about a model, behind one interface.
//!
//! An engine proposes attempts for a question, each with its share of the work, or says why it does
//! not apply. A started attempt is a search that polls a monitor: the race pauses, resumes and ends it
//! there (`race.rs`). The answer is plain data, and is confirmed by others.
//!
//! *Entry points:* [`Engine`], [`ENGINES`].
//! *Invariant:* engines do not know each other.

pub(crate) mod abstract_course;
mod abstraction;
pub(crate) mod distributed;
mod engine;
mod exact;
mod explicit;
mod external;
mod hunters;
pub(crate) mod mathematical;
pub(crate) mod proof_claims;
mod proofs;
mod property;
pub(crate) mod relation_sizes;
pub(crate) mod symbolic;

use axle_decide::prove::Method;
use axle_question::EngineId;

pub(crate) use engine::{Answer, Engine, Planned, Question, Search, Task};
pub(crate) use exact::{FEW, Lead, Led, lead, opening, shortest};
pub(crate) use relation_sizes::Relations;

/// All engines. Attempts are made in this order.
pub(crate) const ENGINES: [&dyn Engine; 15] = [
    &explicit::Explicit,
    &distributed::Distributed,
    &hunters::DepthFirst,
    &hunters::SinglePath,
    &hunters::Walks,
    &symbolic::Symbolic,
    &proofs::Proofs(Method::Bounded),
    &proofs::Proofs(Method::Induction),
    &proofs::Proofs(Method::Reachability),
    &abstraction::Abstraction,
    &external::External(EngineId::ABC, "the hardware model checker ABC, if it is installed"),
    &external::External(EngineId::RIC3, "the hardware model checker rIC3, if it is installed"),
    &external::External(EngineId::NUXMV, "the model checker nuXmv, if it is installed"),
    &external::External(EngineId::PONO, "the model checker Pono, if it is installed"),
    &external::External(EngineId::PROGRAM, "a hardware model checker, by its path with a separator"),
];

/// The engines that can make all attempts of a check, each with a few words.
pub fn selectable() -> impl Iterator<Item = (EngineId, &'static str)> {
    ENGINES.into_iter().filter_map(|engine| Some((engine.id(), engine.help()?)))
}

/// The engine with this name.
pub(crate) fn named(id: EngineId) -> Option<&'static dyn Engine> {
    ENGINES.into_iter().find(|engine| engine.id() == id)
}
