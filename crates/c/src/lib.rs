//! The C front end and the executable semantics of C programs.
//!
//! * [`compile`] parses and type-checks files (with the preprocessor of `axle-source` and the
//!   headers of Axle), reports every error, and lowers the functions that `main` reaches to
//!   control-flow graphs ([`listing`] prints them).
//! * [`run`] executes one path of a program: the semantics of sequential programs.
//! * [`Stepper`] is the same semantics as a successor function over all paths, for the searches of
//!   `axle-search`. A state is a byte string in which dynamic objects are numbered canonically. Its
//!   length varies with stacks and heap, so it is padded with zeros to a common width. If a state
//!   does not fit, `expand` returns [`axle_step::Grow`], the width is increased, and the batch is
//!   expanded again. State stores therefore keep states of one width and compare them as bytes. The
//!   alternative, a translation to the intermediate language of the models, would need pointers and
//!   a heap in that language.
//! * [`ErrorSite`] is the kind and location of an error; the edge of a violation carries its
//!   number. [`trace`] converts an error path to statements.
//!
//! The supported language is described in `docs/reference/c.md`.

mod arguments;
mod clocks;
mod code;
pub mod codes;
mod compile;
mod data_flow;
mod exec;
mod floating;
mod flow_graph;
mod formats;
mod headers;
mod inputs;
mod irrelevant_inputs;
mod library;
mod library_listing;
mod listing;
mod liveness;
mod locksets;
mod loop_bounds;
mod lower;
mod parse;
mod predefined;
mod tree;
mod types;

pub use arguments::missing_arguments;
pub use codes::explain;
pub use compile::{Options, check_syntax, compile, preprocessing};
pub use exec::annotations::{Change, Note};
pub use exec::error_kind::ErrorKind;
pub use exec::error_site::{ErrorSite, Identity};
pub use exec::follow::{Followed, Wanted, follow, has_step};
pub use exec::formula::{Observer, Proposition, settings_for_runs};
pub use exec::machine::{ABORTED, MemoryModel, Settings, Watch};
pub use exec::restrict::{Restricted, Restriction, restrictions};
pub use exec::run::{Run, run};
pub use exec::simulate::{Alternative, Ending, Simulation};
pub use exec::stepper::Stepper;
pub use exec::trace::{
    Coverage, Stuck, Trace, TraceStep, WalkedRun, aborts, coverage, leaks, trace, walk_run,
};
pub use exec::transactions::applies as transactions_apply;
pub use exec::violation::{AccessKind, ReportedAccess, ReportedBlock, ReportedEvent, ReportedObject};
pub use flow_graph::{FlowGraph, Outcome, flow_graph, functions};
pub use formats::loose_formats;
pub use headers::{FOLDER as HEADERS, find as header};
pub use library_listing::{Execution, Header, library_listing};
pub use listing::{fingerprint, listing};
pub use loop_bounds::{LongLoop, long_loops};
pub use lower::Program;
pub use parse::KEYWORDS;
pub use types::DataModel;
