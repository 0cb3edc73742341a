//! The semantics of C: one step of one thread.
//!
//! Every load and store goes through [`Memory`](crate::machine::memory::Memory). Whatever follows an
//! execution is informed through [`Observer`](crate::machine::observer::Observer).
//! *Invariant:* nothing here knows a recorder, a search or a trace.

pub mod arithmetic;
pub mod cancel;
pub mod format;
pub mod heap;
pub mod inputs;
pub mod library;
pub mod observability;
pub mod step;
pub mod sync;
pub mod thread;
pub mod wide;
