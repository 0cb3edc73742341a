//! C text to a typed tree, to control-flow graphs, and to their exact semantics.

mod code;
pub mod codes;
mod compile;
mod exec;
mod headers;
mod library;
mod listing;
mod liveness;
mod lower;
mod parse;
mod tree;
mod types;

pub use codes::explain;
pub use compile::{Options, check_syntax, compile};
pub use exec::explore::{Incident, Stepper};
pub use exec::machine::Settings;
pub use exec::run::{Run, run};
pub use exec::trace::{Trace, TraceStep, leaks, trace};
pub use exec::trouble::Trouble;
pub use listing::listing;
pub use lower::Program;
pub use types::DataModel;
