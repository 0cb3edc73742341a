//! What searches and traces record of an execution, and the machine whose execution is recorded.
//!
//! *Entry points:* [`Recorders`], [`Machine`]. `recording.rs` writes the records.
//! *Invariant:* a recorder that is not asked for is empty, and costs a comparison a step.

use std::cell::RefCell;

use crate::observers::executed_steps::ExecutedSteps;
use crate::observers::read_set::ReadSet;
use crate::observers::step_annotation::StepAnnotation;
use crate::state::access::Access;
use crate::state::error_site::ErrorSite;
use crate::state::recorded_accesses::Contention;

/// An execution under sequentially consistent memory that recorders follow.
#[derive(Clone, Copy, Debug)]
pub struct Recorded;

/// A program whose execution is recorded.
pub type Machine<'p> = crate::machine::Machine<'p, Recorded>;

/// The records of an execution. Those in an `Option` are kept on request.
#[derive(Clone, Default, Debug)]
pub struct Recorders {
    /// The accesses.
    pub log: Option<Vec<Access>>,
    /// The bytes that the program prints on standard output.
    pub output: Option<Vec<u8>>,
    /// Whether anything was printed, on any stream.
    pub printed: bool,
    /// The access that the last memory error is about, for reports.
    pub(crate) faulty: Option<Access>,
    /// The index and the number of elements of the last index that is out of bounds.
    pub(crate) faulty_index: Option<(i64, u64)>,
    /// The steps executed, in order: thread, code, step.
    pub record: Option<Vec<(u32, u32, u32)>>,
    /// The same without their order, each step once.
    pub(crate) executed: Option<ExecutedSteps>,
    /// A sequence of steps ends where it meets a race: for showing an execution up to it.
    pub halts: bool,
    /// The effect of each step in words.
    pub annotation: Option<Box<StepAnnotation>>,
    /// Races that were met between the states of a search, inside an atomic section.
    pub(crate) deferred_races: Vec<ErrorSite>,
    /// Whether the state would record more accesses than it can (`happens_before.rs`).
    pub(crate) overflowed: bool,
    /// Contention that was met.
    pub(crate) contention: Contention,
    /// The questions on which the step depends.
    pub(crate) read_set: RefCell<Option<Box<ReadSet>>>,
}
