//! C text to a typed tree, to control-flow graphs, and to their exact semantics.
//!
//! * [`compile`] reads files (through the preprocessor of `axle-source`, with headers of our own), checks types with every
//!   fault of a file found in one run, and lowers what `main` reaches to steps ([`listing`] shows them).
//! * [`run`] executes a program on one course of events: the meaning of programs with one thread.
//! * [`Stepper`] is the same semantics as a successor function over all courses of events, for the searches of
//!   `axle-search`. A state is one string of bytes whose dynamic objects are numbered canonically. Its length varies with
//!   stacks and heap, so it is padded with zeros to a common width; when one does not fit, `expand` answers
//!   [`axle_step::Grow`], the set widens, and the batch is expanded again. That fits what there is: stores keep states of
//!   one width, compare them as bytes, and pay next to nothing for zeros. The alternative, a model in the intermediate
//!   language, would need pointers and heaps there first.
//! * [`ErrorSite`]s are what goes wrong; a fault's edge is the number of one. [`trace`] gives the way to it as statements.
//!
//! What C is executed like is said in `docs/reference/c.md`.

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
pub use exec::explore::{ErrorSite, Identity};
pub use exec::follow::{Followed, Wanted, follow, has_step};
pub use exec::formula::{Observer, Proposition, settings_for_runs};
pub use exec::machine::{MemoryModel, Settings, Watch};
pub use exec::restrict::{Restricted, Restriction, restrictions};
pub use exec::run::{Run, run};
pub use exec::stepper::Stepper;
pub use exec::trace::{
    Coverage, Stuck, Trace, TraceStep, WalkedRun, aborts, coverage, leaks, trace, walk_run,
};
pub use exec::transactions::applies as transactions_apply;
pub use flow_graph::{FlowGraph, Outcome, flow_graph, functions};
pub use formats::loose_formats;
pub use headers::{FOLDER as HEADERS, find as header};
pub use library_listing::{Execution, Header, library_listing};
pub use listing::{fingerprint, listing};
pub use loop_bounds::{LongLoop, long_loops};
pub use lower::Program;
pub use parse::KEYWORDS;
pub use types::DataModel;
