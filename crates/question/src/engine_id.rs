//! The names of engines.
//!
//! *Entry point:* [`EngineId`].

use std::fmt;

/// The name of an engine: the value of `--engine`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EngineId(pub &'static str);

impl EngineId {
    /// Explicit-state search.
    pub const EXPLICIT: EngineId = EngineId("explicit");
    /// Depth-first searches for deep violations.
    pub const DEPTH_FIRST: EngineId = EngineId("depth-first");
    /// Searches along one path.
    pub const SINGLE_PATH: EngineId = EngineId("single-path");
    /// Walks from the initial state.
    pub const WALKS: EngineId = EngineId("walks");
    /// Bounded model checking.
    pub const BMC: EngineId = EngineId("bmc");
    /// k-induction.
    pub const INDUCTION: EngineId = EngineId("induction");
    /// Property-directed reachability.
    pub const PDR: EngineId = EngineId("pdr");
    /// Predicate abstraction with refinement.
    pub const ABSTRACT: EngineId = EngineId("abstract");
    /// The hardware model checker ABC.
    pub const ABC: EngineId = EngineId("abc");
    /// The hardware model checker rIC3.
    pub const RIC3: EngineId = EngineId("ric3");
    /// The model checker nuXmv.
    pub const NUXMV: EngineId = EngineId("nuxmv");
    /// The model checker Pono.
    pub const PONO: EngineId = EngineId("pono");
    /// A hardware model checker that is named by its path.
    pub const PROGRAM: EngineId = EngineId("program");
    /// Decision diagrams.
    pub const SYMBOLIC: EngineId = EngineId("symbolic");
    /// Explicit-state search by several workers.
    pub const DISTRIBUTED: EngineId = EngineId("distributed");
    /// Counter abstraction of the threads of a C program.
    pub const COUNTER_ABSTRACTION: EngineId = EngineId("counter-abstraction");
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
