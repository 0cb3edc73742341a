//! Successor generation: one state layout, one trait, two implementations.
//!
//! [`Interpreter`](interpret) is written for clarity and is the reference: every counterexample is
//! replayed on it. [`Compiled`](compile) is written for speed. Both implement [`Successors`] and
//! return the same successors in the same order, byte for byte. They are independent of storage and
//! search.

pub mod atom;
pub mod batch;
pub mod compile;
pub mod fault;
pub mod interpret;
pub mod layout;
pub mod memo;
pub mod movers;
pub mod observe;
pub mod options;
pub mod successors;
pub mod view;

pub use atom::Atom;
pub use batch::{Batch, Cut, Interrupt};
pub use compile::Compiled;
pub use fault::{Fault, FaultKind, FaultSite, ModelSite};
pub use interpret::Interpreter;
pub use layout::Layout;
pub use movers::{Moved, Movers};
pub use observe::{AtomFault, Observe, Observer};
pub use options::Options;
pub use successors::{
    EVERYONE, Graph, Grow, ModelGraph, Processes, Selective, Statistics, Successors, Wrapper,
};
pub use view::View;
