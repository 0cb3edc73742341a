//! Executions of C programs in words: traces, errors, warnings, and the trails from which they are replayed.
//!
//! *Entry points:* [`tell`], [`error_text::ErrorText`], [`warnings`], [`trail`].

pub mod error_text;
mod flow_graph;
pub mod place;
pub mod simulate;
pub mod tell;
pub mod trail;
mod violation;
pub mod warnings;

pub use flow_graph::flow_graph;
pub use place::{error_report, place_report};
pub use violation::ProgramViolation;
