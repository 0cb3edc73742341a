//! The core semantics: the state of a program, and one step of one thread.
//!
//! A state is threads with call stacks over *objects*: variables, automatic objects, heap blocks. A
//! pointer is an object and an offset; memory is bytes, each of which is defined, undefined or part
//! of a pointer. Each undefined behaviour is an [`error_kind::ErrorKind`]. The search sees a state
//! as one byte string in which dynamic objects are numbered canonically ([`encode`]).

pub mod access;
pub mod arithmetic;
pub mod cancel;
pub mod decode;
pub mod dependencies;
pub mod encode;
pub mod error_kind;
pub mod error_site;
pub(crate) mod executed_steps;
pub mod format;
pub mod heap;
pub mod library;
#[cfg(test)]
mod library_table_tests;
pub mod machine;
pub mod memory;
pub mod object_records;
pub(crate) mod omission;
pub mod outcome;
pub mod program_state;
pub mod recorded_accesses;
pub mod settings;
pub mod step;
pub mod step_annotation;
pub mod stored_clock;
pub mod sync;
pub mod thread;
pub mod value;
pub mod wide;
