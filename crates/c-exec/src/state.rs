//! The data of an execution: values, accesses, errors, settings, and the state of a running program.
//!
//! A state is threads with call stacks over *objects*: variables, automatic objects, heap blocks. A
//! pointer is an object and an offset; memory is bytes, each of which is defined, undefined or part
//! of a pointer. Each undefined behaviour is an [`error_kind::ErrorKind`].
//! *Invariant:* nothing here executes a step.

pub mod access;
pub mod dependency;
pub mod error_kind;
pub mod error_site;
pub mod object_records;
pub mod outcome;
pub mod program_state;
pub mod recorded_accesses;
pub mod settings;
pub mod value;
