//! The C front end: preprocessing, syntax, types, control-flow graphs, and analyses of them.
//!
//! * [`compile`] parses and type-checks files (with the preprocessor of `axle-source` and the
//!   headers of Axle), reports every error, and lowers the functions that `main` reaches to
//!   control-flow graphs ([`code`]; [`listing`] prints them).
//! * [`analysis`] computes facts about a [`Program`]: live registers, classes of inputs, lock sets,
//!   clocks, loop bounds.
//!
//! The crate `axle-c-exec` executes a [`Program`]. The supported language is described in
//! `docs/reference/c.md`.

pub mod analysis;
mod bounds;
pub mod canonical;
pub mod code;
pub mod codes;
mod compile;
pub mod floating;
mod flow_graph;
pub mod grammar;
mod headers;
pub mod library;
mod library_listing;
mod listing;
mod lower;
mod memory_order;
mod operators;
mod parse;
mod predefined;
mod program;
mod tree;
mod types;
mod volatile;

pub use analysis::formats::loose_formats;
pub use analysis::loop_bounds::{LongLoop, long_loops};
pub use analysis::thread_starts::missed_start;
pub use analysis::writes::{Write, writes};
pub use bounds::{AppliedBound, Bound};
pub use codes::explain;
pub use compile::{Options, Parsed, check_syntax, compile, parse, preprocessing};
pub use flow_graph::{FlowGraph, Outcome, flow_graph, functions};
pub use headers::{FOLDER as HEADERS, find as header};
pub use library_listing::{Execution, Header, library_listing};
pub use listing::listing;
pub use lower::write_initial;
pub use operators::{Binary, BitOp, Unary};
pub use program::Program;
pub use program::symbols::Symbols;
pub use types::{
    Bits, DataModel, Enumeration, Field, FloatKind, FnType, IntKind, Qual, Quals, Record, Type, TypeId, Types,
};
pub use volatile::Volatile;
