//! The exact semantics of C programs: an executable definition that is also the successor function
//! of a search.
//!
//! * [`run`] executes one path of a program: the semantics of sequential programs.
//! * [`Stepper`] is the same semantics as a successor function over all paths, for the searches of
//!   `axle-search`. A state is a byte string in which dynamic objects are numbered in the order of a
//!   walk from the variables and stacks, so that neither the order of allocation nor garbage
//!   distinguishes states. Its length varies with stacks and heap, so it is padded with zeros to a
//!   common width. If a state does not fit, `expand` returns [`axle_step::Grow`], the width is
//!   increased, and the batch is expanded again. State stores therefore keep states of one width and
//!   compare them as bytes. The alternative, a translation to the intermediate language of the
//!   models, would need pointers and a heap in that language.
//! * [`ErrorSite`] is an error of an execution. [`ProgramSite`] is its kind and place in the program, by
//!   which searches name it. [`trace`] converts an error path to statements.
//!
//! A transition is one access to memory that another thread may observe (or one synchronisation
//! operation, or one choice of input), followed by all invisible steps of the thread (`explore.rs`).
//!
//! The modules are layers, of which each imports only those before it:
//!
//! | layer | contents |
//! | --- | --- |
//! | `state/` | values, accesses, errors, settings, the state of a program |
//! | `machine/` | a program being executed; the interfaces [`Memory`] and [`Observer`]; encoding of states |
//! | `memory/` | loads and stores: sequentially consistent memory |
//! | `semantics/` | one step of one thread |
//! | `names.rs` | names of objects and values |
//! | `observers/` | the record of an execution: transactions, happens-before, read sets, annotations |
//! | `visibility.rs`, `races.rs` | steps that other threads observe; adjacent conflicting accesses |
//! | `persistent_sets.rs`, `explore.rs` | the transition relation |
//! | `counter_abstraction.rs`, `memo/` | identical threads; memoised transitions |
//! | `stepper/` | the successor function |
//! | `trace/`, `restrict.rs` | traces, simulation, formulas; conditions of a verdict |
//!
//! [`Memory`]: machine::memory::Memory
//! [`Observer`]: machine::observer::Observer

mod counter_abstraction;
mod executed;
mod explore;
mod fingerprint;
mod machine;
mod memo;
mod memory;
mod names;
mod observers;
mod persistent_sets;
mod races;
mod restrict;
mod run;
mod semantics;
mod state;
mod stepper;
mod trace;
mod visibility;

pub use fingerprint::fingerprint;
pub use machine::ABORTED;
pub use observers::step_annotation::{Change, Note, NoteKind};
pub use observers::transactions::applies as transactions_apply;
pub use persistent_sets::applies as persistent_sets_apply;
pub use restrict::{Restricted, Restriction, installed_handler, restrictions};
pub use run::{Run, run};
pub use state::error_kind::{ErrorClass, ErrorKind};
pub use state::error_site::{ErrorSite, ProgramSite};
pub use state::settings::{MemoryModel, Settings, Watch};
pub use stepper::{Stepper, WorkMeter};
pub use trace::events::{EventReader, EventSource, EventValue};
pub use trace::follow::{Followed, Wanted, follow, has_step};
pub use trace::formula::{Observer, Proposition, observed_variables, settings_for_runs};
pub use trace::simulate::{Alternative, Ending, Simulation};
pub use trace::violation::{AccessKind, ReportedAccess, ReportedBlock, ReportedEvent, ReportedObject};
pub use trace::{
    Call, Coverage, Leak, Stuck, Trace, TraceStep, WalkedRun, aborts, coverage, leaks, trace, walk_run,
};
