//! The exact semantics of the steps: an executable definition that is also the successor function
//! of a search.
//!
//! A state is threads with call stacks over *objects*: variables, automatic objects, heap blocks. A
//! pointer is an object and an offset; memory is bytes, each of which is defined, undefined or part
//! of a pointer. Whatever C leaves undefined is a [`ErrorKind`]. A state as a search sees it is one
//! string of bytes, in which dynamic objects are numbered in the order in which a walk from the
//! variables and stacks meets them, so that neither the order of allocation nor garbage
//! distinguishes states (`encode.rs`). Its length varies; it is padded with zeros to a width that
//! grows through [`axle_step::Grow`], because every store works with one width, and a tree of
//! shared parts makes zeros almost free.
//!
//! A transition is one access to memory that another thread may see (or one operation of
//! synchronisation, or one choice of input), and then everything the thread does alone until the
//! next (`explore.rs`).

pub mod annotations;
pub mod arithmetic;
mod cancel;
pub mod components;
mod counter_abstraction;
pub mod encode;
pub mod error_kind;
pub mod error_site;
pub mod explore;
pub mod follow;
pub mod format;
pub mod formula;
pub mod happens_before;
#[cfg(test)]
mod happens_before_reference;
pub mod heap;
pub mod library;
pub mod machine;
pub mod memo;
pub mod memoise;
pub mod memory;
pub mod names;
pub mod object_records;
pub mod races;
pub mod read_set;
pub mod restrict;
pub mod run;
pub mod simulate;
mod spin_exclusion;
pub mod step;
pub mod stepper;
pub mod sync;
pub mod thread;
pub mod trace;
pub mod transactions;
pub mod violation;
